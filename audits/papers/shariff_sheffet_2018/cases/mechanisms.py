"""shariff_sheffet_2018: privacy of the algorithms' tree releases and of whole runs of the policy, and what their trees sum, exactly.

The release of a Gaussian tree is Gaussian, and its exact level mu is known (`privacy.TREE_LEVEL`): those audits claim mu itself and say
how much of it they reach. In a run the rows after the first are chosen from earlier releases. JOINT sees all arms but the first; there
the decision sets make the arms tell the sign of the first row's product of feature and reward.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.gaussian import GaussianGram
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.mechanisms.gram.wishart import Padding, WishartGram
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.audits.methods.coverage import Coverage, Fails
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.methods.stated import Derived
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import sqrt
from banditproof.guarantees import GaussianDP, Guarantee, NeighbouringRelation, Replacement, View
from banditproof.interaction import Ints, Pipeline, Policy, Table
from banditproof.mechanism import PolicyMechanism
from banditproof.theory.language import Sense
from banditproof.theory.papers.shariff_sheffet_2018 import privacy, setting, wishart

# --- what is summed, exactly --------------------------------------------------------------------------------------------------------------

_HORIZONS = (*range(1, 40), 63, 64, 65, 100)


def summed(horizon: int) -> tuple[Ints, Ints]:
    """Of the prefixes of 0 .. n - 1 rows: how often node t and the padding of level j are in the noise, (n, n) and (n, m), by the policy's
    own kernels on noise that says whose it is."""
    levels = gram_noise.nodes(horizon)
    width = horizon + levels
    upper, pads = np.zeros((levels + 1, width)), np.zeros((levels, width))
    pads[np.arange(levels), horizon + np.arange(levels)] = 1.0
    gram_noise.restart(upper, pads)
    found = [upper[0].copy()]
    for count in range(1, horizon):
        fresh = np.zeros(width)
        fresh[count] = 1.0
        gram_noise.complete(upper, pads, count, fresh)
        found.append(upper[0].copy())
    times = np.array(found).astype(np.int64)
    return times[:, :horizon], times[:, horizon:]


def _most_summed() -> Iterator[At]:
    for horizon in _HORIZONS:
        yield At({"n": horizon}, int(summed(horizon)[0].sum(axis=1).max()), privacy.NODES_SUMMED.at(horizon=horizon).ball)


def _most_changed() -> Iterator[At]:
    """Node t holds the rows since its prefix last stood complete without it: of those that are ever summed, the most that hold a row."""
    for horizon in _HORIZONS:
        ever = np.flatnonzero(summed(horizon)[0].sum(axis=0))
        rows = [range(node - (node & -node) + 1, node + 1) for node in ever.tolist()]
        most = max((sum(row in held for held in rows) for row in range(1, horizon)), default=0)
        yield At({"n": horizon}, most, privacy.NODES_RELEASED.at(horizon=horizon).ball)


def _padded_degrees() -> Iterator[At]:
    """The least number of matrices in the noise of a round, each with k degrees of freedom; one that was twice in it counts as none."""
    for horizon in _HORIZONS:
        nodes, pads = summed(horizon)
        every = np.concatenate([nodes, pads], axis=1)
        least = int((every == 1).sum(axis=1).min()) if every.max() == 1 else 0
        yield At({"n": horizon, "k": 50}, 50 * least, wishart.DEGREES_OF_SUM.as_printed().at(horizon=horizon, wishart_degrees=50).ball)


def moved(one: tuple[float, ...], other: tuple[float, ...], row_norm: float) -> Fraction:
    """Squared Frobenius norm of the change of the released matrix, exactly, for rows whose products are doubles."""
    first, second = (gram_noise.packed_prefixes(gram_noise.project(np.array([row]), row_norm))[0] for row in (one, other))
    dimension, total = len(one) - 1, Fraction(0)
    diagonal = {gram_noise.packed(row + 1) - 1 for row in range(dimension)}
    for column, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        total += (Fraction(a) - Fraction(b)) ** 2 * (1 if column in diagonal else 2)
    return total


def _sensitivities() -> Iterator[At]:
    """Rows of whole numbers of length at most 5, and longer ones that the projection has to shorten (to powers of two)."""
    entries = (-5.0, -4.0, -3.0, 0.0, 3.0, 4.0, 5.0)
    rows = [row for row in product(entries, entries, entries) if sum(entry**2 for entry in row) <= 25.0]
    claimed = privacy.ROW_SENSITIVITY.at(row_norm=5).ball
    for one, other in product(rows[::2], rows[1::2]):
        yield At({"v": one, "v'": other}, sqrt(moved(one, other, 5.0)), claimed)
    claimed = privacy.ROW_SENSITIVITY.at(row_norm=4).ball
    for one, other in (((1024.0, 0.0, 0.0), (0.0, 8.0, 0.0)), ((64.0, 0.0, 0.0), (0.0, 0.0, 64.0))):
        yield At({"v": one, "v'": other, "L~": 4}, sqrt(moved(one, other, 4.0)), claimed)


_ALL = "n 1 to 39, 63 to 65, 100"
EXACT = (
    Audit(privacy.NODES_SUMMED.id, "points.lin_ucb_tree", "LinUCB's tree, every prefix", Pointwise(_most_summed, _ALL, "nodes summed")),
    Audit(
        privacy.NODES_RELEASED.id,
        "points.lin_ucb_tree",
        "LinUCB's tree, every row",
        Pointwise(_most_changed, _ALL, "summed nodes that hold a row", Sense.EQUALS),
    ),
    Audit(
        wishart.DEGREES_OF_SUM.id,
        "points.lin_ucb_padded_as_printed",
        "LinUCB's tree with padding, every prefix, as printed",
        Pointwise(_padded_degrees, f"{_ALL}, k 50", "degrees of freedom", Sense.EQUALS),
    ),
    Audit(
        privacy.ROW_SENSITIVITY.id,
        "points.lin_ucb_rows",
        "rows as LinUCB projects and adds them",
        Pointwise(_sensitivities, "rows of three whole numbers, of length at most 5 or too long", "Frobenius norm"),
    ),
)

# --- releases of the Gaussian tree --------------------------------------------------------------------------------------------------------


def level(horizon: int, row_norm: float, sigma: float) -> float:
    """mu of all that is released, by the theorem."""
    return privacy.TREE_LEVEL.at(horizon=horizon, row_norm=row_norm, node_sigma=sigma).bound


def gaussian_claim(mechanism: GaussianGram) -> GaussianDP:
    return GaussianDP(level(mechanism.horizon, mechanism.row_norm, mechanism.sigma()), NeighbouringRelation.REPLACE_RECORD)


def named_pairs(mechanism: GaussianGram | WishartGram) -> dict[str, tuple[Any, Any]]:
    """Neighbours of two or more features, in which the first row changes."""
    names = ("two features", "the reward's sign", "a row or none", "a feature or the reward")
    return dict(zip(names, mechanism.neighbours().worst, strict=True))


_SLUGS = {  # names of neighbours, as slugs spell them
    "two features": "two_features",
    "the reward's sign": "reward_sign",
    "a row or none": "row_or_none",
    "reward replaced": "reward",
    "features and reward replaced": "features_and_reward",
}
_TREES = (
    GaussianGram(2.0, 0.1, 2, 2, 1.5, Calibration.EXACT),
    GaussianGram(2.0, 0.1, 4, 2, calibration=Calibration.EXACT),
    GaussianGram(2.0, 0.1, 9, 2, calibration=Calibration.EXACT),
)
GAUSSIAN = (
    *(
        Audit(
            privacy.TREE_LEVEL.id,
            f"privacy.{swept(n=tree.horizon)}_{_SLUGS[name]}",
            f"GaussianGram(epsilon=2, horizon={tree.horizon}, exact), {name}",
            PrivacyLoss(
                tree,
                60_000,
                gaussian_claim(tree),
                named_pairs(tree)[name],
                exact=proportion * level(tree.horizon, tree.row_norm, tree.sigma()),
            ),
        )
        for tree in _TREES
        for name, proportion in (("two features", 1.0), ("the reward's sign", 1.0), ("a row or none", math.sqrt(0.5)))
    ),
    *(
        Audit(
            privacy.GAUSSIAN_CALIBRATION.id,
            f"privacy.{swept(eps=epsilon, delta=delta)}_{slug}",
            f"GaussianGram(epsilon={epsilon}, delta={delta}, horizon=4, {calibration.value})",
            PrivacyLoss(tree, 60_000, pair=named_pairs(tree)["the reward's sign"], must_detect=2.0 * epsilon),
        )
        for epsilon, delta, calibration, slug in (
            (1.0, 0.1, Calibration.PUBLISHED, "printed"),  # ids stay as they are: they seed the draws
            (1.0, 0.01, Calibration.EXACT, "exact"),
            (4.0, 0.01, Calibration.REPAIRED, "repaired"),
            (4.0, 0.01, Calibration.EXACT, "exact"),
        )
        for tree in (GaussianGram(epsilon, delta, 4, calibration=calibration),)
    ),
)

# --- releases of the Wishart tree ---------------------------------------------------------------------------------------------------------


def impossible(mechanism: WishartGram) -> Fails:
    """Whether the first release for rows of 0 is one that no row (L~, 0) can have: an entry below L~^2. At most delta of them may be."""

    def fails(runs: int, rng: np.random.Generator) -> Any:
        nothing = np.zeros((mechanism.horizon, mechanism.dimension + 1))
        return mechanism.release(nothing, runs, rng)[:, 0] < mechanism.row_norm**2

    return fails


def shown(mechanism: WishartGram) -> Coverage:
    """That a row shows whatever epsilon is."""
    allowed = Derived(lambda: mechanism.delta, "delta: an output that the neighbour never gives has at most this probability")
    return Coverage(impossible(mechanism), allowed, "a release of zeros below any of (L~, 0)", 2.0, runs=60_000)


WISHART = (
    *(
        Audit(
            privacy.WISHART_CALIBRATION.id,
            f"privacy.{swept(n=horizon, delta=delta)}_{padding.value}_{_SLUGS[name]}",
            f"WishartGram(epsilon=1, delta={delta}, horizon={horizon}, printed, padding={padding.value}), {name}",
            PrivacyLoss(tree, 60_000, pair=named_pairs(tree)[name], must_detect=2.0),
        )
        for horizon, delta, padding, name in (
            (2, 0.1, Padding.FULL, "the reward's sign"),
            (4, 0.01, Padding.FULL, "a row or none"),
            (4, 0.01, Padding.NONE, "two features"),
        )
        for tree in (WishartGram(1.0, delta, horizon, calibration=Calibration.PUBLISHED, padding=padding),)
    ),
    Audit(
        privacy.WISHART_CALIBRATION.id,
        "coverage.row_shows_eps10000",
        "what epsilon = 10000 cannot hide in WishartGram(horizon=2, repaired)",
        shown(WishartGram(1e4, 0.001, 2, 1)),
    ),
    Audit(
        privacy.WISHART_CALIBRATION.id,
        "coverage.row_shows_as_printed",
        "what epsilon = 10000 cannot hide in WishartGram(horizon=2, printed)",
        shown(WishartGram(1e4, 0.001, 2, 1, calibration=Calibration.PUBLISHED)),
        Verdict.REFUTED,
    ),
)

# --- whole runs ---------------------------------------------------------------------------------------------------------------------------

SIGN = (Replacement(0, (1.0, 1.0), ((1.0, 0.0),) * 2), Replacement(0, (-1.0, -1.0), ((1.0, 0.0),) * 2))
BOTH = (Replacement(0, (1.0, 1.0), ((1.0, 0.0),) * 2), Replacement(0, (-1.0, -1.0), ((0.0, 1.0),) * 2))  # features and reward
OWN_ARM = (Replacement(0, (0.0, 0.0), ((0.1, 0.0), (1.0, 0.0))), Replacement(0, (0.0, 0.0), ((1.0, 0.0), (0.1, 0.0))))


def table(horizon: int) -> Table:
    """Two arms: e_1 and its negative in turn with e_2 and its negative; rewards of both signs, so that later rows depend on the arms."""
    contexts = np.zeros((horizon, 2, 2))
    for round in range(horizon):
        contexts[round, :, (round + 1) % 2] = (1.0, -1.0)
    rewards = np.tile([0.5, -0.25], (horizon, 1))
    return Table(rewards, contexts=contexts)


def whole_runs(policy: Policy, claim: Guarantee, horizon: int, pair: tuple[Replacement, Replacement]) -> PolicyMechanism:
    """The policy on the table, in which the first round is replaced."""
    return PolicyMechanism(Pipeline(policy, table(horizon)), claim, 0, horizon, policy.theorems, (pair,))


def claimed(policy: LinUCB) -> Guarantee:
    """The epsilon and delta that the policy guarantees."""
    claim = policy.guarantee()
    if claim is None:
        raise ValueError(f"{policy}: guarantees no privacy")
    return claim


def sigma_of(policy: LinUCB, horizon: int) -> float:
    """Of a node's Gaussian noise."""
    return policy.constants(2, horizon).node_sigma


