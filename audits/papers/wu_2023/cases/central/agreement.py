"""wu_2023: every public parameter function of the two-fold mean and of PRAE-C beside the statement that it transcribes.

Where the algorithm has a function that no statement has alone (T_1, a padded histogram, an epoch's parameters), the statement is put
together from the theory's own expressions, never from the algorithm's.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from banditproof.algorithms.estimators import central_mean, truncated_mean
from banditproof.algorithms.policies.elimination import central as central_elimination
from banditproof.algorithms.policies.elimination.robust import Reading
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.papers.wu_2023.cases.agreement import EPOCHS
from banditproof.glossary import (
    ACTIVE,
    BIN_CONSTANT,
    BIN_WIDTH,
    BINS,
    CONTAMINATION,
    EPOCH,
    EPSILON,
    FAILURE,
    FOLD_SAMPLES,
    MOMENT,
    RANGE,
    SAMPLES,
    TRUE_CONTAMINATION,
    TRUNCATION,
    Domain,
    Quantity,
)
from banditproof.theory.language import Case, OutsideDomain, Theorem, symbol
from banditproof.theory.papers.wu_2023 import central, central_radii, privacy
from banditproof.theory.papers.wu_2023.setting import of_epoch

# --- statements put together ------------------------------------------------------------------------------------------------------------


def restated(theorem: Theorem, cases: tuple[Case, ...], given: tuple[Quantity, ...]) -> Theorem:
    """The statement with other cases, as a formula: of its hypotheses those on epsilon and alpha_1 alone, its stated range."""
    stated = {symbol(EPSILON), symbol(CONTAMINATION)}
    hypotheses = tuple(item for item in theorem.hypotheses if item.condition is not None and item.condition.free_symbols <= stated)
    return replace(
        theorem, hypotheses=hypotheses, bound=replace(theorem.stated(), cases=cases, given=given), steps=(), published=None, findings=()
    )


def substituted(
    theorem: Theorem, instead: Mapping[Quantity, Any], given: tuple[Quantity, ...], last: Callable[[Any], Any] = lambda part: part
) -> Theorem:
    """The statement with expressions for some of its quantities, and `last` applied to all of it."""
    exchange = {symbol(quantity): value for quantity, value in instead.items()}

    def changed(part: Any) -> Any:
        return last(part.xreplace(exchange))

    cases = tuple(Case(changed(case.condition), changed(case.expression)) for case in theorem.stated().cases)
    return restated(theorem, cases, given)


def with_truncation(theorem: Theorem, truncation: Theorem, given: tuple[Quantity, ...]) -> Theorem:
    """A radius of one case at each case of a truncation."""
    radius = theorem.stated().cases[0].expression
    cases = tuple(Case(case.condition, radius.xreplace({symbol(TRUNCATION): case.expression})) for case in truncation.stated().cases)
    return restated(replace(theorem, hypotheses=theorem.hypotheses + truncation.hypotheses), cases, given)


_FOLD = 2 ** (symbol(EPOCH) - 1)  # a batch of 2^tau is two folds
_PADDED = {RANGE: 6 * symbol(BINS) / 16}  # log(6 N/failure) for log(16 D/failure)


def _of_epoch(theorem: Theorem, given: tuple[Quantity, ...], fold: Any = _FOLD) -> Theorem:
    """The statement at an epoch's fold and the failure of one of its estimates."""
    return substituted(theorem, {FOLD_SAMPLES: fold}, given, of_epoch)


def _outlier_sum() -> Theorem:
    """T_1: half of what contamination adds to the radius beside 2 r alpha_1."""
    contaminated, clean = (
        theorem.stated().cases[0].expression for theorem in (central.CENTRAL_RADIUS_ASSEMBLED, central.CENTRAL_RADIUS_CLEAN_ASSEMBLED)
    )
    rest = 2 * symbol(BIN_WIDTH) * symbol(CONTAMINATION)
    case = replace(central.CENTRAL_RADIUS_ASSEMBLED.stated().cases[0], expression=(contaminated - clean - rest).expand() / 2)
    return restated(central.CENTRAL_RADIUS_ASSEMBLED, (case,), (FOLD_SAMPLES, CONTAMINATION, TRUNCATION, BIN_WIDTH, FAILURE))


