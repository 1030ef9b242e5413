r"""Facts on matrices, chi-square and Wishart distributions that the paper quotes (Shariff and Sheffet 2018, appendix A.3): Claims 16 to 20.

Main statements
    MATRIX_ORDER                             Claim 16, for matrices that commute as its steps
    CHI_SQUARE_TAILS                         Claim 17; CHI_LENGTH is the form in which it is used
    SINGULAR_LARGEST, SINGULAR_LEAST         Claim 18
    EIGENVALUE_LARGEST, EIGENVALUE_LEAST     Claim 19, for the eigenvalues that belong together
    SHIFTED_NORM                             Claim 20

Notation            N = matrix_rows, k = wishart_degrees; `variance` is an eigenvalue of the scale matrix of a Wishart distribution

Findings            claim_20_condition, claim_19_letter

Implementation notes
    By the spectral theorem Claim 20 is a claim about each eigenvalue: x = H's, of which 1/(x - c) <= rho/(x (rho - c)) for x >= rho.
    Matrices that do not commute, or are not diagonal, are looked at by the audits points.matrices_* of MATRIX_ORDER and SHIFTED_NORM.
"""

from sympy import E, Ge, Gt, Lt, log, sqrt

from banditproof.glossary import DEGREES, DIMENSION, FAILURE, RATIO, RHO_MIN, THRESHOLD, VARIANCE
from banditproof.glossary.shariff_sheffet_2018 import LENGTH, MATRIX_ROWS, SHIFT, SINGULAR_VALUE, WISHART_DEGREES
from banditproof.theory.findings import Finding
from banditproof.theory.language import Bound, Checked, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.shariff_sheffet_2018.findings import facts as findings
from banditproof.theory.papers.shariff_sheffet_2018.setting import source

_d, _alpha, _rows, _k = symbol(DIMENSION), symbol(FAILURE), symbol(MATRIX_ROWS), symbol(WISHART_DEGREES)
_degrees, _rho, _c, _x, _g = symbol(DEGREES), symbol(RHO_MIN), symbol(SHIFT), symbol(RATIO), symbol(THRESHOLD)
_deviation = sqrt(_d) + sqrt(2 * log(2 / _alpha))

gaussian_entries = Hypothesis("gaussian_entries", "the entries are independent standard normal", Checked.ASSUMED)
more_degrees = Hypothesis("more_degrees", "sqrt(k) > sqrt(d) + sqrt(2 log(2/alpha))", Checked.BY_VALUE, Gt(_k, _deviation**2))
failure_below_inverse_e = Hypothesis("failure_below_inverse_e", "alpha < 1/e", Checked.BY_VALUE, Lt(_alpha, 1 / E))
shift_below_least = Hypothesis("shift_below_least", "c < rho", Checked.BY_VALUE, Lt(_c, _rho), added="claim_20_condition")

MATRIX_ORDER = Theorem(
    id="shariff_sheffet_2018.matrix_order",
    statement="If A - B and B are positive semidefinite, then A has at least the rank and the determinant of B, and the inverse of B minus "
    "that of A is positive semidefinite where both exist.",
    source=source("Claim 16"),
    not_checkable="a fact of linear algebra on matrices of any size; its steps are the case of matrices that commute, eigenvalue by "
    "eigenvalue",
    steps=(
        Step(
            id="inverse",
            sense=Sense.AT_LEAST,
            left=1 / _x,
            right=1 / (_x + _g),
            draw_order=(RATIO, THRESHOLD),
            note="one eigenvalue of B, and what A has more",
        ),
    ),
)

CHI_SQUARE_TAILS = Theorem(
    id="shariff_sheffet_2018.chi_square_tails",
    statement="A chi-square variable is at most d + 2 sqrt(d log(1/alpha)) + 2 log(1/alpha), and at least d - 2 sqrt(d log(1/alpha)), but "
    "for probability alpha each.",
    source=source("Claim 17"),
    not_checkable="it is stated and audited as inequalities.chi_square_upper and inequalities.chi_square_lower",
)

