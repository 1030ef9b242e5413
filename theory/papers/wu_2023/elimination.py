r"""Private and robust arm elimination under a raw moment, PRAE-R (Wu et al. 2023): Theorem 6.2, Remark 6.3 and their proof.

Main statements
    EPOCH_FAILURE, FORCED_THRESHOLD, EPOCH_TRUNCATION, EPOCH_RADIUS      the policy's parameters in an epoch, contaminated rewards
    CLEAN_EPOCH_TRUNCATION (and _REPAIRED), CLEAN_EPOCH_RADIUS           and without contamination, where nothing is forced
    *_LITERAL                                                            with the logarithm that the proof prints
    GOOD_EVENT           the probability that some estimate misses its radius
    ELIMINATION_BATCH    the largest batch that an arm of group one survives;  ELIMINATION_PULLS  and how often it is pulled in all
    REGRET_RAW, REGRET_CLEAN (and _EXPLICIT)   the regret: printed with suppressed constants, and assembled from the proof

Notation            in an epoch tau l_c = log(c/delta_tau) with delta_tau = failure/(2 |S| tau^2), so l_8 = log(16 |S| tau^2/failure) and
                    l_16 = log(32 |S| tau^2/failure); B = 2^tau; Delta the gap of an arm; G_1 the arms with Delta >= 16 (8 alpha_1)^(1-1/k)

Readings and what is wrong in print are the findings (findings/elimination.py). The radius here has l_16, which is Theorem 6.1 at the
failure of one estimate; _LITERAL has the printed logarithm. The good event is an intersection over epochs, printed as a union.

Derivation of REGRET_RAW_EXPLICIT (not printed)
    With failure 1/T, T >= K >= 2, L = log(32 K T log_2^2 T) and L' = log(16 K T log_2^2 T), every completed epoch has l_16 <= L, l_8 <= L'.
    Outside the good event, of probability at most 1/T, the regret is at most 2 T: 2 in all. Inside it:
      forced epochs     less than 2 L'/alpha_1 pulls in all, of gap at most 2:                                           4 L'/alpha_1
      an arm of G_1     with Delta > eta that survives no test is tested in one batch, at most 2 L'/alpha_1 pulls:        4 L'/alpha_1;
                        that survives one: less than 4 B_tau(a) pulls, B_tau(a) from ELIMINATION_BATCH (its first two):
                        2048 L/Delta + 16 (L/epsilon) 32^(k/(k-1)) Delta^(-1/(k-1));
      arms below eta    T eta;   arms of G_2   16 T (8 alpha_1)^(1-1/k).
    With P = 2048 K L, Q = 16 32^(k/(k-1)) K L/epsilon and eta = max(sqrt(P/T), (Q/T)^((k-1)/k)), T eta + P/eta + Q eta^(-1/(k-1)) is at
    most 2 sqrt(P T) + 2 Q^((k-1)/k) T^(1/k). Sum: 2 + 4 (K + 1) L'/alpha_1 + 2 sqrt(P T) + 2 Q^(1-1/k) T^(1/k) + 16 T (8 alpha_1)^(1-1/k).
    REGRET_CLEAN_EXPLICIT: no forced epochs, no G_2, L = log(8 K T log_2^2 T), e = min(epsilon, 3/2) for epsilon in radius and truncation.
    Halving 4 beta gives B <= 128 L/Delta^2 or B <= (4 L/e)(16/Delta)^(k/(k-1)); an arm that survives no test has 2 pulls. P = 512 K L,
    Q = 16 16^(k/(k-1)) K L/e: 2 + 4 K + 2 sqrt(P T) + 2 Q^(1-1/k) T^(1/k).
"""

from sympy import Expr, Ge, Gt, Integer, Le, Rational, log, sqrt, zeta