def by_the_true_fraction(given: tuple[Quantity, ...]) -> Theorem:
    """The requirement with iota at the true contamination, as the corollary prints it."""
    iota, bins, proportion = (case.expression for case in central.CENTRAL_SAMPLES.stated().cases)
    iota = iota.xreplace({symbol(CONTAMINATION): symbol(TRUE_CONTAMINATION)})
    cases = (
        Case((iota >= bins) & (iota >= proportion), iota),
        Case((bins > iota) & (bins >= proportion), bins),
        Case((proportion > iota) & (proportion > bins), proportion),
    )
    return restated(central.CENTRAL_SAMPLES, cases, given)


def _no_more_than_known(theorem: Theorem) -> Callable[..., Any]:
    """The statement where alpha <= alpha_1, and nothing beyond."""

    def ball(**point: float) -> Any:
        if point["true_contamination"] > point["contamination"]:
            raise OutsideDomain(f"true_contamination = {point['true_contamination']}: must be <= {point['contamination']}")
        return theorem.at(**point).ball

    return ball


# --- one estimate -----------------------------------------------------------------------------------------------------------------------

# The formulas hold where the corollaries speak; beyond, algorithm and theory refuse (test_parameters compares where).
TRUE_FRACTIONS = replace(TRUE_CONTAMINATION, domain=Domain(0.0, 0.133, low_open=False))
ORDERS = replace(MOMENT, domain=Domain(2.0, 20.0, low_open=False))  # beyond, (2/M)^(k - 1) leaves the doubles
SMALL_CONSTANTS = replace(BIN_CONSTANT, typical=(20.0, 200.0, 4_500_000.0))  # so that each entry of the maximum counts somewhere
MANY_BINS = replace(BINS, domain=Domain(3, low_open=False, integer=True))  # 16 D >= 16
_RADIUS = (FOLD_SAMPLES, EPSILON, CONTAMINATION, ORDERS, TRUNCATION, BIN_WIDTH, FAILURE)
_CLEAN_RADIUS = (FOLD_SAMPLES, EPSILON, ORDERS, TRUNCATION, BIN_WIDTH, FAILURE)
_SAMPLES = (EPSILON, CONTAMINATION, RANGE, SMALL_CONSTANTS, FAILURE)
_PADDED_SAMPLES = (EPSILON, CONTAMINATION, MANY_BINS, SMALL_CONSTANTS, FAILURE)


def _centred_scale(samples: int, truncation: float, epsilon: float) -> float:
    return truncated_mean.noise_scale(samples, epsilon, truncation=truncation)