def white_box(policy: LinUCB, horizon: int, view: View = View.WHITE_BOX) -> GaussianDP:
    """The exact level of all releases, as a claim."""
    return GaussianDP(level(horizon, policy.bounds.row_norm, sigma_of(policy, horizon)), NeighbouringRelation.REPLACE_ROUND, view)


EXACTLY = LinUCB(Noise.GAUSSIAN, 2.0, 0.1, calibration=Calibration.EXACT)
_SEEN = replace(EXACTLY, view=View.WHITE_BOX)
_PAIRS: tuple[tuple[str, tuple[Replacement, Replacement], float], ...] = (
    ("reward replaced", SIGN, 1.0),
    ("features and reward replaced", BOTH, math.sqrt(3.0) / 2.0),  # mu^2 = 3 nodes/sigma^2: two of the diagonal, two of h
)


def first_arm(policy: LinUCB, horizon: int) -> float | None:
    """The exact level of SIGN in two rounds: the second u is 1 or -1 beside one Gaussian node, and the arm is its sign. Longer: unknown."""
    return 2.0 / sigma_of(policy, horizon) if horizon == 2 else None


_SEEN_JOINTLY = ((2, "reward replaced", SIGN), (8, "reward replaced", SIGN), (8, "features and reward replaced", BOTH))
RUNS = (
    *(
        Audit(
            privacy.TREE_LEVEL.id,
            f"privacy.run_{swept(n=horizon)}_{_SLUGS[name]}",
            f"LinUCB(gaussian, epsilon=2, exact, view=white_box), {horizon} rounds, {name}",
            PrivacyLoss(
                whole_runs(_SEEN, white_box(_SEEN, horizon), horizon, pair), 40_000, exact=proportion * white_box(_SEEN, horizon).mu
            ),
        )
        for horizon in (2, 8)
        for name, pair, proportion in _PAIRS
    ),
    *(
        Audit(
            setting.LEARNER_PRIVACY.id,
            f"privacy.eps_delta_{swept(n=horizon)}_{_SLUGS[name]}",
            f"LinUCB(gaussian, epsilon=2, exact, view=joint) as (epsilon, delta), {horizon} rounds, {name}",
            PrivacyLoss(whole_runs(EXACTLY, claimed(EXACTLY), horizon, pair), 40_000, must_detect=4.0),
        )
        for horizon, name, pair in _SEEN_JOINTLY
    ),
    *(
        Audit(
            setting.LEARNER_PRIVACY.id,
            f"privacy.mu_{swept(n=horizon)}_{_SLUGS[name]}",
            f"LinUCB(gaussian, epsilon=2, exact, view=joint) as mu, {horizon} rounds, {name}",
            PrivacyLoss(
                whole_runs(EXACTLY, white_box(EXACTLY, horizon, View.JOINT), horizon, pair), 40_000, exact=first_arm(EXACTLY, horizon)
            ),
        )
        for horizon, name, pair in _SEEN_JOINTLY
    ),
    Audit(
        setting.LEARNER_PRIVACY.id,
        "privacy.own_arm",
        "LinUCB(gaussian, epsilon=2, exact, view=joint), 4 rounds, own decision set turned, which the first arm shows",
        PrivacyLoss(whole_runs(EXACTLY, claimed(EXACTLY), 4, OWN_ARM), 40_000, must_detect=4.0, exact=0.0),
    ),
    *(
        Audit(
            setting.LEARNER_PRIVACY.id,
            f"privacy.{noise.value}_printed_{view.value}",
            f"LinUCB({noise.value}, epsilon=1, delta=0.1, printed, view={view.value}), 4 rounds, features and reward replaced",
            PrivacyLoss(whole_runs(policy, claimed(policy), 4, BOTH), 30_000, must_detect=2.0),
        )
        for noise in (Noise.GAUSSIAN, Noise.WISHART, Noise.WISHART_UNSHIFTED)
        for view in (View.JOINT, View.WHITE_BOX)
        for policy in (LinUCB(noise, 1.0, 0.1, calibration=Calibration.PUBLISHED, view=view),)
    ),
)
