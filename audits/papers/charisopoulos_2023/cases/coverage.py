"""charisopoulos_2023: how often the intervals of the lemmas fail, counted in draws that go through the shipped reports and estimators.

Reports of the first model are rewards with the noise of `OwnerReport` for one reward, those of the second come from `OwnerReport` for n_a
rewards (their mean and the noise on it are one release); rewards have Gaussian noise and are not clipped, as in the paper. The noise sum is
the error of the shipped least squares at an arm that is in no direction of the others.

Constants that the paper does not print are at values at which its lemma holds: c_1 = 2 and c_2 = 7 (for delta <= 1/10), c_max = 2.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from banditproof.algorithms.designs.approximate import approximate_g_design
from banditproof.algorithms.designs.coreset import coreset_counts
from banditproof.algorithms.estimators.linear.protocol import least_squares
from banditproof.algorithms.estimators.linear.robust_least_squares import whiten
from banditproof.algorithms.mechanisms.client_reports import Clipping, OwnerReport
from banditproof.audits.methods.coverage import Coverage
from banditproof.audits.methods.stated import Derived, Stated
from banditproof.audits.methods.tightness import BoundUtilisation
from banditproof.audits.papers.charisopoulos_2023.sized import Sized
from banditproof.audits.running.audit import Audit, swept
from banditproof.interaction import Floats, Ints
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.charisopoulos_2023 import first_model, second_model

FAILURE, NONE, RUNS = 0.05, 1e9, 2000  # an epsilon of 1e9 adds noise of 1e-9: where the statements have no number for none at all
REWARDS, LAPLACE, MAXIMUM = 2, 7, 2  # c_1, c_2, c_max
ARM = 0  # at which the noise sum is taken
Release = Callable[[float, int, Floats, np.random.Generator], Floats]  # epsilon, n, rewards (runs, n), rng -> (runs,) reports


def released(epsilon: float, plays: int, rewards: Floats, rng: np.random.Generator) -> Floats:
    """The owner's reports (runs,) of rewards (runs, n): their means, and noise of the shipped release, which adds it to the mean of 0."""
    owner = OwnerReport(epsilon, plays, clipping=Clipping.PUBLISHED)
    return np.asarray(rewards.mean(axis=1) + owner.release(np.zeros(plays), len(rewards), rng)[:, 0])


@dataclass(frozen=True)
class Batch:
    """A batch of either model over drawn arms: `owners` is False in the first model."""

    size: float
    epsilon: float
    owners: bool = False
    dimension: int = 4
    count: int = 20
    least: float = 0.1  # nu
    release: Release = released

    @cached_property
    def arms(self) -> Floats:
        """Arms (K, d) on the sphere."""
        drawn = np.random.default_rng(7).standard_normal((self.count, self.dimension))
        return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))

    @cached_property
    def counts(self) -> Ints:
        """Plays (K,) of the batch."""
        return coreset_counts(approximate_g_design(self.arms).weights, self.size, self.least if self.owners else None)

    @property
    def support(self) -> Ints:
        """Arms of the batch."""
        return np.flatnonzero(self.counts)

    @property
    def index(self) -> Ints:
        """The arm of each report (n,)."""
        return self.support if self.owners else np.repeat(self.support, self.counts[self.support])

    @cached_property
    def coefficients(self) -> Floats:
        """<a, M^-1 a_j> of each report (n,), from a Gram matrix inverted here."""
        rows = self.arms[self.index]
        return np.asarray(rows @ np.linalg.inv(rows.T @ rows) @ self.arms[ARM])

    @property
    def norm(self) -> float:
        """|a| in the norm of M^-1: the length of the coefficients."""
        return float(np.linalg.norm(self.coefficients))

    def errors(self, runs: int, rng: np.random.Generator) -> Floats:
        """Errors (runs, n) of the reports: what they are less the mean rewards."""
        if not self.owners:
            total = runs * self.index.size
            rewards = rng.standard_normal((total, 1))
            return self.release(self.epsilon, 1, rewards, rng).reshape(runs, -1)
        columns = [
            self.release(self.epsilon, int(plays), rng.standard_normal((runs, int(plays))), rng) for plays in self.counts[self.support]
        ]
        return np.stack(columns, axis=1)

    def noise_sums(self, runs: int, rng: np.random.Generator) -> Floats:
        """|<a, theta - theta*>| of the shipped least squares, in so many runs."""
        theta = np.full(self.dimension, 0.5 / math.sqrt(self.dimension))
        arms, index = self.arms, self.index
        reports = self.errors(runs, rng) + arms[index] @ theta
        return np.asarray(np.abs((least_squares(arms, index, reports) - theta) @ arms[ARM]))

    def values(self) -> dict[str, object]:
        """What the statements of the batch take."""
        return {"epsilon": self.epsilon, "failure": FAILURE}


