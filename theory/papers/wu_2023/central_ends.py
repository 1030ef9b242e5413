r"""What no radius and no regret of Algorithm 3 as printed escapes, for a mean at an end of [-D, D] (Wu et al. 2023).

Main definitions
    least_radius, least_samples, least_regret            without contamination: against Corollary 6.6 and Theorem 6.10
    least_radius_contaminated, least_regret_contaminated   against Corollary 6.8 and Theorem 6.12
    clean_range, mixed_range                               D of N bins, N r/2

They are lower bounds of ours, which the audits set against the printed orders. Functions make them: they are no statements of the
paper.
"""

from sympy import Expr, Ge, Gt, Integer, Le, Lt, Rational

from banditproof.glossary import ARMS, BINS, CONTAMINATION, EPSILON, FAILURE, FOLD_SAMPLES, HORIZON, MOMENT, RADIUS, REGRET
from banditproof.glossary.wu_2023 import REQUIRED_SAMPLES
from banditproof.theory.language import Bound, Checked, Hypothesis, Mode, Sense, Theorem, always, symbol
from banditproof.theory.limits import logarithm
from banditproof.theory.papers.wu_2023.central_cases import iota
from banditproof.theory.papers.wu_2023.setting import source

_n, _epsilon, _k, _failure, _alpha = symbol(FOLD_SAMPLES), symbol(EPSILON), symbol(MOMENT), symbol(FAILURE), symbol(CONTAMINATION)
_bins, _horizon, _arms = symbol(BINS), symbol(HORIZON), symbol(ARMS)
clean_range = _bins * 10 ** (1 / _k) / 2  # D = N r/2
mixed_range = _bins * iota(_alpha) ** (1 / _k) / 2
_l1, _l16 = logarithm(1 / _failure), logarithm(16 / _failure)
_UNPADDED = Hypothesis(
    "rewards_at_the_end", "the bins are those of line 3, N = 2 D/r of them, and every reward is D", Checked.BY_ENVIRONMENT
)
_SELDOM = Hypothesis("seldom", "failure < 1/4", Checked.BY_VALUE, Lt(_failure, Rational(1, 4)))
_PRIVATE = Hypothesis("private_at_most_one", "epsilon <= 1", Checked.BY_VALUE, Le(_epsilon, 1))
_TWO_ARMS = Hypothesis("two_arms", "K = 2: one arm always pays D, the other D/2", Checked.BY_VALUE, Le(_arms, 2))

# --- no radius ----------------------------------------------------------------------------------------------------------------------------


def least_radius() -> Theorem:
    """What no algorithm of this form escapes, against Corollary 6.6."""
    return Theorem(
        id="wu_2023.least_radius_at_an_end",
        statement="No radius of Algorithm 3 at the parameters of Corollary 6.6 is smaller: the estimate is at most 0 with probability 1/4.",
        source=source("[assembled] against Corollary 6.6"),
        hypotheses=(
            _UNPADDED,
            _SELDOM,
            _PRIVATE,
            Hypothesis("keeps_nothing", "M < D", Checked.BY_VALUE, Gt((clean_range / 4) ** _k * _l1, _n * _epsilon)),
            Hypothesis(
                "enough",
                "n >= 200 log(16 D/failure)/epsilon",
                Checked.BY_VALUE,
                Ge(_n * _epsilon, 200 * logarithm(16 * clean_range / _failure)),
            ),
        ),
        bound=Bound(of=RADIUS, sense=Sense.AT_LEAST, cases=always(clean_range), given=(FOLD_SAMPLES, EPSILON, MOMENT, BINS, FAILURE)),
    )


def least_radius_contaminated() -> Theorem:
    """What no algorithm of this form escapes, against Corollary 6.8."""
    return Theorem(
        id="wu_2023.least_radius_at_an_end_contaminated",
        statement="No radius of Algorithm 3 at the parameters of Corollary 6.8 is smaller, alpha = alpha_1, outliers being D too.",
        source=source("[assembled] against Corollary 6.8"),
        hypotheses=(
            _UNPADDED,
            _SELDOM,
            _PRIVATE,
            Hypothesis("keeps_nothing", "4 alpha_1^(-1/k) < D", Checked.BY_VALUE, Gt((mixed_range / 4) ** _k * _alpha, 1)),
            Hypothesis("below_breakdown", "alpha_1 < 0.133", Checked.BY_VALUE, Lt(_alpha, Rational(133, 1000))),
            Hypothesis(
                "enough",
                "n >= 4500000 log(16 D/failure)/epsilon and n >= log(16/failure)/alpha_1^2",
                Checked.BY_VALUE,
                Ge(_n * _epsilon, 4_500_000 * logarithm(16 * mixed_range / _failure)) & Ge(_n * _alpha**2, _l16),
            ),
        ),
        bound=Bound(
            of=RADIUS, sense=Sense.AT_LEAST, cases=always(mixed_range), given=(FOLD_SAMPLES, EPSILON, CONTAMINATION, MOMENT, BINS, FAILURE)
        ),
    )


