"""Private Gram matrices and linear UCB broken on purpose, and parameters of shariff_sheffet_2018 with one slip each.

Single releases are trees of symmetric Gaussian noise that claim the exact level of the least noise for epsilon = 2 and delta = 0.1.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.gram import gaussian as gaussian_gram
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram import wishart as wishart_gram
from banditproof.algorithms.mechanisms.gram.gaussian import GaussianGram
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.mechanisms.gram.wishart import Padding, WishartGram
from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_law
from banditproof.algorithms.policies.lin_ucb.kernels import KERNELS, State
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise, Rule
from banditproof.audits.cases import shariff_sheffet_2018_adaptive as adaptive
from banditproof.audits.cases import shariff_sheffet_2018_agreement as parameters
from banditproof.audits.cases import shariff_sheffet_2018_coverage as coverage
from banditproof.audits.cases import shariff_sheffet_2018_mechanisms as cases
from banditproof.audits.cases import shariff_sheffet_2018_regret as played
from banditproof.audits.cases import shariff_sheffet_2018_sandwich as sandwich
from banditproof.audits.controls.releases import Broken
from banditproof.audits.evidence import Verdict
from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.methods.gram_ratio import NodeRatio
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.methods.shares import largest
from banditproof.audits.registry import Audit, Control, Method
from banditproof.glossary import HORIZON
from banditproof.guarantees import ApproximateDP, Guarantee, Relation, Replacement, View
from banditproof.interaction import Floats, Kernels
from banditproof.mechanism import Neighbours
from banditproof.theory.language import Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, gaussian, privacy, setting, wishart


def _control(name: str, mistake: str, theorem: Theorem, method: Method) -> Control:
    audit = Audit(theorem.id, f"control {name}", method, expected=Verdict.REFUTED)
    return Control(f"shariff_sheffet_2018_mechanisms.{name}", mistake, audit)


# --- single releases ------------------------------------------------------------------------------------------------------------------

_TREE = GaussianGram(2.0, 0.1, 4, 2, calibration=Calibration.EXACT)
_DEEPER = replace(_TREE, horizon=9)  # the same level: its noise is for four nodes
_LENGTH = _TREE.row_norm


class Drawn(NamedTuple):
    """What a release is made of: packed prefixes (T, q), the nodes' noise (runs, T, q) and the padding's (runs, m, q)."""

    truth: Floats
    nodes: Floats
    pads: Floats


def _drawn(data: Floats, runs: int, rng: np.random.Generator, sigma: float = _TREE.sigma(), diagonal: float = math.sqrt(2.0)) -> Drawn:
    """Of rows as they are, not projected; the noise of the diagonal is `diagonal` times larger. Draws; there is no padding yet."""
    truth = gram_noise.packed_prefixes(data)[:-1]
    fresh = rng.normal(0.0, sigma, (runs, *truth.shape))
    fresh[:, :, [gram_noise.packed(row + 1) - 1 for row in range(data.shape[1] - 1)]] *= diagonal
    return Drawn(truth, fresh, np.zeros((runs, 0, truth.shape[1])))


def _released(drawn: Drawn) -> Floats:
    noisy = drawn.truth + gram_noise.prefix_noise(drawn.nodes, drawn.pads)
    return noisy.reshape(len(noisy), -1)


def _node_reused(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Node 3 has the noise of node 1: the first row is the third release less the second and the first, but for row 3."""
    drawn = _drawn(data, runs, rng)
    drawn.nodes[:, 2] = drawn.nodes[:, 0]
    return _released(drawn)


