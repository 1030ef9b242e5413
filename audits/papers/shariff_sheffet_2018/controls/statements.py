"""Statements of shariff_sheffet_2018 with one mistake each, which their audits must refute by numbers."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

from banditproof.audits.methods.orders import OrderLimits
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.mutations import control, points_control, stating, times, without
from banditproof.audits.papers.shariff_sheffet_2018.cases import calibration, nodes, orders, regularisers
from banditproof.audits.papers.shariff_sheffet_2018.cases import facts as facts_cases
from banditproof.audits.papers.shariff_sheffet_2018.cases import lower_bound as lower_bound_cases
from banditproof.audits.papers.shariff_sheffet_2018.cases import wishart as wishart_cases
from banditproof.glossary import ARMS, DELTA, DIMENSION, EPSILON, ROW_NORM, Quantity
from banditproof.glossary.shariff_sheffet_2018 import NODE_SIGMA, NODES, WISHART_DEGREES
from banditproof.theory.language import Sense, Theorem, symbol
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, facts, gaussian, lower_bound, privacy, regret, setting, wishart

_m, _d = symbol(NODES), symbol(DIMENSION)


# --- statements -----------------------------------------------------------------------------------------------------------------------

_HALF = Fraction(1, 2)
_few = _d + Fraction(11, 10)
_level = symbol(ROW_NORM) ** 2 / symbol(NODE_SIGMA)
FACTS = (
    points_control(
        "largest_without_columns",
        "half of the largest singular value",
        facts.SINGULAR_LARGEST,
        partial(facts_cases.singular, facts.SINGULAR_LEAST, times(facts.SINGULAR_LARGEST, _HALF)),
    ),
    points_control(
        "least_doubled",
        "more than the least singular value",
        facts.SINGULAR_LEAST,
        partial(facts_cases.singular, times(facts.SINGULAR_LEAST, 4), facts.SINGULAR_LARGEST),
    ),
    points_control(
        "largest_eigenvalue",
        "a quarter of the largest eigenvalue",
        facts.EIGENVALUE_LARGEST,
        partial(facts_cases.eigenvalue, facts.EIGENVALUE_LEAST, times(facts.EIGENVALUE_LARGEST, Fraction(1, 4))),
    ),
    points_control(
        "least_eigenvalue",
        "ten times the least eigenvalue",
        facts.EIGENVALUE_LEAST,
        partial(facts_cases.eigenvalue, times(facts.EIGENVALUE_LEAST, 10), facts.EIGENVALUE_LARGEST),
    ),
    points_control("half_length", "half of a length", facts.CHI_LENGTH, partial(facts_cases.length_beyond, times(facts.CHI_LENGTH, _HALF))),
    points_control(
        "potential_without_two",
        "log(1 + u) for 2 log(1 + u)",
        regret.POTENTIAL_TRACE,
        partial(facts_cases.potentials, times(regret.POTENTIAL_TRACE, _HALF)),
    ),
    points_control(
        "potential_below_best",
        "a constant one hundredth below the best",
        regret.POTENTIAL_SHARP,
        partial(facts_cases.potentials, times(regret.POTENTIAL_SHARP, Fraction(99, 100))),
    ),
    points_control(
        "regret_quartered", "a quarter of (2)", regret.REGRET, partial(facts_cases.first_rounds, times(regret.REGRET, Fraction(1, 4)))
    ),
    points_control(
        "gap_quartered", "a quarter of (3)", regret.REGRET_GAP, partial(facts_cases.first_rounds, times(regret.REGRET_GAP, Fraction(1, 4)))
    ),
    points_control(
        "martingale_third",
        "a third of the martingale's bound",
        confidence.MARTINGALE_NOISE,
        partial(facts_cases.noise, times(confidence.MARTINGALE_NOISE, Fraction(1, 3))),
    ),
    points_control(
        "learner_halved",
        "half of the level for the actions",
        setting.LEARNER_PRIVACY,
        partial(facts_cases.learner, times(setting.LEARNER_PRIVACY, _HALF)),
    ),
)
NODES_CONTROLS = (
    points_control(
        "few_summed",
        "half as many nodes in a prefix",
        privacy.NODES_SUMMED,
        partial(nodes.nodes, nodes.summed, times(privacy.NODES_SUMMED, _HALF)),
    ),
    points_control(
        "few_changed",
        "half as many nodes with a row",
        privacy.NODES_CHANGED,
        partial(nodes.nodes, nodes.holding, times(privacy.NODES_CHANGED, _HALF)),
    ),
    points_control(
        "unreleased_root",
        "m nodes for the m - 1 that are released",
        privacy.NODES_RELEASED,
        partial(nodes.nodes, nodes.holding, stating(privacy.NODES_RELEASED, _m)),
        Sense.EQUALS,
    ),
    points_control(
        "two_nodes_always",
        "two nodes in every release",
        wishart.DEGREES_OF_SUM,
        partial(nodes.degrees_of_rounds, stating(wishart.DEGREES_OF_SUM, 2 * symbol(WISHART_DEGREES))),
        Sense.AT_LEAST,
    ),
    points_control(
        "two_nodes_at_most",
        "two nodes at most in a release",
        wishart.DEGREES_OF_SUM_MOST,
        partial(nodes.degrees_of_rounds, stating(wishart.DEGREES_OF_SUM_MOST, 2 * symbol(WISHART_DEGREES)), extreme=max),
    ),
)
LEVELS = (
    points_control(
        "row_added",
        "L~^2 for the norm of the difference when a row is replaced",
        privacy.ROW_SENSITIVITY,
        partial(calibration.sensitivity, stating(privacy.ROW_SENSITIVITY, symbol(ROW_NORM) ** 2)),
        Sense.EQUALS,
    ),
    points_control(
        "diagonal_not_doubled",
        "the same variance on the diagonal",
        privacy.NODE_LEVEL,
        partial(calibration.levels, privacy.NODE_LEVEL, 1),
        Sense.EQUALS,
    ),
    points_control(
        "diagonal_doubled",
        "twice the variance on the diagonal",
        privacy.NODE_LEVEL_PLAIN,
        partial(calibration.levels, privacy.NODE_LEVEL_PLAIN, 2),
        Sense.EQUALS,
    ),
    points_control(
        "unreleased_level",
        "sqrt(m) for sqrt(m - 1)",
        privacy.TREE_LEVEL,
        partial(calibration.tree_levels, stating(privacy.TREE_LEVEL, _m ** Fraction(1, 2) * _level)),
        Sense.EQUALS,
    ),
    points_control(
        "level_halved",
        "half of the printed level",
        privacy.PRINTED_LEVEL,
        partial(calibration.printed_levels, times(privacy.PRINTED_LEVEL, _HALF)),
        Sense.EQUALS,
    ),
    points_control(
        "noise_a_little_small",
        "one hundredth too little noise",
        privacy.EXACT_CALIBRATION,
        partial(calibration.least_noise, times(privacy.EXACT_CALIBRATION, Fraction(99, 100))),
        Sense.EQUALS,
    ),
    points_control(
        "waste_overstated",
        "a ratio one hundredth too large",
        privacy.WASTE,
        partial(calibration.waste, times(privacy.WASTE, Fraction(101, 100))),
        Sense.EQUALS,
    ),
    points_control(
        "twentieth_of_the_noise",
        "a twentieth of the noise",
        privacy.GAUSSIAN_CALIBRATION,
        partial(calibration.calibrated, times(privacy.GAUSSIAN_CALIBRATION, Fraction(1, 20))),
    ),
    points_control(
        "two_degrees",
        "d + 2 degrees of freedom",
        privacy.WISHART_PRIVACY,
        partial(wishart_cases.wishart_shows, stating(privacy.WISHART_PRIVACY, _few), ("1/2",), ("1/100",)),
    ),
    points_control(
        "two_degrees_quoted",
        "d + 2 degrees of freedom",
        privacy.WISHART_PRIVACY_QUOTED,
        partial(wishart_cases.wishart_shows, stating(privacy.WISHART_PRIVACY_QUOTED, _few), ("1/2",), ("1/100",)),
    ),
    points_control(
        "two_degrees_in_the_tree",
        "d + 2 degrees of freedom",
        privacy.WISHART_CALIBRATION,
        partial(wishart_cases.wishart_tree_shows, stating(privacy.WISHART_CALIBRATION, _few)),
    ),
    points_control(
        "floor_doubled",
        "twice the floor",
        privacy.WISHART_FLOOR,
        partial(wishart_cases.floors, times(privacy.WISHART_FLOOR, 2)),
        Sense.AT_LEAST,
    ),
)
REGULARISERS = (
    points_control(
        "rho_min_fourfold",
        "four times rho_min",
        wishart.WISHART_RHO_MIN,
        partial(regularisers.eigenvalues, times(wishart.WISHART_RHO_MIN, 4), False, False),
    ),
    points_control(
        "rho_max_quarter",
        "a quarter of rho_max",
        wishart.WISHART_RHO_MAX,
        partial(regularisers.eigenvalues, times(wishart.WISHART_RHO_MAX, Fraction(1, 4)), True, False),
    ),
    points_control(
        "shifted_rho_min_fourfold",
        "four times rho_min'",
        wishart.SHIFTED_RHO_MIN,
        partial(regularisers.eigenvalues, times(wishart.SHIFTED_RHO_MIN, 4), False, True),
    ),
    points_control(
        "shifted_rho_max_quarter",
        "a quarter of rho_max'",
        wishart.SHIFTED_RHO_MAX,
        partial(regularisers.eigenvalues, times(wishart.SHIFTED_RHO_MAX, Fraction(1, 4)), True, True),
    ),
    points_control(
        "perturbation_quarter",
        "a quarter of the sharper gamma'",
        wishart.SHIFTED_PERTURBATION_HALF,
        partial(regularisers.perturbations, times(wishart.SHIFTED_PERTURBATION_HALF, Fraction(1, 4))),
        short="quarter",
    ),
    points_control(
        "shift_one_upsilon",
        "rho_min of nearly 2 Upsilon",
        gaussian.GAUSSIAN_RHO_MIN,
        partial(regularisers.gaussian_eigenvalues, times(gaussian.GAUSSIAN_RHO_MIN, Fraction(19, 10)), 1),
    ),
    points_control(
        "largest_two_upsilon",
        "rho_max of hardly 2 Upsilon",
        gaussian.GAUSSIAN_RHO_MAX,
        partial(regularisers.gaussian_eigenvalues, times(gaussian.GAUSSIAN_RHO_MAX, Fraction(7, 10)), 3),
    ),
)
LOWER = (
    points_control(
        "choices_apart",
        "a tenth more than randomised response",
        lower_bound.CONTEXT_REGRET_EXACT,
        partial(lower_bound_cases.choices, times(lower_bound.CONTEXT_REGRET_EXACT, Fraction(11, 10))),
        Sense.AT_LEAST,
    ),
    *(
        control(
            f"{name}_squared",
            "a lower bound with K^2 for K",
            theorem,
            OrderLimits(replace(pair, order=times(theorem, symbol(ARMS)), paths=orders.ARMS_AND_ROUNDS), ("arms_and_horizon_high",)),
        )
        for name, theorem, pair in (
            ("private", lower_bound.REGRET_PRIVATE, orders.LOWER[0]),
            ("combined", lower_bound.REGRET_PRIVATE_COMBINED, orders.LOWER[1]),
        )
    ),
)
_PAIRS = {pair.order.id: pair for pair in (*orders.WISHART, *orders.GAUSSIAN)}


def _without(theorem: Theorem, quantity: Quantity, row: str) -> OrderLimits:
    """The order at 1/10 of a quantity, whatever its value is, where the quantity goes to its end."""
    return OrderLimits(replace(_PAIRS[theorem.id], order=without(theorem, quantity), fails=(), paths=orders.PATHS), (row,))


ORDERS = tuple(
    control(f"{name}_without_{quantity.name}", f"no dependence on {quantity.name}", theorem, _without(theorem, quantity, row), short)
    for name, theorem, quantity, row in (
        ("wishart", wishart.REGRET_WISHART, EPSILON, "epsilon_low_long"),
        ("wishart_gap", wishart.REGRET_WISHART_GAP, EPSILON, "epsilon_low_long"),
        ("wishart_plugged", wishart.REGRET_WISHART_PLUGGED, DELTA, "delta_low_rounds"),
        ("wishart_gap_plugged", wishart.REGRET_WISHART_GAP_PLUGGED, DELTA, "delta_low_rounds"),
        ("gaussian", gaussian.REGRET_GAUSSIAN, DELTA, "delta_low_long"),
        ("gaussian_gap", gaussian.REGRET_GAUSSIAN_GAP, DELTA, "delta_low_long"),
        ("wishart", wishart.REGRET_WISHART, DIMENSION, "dimension_high"),
        ("wishart", wishart.REGRET_WISHART, ROW_NORM, "row_norm_high"),
        ("gaussian_gap", gaussian.REGRET_GAUSSIAN_GAP, DIMENSION, "dimension_high"),
        ("gaussian_gap", gaussian.REGRET_GAUSSIAN_GAP, ROW_NORM, "row_norm_high"),
    )
    for short in (f"without_{quantity.name}",)
)
EARLY = tuple(
    control(
        f"early_{name}",
        "a bound said to be useful from 1000 rounds on",
        theorem,
        Vacuity(lambda horizon, theorem=theorem: facts_cases.experiment(theorem, horizon), 1.5, claimed=1_000),  # type: ignore[misc]
        short="early",
    )
    for name, theorem in (
        ("wishart", wishart.REGRET_WISHART_EXPLICIT),
        ("wishart_gap", wishart.REGRET_WISHART_GAP_EXPLICIT),
        ("gaussian", gaussian.REGRET_GAUSSIAN_EXPLICIT),
        ("gaussian_gap", gaussian.REGRET_GAUSSIAN_GAP_EXPLICIT),
    )
)
