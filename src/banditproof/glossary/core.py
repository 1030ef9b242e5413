"""The letters of the field: those of the algorithms, of the shared inequalities and hypotheses, and of at least two papers."""

import math
from dataclasses import dataclass
from fractions import Fraction


def _distance(value: Fraction, end: float) -> float:
    """A number with the sign of value - end, from integers alone: Fractions are compared in four times as long."""
    if not math.isfinite(end):
        return -end
    numerator, denominator = end.as_integer_ratio()
    return value.numerator * denominator - numerator * value.denominator


@dataclass(frozen=True, slots=True)
class Domain:
    """An interval of reals or of integers, each end open or closed."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = True
    high_open: bool = True
    integer: bool = False

    def __contains__(self, value: float | Fraction) -> bool:
        if type(value) is Fraction:
            above, below = _distance(value, self.low), -_distance(value, self.high)
            inside = (above > 0 if self.low_open else above >= 0) and (below > 0 if self.high_open else below >= 0)
            return inside and (not self.integer or value.denominator == 1)
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


def between(low: float, high: float) -> Domain:
    """Real numbers from low to high, both included."""
    return Domain(low, high, low_open=False, high_open=False)


def whole_numbers(low: int, high: int) -> Domain:
    """Whole numbers from low to high, both included."""
    return Domain(low, high, low_open=False, high_open=False, integer=True)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A letter of the field. `typical` are values that a reader would try first; `unit` is '' for pure numbers.

    `sampled` is the part of the domain that suites draw instances of algorithms from, where all of it holds values that take too long to
    run or that floating point cannot carry. It says nothing about theorems: they are tried on the whole domain.
    """

    name: str
    latex: str
    domain: Domain
    meaning: str
    unit: str = ""
    typical: tuple[float, ...] = ()
    sampled: Domain | None = None

    def __hash__(self) -> int:
        return hash(self.name)  # of all fields it would take ten times as long, and exact evaluations look quantities up all the time

    def require(self, value: float) -> float:
        """The value itself; raises ValueError, naming the value and the rule, unless it lies in the domain."""
        try:
            inside = not isinstance(value, bool) and value in self.domain
        except TypeError:  # it cannot be compared with a number
            raise ValueError(f"{self.name} = {value!r}: must be a number, {self.domain.rule()} ({self.meaning})") from None
        if not inside:
            raise ValueError(f"{self.name} = {value!r}: must be {self.domain.rule()} ({self.meaning})")
        return value


POSITIVE = Domain(low=0.0)
NON_NEGATIVE = Domain(low=0.0, low_open=False)
UNIT_OPEN = Domain(low=0.0, high=1.0)
COUNT = Domain(low=1, low_open=False, integer=True)
REAL = Domain()

