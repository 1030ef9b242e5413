r"""The regret of PRAE-C with every constant, and the lines of its proof (Wu et al. 2023): Theorems 6.10 and 6.12.

Main statements
    CENTRAL_BATCH_CLEAN, CENTRAL_BATCH     the largest batch that an arm survives on the good event
    REGRET_CENTRAL_CLEAN_EXPLICIT          Theorem 6.10 with constants
    REGRET_CENTRAL_EXPLICIT                Theorem 6.12 with constants
Elsewhere                                  the printed bounds, constants suppressed, in central.py

Notation            a batch of B = 2^tau is two folds of n = B/2. In an epoch l_c = log(c/delta_tau), delta_tau = failure/(2 |S| tau^2), so
                    l_1 = log(2 |S| tau^2/failure), l_16 = log(32 |S| tau^2/failure); Delta the gap of an arm; r = 10^(1/k) if alpha = 0

What is wrong or loose in print is in findings/central.py and findings/central_regret.py (regret_clean_at_an_end, two_folds and others);
elimination_pulls and outside_the_good_event, of the proof of Theorem 6.2, are in the proof of Theorem 6.10 too.

Derivation of REGRET_CENTRAL_CLEAN_EXPLICIT (not printed)
    With failure 1/T, T >= K >= 2: in every completed epoch tau <= log_2 T, so l_1 <= l = log(2 K T log_2^2 T), l_16 <= L = log(32 K T
    log_2^2 T), and log(16 D/delta_tau) <= L_D = log(32 D K T log_2^2 T). Outside the good event: 2 D T/T. Inside it:
      forced epochs     B/2 < 200 L_D/epsilon in each, so less than 800 L_D/epsilon pulls in all, of gap at most 2 D:   1600 D L_D/epsilon
      an arm that survives no test    one batch, at most 800 L_D/epsilon pulls:                                        1600 D L_D/epsilon
      an arm that does  less than 4 B pulls, B from CENTRAL_BATCH_CLEAN, at most the sum of its entries:
                        1024 (1 + r)^2 L/Delta + 8 (l/epsilon) 584^(k/(k-1)) Delta^(-1/(k-1)), or T eta for arms below eta.
    With P = 1024 (1 + r)^2 K L, Q = 8 584^(k/(k-1)) K l/epsilon and eta = max(sqrt(P/T), (Q/T)^((k-1)/k)):
    2 D + 1600 (K + 1) D L_D/epsilon + 2 sqrt(P T) + 2 Q^(1-1/k) T^(1/k).
Derivation of REGRET_CENTRAL_EXPLICIT (not printed)
    central_radius_tuned: Delta <= 4 beta. Group one has Delta >= 200 alpha_1^(1-1/k), twice 4 beta's last term, so Delta/2 is at most the
    others; group two costs 200 T alpha_1^(1-1/k). P = 4096 K L, Q = 8 528^(k/(k-1)) K l/epsilon. The threshold is at most the sum of its
    three entries, with c_1 = 4500000: 8 (K + 1) D (iota l/epsilon + c_1 L_D/epsilon + L/alpha_1^2).
    For alpha_1 >= 1e-6 no arm of group one survives a test (group_one_goes_at_once): beside the forced cost and the group two nothing of it
    is ever reached. The paper's constant c_1 is that large because C_2 = 0.249 is that close to 1/4.
"""

from dataclasses import replace

from sympy import Expr, Ge, Gt, Integer, Le, Rational, log, sqrt

from banditproof.glossary import ACTIVE, ARMS, CONTAMINATION, EPOCH, EPSILON, FAILURE, HORIZON, LEVEL, MOMENT, RADIUS, RANGE, RATIO, REGRET
from banditproof.glossary.wu_2023 import BATCH, LAST_FORCED, UNBOUNDED_GAP
from banditproof.theory.hypotheses import (
    contamination_is_bounded,
    failure_is_inverse_horizon,
    finite_central_moment,
    fresh_laplace_noise,
    horizon_at_least_arms,
    huber_contaminated,
    plays_prae_central,
    uncontaminated,
)
from banditproof.theory.language import Bound, Case, Checked, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.wu_2023 import central, central_radii
from banditproof.theory.papers.wu_2023.central_cases import iota
from banditproof.theory.papers.wu_2023.setting import log_of, of_epoch, source