from banditproof.glossary import (
    ACTIVE,
    ARM_PULLS,
    ARMS,
    CONTAMINATION,
    EPOCH,
    EPSILON,
    FAILURE,
    HORIZON,
    LEVEL,
    MOMENT,
    OTHER_UNIT_RATIO,
    RADIUS,
    RATIO,
    RAW_MOMENT,
    REGRET,
    TAIL_PROBABILITY,
    TRUNCATION,
    UNIT_RATIO,
)
from banditproof.glossary.wu_2023 import BATCH, ESTIMATE_FAILURE, GAP_UP_TO_TWO, LAST_FORCED, THRESHOLD_BATCH
from banditproof.theory.hypotheses import (
    contamination_is_bounded,
    failure_is_inverse_horizon,
    finite_raw_moment,
    fresh_laplace_noise,
    horizon_at_least_arms,
    huber_contaminated,
    plays_prae_raw,
    uncontaminated,
)
from banditproof.theory.language import Bound, Case, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.wu_2023.findings import elimination as findings
from banditproof.theory.papers.wu_2023.raw import clean_radius, clean_truncation, merged, privacy_term, radius, truncation
from banditproof.theory.papers.wu_2023.setting import log_of, of_epoch, source

_epsilon, _k, _failure, _alpha = symbol(EPSILON), symbol(MOMENT), symbol(FAILURE), symbol(CONTAMINATION)
_active, _epoch, _forced, _batch = symbol(ACTIVE), symbol(EPOCH), symbol(LAST_FORCED), symbol(BATCH)
_horizon, _arms, _gap = symbol(HORIZON), symbol(ARMS), symbol(GAP_UP_TO_TWO)
_u, _v, _x, _moment, _level = symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO), symbol(RATIO), symbol(RAW_MOMENT), symbol(LEVEL)

_l4, _l8, _l16 = (of_epoch(log_of(constant)) for constant in (4, 8, 16))
_size = 2**_epoch
_dual = _k / (_k - 1)

# --- the parameters in an epoch ---------------------------------------------------------------------------------------------------

_EPOCH_GIVEN = (ACTIVE, EPOCH, EPSILON, CONTAMINATION, MOMENT, FAILURE)
_CLEAN_GIVEN = (ACTIVE, EPOCH, EPSILON, MOMENT, FAILURE)

EPOCH_FAILURE = Theorem(
    id="wu_2023.epoch_failure",
    statement="The failure probability of one estimate in an epoch; failure is that of the whole policy.",
    source=source("Proof of Theorem 6.2, 'with probability at least 1 - ...', Appendix D"),
    bound=Bound(
        of=ESTIMATE_FAILURE,
        sense=Sense.EQUALS,
        cases=always(_failure / (2 * _active * _epoch**2)),
        given=(ACTIVE, EPOCH, FAILURE),
    ),
)

FORCED_THRESHOLD = Theorem(
    id="wu_2023.forced_threshold",
    statement="The batch size below which an epoch is forced exploration: raw_samples at the failure of one estimate.",
    source=source("Proof of Theorem 6.2, first sentence, Appendix D"),
    bound=Bound(of=THRESHOLD_BATCH, sense=Sense.EQUALS, cases=always(_l8 / _alpha), given=(ACTIVE, EPOCH, CONTAMINATION, FAILURE)),
    steps=(
        Step(
            id="wider_share_by_variance",
            sense=Sense.AT_MOST,
            left=2 * _u ** (1 - 1 / _k),
            right=2 * sqrt(_u),
            draw_order=(MOMENT, UNIT_RATIO),
            ours=True,
            note="with unit_ratio = 8 log(8/delta_tau)/B: what the fraction log(8/delta_tau)/B adds to a radius is at most 2 "
            "sqrt(unit_ratio)",
        ),
    ),
    findings=(findings.FORCED_PHASE, findings.LARGE_THRESHOLD, findings.KNOWN_FRACTION),
)

EPOCH_TRUNCATION = Theorem(
    id="wu_2023.epoch_truncation",
    statement="The truncation of an epoch's estimates: raw_truncation at its batch and the failure of one estimate.",
    source=source("Theorem 6.2, 'given by Theorem 6.1 with n replaced by B'"),
    bound=Bound(of=TRUNCATION, sense=Sense.EQUALS, cases=truncation(_size, _l16), given=_EPOCH_GIVEN),
)

EPOCH_TRUNCATION_LITERAL = Theorem(
    id="wu_2023.epoch_truncation_literal",
    statement="The truncation of an epoch's estimates with the logarithm that the proof prints for the radius.",
    source=source("Proof of Theorem 6.2, the logarithm of its radius, Appendix D"),
    bound=Bound(of=TRUNCATION, sense=Sense.EQUALS, cases=truncation(_size, _l8), given=_EPOCH_GIVEN),
)

