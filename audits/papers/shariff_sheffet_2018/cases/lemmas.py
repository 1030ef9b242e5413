"""shariff_sheffet_2018: the quoted facts and lemmas in more than one dimension.

Exactly: the elliptical potential of listed rows in R^3. Drawn: singular values of Gaussian matrices, eigenvalues of Wishart matrices beside
those of their scale, and the regret of runs against Lemma 21 at the radii and the potential that the runs themselves have; that lemma needs
the parameter in every ellipsoid, which fails with probability alpha at most.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import cycle, islice
from typing import Any

import numpy as np

from banditproof.algorithms.environments.adaptive_contexts import LeastExploredAdversary
from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.stated import Stated
from banditproof.audits.methods.tightness import BoundUtilisation
from banditproof.audits.papers.shariff_sheffet_2018.cases.coverage import policy_of, unpacked
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.exact import fraction, log
from banditproof.interaction import Environment, Floats, Pipeline, Wire
from banditproof.randomness import key_from
from banditproof.simulation import play_many
from banditproof.theory.language import Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, facts, regret

# --- the potential ------------------------------------------------------------------------------------------------------------------------

Row = tuple[Fraction, Fraction, Fraction]
Matrix = list[list[Fraction]]


def _row(*entries: str) -> Row:
    one, other, third = (Fraction(entry) for entry in entries)
    return one, other, third


ROWS = {
    "in turn": (_row("1", "0", "0"), _row("0", "1", "0"), _row("0", "0", "1")),
    "all over": (_row("1/3", "2/3", "2/3"), _row("2/3", "-1/3", "2/3"), _row("3/5", "4/5", "0"), _row("0", "-3/5", "4/5")),
    "short": (_row("1/3", "2/3", "2/3"), _row("1/10", "0", "0"), _row("0", "1/2", "1/2")),
}
STARTS = tuple(
    tuple(Fraction(entry) for entry in entries)
    for entries in (("1/1000000",) * 3, ("1/3",) * 3, ("1",) * 3, ("20",) * 3, ("1/3", "1", "20"))
)


def potential(rows: tuple[Row, ...], start: tuple[Fraction, ...]) -> tuple[Fraction, Fraction]:
    """The elliptical potential of rows, and the determinant of the last matrix, from a diagonal first one: Sherman and Morrison."""
    inverse: Matrix = [[1 / start[i] if i == j else Fraction(0) for j in range(3)] for i in range(3)]
    determinant, total = start[0] * start[1] * start[2], Fraction(0)
    for row in rows:
        turned = [sum((inverse[i][j] * row[j] for j in range(3)), Fraction(0)) for i in range(3)]
        square = sum((turned[i] * row[i] for i in range(3)), Fraction(0))
        total += min(Fraction(1), square)
        determinant *= 1 + square
        inverse = [[inverse[i][j] - turned[i] * turned[j] / (1 + square) for j in range(3)] for i in range(3)]
    return total, determinant


def potentials(theorem: Theorem) -> Iterator[At]:
    for start in STARTS:
        for name, rows in ROWS.items():
            for rounds in (1, 3, 12):
                total, last = potential(tuple(islice(cycle(rows), rounds)), start)
                first = start[0] * start[1] * start[2]
                known: dict[str, Any] = {"start_determinant": first}
                if theorem.id == regret.POTENTIAL_DETERMINANT.id:
                    known["log_determinant"] = log(last)
                else:
                    known |= {"horizon": rounds, "dimension": 3, "context_norm": 1, "start_trace": sum(start)}
                shown = {"U_1": ", ".join(str(entry) for entry in start), "rows": name, "n": rounds}
                yield At(shown, total, fraction(theorem.at(**known).ball))


POTENTIALS = tuple(
    Audit(
        theorem.id,
        "points.rows_d3",
        "listed rows in R^3",
        Pointwise(partial(potentials, theorem), "U_1 diagonal, 1e-6 to 20, n 1, 3, 12, lengths at most 1", "potential"),
    )
    for theorem in (regret.POTENTIAL_DETERMINANT, regret.POTENTIAL_TRACE, regret.POTENTIAL_SHARP)
)

# --- regret by the potential --------------------------------------------------------------------------------------------------------------


def by_potential(policy: LinUCB, environment: Environment, horizon: int, runs: int, rng: np.random.Generator) -> Floats:
    """Each run's regret over Lemma 21's bound, at its largest radius (or 1) and its own potential. Draws one key.

    The first matrix is known for a ridge and for Gaussian noise alone: nothing is summed yet.
    """
    wires = (Wire.CONTEXTS, Wire.ARMS, Wire.STATISTIC)
    played = play_many(Pipeline(policy, environment), horizon=horizon, key=key_from(rng), runs=runs, record=wires)
    dimension, constants = environment.dimension, policy.constants(environment.dimension, horizon)
    later, _ = unpacked(np.asarray(played.wire(Wire.STATISTIC))[:, :-1], dimension)
    first = np.broadcast_to(constants.shift * np.eye(dimension), (runs, 1, dimension, dimension))
    matrices = np.concatenate([first, later], axis=1)
    arms = np.asarray(played.wire(Wire.ARMS))[:, :, None, None]
    vectors = np.take_along_axis(np.asarray(played.wire(Wire.CONTEXTS)), arms, axis=2)[:, :, 0]
    squares = np.einsum("rti,rti->rt", vectors, np.linalg.solve(matrices, vectors[..., None])[..., 0])
    radii = confidence.RADIUS.function()(
        reward_sigma=policy.bounds.reward_sigma,
        failure=constants.failure,
        log_determinant=np.linalg.slogdet(matrices)[1],
        dimension=dimension,
        rho_min=constants.accuracy.rho_min,
        rho_max=constants.accuracy.rho_max,
        parameter_norm=policy.bounds.parameter_norm,
        perturbation=constants.accuracy.perturbation,
    )
    bounds = regret.GENERIC_REGRET.function()(
        horizon=horizon, confidence_radius=np.maximum(radii.max(axis=1), 1.0), potential=np.minimum(squares, 1.0).sum(axis=1)
    )
    return np.asarray(played.regret[:, -1] / bounds)


def lemma(policy: LinUCB, environment: Environment, limit: float = 1.0) -> BoundUtilisation:
    """That the regret of 100 rounds is at most this fraction of Lemma 21's bound, except for the share alpha of the runs."""
    stated = Stated.of(confidence.RADIUS, policy)
    return BoundUtilisation(
        partial(by_potential, policy, environment, 100),
        stated,
        "the regret above that share of Lemma 21's bound",
        1.5,
        limit,
        runs=1000,
        cell=250,
        parameters={"d": environment.dimension, "n": 100, "alpha": stated["failure"]},
    )