_epsilon, _k, _failure, _alpha, _range = symbol(EPSILON), symbol(MOMENT), symbol(FAILURE), symbol(CONTAMINATION), symbol(RANGE)
_active, _epoch, _forced, _gap = symbol(ACTIVE), symbol(EPOCH), symbol(LAST_FORCED), symbol(UNBOUNDED_GAP)
_horizon, _arms, _x, _beta = symbol(HORIZON), symbol(ARMS), symbol(RATIO), symbol(RADIUS)
_batch, _level = symbol(BATCH), symbol(LEVEL)
_l1, _l16 = of_epoch(log_of(1)), of_epoch(log_of(16))
_dual = _k / (_k - 1)
_width = 10 ** (1 / _k)

uses_tuned_radius = Hypothesis(
    "uses_tuned_radius",
    "the policy's radius is the assembled one at the paper's truncation, or anything from there up to the tuned one",
    Checked.ASSUMED,
    added="constants_of_the_proof",
)

# --- the batch that an arm survives -----------------------------------------------------------------------------------------------


def _by_variance(constant: int, width: Expr, logarithm: Expr) -> Expr:
    return constant * (1 + width) ** 2 * logarithm / _gap**2


def _by_privacy(base: int, logarithm: Expr) -> Expr:
    return 2 * logarithm / _epsilon * (base / _gap) ** _dual


def _larger(one: Expr, two: Expr) -> tuple[Case, ...]:
    return (Case(Ge(one, two), one), Case(Gt(two, one), two))


def _halves(variance: Expr, privacy: Expr, batch: tuple[Expr, Expr]) -> tuple[Step, Step]:
    """4 times each term of the radius is at most half of the gap, or of half of it, where n = B/2 is from its entry on."""
    return (
        Step(
            id="variance_half_of_the_gap",
            sense=Sense.AT_MOST,
            left=variance * sqrt(2 * _l16 / (_batch / 2)),
            right=_gap / 2,
            draw_order=(ACTIVE, EPOCH, FAILURE, RATIO, UNBOUNDED_GAP, BATCH),
            domain=(Ge(sqrt(_batch), sqrt(batch[0])),),
            note="4 times the radius's first term, with ratio = r = 10^(1/k) without contamination",
        ),
        Step(
            id="privacy_half_of_the_gap",
            sense=Sense.EQUALS,
            left=privacy * (_l1 / (batch[1] / 2 * _epsilon)) ** (1 - 1 / _k),
            right=_gap / 2,
            draw_order=(ACTIVE, EPOCH, FAILURE, EPSILON, MOMENT, UNBOUNDED_GAP),
        ),
    )


_POLICY = (
    central_radii.every_mean_has_neighbours,
    plays_prae_central,
    uses_tuned_radius,
    finite_central_moment,
    fresh_laplace_noise,
)

CENTRAL_BATCH_CLEAN = Theorem(
    id="wu_2023.central_batch_clean",
    statement="On the good event, the batch of an epoch that an arm survives is at most `batch`, without contamination.",
    source=source("[assembled] Proof of Theorem 6.10, second 'Hence, we have', from central_radius_clean_tuned, Appendix E"),
    hypotheses=(central.private_in_each_epoch, *_POLICY, uncontaminated),
    bound=Bound(
        of=BATCH,
        sense=Sense.AT_MOST,
        cases=_larger(_by_variance(256, _width, _l16), _by_privacy(584, _l1)),
        given=(ACTIVE, EPOCH, FAILURE, EPSILON, MOMENT, UNBOUNDED_GAP),
    ),
    steps=(
        Step(  # on the good event no estimate is above the best arm's by more than 2 beta - Delta
            id="best_arm_stays",
            sense=Sense.AT_MOST,
            left=2 * _beta - _gap,
            right=2 * _beta,
            draw_order=(RADIUS, UNBOUNDED_GAP),
        ),
        Step(  # and an arm with Delta > 4 beta is below the best one's by more than 2 beta
            id="other_arms_go",
            sense=Sense.AT_LEAST,
            left=_gap - 2 * _beta,
            right=2 * _beta,
            draw_order=(RADIUS, UNBOUNDED_GAP),
            domain=(Ge(_gap, 4 * _beta),),
        ),
        *_halves(4 * (1 + _x), Integer(4 * 73), (_by_variance(256, _x, _l16), _by_privacy(584, _l1))),
    ),
)