EPSILON = Quantity(
    "epsilon",
    r"\varepsilon",
    POSITIVE,
    "privacy parameter epsilon of (epsilon, delta)-differential privacy",
    "nats",
    (0.1, 0.5, 1.0, 2.0),
    sampled=between(0.01, 5.0),
)
DELTA = Quantity(
    "delta",
    r"\delta",
    UNIT_OPEN,
    "privacy parameter delta of (epsilon, delta)-differential privacy: a failure probability",
    "",
    (1e-6, 1e-5, 1e-2),
    sampled=Domain(0.01, 1.0, low_open=False),
)
MU = Quantity("mu", r"\mu", POSITIVE, "privacy parameter mu of Gaussian differential privacy", "", (0.5, 1.0, 2.0))
RHO = Quantity("rho", r"\rho", POSITIVE, "privacy parameter rho of zero-concentrated differential privacy", "", (0.01, 0.1, 0.5))
ORDER = Quantity("order", r"\lambda", Domain(low=1.0), "order of a Renyi divergence", "", (2.0, 8.0, 32.0))
SENSITIVITY = Quantity(
    "sensitivity",
    r"\Delta",
    POSITIVE,
    "largest change of a query between neighbours, in its norm",
    "query",
    (0.5, 1.0, 2.0),
    sampled=between(0.01, 50.0),
)
SCALE = Quantity("scale", "b", POSITIVE, "scale of a Laplace distribution (its mean absolute value)", "query", (0.5, 1.0, 2.0, 10.0))
SIGMA = Quantity(
    "sigma",
    r"\sigma",
    POSITIVE,
    "standard deviation of a Gaussian distribution",
    "query",
    (0.5, 1.0, 4.0),
    sampled=between(0.01, 50.0),
)
FAILURE = Quantity(
    "failure",
    r"\beta",
    UNIT_OPEN,
    "failure probability of a statement: 1 - confidence level",
    "",
    (0.01, 0.05, 0.1, 0.5),
    sampled=Domain(1e-6, 1.0, low_open=False),
)
HORIZON = Quantity(
    "horizon",
    "T",
    COUNT,
    "number of rounds",
    "rounds",
    (10, 100, 1000, 100_000),
    sampled=whole_numbers(1, 40),
)
ROUND = Quantity("round", "t", COUNT, "index of a round, from 1 (code counts from 0)", "rounds", (1, 10, 100))
ARMS = Quantity(
    "arms",
    "K",
    Domain(low=2, low_open=False, integer=True),
    "number of arms",
    "arms",
    (2, 5, 11),
    sampled=whole_numbers(2, 6),
)
SAMPLES = Quantity("samples", "n", COUNT, "number of independent draws", "draws", (10, 100, 1000))
FOLDS = Quantity(
    "folds",
    "k",
    COUNT,
    "number of mechanisms composed",
    "mechanisms",
    (2, 5, 20),
    sampled=whole_numbers(1, 4),
)
CATEGORIES = Quantity(
    "categories",
    "m",
    Domain(low=2, low_open=False, integer=True),
    "number of possible answers",
    "",
    (2, 4, 16),
    sampled=whole_numbers(2, 9),
)
THRESHOLD = Quantity(
    "threshold",
    "x",
    NON_NEGATIVE,
    "distance from the centre at which a tail begins; in lines of proofs, any term that is not negative",
    "query",
    (0.5, 1.0, 3.0),
)
GAP = Quantity(
    "gap",
    r"\Delta",
    Domain(low=0.0, high=1.0, high_open=False),
    "suboptimality gap: the best mean minus an arm's mean",
    "reward",
    (0.1, 0.3),
    sampled=between(0.01, 1.0),
)
KEEP = Quantity("keep", "p", UNIT_OPEN, "probability that randomised response reports the truth", "", (0.6, 0.75, 0.9))
RADIUS = Quantity("radius", "r", NON_NEGATIVE, "confidence radius: half-width of a confidence interval around an estimate", "reward")
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
SLACK = Quantity("slack", r"\delta'", UNIT_OPEN, "additional delta that advanced composition spends, on top of the sum", "", (1e-6, 1e-5))
TOTAL_EPSILON = Quantity("total_epsilon", r"\varepsilon'", POSITIVE, "privacy parameter epsilon after composition or processing", "nats")
TOTAL_DELTA = Quantity("total_delta", r"\delta_{\mathrm{total}}", POSITIVE, "delta of the whole, after composition")
REQUIRED_SIGMA = Quantity(
    "required_sigma", r"\sigma_{\min}", POSITIVE, "least standard deviation of Gaussian noise that gives (epsilon, delta)", "query"
)
REQUIRED_SCALE = Quantity("required_scale", r"b_{\min}", POSITIVE, "least scale of Laplace noise that gives epsilon", "query")
LEVELS = Quantity("levels", "L", COUNT, "levels of a dyadic tree over the horizon: nodes that contain one round", "levels", (4, 7, 10))
TERMS = Quantity("terms", "m", COUNT, "number of terms of the sum: the most nodes that one prefix sum adds", "nodes", (1, 4, 10))
SUM_ERROR = Quantity(
    "sum_error", r"|\hat S - S|", NON_NEGATIVE, "distance of a released sum from the true one (of a sum of noise: from 0)", "reward"
)
REGRET = Quantity(
    "regret", "R_T", REAL, "sum of the gaps of the arms played (pseudo-regret); expected, if no probability is stated", "reward"
)
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
    "moment",
    "k",
    Domain(low=2.0, low_open=False),
    "order of the absolute moment that the reward distributions bound by 1",
    "",
    (2.0, 2.5, 4.0),
    sampled=between(2.0, 8.0),
)
CONTAMINATION = Quantity(
    "contamination",
    r"\alpha_1",
    Domain(low=0.0, high=0.5),
    "known upper bound on the fraction of contaminated rewards",
    "",
    (0.02, 0.05, 0.1, 0.001),
)
TRUNCATION = Quantity(
    "truncation",
    "M",
    POSITIVE,
    "largest size of a reward that a truncated mean keeps; larger ones count as 0",
    "reward",
    (0.5, 2.0, 10.0),
    sampled=between(0.01, 1e6),
)
EPOCH = Quantity("epoch", r"\tau", COUNT, "index of an epoch of batches, from 1", "epochs", (1, 5, 12))
ACTIVE = Quantity("active", r"|\mathcal{S}|", COUNT, "number of arms that are not eliminated", "arms", (1, 2, 5, 11))
TRUE_CONTAMINATION = Quantity(
    "true_contamination", r"\alpha", Domain(low=0.0, high=0.5, low_open=False), "fraction of contaminated rewards", "", (0.02, 0.05, 0.0)
)
ARM_PULLS = Quantity("arm_pulls", "N_a(T)", NON_NEGATIVE, "pulls of an arm over the horizon", "pulls")
RANGE = Quantity("range", "D", Domain(low=1.0, low_open=False), "known bound on the absolute means", "reward", (10.0, 20.0, 2.0))
BIN_WIDTH = Quantity("bin_width", "r", POSITIVE, "width of the histogram's bins", "reward", (1.0, 3.2, 4.0))
FOLD_SAMPLES = Quantity(
    "fold_samples", "n", COUNT, "draws in one of the two folds of a central estimate", "draws", (1_000, 100_000, 200_000_000)
)
OUTSIDE_MASS = Quantity("outside_mass", "C_2", NON_NEGATIVE, "probability at least one bin width from the mean", "")
BIN_CONSTANT = Quantity("bin_constant", "c_1", POSITIVE, "unstated constant of the sample requirement of the histogram", "", (4_500_000.0,))
BINS = Quantity("bins", "N", COUNT, "bins of the histogram", "bins", (10, 100))
EXPONENT = Quantity("exponent", "k", POSITIVE, "order of an absolute moment", "", (2.0, 4.0, 1.5))
RAW_MOMENT = Quantity("raw_moment", "m_k", POSITIVE, "mean of |X|^k", "", (1.0, 0.5, 3.0))
DUAL_MOMENT = Quantity("dual_moment", "m_{k/(k-1)}", POSITIVE, "mean of |Y|^(k/(k - 1))", "", (1.0, 0.5, 3.0))
PRODUCT_MEAN = Quantity("product_mean", r"\mathbb{E}|XY|", NON_NEGATIVE, "mean of |X Y|")
LEVEL = Quantity(
    "level",
    "a",
    POSITIVE,
    "distance from the centre, above 0, at which a tail begins; in lines of proofs, any positive term",
    "query",
    (2.0, 0.5, 5.0),
)
VARIANCE = Quantity(
    "variance",
    "s",
    POSITIVE,
    "bound on the variance of each draw",
    "",
    (1.0, 0.25),
    sampled=between(0.01, 1e6),
)
MAGNITUDE = Quantity("magnitude", "M", POSITIVE, "bound on the absolute value of each draw", "", (1.0, 4.0))
WIDTH = Quantity("width", "w", POSITIVE, "width of the interval that holds each draw", "", (1.0, 2.0))
DIVERGENCE = Quantity(
    "divergence", r"\mathrm{KL}", NON_NEGATIVE, "Kullback-Leibler divergence between two distributions", "nats", (0.5, 0.1, 2.0)
)
ERROR_SUM = Quantity("error_sum", "P(A) + Q(A^c)", NON_NEGATIVE, "sum of the two error probabilities of a test")
CHI_SQUARE = Quantity("chi_square", r"\chi^2_d", NON_NEGATIVE, "value of a chi-square variable")
DEGREES = Quantity("degrees", "d", COUNT, "degrees of freedom", "", (1, 5, 50))
SUCCESS = Quantity("success", "p", UNIT_OPEN, "success probability of one trial", "", (0.1, 0.5, 0.9))
FRACTION = Quantity("fraction", "q", UNIT_OPEN, "fraction of successes at which a tail begins", "", (0.3, 0.7, 0.95))
TOTAL_VARIATION = Quantity(
    "total_variation",
    r"\mathrm{TV}",
    Domain(0.0, 1.0, low_open=False, high_open=False),
    "total variation distance of two distributions",
    "",
    (0.1, 0.5),
)
RATIO = Quantity(
    "ratio", "x", POSITIVE, "a positive term of the proof, or a quotient of two; the note at the line says which", "", (0.5, 1.0, 2.0)
)
UNIT_RATIO = Quantity(
    "unit_ratio",
    "u",
    Domain(0.0, 1.0, high_open=False),
    "a term of the proof, or a quotient of two, at most 1; the note at the line says which",
    "",
    (0.5, 1.0),
)
OTHER_UNIT_RATIO = Quantity(
    "other_unit_ratio", "v", Domain(0.0, 1.0, high_open=False), "another such term or quotient, at most 1", "", (0.5, 1.0)
)
DIMENSION = Quantity("dimension", "d", COUNT, "dimension of a context or action: its number of features", "", (5, 1, 3, 20))
ROW_NORM = Quantity(
    "row_norm", r"\tilde L", POSITIVE, "largest Euclidean length of an action together with its reward: one row", "", (1.5, 1.0)
)
CONTEXT_NORM = Quantity("context_norm", "L", POSITIVE, "largest Euclidean length of an action's features", "", (1.0, 20.0))
PARAMETER_NORM = Quantity("parameter_norm", "S", POSITIVE, "largest Euclidean length of the unknown parameter", "reward", (1.0, 0.5))
REWARD_SIGMA = Quantity("reward_sigma", r"\sigma", POSITIVE, "sub-Gaussian scale of the noise of a reward", "reward", (1.0, 0.1))
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
LOG_DETERMINANT = Quantity(
    "log_determinant", r"\ln\det V_t", REAL, "logarithm of the determinant of the regularised Gram matrix", "", (10.0, 40.0)
)
