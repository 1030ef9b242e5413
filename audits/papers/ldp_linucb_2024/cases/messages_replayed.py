"""ldp_linucb_2024: every number that `LocalRow` and `VectorSum` send and their mechanisms release, from the sheet and the same draws.

Users hold features and responses inside the domain, at its ends, far outside, infinite and NaN; messages have any number of parts. Random
numbers have the addresses of the shipped code; ones of a binomial number are counted bit by bit.
"""

import math
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms import local_row, vector_sum
from banditproof.algorithms.mechanisms.gram.local import GramContributions
from banditproof.algorithms.mechanisms.local_row import Calibration, LocalRow, RowMessage
from banditproof.algorithms.mechanisms.vector_sum import Encoding, Logarithm, ShuffledSum, VectorSum
from banditproof.audits.common.beside import beside
from banditproof.audits.common.releases import described, equal, guaranteed, refusals
from banditproof.audits.common.reports import KEY, reports_of
from banditproof.audits.common.short_blocks import normal, short_block, short_stream
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.ldp_linucb_2024.plain import server
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, View
from banditproof.interaction import Floats, Words
from banditproof.mechanism import Neighbours
from banditproof.randomness import CLIENT, key_from

ANY = NeighbouringRelation.ANY_PAIR
NUMBERS = np.array([0.0, 0.3, -0.45, 1.0, -1.0, 0.9, -0.9, 1.0 + 1e-9, -1.7, 1.9, 30.0, -1e200, math.nan])


def key_after(rng: np.random.Generator) -> Words:
    """The key that a mechanism draws, of run 0."""
    return np.append(key_from(rng), np.uint64(0))


# --- rows ---------------------------------------------------------------------------------------------------------------------------------

ROWS = tuple(product(((0.8, 0.05), (3.0, 1e-6)), Calibration, (True, False)))


def unit_noise(calibration: Calibration, epsilon: float, delta: float) -> float:
    """For messages 1 apart, which have no parts to split between."""
    if calibration in (Calibration.PUBLISHED, Calibration.CLASSIC):
        return math.sqrt(2.0 * math.log(1.25 / delta)) / epsilon
    return server.exact_noise(epsilon, delta, 1.0)


def row_of(raw: Floats, sigma: float, clips: bool, key: Words, user: int) -> Floats:
    """(x~, y~, g) from (x, y, theta, Delta, G)."""
    d, stream = (len(raw) - 3) // 2, short_stream(key, CLIENT)
    first = user * (2 * d + 1)
    x, y, theta, (injected, bound) = raw[:d], float(raw[d]), raw[d + 1 : 2 * d + 1], raw[-2:]
    length = float(np.sqrt(x @ x))
    noise = np.array([sigma * normal(stream, first + 2 * i) for i in range(d + 1)])
    moved = np.array([injected * normal(stream, first + 2 * i + 1) if injected > 0.0 else 0.0 for i in range(d)])
    x = (x / length if clips and length > 1.0 else x) + noise[:d] + moved
    y = (math.copysign(1.0, y) if clips and abs(y) > 1.0 else y) + noise[d]
    g = 2.0 * (float(x @ theta) - y) * x - 2.0 * sigma**2 * theta
    size = float(np.sqrt(g @ g))
    return np.concatenate([x, [y], g * (bound / size) if size > bound else g])


def raw_messages(d: int) -> Floats:
    """(n, 2 d + 3): users, with points, injections and bounds that shorten some gradients."""
    places = (np.arange(len(NUMBERS))[:, None] + 3 * np.arange(d + 1)[None, :]) % len(NUMBERS)
    small = NUMBERS[places] * np.where(np.arange(len(NUMBERS)) % 2, 0.4, 1.0)[:, None]
    count = len(NUMBERS)
    points = np.random.default_rng(d).normal(size=(count, d)) * 0.5
    rest = np.stack([np.tile([0.0, 0.7, 1.3], count)[:count], np.tile([1e3, 5.0, 0.2, 40.0], count)[:count]], axis=1)
    return np.hstack([small, points, rest])


