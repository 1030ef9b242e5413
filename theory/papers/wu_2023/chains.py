r"""The regret as the chain of the proofs gives it, epoch by epoch, before it is made a closed form (Wu et al. 2023): not printed.

Main statements
    REGRET_CLEAN_CHAIN, REGRET_RAW_CHAIN                  PRAE-R, Remark 6.3 and Theorem 6.2
    REGRET_CENTRAL_CLEAN_CHAIN, REGRET_CENTRAL_CHAIN      PRAE-C, Theorems 6.10 and 6.12
Elsewhere   the closed forms, REGRET_*_EXPLICIT in elimination.py and central_regret.py: of the same order, and useful far later

Derivation
    Delta is the largest gap, J = K - 1, the failure 1/T. Outside the good event, of probability at most 1/T, the regret is at most
    Delta T: Delta in all. On the good event an arm that plays in a tested epoch tau survived epoch tau - 1, if that was tested, so its gap
    is at most min(Delta, 4 beta_(tau - 1)), and arms that are not the best have at most J 2^tau rounds in it. Forced epochs, those before
    tau_1, have 2^(tau_1) - 2 rounds in all, at Delta each. All these are at most T rounds, and the costs of a round fall from epoch to
    epoch: the regret is at most that of epochs filled one after the other. The last one that is reached is then tau_T. With tau_Delta the
    first tested epoch that has 4 beta <= Delta, the epochs up to it cost Delta per round,
        Delta (2^(tau_1) - 2 + J (2^(tau_Delta + 1) - 2^(tau_1))),
    those from there to tau_T - 1 the sum of J 2^tau 4 beta_(tau - 1), and the rest of the rounds 4 beta_(tau_T - 1) each. Where tau_Delta
    is not before tau_T, nothing is gained: Delta T. All logarithms are taken at tau_T, where they are largest, and |S| = K. So 4 beta_s is
    a sum of terms c 2^(-p s), and what is added is geometric.
    Nothing of the proofs' inversion, cut and groups is needed, so none of the constants that they cost (512 for 128, halves, 16 for 8).

Notation    4 beta_s is that of a batch of 2^s. PRAE-R: the radius of epoch_radius, and of clean_epoch_radius at min(epsilon, 3/2).
            PRAE-C: the assembled radius at the paper's truncation, n = 2^s/2. Under contamination M = 4 min(A, B), with
            A = (n epsilon/l_1)^(1/k) and B = alpha_1^(-1/k): terms that grow with M are taken at 4 B, which binds in all tested epochs
            unless epsilon < alpha_1 < 1e-6, and (2/M)^(k - 1) and (2/M)^k are at most the sums of what they are at 4 A and at 4 B.
            M l_16 and M l_8 at M = 4 A grow with the logarithm, as l_16 <= k l_1 for T >= 4.
"""

from dataclasses import dataclass, replace

from sympy import Expr, Ge, Integer, Le, Lt, Rational, log, sqrt
from sympy.logic.boolalg import And, Boolean, Or

from banditproof.glossary import ARMS, CONTAMINATION, EPSILON, HORIZON, MOMENT, RANGE, REGRET, Quantity
from banditproof.glossary.wu_2023 import FIRST_NARROW, FIRST_TESTED, GAP_UP_TO_TWO, LAST_REACHED, UNBOUNDED_GAP
from banditproof.theory.language import Bound, Case, Checked, Hypothesis, Implicit, Mode, Sense, Theorem, symbol
from banditproof.theory.papers.wu_2023 import central_regret, elimination
from banditproof.theory.papers.wu_2023.central_cases import iota
from banditproof.theory.papers.wu_2023.raw import MERGED_EPSILON
from banditproof.theory.papers.wu_2023.setting import source

_epsilon, _k, _alpha, _range = symbol(EPSILON), symbol(MOMENT), symbol(CONTAMINATION), symbol(RANGE)
_horizon, _arms = symbol(HORIZON), symbol(ARMS)
_first, _narrow, _last = symbol(FIRST_TESTED), symbol(FIRST_NARROW), symbol(LAST_REACHED)
_dual = 1 - 1 / _k


def _logarithm(constant: Expr | int, epoch: Expr) -> Expr:
    """log(constant K tau^2 T): l_c at the failure of an estimate in an epoch, the constant being 2 c."""
    return log(constant * _arms * epoch**2 * _horizon)


