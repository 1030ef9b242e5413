"""charisopoulos_2023: what owners report, beside section 3: every randomiser and release replayed, with all options, and their parameters.

Messages have rewards inside [-1, 1], at its ends, beside them, far outside, infinite and NaN, in widths of 1 to 5 numbers.
"""

import math
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms import client_reports
from banditproof.algorithms.mechanisms.client_reports import Clipping, Level, NoisyMean, NoisyReward, OwnerReport
from banditproof.audits.common.beside import beside
from banditproof.audits.common.releases import described, equal, guaranteed, refusals, replayed
from banditproof.audits.common.reports import KEY, reports_of
from banditproof.audits.methods.pointwise import At
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.randomness import CLIENT, laplace

REWARDS = np.array([0.0, 1.0, -1.0, 0.9, -0.9, 0.3, 1.0 + 1e-9, -1.0 - 1e-9, 1.7, -1.7, 40.0, -1e300, math.inf, -math.inf, math.nan])
OPTIONS = tuple(product((0.4, 3.0), Clipping))


def held(reward: float, clipping: Clipping) -> float:
    """In [-1, 1], where rewards are clipped; NaN stays."""
    inside = clipping is Clipping.PUBLISHED or math.isnan(reward) or -1.0 <= reward <= 1.0
    return reward if inside else math.copysign(1.0, reward)


def messages_of(width: int) -> Floats:
    """Messages (n, w) with every reward in every place."""
    places = (np.arange(len(REWARDS))[:, None] + 4 * np.arange(width)[None, :]) % len(REWARDS)
    return np.asarray(REWARDS[places])


def of_first_model(messages: Floats, epsilon: float, clipping: Clipping) -> list[list[float]]:
    """Reports (n, w) of rewards: each of the w numbers with noise of its own, of scale 2 w / epsilon."""
    width = messages.shape[1]
    return [
        [held(reward, clipping) + 2.0 * width / epsilon * laplace(KEY, CLIENT, width * user + place) for place, reward in enumerate(row)]
        for user, row in enumerate(messages.tolist())
    ]


def rewards_sent() -> Iterator[At]:
    """Reports of the first model, and of raw messages of the second that are no mean with its number."""
    for (epsilon, clipping), width in product(OPTIONS, (1, 2, 3, 5)):
        messages = messages_of(width)
        expected = of_first_model(messages, epsilon, clipping)
        parts: list[NoisyReward | NoisyMean] = [NoisyReward(epsilon, clipping)]
        parts += [NoisyMean(epsilon, level, clipping) for level in Level if width != 2]
        for randomiser in parts:
            yield equal({"randomiser": str(randomiser), "width": width}, reports_of(randomiser, messages, KEY)[:, 0], expected)


def means_sent() -> Iterator[At]:
    """Reports of the second model: noise of scale 2 / (n epsilon), for the owner 2 / epsilon; nothing without rewards."""
    plays = np.array([1.0, 2.0, 7.0, 0.0, 1000.0])
    messages = np.array(list(product(REWARDS, plays)))
    for (epsilon, clipping), level in product(OPTIONS, Level):
        expected = [
            math.nan
            if n == 0.0
            else held(mean, clipping) + 2.0 / (epsilon * (n if level is Level.EVENT else 1.0)) * laplace(KEY, CLIENT, user)
            for user, (mean, n) in enumerate(messages.tolist())
        ]
        randomiser = NoisyMean(epsilon, level, clipping)
        found = reports_of(randomiser, messages, KEY)
        yield equal({"randomiser": str(randomiser), "compared": "shape"}, found.shape, (len(messages), 1, 1))
        yield equal({"randomiser": str(randomiser)}, found[:, 0, 0], expected)


def claims() -> Iterator[At]:
    """Guarantees of randomisers and releases, and the messages that they send."""
    for epsilon, clipping in OPTIONS:
        one, mean, all_of = (
            PureDP(epsilon, relation, View.LOCAL)
            for relation in (NeighbouringRelation.ANY_PAIR, NeighbouringRelation.REPLACE_REWARD, NeighbouringRelation.ANY_PAIR)
        )
        yield guaranteed(NoisyReward(epsilon, clipping), one)
        yield guaranteed(NoisyMean(epsilon, Level.EVENT, clipping), mean)
        yield guaranteed(NoisyMean(epsilon, Level.USER, clipping), all_of)
        for width in (1, 2, 3):
            sent = (*NoisyReward(epsilon, clipping).messages(width), *NoisyMean(epsilon, clipping=clipping).messages(width))
            yield equal({"width": width}, sent, (1, width, 1, 1 if width == 2 else width))