def rows_sent() -> Iterator[At]:
    """Reports of users with 1 to 4 features, and of messages that have no such parts."""
    for (epsilon, delta), calibration, clips in ROWS:
        if calibration is Calibration.CLASSIC and epsilon >= 1.0:
            continue
        randomiser = LocalRow(epsilon, delta, calibration, clips)
        where = {"randomiser": str(randomiser)}
        sigma, unit = server.noise_of(calibration, epsilon, delta), unit_noise(calibration, epsilon, delta)
        yield equal({**where, "compared": "sigma"}, randomiser.sigma(), sigma)
        yield guaranteed(randomiser, ApproximateDP(epsilon, delta, ANY, View.LOCAL))
        for d in (1, 2, 4):
            raw = raw_messages(d)
            with np.errstate(over="ignore", invalid="ignore"):
                expected = [row_of(each, sigma, clips, KEY, user) for user, each in enumerate(raw)]
            found = reports_of(randomiser, raw, KEY)
            yield equal({**where, "d": d, "compared": "shape"}, found.shape, (len(raw), 1, 2 * d + 1))
            for user, (mine, wanted) in enumerate(zip(found[:, 0], expected, strict=True)):
                if np.abs(raw[user, : d + 1]).max() < 1e100:
                    yield equal({**where, "d": d, "user": user}, rounded(mine, wanted), wanted)
        for width in (1, 2, 3, 4, 6):
            raw = raw_messages(width)[:, :width]
            held = np.where(np.isnan(raw), raw, np.minimum(np.maximum(raw, -1.0), 1.0)) if clips else raw
            stream = short_stream(KEY, CLIENT)
            noise = np.array([normal(stream, place) for place in range(raw.size)]).reshape(raw.shape)
            yield equal({**where, "width": width}, reports_of(randomiser, raw, KEY)[:, 0], held + 2.0 * math.sqrt(width) * unit * noise)


def rounded(value: Floats, expected: Floats) -> Floats:
    """The expected number where the two are within rounding of the largest one: sums of large numbers cancel."""
    scale = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
    return np.where(np.abs(value - expected) <= 1e-12 * scale, expected, value)


def rows_released() -> Iterator[At]:
    """Releases of `RowMessage`, its guarantee and neighbours; the noise of each calibration, and the least delta of messages."""
    for number, ((epsilon, delta), calibration, clips) in enumerate(ROWS):
        if calibration is Calibration.CLASSIC and epsilon >= 1.0:
            continue
        point, injected, bound = ((0.5,), (0.2, -0.7), (0.4, 0.1, -0.3))[number % 3], (0.0, 0.6)[number % 2], (100.0, 0.3)[number % 2]
        mechanism, d = RowMessage(epsilon, delta, point, injected, bound, calibration, clips), len(point)
        sigma, data = server.noise_of(calibration, epsilon, delta), np.array([0.9, -1.4, 0.8, 1.2][-d - 1 :])
        key = key_after(np.random.default_rng(3))
        raw = np.array([*data, *point, injected, bound])
        expected = [row_of(raw, sigma, clips, key, run) for run in range(4)]
        yield equal({"mechanism": str(mechanism)}, mechanism.release(data, 4, np.random.default_rng(3)), expected)
        yield guaranteed(mechanism, ApproximateDP(epsilon, delta, ANY, View.LOCAL))
        far = (1.0, *(0.0,) * (d - 1), 1.0)
        reach = d**-0.5
        pairs = ((far, tuple(-each for each in far)),)
        yield from described(mechanism, Neighbours(ANY, -reach, reach, (d + 1, d + 1), worst=pairs))
        yield from refusals({"width": partial(mechanism.release, np.zeros(d), 1, np.random.default_rng(0))})
        scale = local_row.unit_noise_scale(calibration, epsilon, delta)
        yield equal({"unit": calibration.value, "epsilon": epsilon}, scale, unit_noise(calibration, epsilon, delta))
        # Of the least noise for a distance, delta is the least level.
        for distance in (8.0**0.5, 1.3):
            least = server.exact_noise(epsilon, delta, distance)
            told = () if distance > 2.0 else (distance,)
            yield equal({"distance": distance, "epsilon": epsilon}, round(local_row.message_delta(epsilon, least, *told) / delta, 9), 1.0)
    yield equal({"compared": "printed"}, local_row.printed_noise_scale(0.5, 1.25 / math.e**2), 8.0)
    widths = [(local_row.raw_width(d), local_row.report_width(d)) for d in range(4)]
    yield equal({"compared": "widths"}, widths, [(1, 1), (5, 3), (7, 5), (9, 7)])


# --- sums ---------------------------------------------------------------------------------------------------------------------------------