wide_group_one = Hypothesis(
    "wide_group_one", "the gap is at least 200 alpha_1^(1 - 1/k)", Checked.BY_VALUE, Ge(_gap, 200 * _alpha ** (1 - 1 / _k))
)

CENTRAL_BATCH = Theorem(
    id="wu_2023.central_batch",
    statement="On the good event, the batch of an epoch that an arm of group one survives is at most `batch`, under contamination.",
    source=source("[assembled] Proof of Theorem 6.12, 'similar to the proof of Theorem 6.2', from central_radius_tuned, Appendix E"),
    hypotheses=(
        central.private_in_each_epoch,
        central.contamination_below_breakdown,
        wide_group_one,
        *_POLICY,
        huber_contaminated,
        contamination_is_bounded,
    ),
    bound=Bound(
        of=BATCH,
        sense=Sense.AT_MOST,
        cases=_larger(_by_variance(1024, Integer(0), _l16), _by_privacy(528, _l1)),
        given=(ACTIVE, EPOCH, FAILURE, EPSILON, CONTAMINATION, MOMENT, UNBOUNDED_GAP),
    ),
    steps=(
        Step(  # 4 beta's last term is at most half of the gap
            id="group_one_halves",
            sense=Sense.AT_MOST,
            left=4 * 25 * _alpha ** (1 - 1 / _k),
            right=_gap / 2,
            draw_order=(MOMENT, CONTAMINATION, UNBOUNDED_GAP),
            domain=(Ge(_gap, 200 * _alpha ** (1 - 1 / _k)),),
        ),
        *_halves(Integer(8), Integer(8 * 33), (_by_variance(1024, Integer(0), _l16), _by_privacy(528, _l1))),
    ),
)

# --- the regret -------------------------------------------------------------------------------------------------------------------

_union = _arms * _horizon * (log(_horizon) / log(2)) ** 2  # K T log_2^2 T
_log1, _log16, _log_bins = log(2 * _union), log(32 * _union), log(32 * _range * _union)


def _two_terms(variance: Expr, base: int) -> Expr:
    """2 sqrt(P T) + 2 Q^(1-1/k) T^(1/k) with P = variance^2 K L and Q = 8 base^(k/(k-1)) K l/epsilon."""
    return 2 * variance * sqrt(_arms * _log16 * _horizon) + 2 * base * (8 * _arms * _log1 / _epsilon) ** (1 - 1 / _k) * _horizon ** (1 / _k)


_printed = 200 * log(16 * _range * _active * _forced**2 / _failure) / _epsilon
_of_two_folds = 200 * log(32 * _range * _active * _forced**2 / _failure) / _epsilon