@dataclass(frozen=True)
class _Term:
    """A part of four radii: coefficient 2^(-power s) for a batch of 2^s."""

    coefficient: Expr
    power: Expr

    def at(self, epoch: Expr) -> Expr:
        return self.coefficient * 2 ** (-self.power * epoch)

    def rounds(self) -> Expr:
        """The sum of 2^tau times it at tau - 1, for tau from tau_Delta + 1 to tau_T - 1."""
        rest = 1 - self.power
        if rest == 0:
            return 2 * self.coefficient * (_last - 1 - _narrow)
        return 2 * self.coefficient * (2 ** (rest * (_last - 1)) - 2 ** (rest * _narrow)) / (2**rest - 1)


def _four_radii(terms: tuple[_Term, ...], epoch: Expr) -> Expr:
    return sum((term.at(epoch) for term in terms), Integer(0))


def _bound(gap: Quantity, terms: tuple[_Term, ...], tested: Boolean | None, given: tuple[Quantity, ...]) -> Bound:
    """The chain. `tested` says that the batch of tau_1 is not below the threshold; None where nothing is forced."""
    delta, others = symbol(gap), _arms - 1
    first = Integer(1) if tested is None else _first
    forced = 2**first - 2
    starts = (
        ()
        if tested is None
        else (Implicit(FIRST_TESTED, Or(tested, Ge(2**_first, _horizon + 2)), (Integer(1), _horizon + 1), "thresholds do not double"),)
    )
    end = Implicit(
        LAST_REACHED,
        Ge(forced + others * (2 ** (_last + 1) - 2**first), _horizon),
        (first, first + _horizon),
        "the rounds up to an epoch grow with it",
    )
    narrow = Implicit(
        FIRST_NARROW, Or(Le(_four_radii(terms, _narrow), delta), Ge(_narrow, _last)), (first, _last), "the radius falls from epoch to epoch"
    )
    wide = delta * (forced + others * (2 ** (_narrow + 1) - 2**first))
    middle = others * sum((term.rounds() for term in terms), Integer(0))
    rest = (_horizon - forced - others * (2**_last - 2**first)) * _four_radii(terms, _last - 1)
    return Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=(Case(Lt(_narrow, _last), delta + wide + middle + rest), Case(Ge(_narrow, _last), delta + delta * _horizon)),
        given=given,
        mode=Mode.IN_EXPECTATION,
        where=(*starts, end, narrow),
    )


def _theorem(
    name: str, statement: str, locator: str, closed: Theorem, bound: Bound, *, drop: str = "", add: tuple[Hypothesis, ...] = ()
) -> Theorem:
    hypotheses = (*(item for item in closed.hypotheses if item.name != drop), *add)
    return Theorem(id=f"wu_2023.{name}", statement=statement, source=source(f"[assembled] {locator}"), hypotheses=hypotheses, bound=bound)


# --- PRAE-R -----------------------------------------------------------------------------------------------------------------------------


def _raw_terms(logarithm: Expr, level: Expr, outliers: Expr) -> tuple[_Term, ...]:
    """4 (sqrt(2 l/B) + 2 (4 l/(B epsilon))^(1 - 1/k)) and what contamination adds."""
    terms = (
        _Term(4 * sqrt(2 * logarithm), Rational(1, 2)),
        _Term(8 * (4 * logarithm / level) ** _dual, _dual),
    )
    return terms if outliers == 0 else (*terms, _Term(4 * outliers, Integer(0)))


def _clean() -> Bound:
    given = (HORIZON, ARMS, EPSILON, MOMENT, GAP_UP_TO_TWO)
    logarithm = _logarithm(8, _last)
    whole, capped = (_bound(GAP_UP_TO_TWO, _raw_terms(logarithm, level, Integer(0)), None, given) for level in (_epsilon, MERGED_EPSILON))
    within, beyond = Le(_epsilon, MERGED_EPSILON), _epsilon > MERGED_EPSILON
    end, narrow = whole.where
    either = Implicit(
        FIRST_NARROW, Or(And(within, narrow.condition), And(beyond, capped.where[1].condition)), narrow.bracket, narrow.unique
    )
    cases = (
        *(replace(case, condition=within & case.condition) for case in whole.cases),
        *(replace(case, condition=beyond & case.condition, added="clean_radius") for case in capped.cases),
    )
    return replace(whole, cases=cases, where=(end, either))


REGRET_CLEAN_CHAIN = _theorem(
    "regret_clean_chain",
    "The expected regret of private arm elimination without contamination, epoch by epoch, where no gap is larger than the given one.",
    "Remark 6.3; derived in theory/papers/wu_2023/chains.py",
    elimination.REGRET_CLEAN_EXPLICIT,
    _clean(),
)

