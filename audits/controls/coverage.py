"""Radii, tails and estimates broken on purpose: what each claims to cover, and does not."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from banditproof.algorithms.mechanisms.tree_sum import levels, nodes_summed
from banditproof.audits.methods.coverage import Bools, Coverage, Enumeration, Fails, Point, binomial_weights, uniformly
from banditproof.audits.running.audit import Audit, Control, Method
from banditproof.audits.statistics.evidence import Verdict
from banditproof.interaction import Floats
from banditproof.theory.inequalities import HOEFFDING, HOEFFDING_TAIL, LAPLACE_TAIL
from banditproof.theory.language import Sense
from banditproof.theory.papers import chan_2011, dwork_2010


def _control(name: str, mistake: str, theorem: str, method: Method) -> Control:
    return Control(mistake, Audit(theorem, f"{method.prefix}.control.{name}", f"control {name}", method, expected=Verdict.REFUTED))


def _running_means(runs: int, most: int, rng: np.random.Generator) -> Floats:
    """Means of the first 1 .. most fair coins, shape (runs, most). Draws."""
    return np.asarray(np.cumsum(rng.random((runs, most)) < 0.5, axis=1) / np.arange(1, most + 1))


def _radii(failure: float, most: int) -> Floats:
    """Hoeffding's radius for each fixed number of samples 1 .. most."""
    return np.asarray(np.sqrt(math.log(2.0 / failure) / (2.0 * np.arange(1, most + 1))))


# --- Hoeffding ------------------------------------------------------------------------------------------------------------------------


def _no_union_bound(runs: int, rng: np.random.Generator) -> Bools:
    return uniformly(np.abs(_running_means(runs, 1000, rng) - 0.5) > _radii(0.1, 1000))


def _constant_of_a_quarter(runs: int, rng: np.random.Generator) -> Bools:
    means = rng.binomial(100, 0.5, runs) / 100.0
    return np.asarray(np.abs(means - 0.5) > math.sqrt(math.log(2.0 / 0.05) / (8.0 * 100.0)))


def _stopped_when_it_looks_good(runs: int, rng: np.random.Generator) -> Bools:
    """Flips a fair coin until it looks biased, or 2000 times; then reports the mean with the radius for the number of flips."""
    means, radii = _running_means(runs, 2000, rng), _radii(0.01, 2000)
    good = np.abs(means - 0.5) > radii
    last = np.where(good.any(axis=1), np.argmax(good, axis=1), good.shape[1] - 1)
    return np.asarray(np.abs(means[np.arange(runs), last] - 0.5) > radii[last])


NO_UNION_BOUND = _control(
    "no_union_bound",
    "a radius without union bound, claimed for all rounds at once",
    HOEFFDING.id,
    Coverage(_no_union_bound, 0.1, "in some round |mean - 1/2| > Hoeffding's radius for that round alone", 1.25, cell=512, runs=4_000),
)
WRONG_CONSTANT = _control(
    "wrong_constant",
    "Hoeffding with 8 for 2, as if the values lay within 1/2",
    HOEFFDING.id,
    Coverage(_constant_of_a_quarter, 0.05, "|mean - 1/2| > sqrt(log(2 / failure) / (8 n))", 1.25, runs=20_000),
)
STOPPED_WHEN_IT_LOOKS_GOOD = _control(
    "stopped_when_it_looks_good",
    "a data-dependent stopping rule, with the radius for a fixed number of samples",
    HOEFFDING.id,
    Coverage(_stopped_when_it_looks_good, 0.01, "|mean - 1/2| > Hoeffding's radius for the final number", 1.5, cell=256, runs=10_000),
)


def _exponent_of_four() -> Iterator[Point]:
    for samples in (10, 20, 30):
        for deviation in (Fraction(1, 4), Fraction(1, 2)):
            weights = binomial_weights(samples, Fraction(1, 2))
            tail = sum(weights[math.ceil(samples * (Fraction(1, 2) + deviation)) :], Fraction(0))
            claimed = Fraction(math.exp(-4.0 * samples * float(deviation) ** 2))
            yield Point({"samples": samples, "mean": "1/2", "deviation": deviation}, tail, claimed)


WRONG_EXPONENT = _control(
    "wrong_exponent", "Hoeffding's tail with 4 for 2", HOEFFDING_TAIL.id, Enumeration(_exponent_of_four, "Bernoulli with mean 1/2")
)