def released() -> Iterator[At]:
    """Releases of an owner's n rewards: their mean and noise; guarantees and neighbours at both levels."""
    for (epsilon, clipping), level, plays in product(OPTIONS, Level, (1, 2, 6)):
        mechanism = OwnerReport(epsilon, plays, level, clipping)
        scale = 2.0 / (epsilon * (plays if level is Level.EVENT else 1))
        yield equal({"mechanism": str(mechanism), "compared": "scale"}, mechanism.scale(), scale)
        for first in range(len(REWARDS)):
            rewards = [float(REWARDS[(first + 4 * place) % len(REWARDS)]) for place in range(plays)]
            mean = sum(held(reward, clipping) for reward in rewards) / plays
            yield equal({"rewards": rewards}, client_reports.reported_mean(rewards, clipping), mean)
            if abs(mean) < 1e200:
                yield from replayed(mechanism, rewards, partial(_with_noise, mean, scale))
        yield from neighbours_of(mechanism)
        other = partial(mechanism.release, [0.0] * (plays + 1), 1, np.random.default_rng(0))
        yield from refusals({f"{plays + 1} rewards": other})
    yield equal({"compared": "default"}, client_reports.reported_mean([3.0, 0.5]), 0.75)


def _with_noise(mean: float, scale: float, rng: np.random.Generator, runs: int) -> Floats:
    return mean + scale * rng.laplace(size=(runs, 1))


def neighbours_of(mechanism: OwnerReport) -> Iterator[At]:
    """One reward, or all of them, from -1 to 1: epsilon where the noise is calibrated for it, else n times that, or an n-th."""
    plays, own = mechanism.arm_plays, mechanism.level
    for level in Level:
        times = 1.0 if level is own else plays if level is Level.USER else 1.0 / plays
        relation = NeighbouringRelation.REPLACE_RECORD if level is Level.EVENT else NeighbouringRelation.ANY_PAIR
        moved = 1 if level is Level.EVENT else plays
        low, high = (-1.0,) * plays, (1.0,) * moved + (-1.0,) * (plays - moved)
        expected = Neighbours(relation, -1.0, 1.0, (plays, plays), worst=((low, high),))
        at = mechanism.guarantee_at(level)
        yield At({"mechanism": str(mechanism), "level": level.value}, int(at.relation is not relation), 0)
        yield equal({"mechanism": str(mechanism), "level": level.value}, at.epsilon, times * mechanism.epsilon)
        found = mechanism.neighbours_at(level)
        yield At({"mechanism": str(mechanism), "level": level.value, "compared": "neighbours"}, int(found != expected), 0)
        if level is own:
            yield from described(mechanism, expected)
            yield guaranteed(mechanism, PureDP(at.epsilon, relation))


def parameters() -> Iterator[At]:
    """Scales, levels and losses of reports: two centres c and c' are distinguished with a loss of |c - c'| / scale."""
    for epsilon, plays in product((0.3, 2.0), (1, 4, 100)):
        where = {"epsilon": epsilon, "n": plays}
        scales = {level: 2.0 / (epsilon * (plays if level is Level.EVENT else 1)) for level in Level}
        dataset = np.linspace(-2.0, 1.5, plays)
        neighbour = np.append(dataset[:-1], -0.25)
        for level, scale in scales.items():
            yield equal({**where, "scale": level.value}, client_reports.report_scale(epsilon, plays, level=level), scale)
            for other in Level:
                change = 2.0 / plays if other is Level.EVENT else 2.0
                found = client_reports.level_epsilon(epsilon, plays, calibrated=level, level=other)
                yield equal({**where, "calibrated": level.value, "level": other.value}, found, change / scale)
            for clipping in Clipping:
                centres = [sum(held(float(each), clipping) for each in rewards) / plays for rewards in (dataset, neighbour)]
                found = client_reports.report_loss(dataset, neighbour, epsilon, clipping=clipping, calibrated=level)
                yield equal({**where, "loss": clipping.value, "level": level.value}, found, abs(centres[0] - centres[1]) / scale)
    for value, expected in (
        (client_reports.report_scale(0.5), 4.0),
        (client_reports.report_scale(0.5, 8), 0.5),
        (client_reports.report_loss([5.0, 0.0], [-5.0, 0.0], 0.5), 0.5),
    ):
        yield equal({"compared": "defaults"}, value, expected)
    matrix: Any = [[0.0]]
    bad: dict[str, Any] = {
        "other lengths": partial(client_reports.report_loss, [0.0], [0.0, 1.0], 1.0),
        "no rewards": partial(client_reports.reported_mean, []),
        "a matrix": partial(client_reports.reported_mean, matrix),
    }
    counts: tuple[Any, ...] = (0, -1, 1.5)
    yield from refusals({**bad, **{f"n = {n}": partial(client_reports.report_scale, 1.0, n) for n in counts}})


REPLAYED = tuple(
    beside(f"charisopoulos_2023.{theorem}", slug, words, points, domain)
    for theorem, slug, words, points, domain in (
        ("first_privacy", "rewards_sent", "NoisyReward and NoisyMean, each number replayed", rewards_sent, "15 users, widths 1 to 5"),
        ("second_privacy", "means_sent", "NoisyMean, each report replayed", means_sent, "75 owners"),
        ("second_privacy", "claims", "NoisyReward and NoisyMean, guarantees and shapes", claims, "4 settings"),
        ("second_privacy", "releases_of_owners", "OwnerReport, releases, guarantees, neighbours", released, "24 settings"),
        ("report_scale_second", "parameters_computed", "client_reports, every parameter", parameters, "6 settings"),
    )
)