REGRET_RAW_CHAIN = _theorem(
    "regret_raw_chain",
    "The expected regret, measured on uncontaminated rewards, of private arm elimination under contamination, epoch by epoch, where no "
    "gap is larger than the given one.",
    "Theorem 6.2; derived in theory/papers/wu_2023/chains.py",
    elimination.REGRET_RAW_EXPLICIT,
    _bound(
        GAP_UP_TO_TWO,
        _raw_terms(_logarithm(32, _last), _epsilon, 2 * (8 * _alpha) ** _dual),
        Ge(_alpha * 2**_first, _logarithm(16, _first)),
        (HORIZON, ARMS, EPSILON, CONTAMINATION, MOMENT, GAP_UP_TO_TWO),
    ),
)

# --- PRAE-C -----------------------------------------------------------------------------------------------------------------------------

uses_assembled_radius = Hypothesis(
    "uses_assembled_radius", "the policy's radius is the assembled one at the paper's truncation", Checked.ASSUMED
)
_l1, _l8, _l16 = (_logarithm(2 * constant, _last) for constant in (1, 8, 16))
_half = Rational(1, 2)


def _clean_central_terms() -> tuple[_Term, ...]:
    """4 beta at n = 2^s/2, M = 4 (n epsilon/l_1)^(1/k), r = 10^(1/k)."""
    width = 10 ** (1 / _k)
    size = 4 * (_epsilon / _l1) ** (1 / _k)  # M over n^(1/k)
    narrow = size * (Rational(4, 3) * _l16 + 2 * _l8 / _epsilon) + (_l1 / (2**_k * _epsilon)) ** _dual
    return (
        _Term(4 * 2**_half * (sqrt(2 * _l16) + 2 * width * sqrt(_l16 / 2)), _half),
        _Term(4 * 2**_dual * narrow, _dual),
        _Term(4 * 2 * (Rational(8, 3) * width * _l16 + 2 * width * _l1 / (2**_k * _epsilon)), Integer(1)),
    )


def _central_terms() -> tuple[_Term, ...]:
    """The same under contamination, M = 4 alpha_1^(-1/k), r = iota^(1/k)."""
    width, size = iota(_alpha) ** (1 / _k), 4 * _alpha ** (-1 / _k)
    reach = size + 2 * width
    always = 2 * _alpha * reach + (_alpha ** (1 / _k) / 2) ** (_k - 1) + 2 * width * (_alpha + _alpha / 2**_k)
    return (
        _Term(4 * always, Integer(0)),
        _Term(4 * 2**_half * (sqrt(2 * _l16) + 2 * sqrt(2 * _alpha * _l16) * reach + 2 * width * sqrt(_l16 / 2)), _half),
        _Term(4 * 2**_dual * (_l1 / (2**_k * _epsilon)) ** _dual, _dual),
        _Term(4 * 2 * (Rational(8, 3) * reach * _l16 + 2 * size * _l8 / _epsilon + 2 * width * _l1 / (2**_k * _epsilon)), Integer(1)),
    )


_fold = 2**_first / 2
_bins = _logarithm(32 * _range, _first)

REGRET_CENTRAL_CLEAN_CHAIN = _theorem(
    "regret_central_clean_chain",
    "The expected regret of private arm elimination under a central moment, without contamination, epoch by epoch, where no gap is larger "
    "than the given one.",
    "Theorem 6.10; derived in theory/papers/wu_2023/chains.py",
    central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT,
    _bound(
        UNBOUNDED_GAP, _clean_central_terms(), Ge(_fold * _epsilon, 200 * _bins), (HORIZON, ARMS, EPSILON, RANGE, MOMENT, UNBOUNDED_GAP)
    ),
    drop="uses_tuned_radius",
    add=(uses_assembled_radius,),
)

REGRET_CENTRAL_CHAIN = _theorem(
    "regret_central_chain",
    "The expected regret, measured on uncontaminated rewards, of private arm elimination under a central moment and contamination, "
    "epoch by epoch, where no gap is larger "
    "than the given one.",
    "Theorem 6.12; derived in theory/papers/wu_2023/chains.py",
    central_regret.REGRET_CENTRAL_EXPLICIT,
    _bound(
        UNBOUNDED_GAP,
        _central_terms(),
        And(
            Ge(_fold * _epsilon, iota(_alpha) * _logarithm(2, _first)),
            Ge(_fold * _epsilon, 4_500_000 * _bins),
            Ge(_fold * _alpha**2, _logarithm(32, _first)),
        ),
        (HORIZON, ARMS, EPSILON, CONTAMINATION, RANGE, MOMENT, UNBOUNDED_GAP),
    ),
    drop="uses_tuned_radius",
    add=(uses_assembled_radius,),
)