CHI_LENGTH = Theorem(
    id="shariff_sheffet_2018.chi_length",
    statement="The length of a vector of d independent standard normal entries.",
    source=source("Claim 17, as Propositions 9 and 11 use it"),
    hypotheses=(gaussian_entries,),
    bound=Bound(
        of=LENGTH,
        sense=Sense.AT_MOST,
        cases=always(sqrt(_degrees) + sqrt(2 * log(1 / _alpha))),
        given=(DEGREES, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="square",
            sense=Sense.AT_MOST,
            left=_degrees + 2 * sqrt(_degrees * _x) + 2 * _x,
            right=(sqrt(_degrees) + sqrt(2 * _x)) ** 2,
            draw_order=(DEGREES, RATIO),
            note="the length's square is above Claim 17's",
        ),
    ),
)


def _singular(name: str, word: str, sense: Sense, sign: int) -> Theorem:
    return Theorem(
        id=f"shariff_sheffet_2018.singular_{name}",
        statement=f"The {word} singular value of a Gaussian matrix with N rows and d columns; both bounds hold together.",
        source=source("Claim 18"),
        hypotheses=(gaussian_entries,),
        bound=Bound(
            of=SINGULAR_VALUE,
            sense=sense,
            cases=always(sqrt(_rows) + sign * _deviation),
            given=(MATRIX_ROWS, DIMENSION, FAILURE),
            mode=Mode.WITH_PROBABILITY,
            failure=FAILURE,
        ),
    )


def _eigenvalue(name: str, word: str, sense: Sense, sign: int, found: tuple[Finding, ...] = ()) -> Theorem:
    return Theorem(
        id=f"shariff_sheffet_2018.eigenvalue_{name}",
        statement=f"The {word} eigenvalue of a Wishart matrix with k degrees of freedom beside that of its scale matrix; both bounds hold "
        "together, and for every eigenvalue.",
        source=source("Claim 19"),
        hypotheses=(failure_below_inverse_e, more_degrees),
        bound=Bound(
            of=SINGULAR_VALUE,
            sense=sense,
            cases=always((sqrt(_k) + sign * _deviation) ** 2 * symbol(VARIANCE)),
            given=(WISHART_DEGREES, DIMENSION, VARIANCE, FAILURE),
            mode=Mode.WITH_PROBABILITY,
            failure=FAILURE,
        ),
        findings=found,
    )


SINGULAR_LARGEST = _singular("largest", "largest", Sense.AT_MOST, 1)
SINGULAR_LEAST = _singular("least", "least", Sense.AT_LEAST, -1)
EIGENVALUE_LARGEST = _eigenvalue("largest", "largest", Sense.AT_MOST, 1, (findings.CLAIM_19_LETTER,))
EIGENVALUE_LEAST = _eigenvalue("least", "least", Sense.AT_LEAST, -1)

SHIFTED_NORM = Theorem(
    id="shariff_sheffet_2018.shifted_norm",
    statement="By what factor a vector's norm in the inverse of H - c I exceeds that in the inverse of H, for H - rho I positive "
    "semidefinite.",
    source=source("Claim 20, for c < rho"),
    hypotheses=(shift_below_least,),
    bound=Bound(of=RATIO, sense=Sense.AT_MOST, cases=always(sqrt(_rho / (_rho - _c))), given=(RHO_MIN, SHIFT)),
    steps=(
        Step(
            id="shifted_norm_below",
            sense=Sense.AT_MOST,
            left=1 / (_x - _c),
            right=_rho / (_x * (_rho - _c)),
            draw_order=(RHO_MIN, SHIFT, RATIO),
            domain=(Ge(_x, _rho), Gt(_rho, _c)),
            reason="the printed factor is a number for c < rho alone",
        ),
        Step(
            id="shifted_norm_as_printed",
            sense=Sense.AT_MOST,
            left=1 / (_x - _c),
            right=_rho / (_x * (_rho - _c)),
            draw_order=(RHO_MIN, SHIFT, RATIO),
            domain=(Ge(_x, _rho), Gt(_x, _c)),
            note="the claim squared, under the condition that is printed",
        ),
    ),
    findings=(findings.CLAIM_20_CONDITION,),
)
