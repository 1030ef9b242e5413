"""Every letter with a meaning: its name, LaTeX, domain and typical values.

A quantity is defined here once; theory turns it into a symbol, algorithms use its name as a parameter name, audits draw values
from its domain. No SymPy here.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Domain:
    """An interval of reals or of integers, each end open or closed."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = True
    high_open: bool = True
    integer: bool = False

    def __contains__(self, value: float | Fraction) -> bool:
        if value != value:  # NaN
            return False
        above = value > self.low if self.low_open else value >= self.low
        below = value < self.high if self.high_open else value <= self.high
        return above and below and (not self.integer or value == int(value))

    def rule(self) -> str:
        """The condition in words, as error messages print it: '> 0 and < 1', 'an integer >= 1'."""
        parts = []
        if math.isfinite(self.low):
            parts.append(f"{'>' if self.low_open else '>='} {self.low:g}")
        if math.isfinite(self.high):
            parts.append(f"{'<' if self.high_open else '<='} {self.high:g}")
        bounds = " and ".join(parts) or "finite"
        return f"an integer {bounds}" if self.integer else bounds


@dataclass(frozen=True, slots=True)
class Quantity:
    """A letter of the field. `typical` are values that a reader would try first; `unit` is '' for pure numbers."""

    name: str
    latex: str
    domain: Domain
    meaning: str
    unit: str = ""
    typical: tuple[float, ...] = ()

    def require(self, value: float) -> float:
        """The value itself; raises ValueError, naming the value and the rule, unless it lies in the domain."""
        if isinstance(value, bool) or value not in self.domain:
            raise ValueError(f"{self.name} = {value!r}: must be {self.domain.rule()} ({self.meaning})")
        return value


POSITIVE = Domain(low=0.0)
NON_NEGATIVE = Domain(low=0.0, low_open=False)
UNIT_OPEN = Domain(low=0.0, high=1.0)
COUNT = Domain(low=1, low_open=False, integer=True)
REAL = Domain()