EPOCH_RADIUS = Theorem(
    id="wu_2023.epoch_radius",
    statement="The radius of an epoch's estimates: raw_radius at its batch and the failure of one estimate.",
    source=source("Theorem 6.2, 'given by Theorem 6.1 with n replaced by B'"),
    bound=Bound(of=RADIUS, sense=Sense.EQUALS, cases=always(radius(_size, _l16)), given=_EPOCH_GIVEN),
)

EPOCH_RADIUS_LITERAL = Theorem(
    id="wu_2023.epoch_radius_literal",
    statement="The radius of an epoch's estimates with the logarithm that the proof prints; the probability is the printed one.",
    source=source("Proof of Theorem 6.2, the display of 4 beta, Appendix D"),
    bound=Bound(of=RADIUS, sense=Sense.EQUALS, cases=always(radius(_size, _l8)), given=_EPOCH_GIVEN),
    steps=(
        Step(
            id="failure_of_the_printed_radius",
            sense=Sense.AT_MOST,
            left=_failure / 4 + _failure / 4 + (_failure / 8) ** 2,
            right=_failure,
            draw_order=(FAILURE,),
            ours=True,
            note="of one estimate, with l = log(8/failure): the outliers' count, Bernstein's inequality, and Laplace noise beyond 2 l of "
            "its scales",
        ),
        Step(
            id="room_of_the_printed_radius",
            sense=Sense.AT_MOST,
            left=2 * (1 + sqrt(2 * _u) + 2 * _u / 3) + 4 * _u / 3,
            right=Integer(8),
            draw_order=(UNIT_RATIO,),
            ours=True,
            note="2 T_1 + 4 M l/(3 n) <= 8 alpha_1 M, divided by alpha_1 M: unit_ratio = l/(n alpha_1); what is left of the radius, "
            "4 M l/(n epsilon), is the noise's at every epsilon",
        ),
    ),
    findings=(findings.PRINTED_LOGARITHM,),
)

CLEAN_EPOCH_TRUNCATION = Theorem(
    id="wu_2023.clean_epoch_truncation",
    statement="The truncation of an epoch's estimates without contamination: clean_truncation at its batch and an estimate's failure.",
    source=source("Remark 6.3, from Theorem 6.1"),
    bound=Bound(of=TRUNCATION, sense=Sense.EQUALS, cases=always(clean_truncation(_size, _l4)), given=_CLEAN_GIVEN),
)

CLEAN_EPOCH_TRUNCATION_REPAIRED = Theorem(
    id="wu_2023.clean_epoch_truncation_repaired",
    statement="The truncation that goes with clean_epoch_radius: clean_epoch_truncation at min(epsilon, 3/2).",
    source=source("[assembled] Remark 6.3, from Theorem 6.1 at min(epsilon, 3/2)"),
    bound=Bound(of=TRUNCATION, sense=Sense.EQUALS, cases=merged(clean_truncation(_size, _l4)), given=_CLEAN_GIVEN),
)

CLEAN_EPOCH_RADIUS = Theorem(
    id="wu_2023.clean_epoch_radius",
    statement="The radius of an epoch's estimates without contamination: clean_radius at its batch and the failure of one estimate.",
    source=source("Remark 6.3, from Theorem 6.1"),
    bound=Bound(of=RADIUS, sense=Sense.EQUALS, cases=merged(clean_radius(_size, _l4)), given=_CLEAN_GIVEN),
)

# --- the good event and the end of an arm -----------------------------------------------------------------------------------------