# --- Laplace noise --------------------------------------------------------------------------------------------------------------------


def _of_scale(scale: float, threshold: float) -> Fails:
    return lambda runs, rng: np.abs(rng.laplace(0.0, scale, runs)) > threshold


NOISE_HALVED = _control(
    "laplace_noise_halved",
    "noise of half the scale that it claims",
    LAPLACE_TAIL.id,
    Coverage(_of_scale(0.5, 2.0), math.exp(-2.0), "|noise| > 2; its probability is claimed for scale 1", 1.25, Sense.EQUALS),
)
TAIL_HALVED = _control(
    "laplace_tail_halved",
    "a tail computed for half the scale",
    LAPLACE_TAIL.id,
    Coverage(_of_scale(1.0, 2.0), math.exp(-4.0), "|noise| > 2; its probability is claimed for scale 1/2", 1.25, Sense.EQUALS),
)


def _one_noise_counted_often(runs: int, rng: np.random.Generator) -> Bools:
    radius = chan_2011.LAPLACE_SUM.at(terms=30, scale=1, failure="0.05").bound
    return np.asarray(np.abs(30.0 * rng.laplace(0.0, 1.0, runs)) > radius)


ONE_NOISE = _control(
    "one_noise_counted_often",
    "a sum of 30 noises that are one noise",
    chan_2011.LAPLACE_SUM.id,
    Coverage(_one_noise_counted_often, 0.05, "|sum of the noises| > the theorem's radius for independent ones", 1.25),
)

# --- tree sums ------------------------------------------------------------------------------------------------------------------------

_HORIZON = 64


def _prefix_noise(runs: int, scale: float, rng: np.random.Generator) -> Floats:
    """Noise of each prefix sum, shape (runs, T). Draws."""
    noise = rng.laplace(0.0, scale, (runs, _HORIZON))
    columns = [noise[:, [last - 1 for _, last in nodes_summed(round)]].sum(axis=1) for round in range(1, _HORIZON + 1)]
    return np.stack(columns, axis=1)


def _levels_counted_twice(runs: int, rng: np.random.Generator) -> Bools:
    """Noise of scale levels^2 / epsilon."""
    radius = dwork_2010.TREE_ERROR.at(horizon=_HORIZON, epsilon=1, failure="0.05").bound
    return uniformly(np.abs(_prefix_noise(runs, levels(_HORIZON) ** 2.0, rng)) > radius)


def _top_node_forgotten(round: int) -> Callable[[int, np.random.Generator], Bools]:
    """The tree has one level too few: the node over the first half of the horizon is missing from the sums that need it. Rewards are 1."""

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        radius = chan_2011.TREE_ERROR.at(horizon=_HORIZON, round=round, epsilon=8, failure="0.05").bound
        noise = _prefix_noise(runs, levels(_HORIZON) / 8.0, rng)[:, round - 1]
        missing = sum(last - first + 1 for first, last in nodes_summed(round) if last - first + 1 >= _HORIZON // 2)
        return np.asarray(np.abs(noise - missing) > radius)

    return fails


def _radius_of_one_node(runs: int, rng: np.random.Generator) -> Bools:
    scale = float(levels(_HORIZON))
    return uniformly(np.abs(_prefix_noise(runs, scale, rng)) > scale * math.log(1.0 / 0.05))


LEVELS_TWICE = _control(
    "tree_levels_counted_twice",
    "a tree whose nodes have the noise for levels twice over",
    dwork_2010.TREE_ERROR.id,
    Coverage(_levels_counted_twice, 0.05, "in some round |noise of the prefix sum| > the theorem's radius", 1.25, cell=4096, runs=10_000),
)
ONE_NODE_RADIUS = _control(
    "tree_radius_of_one_node",
    "the radius of one node's noise, claimed for all prefix sums",
    dwork_2010.TREE_ERROR.id,
    Coverage(_radius_of_one_node, 0.05, "in some round |noise of the prefix sum| > scale * log(1 / failure)", 1.25, cell=4096),
)
TOP_NODE_FORGOTTEN = _control(
    "tree_one_level_short",
    "a tree one level short, whose sums miss the top node",
    chan_2011.TREE_ERROR.id,
    Coverage(_top_node_forgotten(40), 0.05, "|released prefix sum - true one| > the theorem's radius", 1.25, cell=4096, runs=10_000),
)