def _padding_is_a_node(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """A level's padding is the noise of its first node: prefixes 1 and 2 then have the same noise, and row 2 is their difference."""
    drawn = _drawn(data, runs, rng)
    pads = np.stack([drawn.nodes[:, 0], drawn.nodes[:, 1], np.zeros_like(drawn.nodes[:, 0])], axis=1)
    return _released(drawn._replace(pads=pads))


def _one_level_short(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise for three nodes that hold a row, where four are released."""
    return _released(_drawn(data, runs, rng, _DEEPER.sigma() * math.sqrt(3.0 / 4.0)))


def _one_row_moves(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise for a change of L~^2, as when a row is added; a replaced one takes sqrt(2) L~^2."""
    return _released(_drawn(data, runs, rng, _TREE.sigma() / math.sqrt(2.0)))


def _diagonal_not_doubled(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Footnote 4 taken at its word."""
    return _released(_drawn(data, runs, rng, diagonal=1.0))


def _gram_alone(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The sums of y x are released as they are."""
    drawn = _drawn(data, runs, rng)
    drawn.nodes[:, :, gram_noise.packed(data.shape[1] - 1) :] = 0.0
    return _released(drawn)


def _not_clipped(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    return _released(_drawn(data, runs, rng))


def _rows(first: tuple[Any, Any], before: int = 0, horizon: int = _TREE.horizon) -> Neighbours:
    """Neighbours that differ in one row, of zeros elsewhere; `before` zeros come first."""
    still = ((0.0, 0.0, 0.0),)
    one, other = (still * before + (row,) + still * (horizon - 1 - before) for row in first)
    return Neighbours(Relation.REPLACE_RECORD, lengths=(horizon, horizon), row=(3,), worst=((one, other),))


_HALF = _LENGTH / math.sqrt(2.0)
_FEATURES, _SIGN = ((_LENGTH, 0.0, 0.0), (0.0, _LENGTH, 0.0)), ((_HALF, 0.0, _HALF), (_HALF, 0.0, -_HALF))
RELEASES = tuple(
    _control(name, mistake, theorem, PrivacyLoss(Broken(cases.gaussian_claim(_TREE), domain, draw), 60_000))
    for name, mistake, theorem, domain, draw in (
        ("node_reused", "one node's noise reused for another node", privacy.TREE_LEVEL, _rows(_SIGN), _node_reused),
        (
            "padding_is_a_node",
            "a padding matrix used as a node's noise",
            privacy.GAUSSIAN_CALIBRATION,
            _rows(_SIGN, before=1),
            _padding_is_a_node,
        ),
        ("one_level_short", "noise for a tree one level short", privacy.TREE_LEVEL, _rows(_SIGN, horizon=9), _one_level_short),
        ("one_row_moves", "sensitivity of one row where two differ", privacy.GAUSSIAN_CALIBRATION, _rows(_FEATURES), _one_row_moves),
        ("diagonal_not_doubled", "no doubled variance on the diagonal", privacy.TREE_LEVEL, _rows(_FEATURES), _diagonal_not_doubled),
        ("gram_alone", "noise on the Gram matrix only", privacy.GAUSSIAN_CALIBRATION, _rows(_SIGN), _gram_alone),
        (
            "rows_not_clipped",
            "rows longer than the noise is for",
            privacy.GAUSSIAN_CALIBRATION,
            _rows(((1.0, 0.0, 100.0), (1.0, 0.0, -100.0))),
            _not_clipped,
        ),
    )
)


def _few_degrees(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Wishart noise of d + 2 degrees of freedom, to which Theorem 8 comes down for large epsilon, without padding."""
    wide = rng.normal(0.0, _LENGTH, (runs, 4, 3))
    noise = np.einsum("rki,rkj->rij", wide, wide)
    lower, other = np.tril_indices(3)
    return np.asarray((np.einsum("ti,tj->ij", data[:1], data[:1]) + noise)[:, lower, other])


FEW_DEGREES = _control(
    "few_degrees",
    "d + 2 degrees of freedom, to which Theorem 8 comes down for large epsilon",
    privacy.WISHART_CALIBRATION,
    PrivacyLoss(
        Broken(ApproximateDP(3.0, 0.01, Relation.REPLACE_RECORD), _rows(((_LENGTH, 0.0, 0.0), (0.0, 0.0, 0.0))), _few_degrees), 60_000
    ),
)

BEYOND_ITS_RANGE = _control(
    "degrees_at_any_epsilon",
    "the printed k of section 4.1 far beyond its range, at epsilon = 10000",
    privacy.WISHART_CALIBRATION,
    cases.shown(WishartGram(1e4, 0.001, 2, 1, calibration=Calibration.PRINTED)),
)

LEAST_OF_ONE_NODE = tuple(
    _control(name, mistake, theorem, PrivacyLoss(NodeRatio(gram, sandwich.orthogonal(5), sandwich.NODES), 100_000, ratio=True))
    for name, mistake, theorem, gram in (
        (
            "least_degrees_of_one_node",
            "the least degrees of freedom of one node, in a tree where 26 hold a row",
            privacy.WISHART_CALIBRATION,
            WishartGram(1.0, 1e-5, 2, 5, calibration=Calibration.EXACT),
        ),
        (
            "least_sigma_of_one_node",
            "the least Gaussian noise of one node, in a tree where 26 hold a row",
            privacy.GAUSSIAN_CALIBRATION,
            GaussianGram(1.0, 1e-5, 2, 5, calibration=Calibration.EXACT),
        ),
    )
)

# --- whole runs -----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Altered:
    """The policy with less noise, with another bound on the length of its rows, or without its shift, under the same claim."""

    base: LinUCB
    noise: float = 1.0
    clipped: bool = True
    shifted: bool = True
    promises: tuple[str, ...] = field(default=(), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    def guarantee(self) -> Guarantee | None:
        return self.base.guarantee()

    def state(self, arms: int, width: int, horizon: int) -> State:
        state = self.base.state(arms, width, horizon)
        settings = state.settings
        settings = settings._replace(
            noise=settings.noise._replace(sigma=settings.noise.sigma * self.noise),
            shift=settings.shift if self.shifted else 0.0,
            row_norm=settings.row_norm if self.clipped else math.inf,
        )
        return state._replace(settings=settings)

    def message_width(self, width: int) -> int:
        return self.base.message_width(width)

    def statistic_width(self, arms: int, width: int) -> int:
        return self.base.statistic_width(arms, width)


_SEEN, _JOINT = replace(cases.EXACTLY, view=View.WHITE_BOX), cases.EXACTLY
_LARGE = tuple(Replacement(0, (reward,) * 2, ((1.0, 0.0),) * 2) for reward in (10.0, -10.0))


def _run(name: str, mistake: str, policy: Altered, horizon: int, pair: tuple[Replacement, Replacement]) -> Control:
    mechanism = cases.whole_runs(policy, cases.white_box(policy.base, horizon, policy.base.view), horizon, pair)
    return _control(name, mistake, setting.LEARNER_PRIVACY, PrivacyLoss(mechanism, 40_000))


RUNS = (
    _run("run_with_half_the_noise", "half the noise in a whole run", Altered(_SEEN, 0.5), 8, cases.BOTH),
    _run("arms_of_half_the_noise", "half the noise, seen from the later arms alone", Altered(_JOINT, 0.5), 2, cases.SIGN),
    _run("run_not_clipped", "a whole run whose rows are not clipped", Altered(_JOINT, clipped=False), 4, (_LARGE[0], _LARGE[1])),
)


def _watched(name: str, mistake: str, policy: Altered, horizon: int, pair: tuple[Replacement, Replacement]) -> Control:
    honest = adaptive.watched(policy.base, horizon, pair)
    return _control(name, mistake, setting.LEARNER_PRIVACY, PrivacyLoss(replace(honest, policy=policy), 30_000))


WATCHED = (
    _watched("watched_half_the_noise", "half the noise, decision sets that depend on the past", Altered(_SEEN, 0.5), 8, adaptive.BOTH),
    _watched(
        "watched_arms_of_half_the_noise",
        "half the noise, seen from the later arms alone, decision sets that depend on the past",
        Altered(_JOINT, 0.5),
        3,
        adaptive.SIGN,
    ),
)


@dataclass(frozen=True)
class WithOwnArm:
    """A run in which the arm of the first round is shown as well: it tells the decision set of its own round (Remark 1)."""

    claim: Guarantee
    promises: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee:
        return self.claim

    def neighbours(self) -> Neighbours:
        return Neighbours(Relation.REPLACE_ROUND, lengths=(4, 4), row=(2,), worst=(cases.OWN_ARM,))

    def release(self, data: Replacement, runs: int, rng: np.random.Generator) -> Floats:
        """Draws one key."""
        central = replace(cases.whole_runs(_JOINT, self.claim, 4, cases.OWN_ARM), promise=replace(self.claim, view=View.CENTRAL))
        return central.release(data, runs, rng)


_PROMISED = ApproximateDP(2.0, 0.1, Relation.REPLACE_ROUND, View.CENTRAL)
OWN_ARM = _control("own_arm_shown", "the round's own arm shown", setting.LEARNER_PRIVACY, PrivacyLoss(WithOwnArm(_PROMISED), 40_000))

# --- ellipsoids and spectrum ----------------------------------------------------------------------------------------------------------


def _without_rho(runs: int, rng: np.random.Generator) -> Floats:
    """The radius is the martingale's part alone."""
    policy = coverage.policy_of(Noise.GAUSSIAN)
    bare = policy.constants(coverage.DIMENSION, 300).accuracy._replace(rho_max=0.0, perturbation=0.0)
    matrices, sums = coverage.releases(policy, coverage.SETS, 300, runs, rng)
    offsets = np.linalg.solve(matrices, sums[..., None])[..., 0] - np.array([1.0, 0.0])
    distances = np.sqrt(np.einsum("rti,rtij,rtj->rt", offsets, matrices, offsets))
    logs = np.linalg.slogdet(matrices)[1]
    base = lin_ucb_law.radicand_base(bare, dimension=coverage.DIMENSION, failure=coverage.FAILURE)
    return largest(distances / (np.sqrt(base + logs) + lin_ucb_law.radius_tail(bare, 1.0)))


_RADIUS = coverage.within(coverage.policy_of(Noise.WISHART_UNSHIFTED), 300, 0.9)
ELLIPSOIDS = (
    _control("radius_without_rho", "a radius without the rho terms", confidence.RADIUS, replace(_RADIUS, used=_without_rho, limit=1.0)),
    _control("radius_shortened", "nine tenths of the radius, with unshifted Wishart noise", confidence.RADIUS, _RADIUS),
)

_BARE = Altered(coverage.policy_of(Noise.GAUSSIAN), shifted=False)
_NOT_PADDED = replace(coverage.policy_of(Noise.WISHART), padding=Padding.NONE)
SPECTRUM = tuple(
    _control(name, mistake, theorem, coverage.spectrum(noise, place, policy, limit))
    for name, mistake, theorem, noise, place, policy, limit in (
        ("shift_forgotten", "the shift forgotten", gaussian.GAUSSIAN_RHO_MIN, Noise.GAUSSIAN, 0, _BARE, 1.0),
        ("not_padded", "no padding, so that early rounds have less noise", wishart.SHIFTED_RHO_MIN, Noise.WISHART, 0, _NOT_PADDED, 1.0),
        (
            "not_padded_unshifted",
            "no padding, and no shift",
            wishart.WISHART_RHO_MIN,
            Noise.WISHART_UNSHIFTED,
            0,
            replace(_NOT_PADDED, noise=Noise.WISHART_UNSHIFTED),
            1.0,
        ),
        ("rho_max_of_the_shift", "rho_max at half of 3 Upsilon", gaussian.GAUSSIAN_RHO_MAX, Noise.GAUSSIAN, 1, None, 0.5),
        (
            "gamma_at_a_third",
            "a third of gamma for unshifted Wishart noise",
            wishart.WISHART_PERTURBATION,
            Noise.WISHART_UNSHIFTED,
            2,
            None,
            1.0 / 3.0,
        ),
    )
)

# --- regret ---------------------------------------------------------------------------------------------------------------------------

_UNIFORM = LinUCB(Noise.GAUSSIAN, 1.0, 0.1, rule=Rule.UNIFORM)
GROWTH = _control(
    "uniform_play",
    "arms at random, so that the regret is linear in the horizon",
    gaussian.REGRET_GAUSSIAN_GAP,
    played.growth(gaussian.REGRET_GAUSSIAN_GAP, HORIZON, played.by_horizon(_UNIFORM)),
)

# --- parameters -----------------------------------------------------------------------------------------------------------------------


def _sigma_of_half(epsilon: float, delta: float, horizon: int, row_norm: float) -> float:
    """ln(2/delta) for ln(4/delta)."""
    return gaussian_gram.node_sigma(epsilon, min(2.0 * delta, 0.999), horizon=horizon, row_norm=row_norm)


def _one_level_less(horizon: int, epsilon: float, delta: float, row_norm: float) -> float:
    levels = gram_noise.nodes(horizon)
    return gaussian_gram.node_sigma(epsilon, delta, horizon=horizon, row_norm=row_norm) * math.sqrt((levels - 1) / levels)


def _floor(horizon: int, **point: Any) -> float:
    """nodes as 1 + floor(log2 n), which is the same at powers of two."""
    return float(horizon.bit_length())


def _degrees_of_a_node(horizon: int, dimension: int, epsilon: float, delta: float) -> float:
    """delta in the place of delta/(2 m)."""
    m = gram_noise.nodes(horizon)
    return dimension + 1 + math.ceil(224.0 * m / epsilon**2 * math.log(4.0 / delta) * math.log(2.0 / delta))


def _swapped(horizon: int, dimension: int, wishart_degrees: int, row_norm: float, failure: float) -> float:
    """c with a_2 for a_8."""
    s = wishart_gram.root_degrees(wishart_degrees, horizon=horizon)
    a = wishart_gram.spread(2.0, dimension=dimension, horizon=horizon, failure=failure)
    return row_norm**2 * ((s - a) ** 2 - 4.0 * s * a)


def _radius_of_d(**point: Any) -> float:
    """ln rho_min in the place of d ln rho_min."""
    noise = 2.0 * math.log(2.0 / point["failure"]) + point["log_determinant"] - math.log(point["rho_min"])
    return float(
        point["reward_sigma"] * math.sqrt(max(noise, 0.0)) + point["parameter_norm"] * math.sqrt(point["rho_max"]) + point["perturbation"]
    )


def _upper_of_t(**point: Any) -> float:
    """t L^2/rho_min in the place of t L^2/(d rho_min)."""
    ratio = (point["rho_max"] + point["round"] * point["context_norm"] ** 2) / point["rho_min"]
    noise = math.sqrt(2.0 * math.log(2.0 / point["failure"]) + point["dimension"] * math.log(ratio))
    return float(point["reward_sigma"] * noise + point["parameter_norm"] * math.sqrt(point["rho_max"]) + point["perturbation"])


PARAMETERS = tuple(
    _control(name, mistake, theorem, method)
    for name, mistake, theorem, method in (
        (
            "sigma_of_half",
            "ln(2/delta) for ln(4/delta)",
            privacy.GAUSSIAN_CALIBRATION,
            Agreement(privacy.GAUSSIAN_CALIBRATION, _sigma_of_half, theory=parameters.printed_sigma),
        ),
        (
            "sigma_one_level_less",
            "m - 1 for m in sigma_noise",
            privacy.GAUSSIAN_CALIBRATION,
            Agreement(privacy.GAUSSIAN_CALIBRATION, _one_level_less, theory=parameters.printed_sigma),
        ),
        ("levels_rounded_down", "1 + floor(log2 n) for m", privacy.NODES_CHANGED, Agreement(privacy.NODES_CHANGED, _floor)),
        (
            "degrees_of_one_node",
            "delta for delta/(2 m)",
            privacy.WISHART_CALIBRATION,
            Agreement(privacy.WISHART_CALIBRATION, _degrees_of_a_node, theory=parameters.printed_degrees),
        ),
        ("shift_of_a_2", "a_2 for a_8 in the shift", wishart.SHIFT_OF_WISHART, Agreement(wishart.SHIFT_OF_WISHART, _swapped)),
        ("radius_without_d", "ln rho_min for d ln rho_min", confidence.RADIUS, Agreement(confidence.RADIUS, _radius_of_d)),
        ("upper_without_d", "t L^2 for t L^2/d", confidence.RADIUS_UPPER, Agreement(confidence.RADIUS_UPPER, _upper_of_t)),
    )
)