ESTIMATE = (
    agreement("central_mean.inverse_mass", Agreement(central.INVERSE_MASS, central_mean.inverse_mass)),
    agreement("central_mean.bin_width", Agreement(central.CENTRAL_BIN_WIDTH, central_mean.bin_width)),
    agreement("central_mean.clean_bin_width", Agreement(central.CENTRAL_BIN_WIDTH_CLEAN, central_mean.clean_bin_width)),
    agreement(
        "central_mean.outside_mass", Agreement(central.OUTSIDE_MASS, central_mean.outside_mass, (TRUE_CONTAMINATION, BIN_WIDTH, ORDERS))
    ),
    agreement(
        "central_mean.bin_constant",
        Agreement(central.SMALLEST_BIN_CONSTANT, partial(central_mean.bin_constant, central_mean.CONTAMINATED_MASS), points=1),
        variant="c2_0.249",
        note=", at C_2 = 0.249",
    ),
    agreement("central_mean.bin_noise_scale", Agreement(privacy.HISTOGRAM_SCALE, central_mean.bin_noise_scale)),
    agreement(
        "truncated_mean.noise_scale",
        Agreement(privacy.TRUNCATED_MEAN_SCALE, _centred_scale, (SAMPLES, TRUNCATION, EPSILON)),
        variant="second_fold",
        note=", of the second fold",
    ),
    agreement("central_mean.bin_error", Agreement(central.BIN_ERROR, central_mean.bin_error)),
    agreement("central_mean.padded_bin_error", Agreement(central_radii.PADDED_BIN_ERROR, central_mean.padded_bin_error)),
    agreement(
        "central_mean.truncation",
        Agreement(central.CENTRAL_TRUNCATION, central_mean.truncation, (FOLD_SAMPLES, EPSILON, CONTAMINATION, ORDERS, FAILURE)),
    ),
    agreement(
        "central_mean.clean_truncation",
        Agreement(central.CENTRAL_TRUNCATION_CLEAN, central_mean.clean_truncation, (FOLD_SAMPLES, EPSILON, ORDERS, FAILURE)),
    ),
    agreement("central_mean.sample_requirement", Agreement(central.CENTRAL_SAMPLES, central_mean.sample_requirement, _SAMPLES)),
    agreement(
        "central_mean.sample_requirement",
        Agreement(
            by_the_true_fraction((*_SAMPLES, TRUE_CONTAMINATION)),
            central_mean.sample_requirement,
            (*_SAMPLES, TRUE_FRACTIONS),
            theory=_no_more_than_known(by_the_true_fraction((*_SAMPLES, TRUE_CONTAMINATION))),
        ),
        variant="true_share",
        note=", iota at the true share",
    ),
    agreement(
        "central_mean.padded_sample_requirement",
        Agreement(substituted(central.CENTRAL_SAMPLES, _PADDED, _PADDED_SAMPLES), central_mean.padded_sample_requirement),
    ),
    agreement("central_mean.clean_sample_requirement", Agreement(central.CENTRAL_SAMPLES_CLEAN, central_mean.clean_sample_requirement)),
    agreement(
        "central_mean.clean_padded_sample_requirement",
        Agreement(
            substituted(central.CENTRAL_SAMPLES_CLEAN, _PADDED, (EPSILON, MANY_BINS, FAILURE)), central_mean.clean_padded_sample_requirement
        ),
    ),
    agreement("central_mean.outlier_sum", Agreement(_outlier_sum(), central_mean.outlier_sum, (*_RADIUS[:1], CONTAMINATION, *_RADIUS[4:]))),
    agreement(
        "central_mean.assembled_radius",
        Agreement(
            restated(central.CENTRAL_RADIUS_ASSEMBLED, central.CENTRAL_RADIUS_ASSEMBLED.stated().cases, _RADIUS),
            central_mean.assembled_radius,
        ),
    ),
    agreement(
        "central_mean.clean_assembled_radius",
        Agreement(
            restated(central.CENTRAL_RADIUS_CLEAN_ASSEMBLED, central.CENTRAL_RADIUS_CLEAN_ASSEMBLED.stated().cases, _CLEAN_RADIUS),
            central_mean.clean_assembled_radius,
        ),
    ),
)

# --- an epoch ---------------------------------------------------------------------------------------------------------------------------

_GIVEN = (ACTIVE, EPOCHS, EPSILON, CONTAMINATION, ORDERS, FAILURE)
_CLEAN_GIVEN = (ACTIVE, EPOCHS, EPSILON, ORDERS, FAILURE)
_THRESHOLD = (ACTIVE, EPOCHS, EPSILON, CONTAMINATION, RANGE, SMALL_CONSTANTS, FAILURE)
_CLEAN_TRUNCATION = partial(central_elimination.epoch_truncation, contamination=0.0)
_CLEAN_OF_EPOCH = partial(central_elimination.epoch_radius, contamination=0.0)
_WHOLE = 2 ** symbol(EPOCH)  # a batch that is one fold


def _width_put_in(radius: Theorem, width: Theorem, given: tuple[Quantity, ...]) -> Theorem:
    return substituted(radius, {BIN_WIDTH: width.stated().cases[0].expression}, given)


TUNED_RADIUS = _width_put_in(
    with_truncation(central.CENTRAL_RADIUS_ASSEMBLED, central.CENTRAL_TRUNCATION, _RADIUS), central.CENTRAL_BIN_WIDTH, _RADIUS
)
TUNED_CLEAN_RADIUS = _width_put_in(
    with_truncation(central.CENTRAL_RADIUS_CLEAN_ASSEMBLED, central.CENTRAL_TRUNCATION_CLEAN, _CLEAN_RADIUS),
    central.CENTRAL_BIN_WIDTH_CLEAN,
    _CLEAN_RADIUS,
)