GENERIC = tuple(
    Audit(
        regret.GENERIC_REGRET.id,
        f"tightness.{noise.value}_{name}_{swept(d=environment.dimension, n=100)}",
        f"LinUCB({noise.value}) {where}, 100 rounds",
        lemma(policy_of(noise), environment),
    )
    for noise in (Noise.NONE, Noise.GAUSSIAN)
    for name, where, environment in (
        ("sphere", "on 6 unit vectors of R^3", Sphere(dimension=3, arms=6)),
        ("watched", "against an adversary that watches it in R^3", LeastExploredAdversary(dimension=3, arms=6)),
    )
)

# --- matrices -----------------------------------------------------------------------------------------------------------------------------


def singular_outside(largest: Stated, least: Stated, runs: int, rng: np.random.Generator) -> Bools:
    """Whether some singular value of a Gaussian matrix lies outside both bounds. Draws."""
    values = np.linalg.svd(rng.normal(size=(runs, largest["matrix_rows"], largest["dimension"])), compute_uv=False)
    return np.asarray((values.max(axis=1) > largest.bound()) | (values.min(axis=1) < least.bound()))


def eigenvalue_outside(largest: Stated, least: Stated, scales: tuple[int, ...], runs: int, rng: np.random.Generator) -> Bools:
    """Whether some eigenvalue of a Wishart matrix lies outside both bounds beside that of its diagonal scale. Draws."""
    rows = rng.normal(size=(runs, largest["wishart_degrees"], largest["dimension"])) * np.sqrt(scales)
    values = np.linalg.svd(rows, compute_uv=False) ** 2  # falling, as the scales
    high, low = (np.array([stated.bound(variance=scale) for scale in scales]) for stated in (largest, least))
    return np.asarray(((values > high) | (values < low)).any(axis=1))


Pair = tuple[Theorem, Theorem]  # a bound on the largest value and one on the least; both hold together
SINGULAR_VALUES: Pair = (facts.SINGULAR_LARGEST, facts.SINGULAR_LEAST)
EIGENVALUES_OF: Pair = (facts.EIGENVALUE_LARGEST, facts.EIGENVALUE_LEAST)
SCALES = (9, 4, 1)


def _drawn(fails: Callable[[Stated, Stated, int, np.random.Generator], Bools], pair: Pair, place: int, **values: Any) -> Coverage:
    """That all values lie within both bounds, with the failure probability that the two share; an audit of the one at this place."""
    largest, least = (Stated(theorem, {**values, "failure": Fraction(1, 10)}) for theorem in pair)
    return Coverage(
        partial(fails, largest, least),
        (largest, least)[place],
        "some value outside both bounds",
        1.5,
        runs=2000,
        parameters={"alpha": largest.number("failure")},
    )


def singular(rows: int, columns: int, place: int, pair: Pair = SINGULAR_VALUES) -> Coverage:
    """Of Gaussian matrices with so many rows and columns."""
    return _drawn(singular_outside, pair, place, matrix_rows=rows, dimension=columns)


def eigenvalues(degrees: int, scales: tuple[int, ...], place: int, pair: Pair = EIGENVALUES_OF) -> Coverage:
    """Of Wishart matrices with so many degrees of freedom, beside the eigenvalues of their diagonal scale."""

    def outside(largest: Stated, least: Stated, runs: int, rng: np.random.Generator) -> Bools:
        return eigenvalue_outside(largest, least, scales, runs, rng)

    return _drawn(outside, pair, place, wishart_degrees=degrees, dimension=len(scales))


SINGULAR = tuple(
    Audit(
        theorem.id,
        f"coverage.{swept(rows=rows, columns=columns)}",
        f"{rows} rows and {columns} columns",
        singular(rows, columns, place),
    )
    for place, theorem in enumerate(SINGULAR_VALUES)
    for rows, columns in ((10, 3), (60, 5))
)
EIGENVALUES = tuple(
    Audit(
        theorem.id,
        f"coverage.{swept(k=degrees, scales=SCALES)}",
        f"{degrees} degrees of freedom, scales 9, 4 and 1",
        eigenvalues(degrees, SCALES, place),
    )
    for place, theorem in enumerate(EIGENVALUES_OF)
    for degrees in (100,)
)
