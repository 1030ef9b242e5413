"""wu_2023's formulas on central moments, and the parts of its lower bound, with one mistake each (mutants)."""

from dataclasses import replace
from fractions import Fraction

from banditproof.audits.methods.pointwise import Pointwise
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.mutations import anywhere, control, line_control, right_times
from banditproof.audits.papers.wu_2023.cases.central import theory as cases
from banditproof.glossary import BIN_WIDTH
from banditproof.theory.language import Case, Sense, Theorem, symbol
from banditproof.theory.papers.wu_2023 import (
    central,
    central_radii,
    central_regret,
    central_remarks,
    lower_bound,
    lower_bound_whole,
    setting,
)


def _one_bin() -> Theorem:
    """The winner within r of the mean, where the printed distance is 2 r."""
    own = central_radii.INITIAL_DISTANCE
    first, last = own.stated().cases
    return replace(own, bound=replace(own.stated(), cases=(Case(first.condition, symbol(BIN_WIDTH)), last)))


WINNER = (
    control(
        "one_bin",
        "within one bin width for two",
        central_radii.INITIAL_DISTANCE,
        Pointwise(cases.winners(_one_bin(), cases.INSIDE), "distributions of two values inside the range", "distance"),
    ),
    control(
        "one_tail",
        "the two tails at twice the failure",
        central_radii.PADDED_BIN_ERROR,
        Pointwise(cases.tails(Fraction(2)), "n 10, 10^6, epsilon 1/100 to 20, 1 to 10^4 bins", "probability"),
    ),
)

PARAMETERS = (
    control(
        "half_of_the_clean_radius",
        "half of the radius",
        central_radii.CENTRAL_RADIUS_CLEAN_TUNED,
        Pointwise(cases.tuned(True, Fraction(1, 2)), "the choices of the audit", "radius"),
    ),
    control(
        "half_of_the_radius",
        "half of the radius",
        central_radii.CENTRAL_RADIUS_TUNED,
        Pointwise(cases.tuned(False, Fraction(1, 2)), "the choices of the audit", "radius"),
    ),
    control(
        "half_of_the_draws",
        "half of the draws",
        central_radii.CENTRAL_SAMPLE_COMPLEXITY_EXPLICIT,
        Pointwise(cases.enough(Fraction(1, 2)), "the values of the audit", "radius"),
    ),
    *(
        control(
            f"a_tenth_of_the_{name}",
            "a tenth of the last batch",
            theorem,
            Pointwise(cases.surviving(clean, Fraction(1, 10)), "the epochs of the audit", "batch"),
        )
        for name, theorem, clean in (
            ("clean_batch", central_regret.CENTRAL_BATCH_CLEAN, True),
            ("batch", central_regret.CENTRAL_BATCH, False),
        )
    ),
)

_KNOWN = {"arms": 2, "epsilon": 1, "range": 10}
REGRET = (
    *(
        control(
            f"{theorem.id.split('.')[1]}_at_once",
            "a bound that is said to say something at a thousand rounds",
            theorem,
            Vacuity(cases.bound_of(theorem, **_KNOWN, **proportions), 20.0, claimed=1_000),
            short="at_once",
        )
        for theorem, proportions in (
            (central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT, {}),
            (central_regret.REGRET_CENTRAL_EXPLICIT, {"contamination": "1/100000"}),
            (central_remarks.REGRET_EMBEDDED_CLEAN_EXPLICIT, {}),
            (central_remarks.REGRET_EMBEDDED_EXPLICIT, {"contamination": "1/100000"}),
        )
    ),
    control(
        "a_thousandth_of_the_factor",
        "a thousandth of the embedded bound, as if it had no factor D",
        central_remarks.ADDITIVE_RANGE,
        Pointwise(cases.compared(Fraction(1, 1000)), "the values of the audit", "regret bound"),
    ),
)

LOWER = (
    control(
        "without_a_quarter",
        "exp(-KL) without its 1/4",
        lower_bound.TWO_REGRETS,
        Pointwise(cases.two_coins(Fraction(4)), "the coins of the audit", "sum of two regrets", Sense.AT_LEAST),
    ),
    *(
        control(
            f"{theorem.id.split('.')[1]}_a_hundredfold",
            "a constant a hundred times too large",
            theorem,
            Pointwise(cases.at_random(theorem, Fraction(100)), "the problems of the audit", "regret", Sense.AT_LEAST),
            short="a_hundredfold",
        )
        for theorem in (lower_bound_whole.LOWER_BOUND_GAUSSIAN_EXPLICIT, lower_bound_whole.LOWER_BOUND_EXPLICIT)
    ),
)


_CLEAN, _MIXED = central.CENTRAL_CONCENTRATION_CLEAN, central.CENTRAL_CONCENTRATION_CONTAMINATED
_COST = central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT
STEPS = (
    line_control("sum_and_product", "any two logarithms", central_remarks.ADDITIVE_LOGARITHM, "sum_below_product", anywhere),
    line_control("three_ranges", "3/2 log 2 for log 2", central_remarks.CENTRAL_THRESHOLD_REMARK, "twice_the_range", right_times(3, 2)),
    line_control(
        "rounds_of_one_epoch", "the rounds of one epoch for all", setting.FORCED_PHASE_VARIANTS, "forced_rounds", right_times(1, 2)
    ),
    line_control("narrow_bins", "bins of any width", central.BIN_ERROR, "union_factor", anywhere),
    line_control("small_truncation", "any truncation", central.CENTRAL_RADIUS_ASSEMBLED, "bias", anywhere),
    line_control("room_for_less", "6 C_1 + 4 C_2 <= 0.95", _CLEAN, "room_for_the_counts", right_times(19, 20)),
    line_control("breakdown_point", "iota alpha_1 <= 0.99 up to 0.133", _MIXED, "bins_by_the_known_share", right_times(99, 100)),
    line_control("balance", "a constant one part in a thousand too small", _COST, "constant_of_the_privacy_cost", right_times(999, 1000)),
)