_CLEAN_STEPS = (
    Step(
        id="forced_cost",
        sense=Sense.AT_MOST,
        left=2 * 2**_forced,
        right=2 * _printed,
        draw_order=(RANGE, ACTIVE, FAILURE, LAST_FORCED, EPSILON),
        domain=(Le(2**_forced, _printed),),
    ),
    Step(  # n = B/2 below the threshold
        id="forced_cost_of_two_folds",
        sense=Sense.AT_MOST,
        left=2 ** (_forced + 1) - 2,
        right=4 * _of_two_folds,
        draw_order=(RANGE, ACTIVE, FAILURE, LAST_FORCED, EPSILON),
        domain=(Le(2**_forced / 2, _of_two_folds),),
    ),
    Step(  # so that the forced epochs come first: the batch doubles, the threshold at most doubles
        id="threshold_grows_slower",
        sense=Sense.AT_MOST,
        left=log(32 * _range * _active * (_epoch + 1) ** 2 / _failure),
        right=2 * log(32 * _range * _active * _epoch**2 / _failure),
        draw_order=(RANGE, ACTIVE, EPOCH, FAILURE),
    ),
    Step(  # and the first epoch is one
        id="first_epoch_is_forced",
        sense=Sense.AT_LEAST,
        left=200 * log(32 * _range * _active / _failure) / _epsilon,
        right=Integer(2),
        draw_order=(RANGE, ACTIVE, EPSILON, FAILURE),
        domain=(Le(_epsilon, 1),),
    ),
    Step(  # the epochs up to tau(a) + 1, of which the arm survives all but the last
        id="all_batches",
        sense=Sense.AT_MOST,
        left=2 ** (_epoch + 2) - 2,
        right=4 * 2**_epoch,
        draw_order=(EPOCH,),
        ours=True,
    ),
    Step(  # printed P(not E) T, where gaps reach 2 D
        id="outside_the_good_event",
        sense=Sense.AT_MOST,
        left=2 * _range,
        right=Rational(3, 2) * _arms * _range * log(_range * _horizon) / _epsilon,
        draw_order=(ARMS, RANGE, HORIZON, EPSILON),
        domain=(Le(_epsilon, 1), Ge(_horizon, _arms)),
    ),
    Step(  # log(D K log^2 T/delta) = O(log(D T)), K <= T
        id="logarithm_of_the_union",
        sense=Sense.AT_MOST,
        left=log(32 * _range * _horizon**2 * (log(_horizon) / log(2)) ** 2),
        right=8 * log(_range * _horizon),
        draw_order=(RANGE, HORIZON),
        domain=(Ge(_horizon, 2),),
    ),
    Step(  # sum over arms of log(D T)/epsilon Delta, Delta <= 2 D
        id="sum_over_arms",
        sense=Sense.AT_MOST,
        left=_arms * (log(_range * _horizon) / _epsilon * _gap),
        right=2 * _arms * _range * log(_range * _horizon) / _epsilon,
        draw_order=(ARMS, RANGE, HORIZON, EPSILON, UNBOUNDED_GAP),
        domain=(Le(_gap, 2 * _range),),
    ),
    Step(
        id="variance_balances",
        sense=Sense.AT_MOST,
        left=_x / _level,
        right=sqrt(_x * _horizon),
        draw_order=(HORIZON, RATIO, LEVEL),
        domain=(Ge(_level, sqrt(_x / _horizon)),),
        note="ratio is P, in the variance's cost P/eta; level is eta, from sqrt(P/T) on",
    ),
    Step(
        id="privacy_balances",
        sense=Sense.EQUALS,
        left=_x * ((_x / _horizon) ** (1 - 1 / _k)) ** (-1 / (_k - 1)),
        right=_x ** (1 - 1 / _k) * _horizon ** (1 / _k),
        draw_order=(MOMENT, HORIZON, RATIO),
        note="ratio is Q, in the privacy's cost Q eta^(-1/(k-1)), at eta = (Q/T)^(1 - 1/k)",
    ),
    Step(
        id="constant_of_the_privacy_cost",
        sense=Sense.EQUALS,
        left=2 * (8 * 584**_dual * _x) ** (1 - 1 / _k),
        right=1168 * (8 * _x) ** (1 - 1 / _k),
        draw_order=(MOMENT, RATIO),
        note="with ratio = K log(1/delta)/epsilon, the logarithm being that of the privacy term",
    ),
)