EPSILON = Quantity(
    "epsilon", r"\varepsilon", POSITIVE, "privacy level of (epsilon, delta)-differential privacy", "nats", (0.1, 0.5, 1.0, 2.0)
)
DELTA = Quantity("delta", r"\delta", UNIT_OPEN, "additive slack of (epsilon, delta)-differential privacy", "", (1e-6, 1e-5, 1e-2))
MU = Quantity("mu", r"\mu", POSITIVE, "level of Gaussian differential privacy", "", (0.5, 1.0, 2.0))
RHO = Quantity("rho", r"\rho", POSITIVE, "level of zero-concentrated differential privacy", "", (0.01, 0.1, 0.5))
ORDER = Quantity("order", r"\lambda", Domain(low=1.0), "order of a Renyi divergence", "", (2.0, 8.0, 32.0))
SENSITIVITY = Quantity(
    "sensitivity", r"\Delta", POSITIVE, "largest change of a query between neighbours, in its norm", "query", (0.5, 1.0, 2.0)
)
SCALE = Quantity("scale", "b", POSITIVE, "scale of a Laplace law (its mean absolute value)", "query", (0.5, 1.0, 2.0, 10.0))
SIGMA = Quantity("sigma", r"\sigma", POSITIVE, "standard deviation of a Gaussian law", "query", (0.5, 1.0, 4.0))
FAILURE = Quantity("failure", r"\beta", UNIT_OPEN, "probability that a stated event fails", "", (0.01, 0.05, 0.1, 0.5))
HORIZON = Quantity("horizon", "T", COUNT, "number of rounds", "rounds", (10, 100, 1000, 100_000))
ROUND = Quantity("round", "t", COUNT, "index of a round, from 1", "rounds", (1, 10, 100))
ARMS = Quantity("arms", "K", Domain(low=2, low_open=False, integer=True), "number of arms", "arms", (2, 5, 11))
SAMPLES = Quantity("samples", "n", COUNT, "number of independent draws", "draws", (10, 100, 1000))
FOLDS = Quantity("folds", "k", COUNT, "number of mechanisms composed", "mechanisms", (2, 5, 20))
CATEGORIES = Quantity("categories", "m", Domain(low=2, low_open=False, integer=True), "number of possible answers", "", (2, 4, 16))
THRESHOLD = Quantity("threshold", "x", NON_NEGATIVE, "distance from the centre at which a tail begins", "query", (0.5, 1.0, 3.0))
GAP = Quantity(
    "gap", r"\Delta", Domain(low=0.0, high=1.0, high_open=False), "difference of the best mean and an arm's mean", "reward", (0.1, 0.3)
)
KEEP = Quantity("keep", "p", UNIT_OPEN, "probability that randomised response reports the truth", "", (0.6, 0.75, 0.9))
RADIUS = Quantity("radius", "r", NON_NEGATIVE, "distance of an estimate from its target; the half-width of a confidence interval", "reward")
TAIL_PROBABILITY = Quantity(
    "tail_probability", "P", Domain(0.0, 1.0, low_open=False, high_open=False), "probability of the tail beyond the threshold"
)
DEVIATION = Quantity(
    "deviation",
    "x",
    Domain(0.0, 1.0, low_open=False),
    "distance of a mean of values in [0, 1] from its expectation",
    "reward",
    (0.05, 0.1, 0.3),
)
TILT = Quantity("tilt", "h", Domain(0.0, 1.0, low_open=False), "argument of a moment generating function, times the scale")
SLACK = Quantity("slack", r"\delta'", UNIT_OPEN, "additional delta that advanced composition spends", "", (1e-6, 1e-5))
TOTAL_EPSILON = Quantity("total_epsilon", r"\varepsilon'", POSITIVE, "privacy level of the whole, after composition or processing", "nats")
TOTAL_DELTA = Quantity("total_delta", r"\delta_{\mathrm{total}}", POSITIVE, "delta of the whole, after composition")
REQUIRED_SIGMA = Quantity(
    "required_sigma", r"\sigma_{\min}", POSITIVE, "least standard deviation of Gaussian noise that gives (epsilon, delta)", "query"
)
REQUIRED_SCALE = Quantity("required_scale", r"b_{\min}", POSITIVE, "least scale of Laplace noise that gives epsilon", "query")
REQUIRED_KEEP = Quantity("required_keep", r"p_{\max}", UNIT_OPEN, "largest probability of the truth that gives epsilon", "")
LEVELS = Quantity("levels", "L", COUNT, "levels of a dyadic tree over the horizon: nodes that contain one round", "levels", (4, 7, 10))
TERMS = Quantity("terms", "m", COUNT, "nodes that one prefix sum adds, at most", "nodes", (1, 4, 10))
SUM_ERROR = Quantity("sum_error", r"|\hat S - S|", NON_NEGATIVE, "distance of a released prefix sum from the true one", "reward")
REGRET = Quantity("regret", "R_T", REAL, "expected total of gaps over the rounds played (pseudo-regret)", "reward")
PULLS = Quantity("pulls", "N_i", NON_NEGATIVE, "expected pulls of an arm over the horizon", "pulls")
TOTAL_GAP = Quantity("total_gap", r"\textstyle\sum_i \Delta_i", POSITIVE, "sum of the gaps of all arms", "reward", (0.3, 1.0, 4.0))
INVERSE_GAPS = Quantity(
    "inverse_gaps",
    r"\textstyle\sum_{i:\Delta_i>0} 1/\Delta_i",
    Domain(low=1.0, low_open=False),
    "sum of 1/gap over the arms with a positive gap",
    "1/reward",
    (5.0, 20.0, 100.0),
)
MOMENT = Quantity(
    "moment", "k", Domain(low=2.0, low_open=False), "order of the absolute moment that the reward laws bound by 1", "", (2.0, 2.5, 4.0)
)
CONTAMINATION = Quantity(
    "contamination",
    r"\alpha_1",
    Domain(low=0.0, high=0.5),
    "known upper bound on the share of contaminated rewards",
    "",
    (0.02, 0.05, 0.1, 0.001),
)
TRUNCATION = Quantity(
    "truncation", "M", POSITIVE, "largest size of a reward that a truncated mean keeps; larger ones count as 0", "reward", (0.5, 2.0, 10.0)
)
EPOCH = Quantity("epoch", r"\tau", COUNT, "index of an epoch of batches, from 1", "epochs", (1, 5, 12))
ACTIVE = Quantity("active", r"|\mathcal{S}|", COUNT, "number of arms that are not eliminated", "arms", (1, 2, 5, 11))
TRUE_CONTAMINATION = Quantity(
    "true_contamination", r"\alpha", Domain(low=0.0, high=0.5, low_open=False), "share of contaminated rewards", "", (0.02, 0.05, 0.0)
)
MOMENT_GAP = Quantity(
    "moment_gap",
    r"\Delta_a",
    Domain(low=0.0, high=2.0, high_open=False),
    "difference of the best mean and an arm's mean, rewards of unit moment",
    "reward",
    (0.5, 0.1, 1.0),
)
LAST_FORCED = Quantity("last_forced", r"\tau_0", COUNT, "last epoch whose batch is below the threshold", "epochs", (3, 6))
BATCH = Quantity("batch", r"B_\tau", COUNT, "pulls of one arm in one epoch", "pulls", (64, 512, 4096))
ARM_PULLS = Quantity("arm_pulls", "N_a(T)", NON_NEGATIVE, "pulls of an arm over the horizon", "pulls")
THRESHOLD_BATCH = Quantity("threshold_batch", r"\mathcal{T}_\tau", POSITIVE, "batch size below which exploration is forced", "pulls")
REQUIRED_SAMPLES = Quantity("required_samples", r"n_{\min}", POSITIVE, "number of draws from which a radius holds", "draws")
ESTIMATE_FAILURE = Quantity("estimate_failure", r"\delta_\tau", UNIT_OPEN, "failure probability of one estimate in one epoch")
ACCURACY = Quantity("accuracy", r"\eta", UNIT_OPEN, "wanted distance of an estimate from its target", "reward", (0.1, 0.5))
RARITY = Quantity(
    "rarity",
    r"\gamma",
    Domain(low=0.0, high=1.0, high_open=False),
    "inverse of the large value of a two-point law that takes it with probability c rarity^moment",
    "",
    (0.5, 0.1, 1.0),
)
RANGE = Quantity("range", "D", Domain(low=1.0, low_open=False), "known bound on the absolute means", "reward", (10.0, 20.0, 2.0))
BIN_WIDTH = Quantity("bin_width", "r", POSITIVE, "width of the histogram's bins", "reward", (1.0, 3.2, 4.0))
FOLD_SAMPLES = Quantity(
    "fold_samples", "n", COUNT, "draws in one of the two folds of a central estimate", "draws", (1_000, 100_000, 200_000_000)
)
BIN_ERROR = Quantity("bin_error", "C_1", NON_NEGATIVE, "largest error of a private bin frequency", "")
OUTSIDE_MASS = Quantity("outside_mass", "C_2", NON_NEGATIVE, "probability at least one bin width from the mean", "")
INVERSE_MASS = Quantity("inverse_mass", r"\iota", POSITIVE, "k-th power of the bin width under contamination", "")
BIN_CONSTANT = Quantity("bin_constant", "c_1", POSITIVE, "unstated constant of the sample requirement of the histogram", "", (4_500_000.0,))
BINS = Quantity("bins", "N", COUNT, "bins of the histogram", "bins", (10, 100))
MEAN_SIZE = Quantity("mean_size", r"|\mu|", NON_NEGATIVE, "absolute value of the inliers' mean", "reward", (0.5, 5.0, 20.0))
BIN_DISTANCE = Quantity("bin_distance", r"|J - \mu|", NON_NEGATIVE, "distance of the winning bin's left end from the mean", "reward")
WIDE_GAP = Quantity(
    "wide_gap", r"\Delta_a", POSITIVE, "difference of the best mean and an arm's mean, means anywhere in a range", "reward", (1.0, 10.0)
)
EXPONENT = Quantity("exponent", "k", POSITIVE, "order of an absolute moment", "", (2.0, 4.0, 1.5))
RAW_MOMENT = Quantity("raw_moment", "m_k", POSITIVE, "mean of |X|^k", "", (1.0, 0.5, 3.0))
DUAL_MOMENT = Quantity("dual_moment", "m'_k", POSITIVE, "mean of |Y|^(k/(k - 1))", "", (1.0, 0.5, 3.0))
PRODUCT_MEAN = Quantity("product_mean", r"\mathbb{E}|XY|", NON_NEGATIVE, "mean of |X Y|")
LEVEL = Quantity("level", "a", POSITIVE, "distance from the centre, above 0, at which a tail begins", "query", (2.0, 0.5, 5.0))
VARIANCE = Quantity("variance", "s", POSITIVE, "bound on the variance of each draw", "", (1.0, 0.25))
MAGNITUDE = Quantity("magnitude", "M", POSITIVE, "bound on the absolute value of each draw", "", (1.0, 4.0))
WIDTH = Quantity("width", "b - a", POSITIVE, "width of the interval that holds each draw", "", (1.0, 2.0))
DIVERGENCE = Quantity("divergence", r"\mathrm{KL}", NON_NEGATIVE, "Kullback-Leibler divergence of two laws", "nats", (0.5, 0.1, 2.0))
ERROR_SUM = Quantity("error_sum", "P(A) + Q(A^c)", NON_NEGATIVE, "sum of the two error probabilities of a test")
CHI_SQUARE = Quantity("chi_square", r"\chi^2_d", NON_NEGATIVE, "value of a chi-square variable")
DEGREES = Quantity("degrees", "d", COUNT, "degrees of freedom", "", (1, 5, 50))
SUCCESS = Quantity("success", "p", UNIT_OPEN, "success probability of one trial", "", (0.1, 0.5, 0.9))
FRACTION = Quantity("fraction", "q", UNIT_OPEN, "share of successes at which a tail begins", "", (0.3, 0.7, 0.95))
EXPECTED_PULLS = Quantity("expected_pulls", r"\mathbb{E} N_a", NON_NEGATIVE, "expected pulls of one arm", "pulls", (10.0, 100.0))
TOTAL_VARIATION = Quantity(
    "total_variation",
    r"\mathrm{TV}",
    Domain(0.0, 1.0, low_open=False, high_open=False),
    "total variation distance of two laws",
    "",
    (0.1, 0.5),
)
RATIO = Quantity("ratio", "x", POSITIVE, "a positive quotient of two terms of a proof", "", (0.5, 1.0, 2.0))
SHARE = Quantity("share", "u", Domain(0.0, 1.0, high_open=False), "a quotient of two terms of a proof, at most 1", "", (0.5, 1.0))
OTHER_SHARE = Quantity("other_share", "v", Domain(0.0, 1.0, high_open=False), "another such quotient", "", (0.5, 1.0))