def least_samples() -> Theorem:
    """What no algorithm of this form escapes, against Corollary 6.6, 'In other words'."""
    return Theorem(
        id="wu_2023.least_samples_at_an_end",
        statement="No fewer draws of a fold give any accuracy below D: M < D for all n below.",
        source=source("[assembled] against Corollary 6.6, 'In other words'"),
        hypotheses=(_UNPADDED, _SELDOM, _PRIVATE),
        bound=Bound(
            of=REQUIRED_SAMPLES,
            sense=Sense.AT_LEAST,
            cases=always((clean_range / 4) ** _k * _l1 / _epsilon),
            given=(EPSILON, MOMENT, BINS, FAILURE),
        ),
    )


# --- no regret ----------------------------------------------------------------------------------------------------------------------------


def _after(pulls: Expr) -> Expr:
    """A fifth of the gap D/2 for every round after the first test."""
    return (_horizon - pulls) / 10


_epochs = (logarithm(_horizon) / logarithm(Integer(2))) ** 2
_bins_clean, _bins_mixed = (logarithm(64 * width * _horizon * _epochs) for width in (clean_range, mixed_range))
_entries = iota(_alpha) * logarithm(4 * _horizon * _epochs) / _epsilon + 4_500_000 * _bins_mixed / _epsilon
_entries += logarithm(64 * _horizon * _epochs) / _alpha**2
_DERIVED = (
    "In the first test the arm that pays D has an estimate of at most 0, up to the noise, with probability 1/2; the difference of the two "
    "noises favours the other arm with probability 1/2; that arm's reward D/2 lies in a bin, which loses with probability at most "
    "N exp(-n epsilon/4) < 1/100. The difference D/2 is above 2 beta, so the best arm goes with probability 1/5, and each later round "
    "costs D/2. "
)


def least_regret() -> Theorem:
    """What no algorithm of this form escapes, against Theorem 6.10."""
    return Theorem(
        id="wu_2023.least_regret_at_an_end",
        statement=_DERIVED
        + "The first tested fold has n < 400 L/epsilon draws, so M <= 4 (400 L/log(4 T))^(1/k), L = log(64 D T log_2^2 T).",
        source=source("[assembled] against Theorem 6.10"),
        hypotheses=(
            _UNPADDED,
            _TWO_ARMS,
            _PRIVATE,
            Hypothesis("constant_of_the_radius", "the constant in beta is at most 3 D/2", Checked.ASSUMED),
            Hypothesis(
                "keeps_nothing", "M < D", Checked.BY_VALUE, Gt((clean_range / 4) ** _k * logarithm(4 * _horizon), 400 * _bins_clean)
            ),
            Hypothesis("test_is_done", "T >= 2400 L/epsilon", Checked.BY_VALUE, Ge(_horizon * _epsilon, 2400 * _bins_clean)),
        ),
        bound=Bound(
            of=REGRET,
            sense=Sense.AT_LEAST,
            cases=always(clean_range * _after(2400 * _bins_clean / _epsilon)),
            given=(HORIZON, ARMS, EPSILON, BINS, MOMENT),
            mode=Mode.IN_EXPECTATION,
        ),
    )


def least_regret_contaminated() -> Theorem:
    """What no algorithm of this form escapes, against Theorem 6.12."""
    return Theorem(
        id="wu_2023.least_regret_at_an_end_contaminated",
        statement=_DERIVED + "Here M <= 4 alpha_1^(-1/k) in every epoch; outliers are drawn as the arm's own rewards.",
        source=source("[assembled] against Theorem 6.12"),
        hypotheses=(
            _UNPADDED,
            _TWO_ARMS,
            _PRIVATE,
            Hypothesis("constant_of_the_radius", "the constant in beta is at most D/2", Checked.ASSUMED),
            Hypothesis("keeps_nothing", "4 alpha_1^(-1/k) < D", Checked.BY_VALUE, Gt((mixed_range / 4) ** _k * _alpha, 1)),
            Hypothesis("test_is_done", "T is above the rounds of the first test", Checked.BY_VALUE, Ge(_horizon, 12 * _entries)),
        ),
        bound=Bound(
            of=REGRET,
            sense=Sense.AT_LEAST,
            cases=always(mixed_range * _after(12 * _entries)),
            given=(HORIZON, ARMS, EPSILON, CONTAMINATION, BINS, MOMENT),
            mode=Mode.IN_EXPECTATION,
        ),
    )


THOUSAND_BINS, TWENTIETH = Integer(1000), Rational(1, 20)