GOOD_EVENT = Theorem(
    id="wu_2023.good_event",
    statement="The probability that, in some epoch after the forced ones, some active arm's estimate misses the epoch's radius.",
    source=source("Proof of Theorem 6.2, the good event, Appendix D"),
    hypotheses=(finite_raw_moment, huber_contaminated, contamination_is_bounded, plays_prae_raw, fresh_laplace_noise),
    bound=Bound(
        of=TAIL_PROBABILITY,
        sense=Sense.AT_MOST,
        cases=always(_failure / 2 * zeta(2, _forced + 1)),
        given=(FAILURE, LAST_FORCED),
    ),
    steps=(
        Step(  # the sum of 1/tau^2 from tau_0 + 1 on; printed as at least 1 - failure
            id="sum_over_epochs",
            sense=Sense.AT_MOST,
            left=zeta(2, _forced + 1) / 2,
            right=Rational(1),
            draw_order=(LAST_FORCED,),
        ),
        Step(  # and if the printed radius failed twice as often
            id="sum_at_twice_the_failure",
            sense=Sense.AT_MOST,
            left=zeta(2, _forced + 1),
            right=Rational(1),
            draw_order=(LAST_FORCED,),
            ours=True,
        ),
        Step(  # so that the forced epochs come first: the batch doubles, the threshold less than doubles
            id="threshold_grows_slower",
            sense=Sense.AT_MOST,
            left=log(16 * _active * (_epoch + 1) ** 2 / _failure),
            right=2 * log(16 * _active * _epoch**2 / _failure),
            draw_order=(ACTIVE, EPOCH, FAILURE),
            ours=True,
        ),
        Step(  # and tau_0 exists
            id="first_epoch_is_forced",
            sense=Sense.AT_LEAST,
            left=log(16 * _active / _failure) / _alpha,
            right=Rational(2),
            draw_order=(ACTIVE, CONTAMINATION, FAILURE),
            ours=True,
        ),
        Step(
            id="forced_pulls",
            sense=Sense.AT_MOST,
            left=2 ** (_forced + 1) - 2,
            right=2 * 2**_forced,
            draw_order=(LAST_FORCED,),
        ),
    ),
    findings=(findings.GOOD_EVENT_UNION, findings.FORCED_COUNT),
)

group_one = Hypothesis(
    "group_one",
    "the gap is at least 16 (8 alpha_1)^(1 - 1/k)",
    Checked.BY_VALUE,
    Ge(_gap, 16 * (8 * _alpha) ** (1 - 1 / _k)),
)


def _last_batch(variance: int, privacy: int, logarithm: Expr) -> tuple[Case, ...]:
    """max of variance l/Delta^2, (4 l/epsilon)(privacy/Delta)^(k/(k-1)) and l_8/alpha_1."""
    one = variance * logarithm / _gap**2
    two = 4 * logarithm / _epsilon * (privacy / _gap) ** _dual
    three = _l8 / _alpha
    return (
        Case(Ge(one, two) & Ge(one, three), one),
        Case(Gt(two, one) & Ge(two, three), two),
        Case(Gt(three, one) & Gt(three, two), three),
    )


_BATCH_GIVEN = (ACTIVE, EPOCH, FAILURE, EPSILON, CONTAMINATION, MOMENT, GAP_UP_TO_TWO)