def coins_of(key: Words, first: int, number: int) -> list[int]:
    """`number` coins of probability 1/4: 32 in the block `first`, 64 in each of the next ones. A coin is 1 where two bits are."""
    coins = list[int]()
    for place in range(1 + -(-max(number - 32, 0) // 64)):
        a, b, c, d = short_block(short_stream(key, CLIENT), first + place)
        pairs = [(c, d)] if place == 0 else [(a, b), (c, d)]
        coins += [(one >> bit) & (other >> bit) & 1 for one, other in pairs for bit in range(32)]
    return coins[:number]


def numbers_of(user: Floats, length: float, clips: bool) -> list[float]:
    """The lower triangle of x x', row by row, and y x; y alone without features."""
    x, y = user[:-1], float(user[-1])
    if clips:
        size = float(np.sqrt(x @ x))
        x, y = x * (length / size) if size > length else x, min(max(y, -1.0), 1.0) if y == y else y
    d = len(x)
    return [float(x[i] * x[j]) for i in range(d) for j in range(i + 1)] + [float(y * each) for each in x] if d else [y]


def ones_of(sent: VectorSum, vector: tuple[float, int], number: float, key: Words, index: int) -> float:
    """floor(q) + Bernoulli(q - floor(q)), q = (v + L) g / L."""
    if math.isnan(number):
        return number
    if sent.clips:
        number = min(max(number, -sent.bound), sent.bound)
    q = (number + sent.bound) * vector[0] / sent.bound
    low, high, _, _ = short_block(short_stream(key, CLIENT), index)
    return math.floor(q) + float(((high << 32) + low) // 2**11 / 2**53 < q - math.floor(q))


def vector_of(sent: VectorSum) -> tuple[float, int]:
    """g, and b rounded down."""
    g = max(2.0 * math.sqrt(sent.users), float(sent.features), 4.0)
    power = 2 if sent.logarithm is Logarithm.PAPER else 1
    log = power * math.log(max(sent.features, 1)) - math.log(sent.delta)
    factor = sent.factor if sent.factor is not None else 1.0 if sent.epsilon <= 0.2 else 10.0
    return g, math.floor(factor * (g * log / sent.epsilon) ** 2 / sent.users)


SENT = (
    VectorSum(2.0, 0.05, 4, 1.0, 0.3, features=2),
    VectorSum(2.0, 0.05, 20, 0.7, 3.0, features=1, logarithm=Logarithm.PAPER),
    VectorSum(1.0, 0.01, 30, 2.0, 1.0, features=3, clips=False),
    VectorSum(1.0, 0.2, 3, 1.3, 2.0, features=0),
    VectorSum(1.0, 0.1, 4, 2.0, 1.0, features=1),  # x^2 reaches 4
    VectorSum(1.5, 0.3, 2, 1.0, 0.4, Encoding.BITS, features=2),
    VectorSum(1.5, 0.3, 9, 1.5, 0.6, Encoding.BITS, Logarithm.PAPER, features=6),
    VectorSum(1.5, 0.3, 1, 0.8, 0.2, Encoding.BITS, features=0),
    *(VectorSum(1.0, 0.1, 4, 1.0, factor, features=1) for factor in (1.0, 3.02, 5.9, 6.1, 12.1, 18.2)),  # 21, 64, 125, 129, 256, 385 coins
    VectorSum(0.2, 0.3, 4, features=2),  # the script's factors
    VectorSum(0.21, 0.3, 4, features=2),
)


def sums_sent() -> Iterator[At]:
    """All messages of users: labels, and counts or bits, of which the last b are coins."""
    for sent in SENT:
        (g, drawn), d, bits = vector_of(sent), sent.features, sent.encoding is Encoding.BITS
        where = {"users": sent.users, "d": d, "b": drawn, "encoding": sent.encoding.value}
        yield equal({**where, "compared": "parameters"}, (sent.resolution(), sent.trials()), (g, drawn))
        raw = raw_messages(d + 1)[:, : d + 1] * (1.0 if sent.clips else 0.5)
        raw = raw[np.abs(np.nan_to_num(raw)).max(axis=1) < (1e9 if sent.clips else 3.0)]
        each, step = math.ceil(2.0 * g) + drawn if bits else 1, 1 + -(-max(drawn - 32, 0) // 64)
        yield equal({**where, "compared": "messages"}, (sent.per_coordinate(), *sent.messages(d + 1)), (each, _count(d) * each, 2))
        expected = list[list[list[float]]]()
        for user, row in enumerate(raw):
            messages = list[list[float]]()
            for place, number in enumerate(numbers_of(row, sent.bound, sent.clips)):
                first = (user * _count(d) + place) * step
                ones = ones_of(sent, (g, drawn), number, KEY, first)
                if not bits:
                    messages.append([place, ones + sum(coins_of(KEY, first, drawn))])
                    continue
                own = [ones if math.isnan(ones) else float(bit < ones) for bit in range(each - drawn)]
                own += coins_of(KEY, first, drawn)
                messages += [[place, bit] for bit in own]
            expected.append(messages)
        yield equal(where, reports_of(sent, raw, KEY), expected)


def _count(d: int) -> int:
    return d * (d + 3) // 2 if d else 1


def sums_released() -> Iterator[At]:
    """What the shuffler hands on of a batch: sums of ones, or the users' counts in order; guarantee and neighbours."""
    for encoding, logarithm, (d, users, bound, factor) in product(Encoding, Logarithm, ((1, 2, 1.0, 0.3), (3, 4, 0.6, 4.0))):
        mechanism = ShuffledSum(1.5, 0.1, users, d, bound, factor, encoding, logarithm)
        sent = VectorSum(1.5, 0.1, users, bound, factor, encoding, logarithm, features=d)
        (g, drawn), key = vector_of(sent), key_after(np.random.default_rng(4))
        data, step, runs = np.random.default_rng(d).normal(size=(users, d + 1)), 1 + -(-max(drawn - 32, 0) // 64), 3
        counts = np.zeros((runs, users, _count(d)))
        for run, user in product(range(runs), range(users)):
            for place, number in enumerate(numbers_of(data[user], bound, True)):
                first = ((run * users + user) * _count(d) + place) * step
                counts[run, user, place] = ones_of(sent, (g, drawn), number, key, first) + sum(coins_of(key, first, drawn))
        expected = counts.sum(axis=1) if encoding is Encoding.BITS else np.array([np.sort(each, axis=0).ravel() for each in counts])
        where = {"mechanism": str(mechanism)}
        yield equal(where, mechanism.release(data, runs, np.random.default_rng(4)), expected)
        yield At({**where, "compared": "users' part"}, int(mechanism.randomiser() != sent), 0)
        records = NeighbouringRelation.REPLACE_RECORD
        yield guaranteed(mechanism, ApproximateDP(1.5, 0.1, records, View.SHUFFLED))
        one, other, rest = (1.0, *(0.0,) * (d - 1)), ((0.0, 1.0, 0.0) if d == 3 else (0.0,)), [(0.0,) * (d + 1)] * (users - 1)
        pairs: Any = tuple(([(*one, 1.0), *rest], [(*far, -1.0), *rest]) for far in (other, one))
        cube = bound / math.sqrt(d)
        yield from described(mechanism, Neighbours(records, -cube, cube, (users, users), row=(d + 1,), worst=pairs))
        yield from refusals({"shape": partial(mechanism.release, data[1:], 1, np.random.default_rng(0))})
    variance = vector_sum.noise_variance(4.0, 12.0, 2.0)
    yield equal({"compared": "variance"}, (variance, vector_sum.noise_variance(1.0, 0.0, 1.0)), (0.625, 0.25))
    yield equal({"compared": "g"}, [vector_sum.resolution(b, d) for b, d in ((1, 1), (25, 3), (25, 11))], (4.0, 10.0, 11.0))
    refused = (VectorSum(1.0, 0.1, features=-1), VectorSum(1.0, 0.1, bound=0.0), VectorSum(1.0, 0.1, encoding=Encoding.BITS, clips=False))
    for each in (*refused, VectorSum(1.0, 0.1, factor=math.inf)):
        yield from refusals({f"setup of {each}": each.setup, f"messages of {each}": partial(each.messages, 3)})


def releases_apart() -> Iterator[At]:
    """Numbers of noise that stand twice in several releases of the same data, more users than features and fewer."""
    for users, features in ((1, 2), (6, 1), (6, 2), (2, 3)):
        mechanism = GramContributions(1.0, 0.1, users=users, features=features)
        numbers = mechanism.release(np.zeros((users, features + 1)), 4, np.random.default_rng(5))
        yield At({"mechanism": str(mechanism)}, numbers.size - np.unique(numbers).size, 0)
    message = RowMessage(1.0, 0.1)
    numbers = message.release((0.0, 0.0, 0.0), 40, np.random.default_rng(5))
    yield At({"mechanism": str(message)}, numbers.size - np.unique(numbers).size, 0)


REPLAYED = tuple(
    beside(f"ldp_linucb_2024.{theorem}", slug, words, points, domain)
    for theorem, slug, words, points, domain in (
        ("privacy", "rows_sent", "LocalRow, every number replayed", rows_sent, "13 users, 14 settings"),
        ("privacy", "rows_released", "RowMessage, releases, neighbours, noise", rows_released, "14 settings"),
        ("local_sigma", "releases_apart", "GramContributions and RowMessage, noise of several releases", releases_apart, "5 settings"),
        ("vector_trials", "sums_sent", "VectorSum, every message replayed", sums_sent, "14 settings"),
        ("vector_trials", "sums_released", "ShuffledSum, releases and neighbours", sums_released, "8 settings"),
    )
)