def shown(batch: Batch) -> dict[str, object]:
    return {"n": int(batch.index.size), "m": batch.size, "epsilon": "none" if batch.epsilon == NONE else batch.epsilon, "delta": FAILURE}


def _sizes(batch: Batch) -> dict[str, object]:
    return {"size": batch.size, "truncation_parameter": batch.least}


def _constants() -> dict[str, object]:
    return {"reward_constant": REWARDS, "laplace_constant": LAPLACE}


def stated_sum(theorem: Theorem, batch: Batch) -> Stated:
    """A statement on the noise sum at a batch: whichever of its quantities the batch has."""
    known = {
        **batch.values(),
        **_constants(),
        **_sizes(batch),
        "arm_norm": batch.norm,
        "largest_coefficient": float(np.abs(batch.coefficients).max()),
        "arm_plays": int(batch.counts[batch.support].min()),
    }
    return Stated(theorem, _taken(theorem, known))


def stated_reports(theorem: Theorem, batch: Batch) -> Stated:
    """A statement on the largest noise, the largest report or the length of the reports."""
    known = {
        **batch.values(),
        **_sizes(batch),
        "samples": int(batch.index.size),
        "support": int(batch.support.size),
        "maximum_constant": MAXIMUM,
    }
    return Stated(theorem, _taken(theorem, known))


def _taken(theorem: Theorem, known: dict[str, object]) -> dict[str, object]:
    given = {quantity.name for quantity in theorem.stated().given}
    return {name: value for name, value in known.items() if name in given}


def fraction_of_sum(stated: Stated, batch: Batch, runs: int, rng: np.random.Generator) -> Floats:
    """Noise sums over their bound."""
    return batch.noise_sums(runs, rng) / stated.bound()


def fraction_of_largest(stated: Stated, batch: Batch, runs: int, rng: np.random.Generator) -> Floats:
    """The largest report over its bound: mean rewards are at their largest, 1."""
    return np.asarray(np.abs(1.0 + batch.errors(runs, rng)).max(axis=1) / stated.bound())


def fraction_of_length(stated: Stated, batch: Batch, runs: int, rng: np.random.Generator) -> Floats:
    """The length of the vector of reports over its bound."""
    return np.asarray(np.linalg.norm(1.0 + batch.errors(runs, rng), axis=1) / stated.bound())


Utilised = Callable[[Stated, Batch, int, np.random.Generator], Floats]