_range_of_clean_bins, _range_of_bins = (
    replace(item, added="inherited_conditions") for item in (central_radii.range_of_clean_bins, central_radii.range_of_bins)
)
_REGRET = (horizon_at_least_arms, failure_is_inverse_horizon, central.private_in_each_epoch)

REGRET_CENTRAL_CLEAN_EXPLICIT = Theorem(
    id="wu_2023.regret_central_clean_explicit",
    statement="The expected regret of private arm elimination under a central moment, without contamination, with every constant.",
    source=source("[assembled] Theorem 6.10; derived in theory/papers/wu_2023/central_regret.py"),
    hypotheses=(*_REGRET, _range_of_clean_bins, *_POLICY, uncontaminated),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(2 * _range + 1600 * (_arms + 1) * _range * _log_bins / _epsilon + _two_terms(32 * (1 + _width), 584)),
        given=(HORIZON, ARMS, EPSILON, RANGE, MOMENT),
        mode=Mode.IN_EXPECTATION,
    ),
    steps=_CLEAN_STEPS,
)

_requirement = iota(_alpha) * _log1 / _epsilon + 4_500_000 * _log_bins / _epsilon + _log16 / _alpha**2

REGRET_CENTRAL_EXPLICIT = Theorem(
    id="wu_2023.regret_central_explicit",
    statement="The expected regret, measured on uncontaminated rewards, of private arm elimination under a central moment and "
    "contamination, with every constant.",
    source=source("[assembled] Theorem 6.12; derived in theory/papers/wu_2023/central_regret.py"),
    hypotheses=(
        *_REGRET,
        central.contamination_below_breakdown,
        _range_of_bins,
        *_POLICY,
        huber_contaminated,
        contamination_is_bounded,
    ),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(
            2 * _range + 8 * (_arms + 1) * _range * _requirement + _two_terms(Integer(64), 528) + 200 * _horizon * _alpha ** (1 - 1 / _k)
        ),
        given=(HORIZON, ARMS, EPSILON, CONTAMINATION, RANGE, MOMENT),
        mode=Mode.IN_EXPECTATION,
    ),
    steps=(
        Step(  # at the threshold 4 beta is below 200 alpha_1^(1-1/k): sqrt(l_16/n) <= alpha_1 and l_1/(n epsilon) <= 1/4500000
            id="group_one_goes_at_once",
            sense=Sense.AT_MOST,
            left=4 * sqrt(2) * _alpha + 132 * Rational(1, 4_500_000) ** (1 - 1 / _k),
            right=100 * _alpha ** (1 - 1 / _k),
            draw_order=(MOMENT, CONTAMINATION),
            domain=(Ge(_alpha, Rational(1, 10**6)), Le(_alpha, Rational(133, 1000))),
            reason="for smaller alpha_1 the privacy term can still exceed it",
            ours=True,
        ),
        Step(  # the other entries' logarithm, |S| = K >= 2 in forced epochs
            id="threshold_grows_slower",
            sense=Sense.AT_MOST,
            left=log(2 * _active * (_epoch + 1) ** 2 / _failure),
            right=2 * log(2 * _active * _epoch**2 / _failure),
            draw_order=(ACTIVE, EPOCH, FAILURE),
            domain=(Ge(_active, 2),),
        ),
        Step(
            id="constant_of_the_privacy_cost",
            sense=Sense.EQUALS,
            left=2 * (8 * 528**_dual * _x) ** (1 - 1 / _k),
            right=1056 * (8 * _x) ** (1 - 1 / _k),
            draw_order=(MOMENT, RATIO),
            note="with ratio = K log(1/delta)/epsilon, the logarithm being that of the privacy term",
        ),
        Step(  # iota D K log T/epsilon, over D K/epsilon
            id="iota_is_covered",
            sense=Sense.AT_MOST,
            left=iota(_alpha) * log(_horizon),
            right=8 * log(_range * _horizon),
            draw_order=(CONTAMINATION, RANGE, HORIZON),
            domain=(Le(_alpha, Rational(133, 1000)),),
            ours=True,
        ),
    ),
)