EPOCH_RADIUS, CLEAN_EPOCH_RADIUS = _of_epoch(TUNED_RADIUS, _GIVEN), _of_epoch(TUNED_CLEAN_RADIUS, _CLEAN_GIVEN)


def _as_played(reading: Reading, epsilon: float, moment: float, failure: float, active: int, epoch: int) -> float:
    policy = central_elimination.CentralElimination(epsilon, range=100.0, moment=moment, reading=reading)
    return policy.epoch_release(failure, active=active, epoch=epoch)[1]


def _capped(theorem: Theorem) -> Callable[..., Any]:
    """At min(epsilon, 1): the theorem speaks of no larger one, and its noise is what a larger one has at most."""
    return lambda epsilon, **point: theorem.at(epsilon=min(epsilon, 1.0), **point).ball


EPOCH_PARAMETERS = (
    agreement(
        "elimination.central.threshold",
        Agreement(central.CENTRAL_THRESHOLD, central_elimination.threshold, _THRESHOLD),
        short="elimination.threshold",
    ),
    agreement(
        "elimination.central.clean_threshold",
        Agreement(central.CENTRAL_THRESHOLD_CLEAN, central_elimination.clean_threshold),
        short="elimination.clean_threshold",
    ),
    agreement(
        "elimination.central.clean_threshold",
        Agreement(central.CENTRAL_THRESHOLD_CLEAN_LITERAL, partial(central_elimination.clean_threshold, literal=True)),
        note=", literal",
        short="elimination.clean_threshold",
    ),
    agreement(
        "elimination.central.epoch_truncation",
        Agreement(_of_epoch(central.CENTRAL_TRUNCATION, _GIVEN), central_elimination.epoch_truncation),
        short="elimination.epoch_truncation",
    ),
    agreement(
        "elimination.central.epoch_truncation",
        Agreement(_of_epoch(central.CENTRAL_TRUNCATION_CLEAN, _CLEAN_GIVEN), _CLEAN_TRUNCATION),
        note=", clean",
        short="elimination.epoch_truncation",
    ),
    agreement(
        "elimination.central.epoch_truncation",
        Agreement(_of_epoch(central.CENTRAL_TRUNCATION_CLEAN, _CLEAN_GIVEN, _WHOLE), partial(_CLEAN_TRUNCATION, batch_is_fold=True)),
        variant="one_fold",
        note=", clean, a batch is one fold",
        short="elimination.epoch_truncation",
    ),
    agreement(
        "elimination.central.epoch_radius",
        Agreement(EPOCH_RADIUS, central_elimination.epoch_radius),
        short="elimination.epoch_radius",
    ),
    agreement(
        "elimination.central.epoch_radius",
        Agreement(CLEAN_EPOCH_RADIUS, _CLEAN_OF_EPOCH),
        note=", clean",
        short="elimination.epoch_radius",
    ),
    agreement(
        "elimination.central.epoch_radius",
        Agreement(_of_epoch(TUNED_CLEAN_RADIUS, _CLEAN_GIVEN, _WHOLE), partial(_CLEAN_OF_EPOCH, batch_is_fold=True)),
        variant="one_fold",
        note=", clean, a batch is one fold",
        short="elimination.epoch_radius",
    ),
    agreement(
        "elimination.central.policy_bin_width",
        Agreement(central.CENTRAL_BIN_WIDTH, central_elimination.policy_bin_width, (CONTAMINATION, MOMENT)),
        short="elimination.policy_bin_width",
    ),
    agreement(
        "elimination.central.policy_bin_width",
        Agreement(central.CENTRAL_BIN_WIDTH_CLEAN, partial(central_elimination.policy_bin_width, 0.0)),
        note=", clean",
        short="elimination.policy_bin_width",
    ),
    *(
        agreement(
            "elimination.central.epoch_radius",
            Agreement(
                CLEAN_EPOCH_RADIUS,
                partial(_as_played, reading),
                theory=_capped(CLEAN_EPOCH_RADIUS) if reading is Reading.REPAIRED else None,
            ),
            variant=slug,
            note=f", clean, as CentralElimination(reading={reading.name}) plays it",
            short="elimination.epoch_radius",
        )
        for reading, slug in ((Reading.PUBLISHED, "printed"), (Reading.REPAIRED, "repaired"))  # ids stay: they seed the draws
    ),
)