ELIMINATION_BATCH = Theorem(
    id="wu_2023.elimination_batch",
    statement="On the good event, the batch of an epoch that an arm of group one survives is at most `batch`.",
    source=source("Proof of Theorem 6.2, group 1, 'Hence, we have', Appendix D"),
    hypotheses=(group_one, finite_raw_moment, huber_contaminated, contamination_is_bounded, plays_prae_raw),
    bound=Bound(of=BATCH, sense=Sense.AT_MOST, cases=_last_batch(512, 32, _l16), given=_BATCH_GIVEN),
    steps=(
        Step(
            id="group_one_halves",
            sense=Sense.AT_LEAST,
            left=2 * (1 - _u),
            right=Rational(1),
            draw_order=(UNIT_RATIO,),
            domain=(Le(_u, Rational(1, 2)),),
            note="with unit_ratio = 8 (8 alpha_1)^(1-1/k)/Delta_a: Delta_a (1 - unit_ratio) <= s gives Delta_a <= 2 s",
        ),
        Step(
            id="variance_in_units",
            sense=Sense.AT_MOST,
            left=8 * sqrt(2 * _l16 / _batch) / _gap,
            right=sqrt(_u),
            draw_order=(ACTIVE, EPOCH, FAILURE, GAP_UP_TO_TWO, BATCH, UNIT_RATIO),
            domain=(Ge(_u * _batch * _gap**2, 128 * _l16),),
            note="both sides divided by Delta_a: unit_ratio is at least 128 log(16/delta_tau)/(B Delta_a^2)",
        ),
        Step(  # v = (4 l/(epsilon B))(16/Delta)^(k/(k-1))
            id="privacy_in_units",
            sense=Sense.EQUALS,
            left=16 * privacy_term(_batch, _l16) ** (1 - 1 / _k) / _gap,
            right=(privacy_term(_batch, _l16) * (16 / _gap) ** _dual) ** (1 - 1 / _k),
            draw_order=(ACTIVE, EPOCH, FAILURE, EPSILON, MOMENT, GAP_UP_TO_TWO, BATCH),
        ),
        Step(
            id="inversion_of_halves",
            sense=Sense.AT_MOST,
            left=sqrt(_u) / 2 + _v ** (1 - 1 / _k) / 2,
            right=Rational(1),
            draw_order=(MOMENT, UNIT_RATIO, OTHER_UNIT_RATIO),
            reason="repairs the printed inversion",
            ours=True,
            note="unit_ratio and other_unit_ratio are the terms of the two lines above with 512 for 128 and 32 for 16: each is at most "
            "half of Delta_a",
        ),
        Step(  # 'log^2 T' for tau^2 is read to base 2, in which 2^tau <= T is tau <= log T
            id="epochs_by_the_horizon",
            sense=Sense.AT_MOST,
            left=_epoch**2,
            right=(log(_horizon) / log(2)) ** 2,
            draw_order=(EPOCH, HORIZON),
            domain=(Le(_size, _horizon),),
        ),
    ),
    published=Bound(of=BATCH, sense=Sense.AT_MOST, cases=_last_batch(128, 16, _l8), given=_BATCH_GIVEN),
    findings=(findings.ELIMINATION_BATCH, findings.AT_EQUALITY, findings.LOG_SQUARED),
)

ELIMINATION_PULLS = Theorem(
    id="wu_2023.elimination_pulls",
    statement="The pulls of an arm, forced ones included, if the last epoch that it survives has a batch of `batch` pulls.",
    source=source("Proof of Theorem 6.2, 'Since the batch size doubles', Appendix D"),
    hypotheses=(plays_prae_raw,),
    bound=Bound(of=ARM_PULLS, sense=Sense.AT_MOST, cases=always(4 * _batch), given=(BATCH,)),
    steps=(
        Step(  # the epochs up to tau(a) + 1, of which the arm survives all but the last, even if all forced pulls were of this arm
            id="all_batches",
            sense=Sense.AT_MOST,
            left=2 ** (_epoch + 2) - 2,
            right=4 * 2**_epoch,
            draw_order=(EPOCH,),
            reason="repairs the printed count",
            ours=True,
        ),
    ),
    published=Bound(of=ARM_PULLS, sense=Sense.AT_MOST, cases=always(2 * _batch), given=(BATCH,)),
    findings=(findings.ELIMINATION_PULLS, findings.SCHEDULE, findings.MISPRINTS_OF_ALGORITHM_1),
)

# --- the regret -------------------------------------------------------------------------------------------------------------------

_log_t = log(_horizon)
_binary = (log(_horizon) / log(2)) ** 2
_sum = _arms * _log_t  # K log T
_cut_variance, _cut_privacy = sqrt(_sum / _horizon), (_sum / (_horizon * _epsilon)) ** (1 - 1 / _k)