def utilisation(utilised: Utilised, stated: Stated, batch: Batch, runs: int) -> BoundUtilisation:
    """How much of the bound is used, and how often it fails."""
    rule = f"a run above the bound of {stated.theorem.id.partition('.')[2]}"
    cell = max(1, 2_000_000 // int(batch.counts.sum()))
    return BoundUtilisation(partial(utilised, stated, batch), stated, rule, 3.0, runs=runs, cell=cell, parameters=shown(batch))


SUMS = (first_model.NOISE_SUM_FIRST_EXPLICIT, first_model.NOISE_SUM_FIRST)
REPORTS = ((first_model.LARGEST_REPORT_FIRST, fraction_of_largest), (first_model.REPORT_NORM_FIRST, fraction_of_length))
OWNED_SUMS = (second_model.NOISE_SUM_SECOND_EXPLICIT, second_model.NOISE_SUM_SECOND, second_model.NOISE_SUM_PLAYS)
OWNED_REPORTS = ((second_model.LARGEST_REPORT_SECOND, fraction_of_largest), (second_model.REPORT_NORM_SECOND, fraction_of_length))
EPSILONS = (0.5, 1.0, NONE)


def _named(epsilon: float) -> str:
    return "none" if epsilon == NONE else f"{epsilon:g}"


def _audit(theorem: Theorem, utilised: Utilised, stated: Callable[[Theorem, Batch], Stated], batch: Batch) -> Audit:
    """`RUNS` runs; those of 10^4 reports from level standard on, and fewer below it."""
    few = utilisation(utilised, stated(theorem, batch), batch, RUNS if batch.size <= 1000 else 300)
    all_of_them = utilisation(utilised, stated(theorem, batch), batch, RUNS // 10)  # a level multiplies by 10
    shown_as = f"m = {batch.size:g}, epsilon = {_named(batch.epsilon)}"
    slug = f"tightness.m{batch.size:g}_eps{_named(batch.epsilon)}".replace("+", "")
    return Audit(theorem.id, slug, f"draws of a batch of {shown_as}", Sized(few, all_of_them))


LEMMAS = tuple(
    _audit(theorem, utilised, stated, Batch(size, epsilon, owners))
    for owners, stated, rows in (
        (False, stated_sum, tuple((theorem, fraction_of_sum) for theorem in SUMS)),
        (False, stated_reports, REPORTS),
        (True, stated_sum, tuple((theorem, fraction_of_sum) for theorem in OWNED_SUMS)),
        (True, stated_reports, OWNED_REPORTS),
    )
    for theorem, utilised in rows
    for size, epsilon in itertools.product((100.0, 1e4), EPSILONS)
)

# --- exact distributions through the same estimators ----------------------------------------------------------------------------------


def exceeding(batch: Batch, radius: float) -> float:
    """P(|noise sum| > radius) by its characteristic function: Gaussian and Laplace terms, of the scale that the paper states."""
    plays = batch.counts[batch.index] if batch.owners else np.ones(batch.index.size)
    scales = np.array([second_model.REPORT_SCALE_SECOND.at(epsilon=batch.epsilon, arm_plays=int(each)).bound for each in plays])
    terms, repeats = np.unique(np.column_stack([batch.coefficients, plays, scales]), axis=0, return_counts=True)
    gaussian = float((repeats * terms[:, 0] ** 2 / terms[:, 1]).sum())
    width = math.sqrt(gaussian + float((repeats * 2.0 * (terms[:, 0] * terms[:, 2]) ** 2).sum()))
    points = (np.arange(400_000) + 0.5) * (2e-4 / width)  # up to 80 over the deviation
    logarithm = -0.5 * gaussian * points**2
    for (coefficient, _, scale), many in zip(terms, repeats, strict=True):
        logarithm -= many * np.log1p((scale * coefficient * points) ** 2)
    return float(1.0 - 2.0 / math.pi * (np.sin(radius * points) / points * np.exp(logarithm)).sum() * (2e-4 / width))


def deviation(batch: Batch) -> float:
    """The standard deviation of the noise sum, by the stated scales."""
    plays = batch.counts[batch.index] if batch.owners else np.ones(batch.index.size)
    scales = np.array([second_model.REPORT_SCALE_SECOND.at(epsilon=batch.epsilon, arm_plays=int(each)).bound for each in plays])
    return math.sqrt(float((batch.coefficients**2 * (1.0 / plays + 2.0 * scales**2)).sum()))


def outside(batch: Batch, runs: int, rng: np.random.Generator) -> Floats:
    """Whether the noise sum of the shipped least squares is more than two standard deviations from 0."""
    return np.asarray(batch.noise_sums(runs, rng) > 2.0 * deviation(batch))


def whitened(batch: Batch, runs: int, rng: np.random.Generator) -> Floats:
    """The same through the shipped whitening: M_n^(-1/2) of the sum of whitened points, at the arm."""
    found = whiten(batch.arms, batch.index)
    sums = np.abs(batch.errors(runs, rng) @ found.directions[batch.index] @ found.root @ batch.arms[ARM])
    return np.asarray(sums > 2.0 * deviation(batch))


def exact(
    event: Callable[[Batch, int, np.random.Generator], Floats], batch: Batch, claimed: Batch | None = None, runs: int = 6000
) -> Coverage:
    """An event whose probability is known: that of `claimed`, the batch itself if there is no mistake in it."""
    own = batch if claimed is None else claimed
    return Coverage(
        partial(event, batch),
        Derived(lambda: exceeding(own, 2.0 * deviation(own)), "a sum of independent noise, by quadrature", Sense.EQUALS),
        "a noise sum beyond two standard deviations",
        1.5,
        runs=runs,
        parameters=shown(batch),
    )


EXACT = tuple(
    Audit(theorem.id, f"coverage.{name}_{swept(eps=_named(epsilon))}", label, exact(event, Batch(100.0, epsilon, owners)))
    for theorem, owners, name, event, label, epsilons in (
        (first_model.REWARD_PART, False, "least_squares", outside, "least squares of rewards, exactly", (NONE,)),
        (first_model.REWARD_PART, False, "whitened", whitened, "whitened points of rewards, exactly", (NONE,)),
        (first_model.LAPLACE_PART, False, "least_squares", outside, "least squares of private reports, exactly", (0.5, 4.0)),
        (second_model.NOISE_SUM_SECOND, True, "least_squares", outside, "least squares over owners, exactly", (0.5, 4.0, NONE)),
    )
    for epsilon in epsilons
)
