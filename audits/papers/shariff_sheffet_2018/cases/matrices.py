"""shariff_sheffet_2018: lines on matrices in drawn rational matrices that do not commute, exactly.

The proof steps of these lines are about matrices that commute, eigenvalue by eigenvalue. Here G and H are drawn from whole numbers
(seeded), 2 by 2 to 4 by 4, never with G H = H G; both sides of each line are computed from the entries, by elimination, without any other
line. That is no proof: the lines hold at the drawn points.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction, log, sqrt
from banditproof.randomness import generator, key_of
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, facts, regret

Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]

# --- linear algebra of Fractions --------------------------------------------------------------------------------------------------------


def dot(one: Vector, other: Vector) -> Fraction:
    return sum((x * y for x, y in zip(one, other, strict=True)), Fraction(0))


def times(matrix: Matrix, vector: Vector) -> Vector:
    return tuple(dot(row, vector) for row in matrix)


def plus(one: Matrix, other: Matrix) -> Matrix:
    return tuple(tuple(x + y for x, y in zip(*rows, strict=True)) for rows in zip(one, other, strict=True))


def identity(size: int, factor: Fraction = Fraction(1)) -> Matrix:
    return tuple(tuple(factor if i == j else Fraction(0) for j in range(size)) for i in range(size))


def _eliminated(matrix: Matrix, right: Vector) -> tuple[list[list[Fraction]], Fraction, int]:
    """Gauss and Jordan with pivoting, of the matrix and one more column: the rows, the determinant and the rank."""
    rows = [[*row, entry] for row, entry in zip(matrix, right, strict=True)]
    determinant, rank = Fraction(1), 0
    for column in range(len(matrix)):
        pivot = next((place for place in range(rank, len(rows)) if rows[place][column] != 0), None)
        if pivot is None:
            determinant = Fraction(0)
            continue
        if pivot != rank:
            rows[rank], rows[pivot], determinant = rows[pivot], rows[rank], -determinant
        determinant *= rows[rank][column]
        rows[rank] = [entry / rows[rank][column] for entry in rows[rank]]
        for place in range(len(rows)):
            if place != rank and rows[place][column] != 0:
                factor = rows[place][column]
                rows[place] = [entry - factor * of_pivot for entry, of_pivot in zip(rows[place], rows[rank], strict=True)]
        rank += 1
    return rows, determinant, rank


def solve(matrix: Matrix, vector: Vector) -> Vector:
    """Raises ValueError for a matrix without an inverse."""
    rows, determinant, _ = _eliminated(matrix, vector)
    if determinant == 0:
        raise ValueError("the matrix has no inverse")
    return tuple(row[-1] for row in rows)


def determinant(matrix: Matrix) -> Fraction:
    return _eliminated(matrix, (Fraction(0),) * len(matrix))[1]


def rank(matrix: Matrix) -> int:
    return _eliminated(matrix, (Fraction(0),) * len(matrix))[2]


def quadratic(matrix: Matrix, vector: Vector) -> Fraction:
    """The squared norm of a vector in the inverse of a matrix."""
    return dot(vector, solve(matrix, vector))


# --- draws ------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """G positive semidefinite, rho_min I <= H <= rho_max I, and three vectors; a seed says which."""

    seed: int
    gram: Matrix
    regulariser: Matrix
    low: Fraction
    high: Fraction
    vectors: tuple[Vector, Vector, Vector]

    @property
    def size(self) -> int:
        return len(self.gram)

    @property
    def shown(self) -> dict[str, Any]:
        return {"seed": self.seed, "d": self.size}

    @property
    def sum(self) -> Matrix:
        return plus(self.gram, self.regulariser)


def _whole(rng: np.random.Generator, size: int, most: int) -> Vector:
    """Whole numbers from -most to most."""
    return tuple(Fraction(int(entry)) for entry in rng.integers(-most, most + 1, size=size))


def _outer_sum(rng: np.random.Generator, size: int, rows: int) -> tuple[Matrix, Fraction]:
    """The Gram matrix of rows of whole numbers, and its trace, which is at least its largest eigenvalue."""
    drawn = [_whole(rng, size, 5) for _ in range(rows)]
    matrix = tuple(tuple(sum((row[i] * row[j] for row in drawn), Fraction(0)) for j in range(size)) for i in range(size))
    return matrix, sum((matrix[i][i] for i in range(size)), Fraction(0))


def drawn() -> Iterator[Drawn]:
    """60 draws; those in which G and H commute are passed over."""
    for seed in range(60):
        rng = generator(key_of(seed, "matrices"))
        size = 2 + seed % 3
        gram, _ = _outer_sum(rng, size, 1 + seed % 4)
        part, trace = _outer_sum(rng, size, size)
        low = Fraction(int(rng.integers(1, 21)), 10)
        regulariser = plus(part, identity(size, low))
        vectors = [tuple(entry / int(rng.integers(1, 5)) for entry in _whole(rng, size, 9)) for _ in range(3)]
        if any(_product(gram, regulariser)[i][j] != _product(regulariser, gram)[i][j] for i in range(size) for j in range(size)):
            yield Drawn(seed, gram, regulariser, low, trace + low, (vectors[0], vectors[1], vectors[2]))


def _product(one: Matrix, other: Matrix) -> Matrix:
    columns = tuple(zip(*other, strict=True))
    return tuple(tuple(dot(row, column) for column in columns) for row in one)


# --- Proposition 4 and Claim 16 ---------------------------------------------------------------------------------------------------------

Sides = Callable[[Drawn], tuple[Fraction, Fraction]]


def lines(sides: Sides) -> Iterator[At]:
    for case in drawn():
        left, right = sides(case)
        yield At(case.shown, left, right)


def gram(case: Drawn) -> tuple[Fraction, Fraction]:
    """|z|^2 in V^-1 and in (G + rho_min I)^-1."""
    return quadratic(case.sum, case.vectors[0]), quadratic(plus(case.gram, identity(case.size, case.low)), case.vectors[0])


def centre(case: Drawn) -> tuple[Fraction, Fraction]:
    """|theta - V^-1 (G theta + z + h)|^2 in V, and |H theta - z - h|^2 in V^-1."""
    theta, noise, shift = case.vectors
    sums = tuple(x + y + z for x, y, z in zip(times(case.gram, theta), noise, shift, strict=True))
    offset = tuple(x - y for x, y in zip(theta, solve(case.sum, sums), strict=True))
    rest = tuple(x - y - z for x, y, z in zip(times(case.regulariser, theta), noise, shift, strict=True))
    return dot(offset, times(case.sum, offset)), quadratic(case.sum, rest)


def regulariser(case: Drawn) -> tuple[Fraction, Fraction]:
    """|H theta|^2 in V^-1, and |theta|^2 in H."""
    moved = times(case.regulariser, case.vectors[0])
    return quadratic(case.sum, moved), dot(case.vectors[0], moved)


def perturbation(case: Drawn) -> tuple[Fraction, Fraction]:
    """|h|^2 in V^-1 and in H^-1."""
    return quadratic(case.sum, case.vectors[2]), quadratic(case.regulariser, case.vectors[2])


def length(case: Drawn) -> tuple[Fraction, Fraction]:
    """|theta|^2 in H, and rho_max |theta|^2."""
    theta = case.vectors[0]
    return dot(theta, times(case.regulariser, theta)), case.high * dot(theta, theta)


def determinants(case: Drawn) -> tuple[Fraction, Fraction]:
    """det(G + rho_min I) and det V."""
    return determinant(plus(case.gram, identity(case.size, case.low))), determinant(case.sum)


def trace(case: Drawn) -> tuple[Fraction, Fraction]:
    """det V, and the mean of the diagonal of G + rho_max I to the power d."""
    mean = sum((case.gram[i][i] for i in range(case.size)), Fraction(0)) / case.size + case.high
    return determinant(case.sum), mean**case.size


def cauchy_schwarz(case: Drawn) -> tuple[Fraction, Fraction]:
    """<a, x>^2, and |a|^2 in V times |x|^2 in V^-1."""
    a, x, _ = case.vectors
    return dot(a, x) ** 2, dot(a, times(case.sum, a)) * quadratic(case.sum, x)


def inverses(case: Drawn) -> tuple[Fraction, Fraction]:
    """Claim 16, A = G + H and B = H: |z|^2 in A^-1 and in B^-1."""
    return quadratic(case.sum, case.vectors[1]), quadratic(case.regulariser, case.vectors[1])


def larger_determinant(case: Drawn) -> tuple[Fraction, Fraction]:
    """Claim 16: det B and det A."""
    return determinant(case.regulariser), determinant(case.sum)


def larger_rank(case: Drawn) -> tuple[Fraction, Fraction]:
    """Claim 16, A = G + z z^T and B = z z^T for singular ones: rank B and rank A."""
    z = case.vectors[0]
    single = tuple(tuple(x * y for y in z) for x in z)
    return Fraction(rank(single)), Fraction(rank(plus(case.gram, single)))


_DRAWN = "60 seeds, 2 by 2 to 4 by 4, G H different from H G"
LINES = tuple(
    Audit(
        theorem.id,
        f"points.matrices_{name}",
        f"{what}, in drawn matrices that do not commute: holds at points, is not proved by them",
        Pointwise(partial(lines, sides), _DRAWN, quantity, sense),
    )
    for theorem, name, what, sides, quantity, sense in (
        (confidence.RADIUS, "gram", "the line gram of Proposition 4", gram, "squared norm of z_t", Sense.AT_MOST),
        (confidence.RADIUS, "centre", "the line centre of Proposition 4", centre, "squared distance", Sense.EQUALS),
        (confidence.RADIUS, "regulariser", "the line regulariser of Proposition 4", regulariser, "squared norm of H theta", Sense.AT_MOST),
        (confidence.RADIUS, "perturbation", "the line perturbation of Proposition 4", perturbation, "squared norm of h_t", Sense.AT_MOST),
        (confidence.RADIUS, "length", "the line length_of_the_parameter of Proposition 4", length, "squared norm of theta", Sense.AT_MOST),
        (confidence.RADIUS, "determinant", "the line determinant of Proposition 4", determinants, "determinant", Sense.AT_MOST),
        (confidence.RADIUS_UPPER, "trace", "the determinant by the trace", trace, "determinant of V_t", Sense.AT_MOST),
        (regret.GENERIC_REGRET, "cauchy_schwarz", "Cauchy-Schwarz in Lemma 21", cauchy_schwarz, "squared inner product", Sense.AT_MOST),
        (facts.MATRIX_ORDER, "inverse", "inverses in Claim 16", inverses, "squared norm", Sense.AT_MOST),
        (facts.MATRIX_ORDER, "determinant", "determinants in Claim 16", larger_determinant, "determinant", Sense.AT_MOST),
        (facts.MATRIX_ORDER, "rank", "ranks in Claim 16", larger_rank, "rank", Sense.AT_MOST),
    )
)

# --- Claim 20 and Lemma 22 --------------------------------------------------------------------------------------------------------------


def shifted(theorem: Theorem) -> Iterator[At]:
    """The norm of a vector in (H - c I)^-1 over that in H^-1, c a third and nine tenths of rho_min."""
    for case in drawn():
        for fraction_of_rho in (Fraction(1, 3), Fraction(9, 10)):
            shift = fraction_of_rho * case.low
            less = plus(case.regulariser, identity(case.size, -shift))
            if any(case.vectors[0]):
                value = sqrt(quadratic(less, case.vectors[0]) / quadratic(case.regulariser, case.vectors[0]))
                yield At({**case.shown, "c/rho": fraction_of_rho}, value, theorem.at(rho_min=case.low, shift=shift).ball)


def potentials(theorem: Theorem) -> Iterator[At]:
    """The elliptical potential of drawn rows from a drawn first matrix that is not diagonal; every norm and the last determinant by
    elimination, and not by the formula for the determinant of the next matrix."""
    for case in drawn():
        rng = generator(key_of(case.seed, "matrices", "rows"))
        matrix, total, rounds = case.regulariser, Fraction(0), 6
        rows = [tuple(entry / 2 for entry in _whole(rng, case.size, 6)) for _ in range(rounds)]
        for row in rows:
            total += min(Fraction(1), quadratic(matrix, row))
            matrix = plus(matrix, tuple(tuple(x * y for y in row) for x in row))
        start = determinant(case.regulariser)
        known: dict[str, Any] = {"start_determinant": start}
        if theorem.id == regret.POTENTIAL_DETERMINANT.id:
            known["log_determinant"] = log(determinant(matrix))
        else:
            longest = sqrt(max(max(dot(row, row) for row in rows), Fraction(1)))
            known |= {"horizon": rounds, "dimension": case.size, "context_norm": longest}
            known["start_trace"] = sum((case.regulariser[i][i] for i in range(case.size)), Fraction(0))
        yield At(case.shown, total, fraction(theorem.at(**known).ball))


def next_determinants() -> Iterator[At]:
    """det(U + x x^T), and det U (1 + |x|^2 in U^-1)."""
    for case in drawn():
        row = case.vectors[1]
        after = plus(case.regulariser, tuple(tuple(x * y for y in row) for x in row))
        yield At(case.shown, determinant(after), determinant(case.regulariser) * (1 + quadratic(case.regulariser, row)))


CLAIMS = (
    Audit(
        facts.SHIFTED_NORM.id,
        "points.matrices",
        "Claim 20 for drawn matrices that are not diagonal: holds at points, is not proved by them",
        Pointwise(partial(shifted, facts.SHIFTED_NORM), "60 seeds, 2 by 2 to 4 by 4, c a third and nine tenths of rho", "ratio of norms"),
    ),
    *(
        Audit(
            theorem.id,
            "points.matrices_potential",
            "Lemma 22 from a drawn first matrix that is not diagonal: holds at points, is not proved by them",
            Pointwise(partial(potentials, theorem), "60 seeds, 2 by 2 to 4 by 4, six drawn rows", "potential"),
        )
        for theorem in (regret.POTENTIAL_DETERMINANT, regret.POTENTIAL_TRACE, regret.POTENTIAL_SHARP)
    ),
    Audit(
        regret.POTENTIAL_DETERMINANT.id,
        "points.matrices_next",
        "the determinant of the next matrix, in drawn matrices that are not diagonal: holds at points, is not proved by them",
        Pointwise(next_determinants, "60 seeds, 2 by 2 to 4 by 4", "determinant", Sense.EQUALS),
    ),
)

# --- Item 4 -----------------------------------------------------------------------------------------------------------------------------


def ranks(needed: int = 2) -> Iterator[At]:
    """Round 1, where G_1 = 0, for positive semidefinite H_1: the rank of V_1, and what an inverse needs, d = 2."""
    zero, one = Fraction(0), Fraction(1)
    for name, matrix in (
        ("0", identity(2, zero)),
        ("diag(1, 0)", ((one, zero), (zero, zero))),
        ("all ones", ((one, one), (one, one))),
        ("I", identity(2)),
    ):
        yield At({"H_1": name}, rank(matrix), needed)


RANKS = Audit(
    confidence.ESTIMATE.id,
    "points.rank_of_v_as_printed",
    "V_1 for positive semidefinite H_1, as printed",
    Pointwise(ranks, "round 1, d = 2, four matrices", "rank of V_1", Sense.AT_LEAST),
    Verdict.REFUTED,
)