_REGRET_STEPS = (
    Step(
        id="chain_of_moments",
        sense=Sense.AT_MOST,
        left=_x,
        right=_x**_k,
        draw_order=(MOMENT, RATIO),
        domain=(Le(_x, 1),),
        note="a reward that is always ratio <= 1: |mu| <= E|r| <= E|r|^k as printed",
    ),
    Step(
        id="chain_of_norms",
        sense=Sense.AT_MOST,
        left=_u * _x,
        right=(_u * _x**_k) ** (1 / _k),
        draw_order=(MOMENT, UNIT_RATIO, RATIO),
        reason="repairs chain_of_moments, on distributions whose value is ratio with probability unit_ratio and else 0",
        ours=True,
        note="a reward that is ratio with probability unit_ratio, else 0: E|r| <= (E|r|^k)^(1/k)",
    ),
    Step(
        id="mean_at_most_one",
        sense=Sense.AT_MOST,
        left=_moment ** (1 / _k),
        right=Rational(1),
        draw_order=(MOMENT, RAW_MOMENT),
        domain=(Le(_moment, 1),),
    ),
    Step(  # the largest l_16 of the run is of the order of log T, as K <= T
        id="logarithm_of_the_union",
        sense=Sense.AT_MOST,
        left=log(32 * _horizon**2 * _binary),
        right=8 * _log_t,
        draw_order=(HORIZON,),
        domain=(Ge(_horizon, 2),),
    ),
    Step(
        id="privacy_cost_of_an_arm",
        sense=Sense.EQUALS,
        left=(32 / _gap) ** _dual * _gap,
        right=32**_dual * _gap ** (-1 / (_k - 1)),
        draw_order=(MOMENT, GAP_UP_TO_TWO),
    ),
    Step(
        id="constant_of_the_privacy_cost",
        sense=Sense.AT_MOST,
        left=32**_dual,
        right=Rational(1024),
        draw_order=(MOMENT,),
    ),
    Step(
        id="costs_fall_in_the_gap",
        sense=Sense.AT_MOST,
        left=_u ** (1 / (_k - 1)),
        right=Rational(1),
        draw_order=(MOMENT, UNIT_RATIO),
        note="with unit_ratio = eta/Delta_a: smaller gaps cost more",
    ),
    Step(
        id="variance_balances",
        sense=Sense.AT_MOST,
        left=_sum / _level,
        right=_horizon * _level,
        draw_order=(ARMS, HORIZON, LEVEL),
        domain=(Ge(_level, _cut_variance), Ge(_horizon, _arms)),
        note="level is eta, from the first entry of its maximum on",
    ),
    Step(
        id="variance_term",
        sense=Sense.AT_MOST,
        left=_horizon * _level,
        right=sqrt(_arms * _horizon * _log_t),
        draw_order=(ARMS, HORIZON, LEVEL),
        domain=(Le(_level, _cut_variance), Ge(_horizon, _arms)),
        note="level is eta, up to the first entry of its maximum",
    ),
    Step(
        id="privacy_balances",
        sense=Sense.EQUALS,
        left=_sum / (_epsilon * _cut_privacy ** (1 / (_k - 1))),
        right=_horizon * _cut_privacy,
        draw_order=(ARMS, EPSILON, MOMENT, HORIZON),
        domain=(Ge(_horizon, _arms),),
    ),
    Step(
        id="privacy_term",
        sense=Sense.EQUALS,
        left=_horizon * _cut_privacy,
        right=(_sum / _epsilon) ** (1 - 1 / _k) * _horizon ** (1 / _k),
        draw_order=(ARMS, EPSILON, MOMENT, HORIZON),
        domain=(Ge(_horizon, _arms),),
    ),
    Step(  # eta in (0, 1), the first entry of its maximum; the second can exceed 1 in the same way, for small epsilon
        id="cut_below_one_by_variance",
        sense=Sense.AT_MOST,
        left=_cut_variance,
        right=Rational(1),
        draw_order=(ARMS, HORIZON),
        domain=(Ge(_horizon, _arms),),
    ),
    Step(
        id="cut_below_one_later",
        sense=Sense.AT_MOST,
        left=_cut_privacy,
        right=Rational(1),
        draw_order=(ARMS, EPSILON, MOMENT, HORIZON),
        domain=(Ge(_horizon, _arms), Ge(_horizon * _epsilon, _sum)),
        reason="the second entry of the cut: before that round the regret bound is above T",
        ours=True,
    ),
    Step(
        id="cut_below_one_by_variance_later",
        sense=Sense.AT_MOST,
        left=_cut_variance,
        right=Rational(1),
        draw_order=(ARMS, HORIZON),
        domain=(Ge(_horizon, _arms), Ge(_horizon, _sum)),
        reason="repairs cut_below_one_by_variance: before that round the regret bound is above T",
        ours=True,
    ),
    Step(
        id="group_two",
        sense=Sense.AT_MOST,
        left=16 * (8 * _alpha) ** (1 - 1 / _k),
        right=128 * _alpha ** (1 - 1 / _k),
        draw_order=(MOMENT, CONTAMINATION),
    ),
    Step(
        id="share_terms_within_a_factor",
        sense=Sense.AT_MOST,
        left=_u,
        right=_u ** (1 - 1 / _k),
        draw_order=(MOMENT, UNIT_RATIO),
        reason="for alpha_1 within a constant factor of alpha",
        ours=True,
        note="with unit_ratio = alpha/alpha_1: the quotient of the third terms of Theorems 6.2 and 4.1, unit_ratio^-(1 - 1/k), is at "
        "most 1/unit_ratio",
    ),
)