DIMENSION = Quantity("dimension", "d", COUNT, "number of features of an action", "", (5, 1, 3, 20))
ROW_NORM = Quantity(
    "row_norm", r"\tilde L", POSITIVE, "largest Euclidean length of an action together with its reward: one row", "", (1.5, 1.0)
)
CONTEXT_NORM = Quantity("context_norm", "L", POSITIVE, "largest Euclidean length of an action's features", "", (1.0, 20.0))
MEAN_BOUND = Quantity("mean_bound", "B", Domain(low=1.0, low_open=False), "bound on the absolute mean rewards", "reward", (1.0, 20.0))
PARAMETER_NORM = Quantity("parameter_norm", "S", POSITIVE, "largest Euclidean length of the unknown parameter", "reward", (1.0, 0.5))
REWARD_SIGMA = Quantity("reward_sigma", r"\sigma", POSITIVE, "sub-Gaussian scale of the noise of a reward", "reward", (1.0, 0.1))
NODE_SIGMA = Quantity(
    "node_sigma",
    r"\sigma_{\mathrm{noise}}",
    POSITIVE,
    "standard deviation of the Gaussian noise of a node, off the diagonal",
    "",
    (10.0, 1.0),
)
RHO_MIN = Quantity("rho_min", r"\rho_{\min}", POSITIVE, "lower bound on the eigenvalues of the regularisers", "", (1.0, 0.01))
RHO_MAX = Quantity("rho_max", r"\rho_{\max}", POSITIVE, "upper bound on the eigenvalues of the regularisers", "", (3.0, 0.02))
PERTURBATION = Quantity(
    "perturbation",
    r"\gamma",
    NON_NEGATIVE,
    "bound on the perturbation of the action-reward sums, in the norm of the inverse regulariser",
    "",
    (1.0, 0.0),
)
NODES = Quantity("nodes", "m", COUNT, "1 + log2 of the horizon, rounded up: the paper's count of tree nodes", "nodes", (7, 1, 18))
WISHART_DEGREES = Quantity("wishart_degrees", "k", COUNT, "degrees of freedom of the Wishart noise of a node", "", (100_000, 3_000, 3))
REQUIRED_DEGREES = Quantity("required_degrees", r"k_{\min}", POSITIVE, "degrees of freedom from which Wishart noise is private")
SUMMED_DEGREES = Quantity("summed_degrees", "k_t", NON_NEGATIVE, "degrees of freedom of the Wishart noise in one round's release")
SHIFT = Quantity("shift", "c", NON_NEGATIVE, "multiple of the identity that is taken off a regulariser", "", (0.5, 0.25))
SIGNED_SHIFT = Quantity("signed_shift", "c", REAL, "multiple of the identity that is taken off a regulariser, of either sign")
UPSILON = Quantity("upsilon", r"\Upsilon", POSITIVE, "bound on the operator norm of the Gaussian noise; half of its shift")
CONFIDENCE_RADIUS = Quantity(
    "confidence_radius",
    r"\beta_t",
    NON_NEGATIVE,
    "radius of the confidence ellipsoid, in the norm of the regularised Gram matrix",
    "",
    (2.0, 5.0),
)
LOG_DETERMINANT = Quantity(
    "log_determinant", r"\ln\det V_t", REAL, "logarithm of the determinant of the regularised Gram matrix", "", (10.0, 40.0)
)
ACTION_GAP = Quantity(
    "action_gap", r"\Delta", POSITIVE, "least difference of an optimal and a worse action's mean", "reward", (0.5, 0.1, 1.0)
)
POTENTIAL = Quantity(
    "potential",
    r"\textstyle\sum_t \min\{1, \lVert x_t\rVert^2\}",
    NON_NEGATIVE,
    "sum over rounds of the action's squared norm, cut at 1",
    "",
    (3.0,),
)
START_TRACE = Quantity("start_trace", r"\mathrm{tr}\,U_1", POSITIVE, "trace of the first matrix of an elliptical potential", "", (5.0,))
START_DETERMINANT = Quantity("start_determinant", r"\det U_1", POSITIVE, "determinant of that matrix", "", (1.0,))
SQUARED_COSINE = Quantity(
    "squared_cosine",
    r"\cos^2",
    Domain(0.0, 1.0, low_open=False, high_open=False),
    "squared cosine of the angle between two rows",
    "",
    (0.0, 0.5),
)
SINGULAR_VALUE = Quantity("singular_value", "s_j", NON_NEGATIVE, "a singular value of a Gaussian matrix, or an eigenvalue of a Wishart one")
MATRIX_ROWS = Quantity("matrix_rows", "N", COUNT, "rows of a Gaussian matrix", "", (1000, 50, 2))
CHOICE = Quantity(
    "choice", "q", Domain(0.0, 1.0, low_open=False, high_open=False), "probability with which a policy chooses one of two arms", "", (0.5,)
)
LENGTH = Quantity("length", r"\lVert g\rVert", NON_NEGATIVE, "Euclidean length of a Gaussian vector")


def quantities() -> Mapping[str, Quantity]:
    """All quantities by name."""
    return {value.name: value for value in globals().values() if isinstance(value, Quantity)}
