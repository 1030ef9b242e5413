"""ldp_linucb_2024: the learners through their own functions, beside `plain.learners`: points, losses, arrays, parameters and bounds.

Gradients are longer than G in some rounds and push points out of the ball; the metrics of projections are well and badly conditioned.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.learners import constants, noisy_square
from banditproof.algorithms.learners.kernels import hear, move, restart, update_all
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.algorithms.learners.projections import project
from banditproof.algorithms.learners.protocol import FAMILY, HEARD, Arrays, Plan
from banditproof.audits.common.beside import beside
from banditproof.audits.common.releases import equal, refusals
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.ldp_linucb_2024.plain.learners import PlainMaler, plain_learner, projected
from banditproof.interaction import Floats

NEARLY = Fraction(1, 10**8)
PLANS = (Plan(1, 1, 1.0, 1.0), Plan(2, 2, 0.3, 5.0), Plan(3, 17, 2.0, 30.0), Plan(4, 300, 4.0, 0.5))
ROUNDS = 40
OWN: tuple[Maler | OGD, ...] = (Maler(), Maler(2.0, 0.5), OGD(), *(OGD(step, 0.7) for step in Step))


def gradients_of(plan: Plan) -> Floats:
    """(n, d): some in a row push one way, and one in three is longer than G."""
    rng = np.random.default_rng([plan.dimension, plan.horizon])
    found = rng.normal(size=(ROUNDS, plan.dimension)) + 3.0 * np.sign(np.arange(ROUNDS) % 16 - 8.0)[:, None]
    lengths = plan.gradient_bound * np.resize([0.3, 1.0, 1.7], ROUNDS)[:, None]
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True) * lengths)


def near(where: dict[str, Any], value: Any, expected: Any, size: float = 1.0) -> At:
    """Two arrays, their distance over `size`."""
    one, other = np.asarray(value, dtype=float), np.asarray(expected, dtype=float)
    off = float(np.abs(one - other).max(initial=0.0)) / size if one.shape == other.shape else math.inf
    return At(where, Fraction(off) if math.isfinite(off) else 10**9, NEARLY)


def rounds_played() -> Iterator[At]:
    """Points and linear losses round by round, and the points of all rounds at once; batches of three gradients at one point."""
    for own, plan in product(OWN, PLANS):
        where, gradients = {"learner": str(own), "d": plan.dimension, "T": plan.horizon}, gradients_of(plan)
        arrays, plain = own.start(plan), plain_learner(own, plan.dimension, plan.horizon, plan.parameter_norm, plan.gradient_bound)
        comparator = np.full(plan.dimension, 0.2 * plan.parameter_norm)
        points, expected, losses, wanted = list[Floats](), list[Floats](), list[float](), list[float]()
        for g in gradients:
            points.append(own.predict(arrays))
            expected.append(plain.point.copy())
            losses.append(own.loss(arrays, g, comparator))
            wanted.append(float(g @ (plain.point - comparator)))
            own.update(arrays, g)
            plain.hear(g)
            plain.move()
        yield near(where, points, expected, plan.parameter_norm)
        yield near({**where, "compared": "loss"}, losses, wanted, plan.parameter_norm * plan.gradient_bound)
        wrong = (np.zeros(plan.dimension + 1), np.full(plan.dimension, math.nan), np.full(plan.dimension, math.inf))
        yield from refusals({f"gradient {g.tolist()}": partial(own.update, arrays, g) for g in wrong})


def rounds_at_once() -> Iterator[At]:
    """The points of all rounds in one call, and batches of three gradients at one point."""
    for own, plan in product(OWN, PLANS):
        where, gradients = {"learner": str(own), "d": plan.dimension, "T": plan.horizon}, gradients_of(plan)
        plain = plain_learner(own, plan.dimension, plan.horizon, plan.parameter_norm, plan.gradient_bound)
        expected = list[Floats]()
        for g in gradients:
            expected.append(plain.point.copy())
            plain.hear(g)
            plain.move()
        every, fresh = np.zeros_like(gradients), own.start(plan)
        update_all(fresh, gradients, every)
        yield near({**where, "compared": "all rounds"}, every, expected, plan.parameter_norm)
        yield near({**where, "compared": "last point"}, fresh.point, plain.point, plan.parameter_norm)
        batched, other = own.start(plan), plain_learner(own, plan.dimension, plan.horizon, plan.parameter_norm, plan.gradient_bound)
        for place, g in enumerate(gradients):
            hear(batched, g)
            other.hear(g)
            if place % 3 == 2:
                move(batched)
                other.move()
                yield near({**where, "round": place, "compared": "batches"}, batched.point, other.point, plan.parameter_norm)


def packed(matrix: Floats) -> Floats:
    return np.asarray(matrix[np.tril_indices(len(matrix))])


def places_of(family: int) -> list[int]:
    """Where the experts stand: the convex one, the strongly convex family, the exp-concave one; each family in whole eights."""
    whole = (family + 7) // 8 * 8
    return [2 * whole, *range(family), *range(whole, whole + family)]


def states() -> Iterator[At]:
    """The arrays after some rounds, with their weights and inverses; fresh arrays, and arrays that are used again for a smaller plan."""
    for own, plan in product((Maler(), Maler(2.0, 0.5)), PLANS):
        arrays, plain = own.start(plan), PlainMaler(*plan, own.rate_factor, own.newton_factor)
        for stage in ("fresh", "after"):
            where: dict[str, Any] = {"learner": str(own), "d": plan.dimension, "T": plan.horizon, "stage": stage}
            rates, places = np.concatenate([[plain.convex], plain.rates, plain.rates]), places_of(len(plain.rates))
            yield near({**where, "of": "rates"}, arrays.rates[places] / rates, np.ones(len(rates)))
            weights = np.zeros(len(arrays.log_weights))
            weights[places] = np.concatenate(plain.weights)
            yield near({**where, "of": "weights"}, np.exp(arrays.log_weights), weights)
            yield near({**where, "of": "multiples of weights"}, arrays.weights / arrays.weights.sum(), weights)
            yield near({**where, "of": "experts"}, arrays.experts[:, places].T, np.concatenate(plain.experts), plan.parameter_norm)
            size, many = float(np.abs(plain.metrics).max()), len(plain.rates)
            yield near({**where, "of": "metrics"}, arrays.metrics[:, :many].T, [packed(each) for each in plain.metrics], size)
            inverses = [packed(np.linalg.inv(each)) for each in plain.metrics]
            yield near({**where, "of": "inverses"}, arrays.inverses[:, :many].T, inverses, float(np.abs(inverses).max()))
            settings = (plan.gradient_bound, plan.parameter_norm, plain.b, 0.0)
            yield near({**where, "of": "settings"}, arrays.settings, settings)
            counts = (0, 0 if stage == "fresh" else ROUNDS, len(plain.rates))
            yield near({**where, "of": "counts"}, arrays.counts, counts)
            for g in gradients_of(plan) if stage == "fresh" else ():
                own.update(arrays, g)
                plain.hear(g)
                plain.move()
        yield from again(own, plan, arrays)


def again(own: Maler, plan: Plan, used: Arrays) -> Iterator[At]:
    """Used arrays after a restart beside fresh ones of another bound."""
    after = own.start(plan._replace(gradient_bound=3.0 * plan.gradient_bound, parameter_norm=0.5 * plan.parameter_norm))
    metric = own.metric(0.5 * plan.parameter_norm)
    restart(used, after.settings, int(after.counts[FAMILY]), after.rates, after.log_weights, metric)
    where = {"learner": str(own), "d": plan.dimension, "T": plan.horizon}
    for name in ("counts", "settings", "point", "experts", "log_weights", "weights", "rates", "metrics", "inverses"):
        value, expected = getattr(used, name), getattr(after, name)
        if name == "log_weights":  # where there is no expert it is minus infinity
            value, expected = np.exp(value), np.exp(expected)
        yield near({**where, "of": f"restarted {name}"}, value, expected, max(1.0, float(np.abs(expected).max())))
    restart(used, after.settings, 0, after.rates, after.log_weights, metric)
    yield near({**where, "of": "family"}, (used.counts[FAMILY], used.counts[HEARD]), (0, 0))


def projections() -> Iterator[At]:
    """The nearest point of the ball in the norm of a matrix: inside, at the edge, and outside by up to a factor of 10^4."""
    rng = np.random.default_rng(8)
    for d, condition, far, radius in product((1, 2, 3, 6), (1.0, 1e4), (0.5, 1.0 - 1e-9, 1.0 + 1e-9, 3.0, 1e4), (1.0, 0.3)):
        basis = np.linalg.qr(rng.normal(size=(d, d)))[0]
        metric = (basis * np.geomspace(1.0, condition, d)) @ basis.T
        point = rng.normal(size=d)
        point *= far * radius / float(np.linalg.norm(point))
        expected = projected(metric, point, radius)
        project(packed(metric), point, radius, np.zeros(d * (d + 1) // 2 + 2 * d))
        yield near({"d": d, "condition": condition, "far": far, "radius": radius}, point, expected, radius)


def losses_unbiased() -> Iterator[At]:
    """The loss without bias, its gradient as its slope, and vectors that are shortened."""
    rng = np.random.default_rng(6)
    for d in (1, 2, 5):
        theta, x, y, variance = rng.normal(size=d), rng.normal(size=d), 0.7, 0.3 + d
        value = (float(x @ theta) - y) ** 2 - variance * float(theta @ theta)
        yield near({"d": d, "of": "value"}, noisy_square.value(theta, x, y, variance), value)
        found = np.zeros(d)
        length = noisy_square.gradient(theta, x, y, variance, found)
        slopes = [
            (noisy_square.value(theta + step, x, y, variance) - noisy_square.value(theta - step, x, y, variance)) / 2.0
            for step in np.eye(d)
        ]
        yield near({"d": d, "of": "gradient"}, found, slopes)  # of a square the central difference is exact
        yield near({"d": d, "of": "length"}, length, math.sqrt(float(found @ found)))
        for longest in (0.5 * length, length, 2.0 * length):
            held = found.copy()
            said = noisy_square.clip(held, length, longest)
            yield near({"d": d, "of": "clipped", "G": longest}, held, found * min(1.0, longest / length))
            yield At({"d": d, "of": "said", "G": longest}, int(said != (longest < length)), 0)


def parameters() -> Iterator[At]:
    """Rates, priors, terms and bounds of section 3."""
    for t, (g, norm) in product((1, 2, 4, 5, 16, 17, 300, 20_000), ((1.0, 1.0), (5.0, 0.3))):
        width, last = 2.0 * norm, 0
        while 4**last < t:
            last += 1
        where: dict[str, Any] = {"T": t, "G": g, "D": norm}
        prior = [(1.0 + 1.0 / (1.0 + last)) / (3.0 * (i + 1) * (i + 2)) for i in range(last + 1)]
        grid = [1.0 / (2**i * 5.0 * g * width) for i in range(last + 1)]
        term = 2.0 * (math.log(3.0) / 2.0 + math.log(math.log(t) / math.log(4.0) + 3.0))
        strong, newton = term + 1.0 + math.log(t), [term + 10.0 * d * math.log(t) for d in (1, 4)]
        pairs = {
            "n": (constants.last_rate(t), last),
            "experts": (constants.experts(t), 2 * last + 3),
            "rates": (constants.rates(g, norm, t), [0.5 / (g * width * t**0.5), *grid, *grid]),
            "priors": (constants.priors(t), [1.0 / 3.0, *prior, *prior]),
            "sum of priors": (sum(constants.priors(t)), 1.0),
            "C_pi": (constants.prior_constant(t), (last + 2.0) / (last + 1.0)),
            "l_T": (constants.prior_term(t), term),
            "A_s": (constants.strongly_convex_term(t), strong),
            "A_l": ([constants.exp_concave_term(t, d) for d in (1, 4)], newton),
            "convex": (constants.convex_regret(g, norm, t), (2.0 * math.log(3.0) + 2.0) * g * width * t**0.5),
            "curved": (constants.curved_regret(7.0, 3.0, g, norm), 3.0 * 21.0**0.5 + 30.0 * g * width),
            "strong": (constants.strongly_convex_regret(0.4, g, norm, t), (9.0 * g * g / 0.8 + 10.0 * g * width) * strong),
            "descent": (constants.ogd_convex_regret(g, norm, t), 1.5 * g * width * t**0.5),
            "strong descent": (constants.ogd_strongly_convex_regret(0.4, g, t), g * g / 0.8 * (1.0 + math.log(t))),
            "b": (constants.newton_constant(norm), 25.0 / 56.0),
            "A_1": (constants.first_metric(norm), (56.0 / 25.0 / width) ** 2),
            "D_M": (constants.diameter(norm), width),
        }
        for name, (value, expected) in pairs.items():
            yield equal({**where, "of": name}, value, expected)
        plan = Plan(2, t, norm, g)
        descents: tuple[Maler | OGD, ...] = (OGD(), OGD(Step.STRONGLY_CONVEX, 0.4), OGD(Step.ROOT), OGD(Step.HARMONIC), Maler())
        names = ("descent", "strong descent", None, None, "convex")
        for own, named in zip(descents, names, strict=True):
            yield equal({**where, "regret of": str(own)}, own.regret(plan), pairs[named][1] if named else math.inf)
    for each in (-1, 4):
        yield from refusals({f"prior {each}": partial(constants.grid_prior, each, 17)})
    starts = (Plan(0, 3, 1.0, 1.0), Plan(2, 3, 1.0, 0.0), Plan(2, 3, 1.0, math.inf))
    yield from refusals({f"{type(own).__name__} {plan}": partial(own.start, plan) for own in (Maler(), OGD()) for plan in starts})
    yield from refusals({f"value {value}": partial(OGD(Step.ROOT, value).start, PLANS[0]) for value in (0.0, -1.0, math.inf, math.nan)})


REPLAYED = tuple(
    beside(f"ldp_linucb_2024.{theorem}", slug, words, points, domain)
    for theorem, slug, words, points, domain in (
        ("maler_convex", "rounds_played", "Maler and OGD, round by round", rounds_played, "7 learners, 4 plans, 40 rounds"),
        ("maler_convex", "rounds_at_once", "Maler and OGD, all rounds in one call, and batches", rounds_at_once, "7 learners, 4 plans"),
        ("maler_newton", "states_replayed", "Maler, its arrays, fresh, used, restarted", states, "2 learners, 4 plans"),
        ("maler_newton", "projections_replayed", "projections in the norm of a matrix", projections, "80 points, d = 1 to 6"),
        ("least_square", "slopes", "noisy_square: values, gradients, lengths", losses_unbiased, "d = 1, 2, 5"),
        ("maler_strongly_convex", "parameters_replayed", "learners.constants, every parameter", parameters, "T = 1 to 20000"),
    )
)