_POLICY = (horizon_at_least_arms, plays_prae_raw, failure_is_inverse_horizon, finite_raw_moment, fresh_laplace_noise)
_WITH_OUTLIERS = (*_POLICY, huber_contaminated, contamination_is_bounded)

REGRET_RAW = Theorem(
    id="wu_2023.regret_raw",
    statement="The expected regret, measured on uncontaminated rewards, of private arm elimination under contamination.",
    source=source("Theorem 6.2"),
    hypotheses=_WITH_OUTLIERS,
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(
            sqrt(_arms * _horizon * _log_t)
            + (_sum / _epsilon) ** (1 - 1 / _k) * _horizon ** (1 / _k)
            + _horizon * _alpha ** (1 - 1 / _k)
            + _sum / _alpha
        ),
        given=(HORIZON, ARMS, EPSILON, CONTAMINATION, MOMENT),
        mode=Mode.IN_EXPECTATION,
        constants=Constants.SUPPRESSED,
    ),
    steps=_REGRET_STEPS,
    findings=(
        findings.THIRD_TERM,
        findings.CHAIN_OF_MOMENTS,
        findings.CUT_BELOW_ONE,
        findings.OUTSIDE_THE_GOOD_EVENT,
        findings.SAYS_NOTHING,
        findings.COULD_MATCH,
        findings.ROUNDS_AT_LEAST_ARMS,
    ),
)

REGRET_CLEAN = Theorem(
    id="wu_2023.regret_clean",
    statement="The expected regret of private arm elimination without contamination.",
    source=source("Remark 6.3"),
    hypotheses=(*_POLICY, uncontaminated),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(sqrt(_arms * _horizon * _log_t) + (_sum / _epsilon) ** (1 - 1 / _k) * _horizon ** (1 / _k)),
        given=(HORIZON, ARMS, EPSILON, MOMENT),
        mode=Mode.IN_EXPECTATION,
        constants=Constants.SUPPRESSED,
    ),
    findings=(findings.REGRET_CLEAN,),
)

_union = _arms * _horizon * _binary  # K T log_2^2 T


def _two_terms(variance: int, base: int, constant: int) -> Expr:
    """2 sqrt(P T) + 2 Q^(1-1/k) T^(1/k) with P = variance K L, Q = 16 base^(k/(k-1)) K L/epsilon, L = log(constant K T log_2^2 T)."""
    arms = _arms * log(constant * _union)
    return 2 * sqrt(variance * arms * _horizon) + 2 * base * (16 * arms / _epsilon) ** (1 - 1 / _k) * _horizon ** (1 / _k)


REGRET_RAW_EXPLICIT = Theorem(
    id="wu_2023.regret_raw_explicit",
    statement="The expected regret, measured on uncontaminated rewards, of private arm elimination under contamination, with every "
    "constant of the (repaired) proof.",
    source=source("[assembled] Theorem 6.2; derived in theory/papers/wu_2023/elimination.py"),
    hypotheses=_WITH_OUTLIERS,
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(
            2 + 4 * (_arms + 1) * log(16 * _union) / _alpha + _two_terms(2048, 32, 32) + 16 * _horizon * (8 * _alpha) ** (1 - 1 / _k)
        ),
        given=(HORIZON, ARMS, EPSILON, CONTAMINATION, MOMENT),
        mode=Mode.IN_EXPECTATION,
    ),
)

REGRET_CLEAN_EXPLICIT = Theorem(
    id="wu_2023.regret_clean_explicit",
    statement="The expected regret of private arm elimination without contamination, at the repaired radius, with every constant.",
    source=source("[assembled] Remark 6.3; derived in theory/papers/wu_2023/elimination.py"),
    hypotheses=(*_POLICY, uncontaminated),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=merged(2 + 4 * _arms + _two_terms(512, 16, 8)),
        given=(HORIZON, ARMS, EPSILON, MOMENT),
        mode=Mode.IN_EXPECTATION,
    ),
)
