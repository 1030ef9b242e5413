"""shariff_sheffet_2018: Algorithm 1 played exactly where one action is a little longer than its opposite, and Remark 2 in one round.

The learner is written from Algorithm 1 alone: rational matrices, rewards without noise, h_t = 0. An action along a direction that was never
played has estimate 0, so the longest one is played whatever the radius is; the parameter makes that the worst one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.shariff_sheffet_2018.cases.matrices import Matrix, Vector, dot, quadratic, solve
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction, log, sqrt
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, gaussian, regret

SHORTER = Fraction(999, 1000)


def played(actions: tuple[Vector, ...], gram: Matrix, sums: Vector, radius: Fraction) -> int:
    """The index of the action with the largest upper confidence bound."""
    centre = solve(gram, sums)
    indices = [dot(action, centre) + radius * sqrt(quadratic(gram, action)) for action in actions]
    return indices.index(max(indices))


@dataclass(frozen=True)
class Forced:
    """Rounds 1 to d offer L e_t and -(999/1000) L e_t, later ones a single action; the parameter is -(1, ..., 1) over sqrt(d)."""

    name: str
    horizon: int
    root: int  # d = root^2
    length: Fraction  # L; S = 1, so that the largest mean is L/sqrt(d)
    mean: Fraction  # B
    ridge: Fraction
    sigma: Fraction
    failure: Fraction

    @property
    def dimension(self) -> int:
        return self.root**2

    def radius(self, logarithm: Fraction) -> Fraction:
        """beta_t of Proposition 4 for a ridge, from log det V_t."""
        rounded_up = logarithm + Fraction(1, 10**40)  # V_1 = rho I is at the edge of the statement's domain
        known: dict[str, Any] = {"reward_sigma": self.sigma, "failure": self.failure, "log_determinant": rounded_up, "parameter_norm": 1}
        known |= {"dimension": self.dimension, "rho_min": self.ridge, "rho_max": self.ridge, "perturbation": 0}
        return fraction(confidence.RADIUS.at(**known).ball)

    def regret(self) -> Fraction:
        """What the learner loses in rounds 1 to d; no later round offers a choice."""
        d = self.dimension
        parameter: Vector = (Fraction(-1, self.root),) * d
        gram: Matrix = tuple(tuple(self.ridge if i == j else Fraction(0) for j in range(d)) for i in range(d))
        sums: Vector = (Fraction(0),) * d
        total, logarithm = Fraction(0), d * log(self.ridge)
        for t in range(d):
            actions = tuple(tuple(scale if i == t else Fraction(0) for i in range(d)) for scale in (self.length, -SHORTER * self.length))
            chosen = actions[played(actions, gram, sums, self.radius(logarithm))]
            reward = dot(chosen, parameter)
            total += max(dot(action, parameter) for action in actions) - reward
            logarithm += log(1 + quadratic(gram, chosen))
            gram = tuple(tuple(gram[i][j] + chosen[i] * chosen[j] for j in range(d)) for i in range(d))
            sums = tuple(entry + reward * chosen[i] for i, entry in enumerate(sums))
        return total

    def known(self, theorem: Theorem) -> dict[str, Any]:
        values: dict[str, Any] = {"horizon": self.horizon, "dimension": self.dimension, "mean_bound": self.mean, "failure": self.failure}
        values |= {"context_norm": self.length, "parameter_norm": 1, "reward_sigma": self.sigma, "perturbation": 0}
        values |= {"rho_min": self.ridge, "rho_max": self.ridge}
        return values | ({"minimum_gap": (1 + SHORTER) * self.length / self.root} if theorem.id == regret.REGRET_GAP.id else {})


_ONE = Fraction(1)
ORDINARY = (
    Forced("little noise, a small ridge", 10_000, 2, _ONE, _ONE, Fraction(1, 10**6), Fraction(1, 10**5), Fraction(1, 20)),
    Forced("little noise, nine features", 10_000, 3, _ONE, _ONE, Fraction(1, 10**6), Fraction(1, 10**5), Fraction(1, 20)),
    Forced("large means", 1000, 2, Fraction(2 * 10**6), Fraction(10**6), _ONE, _ONE, Fraction(1, 2)),
    Forced("means of 10^4", 1000, 2, Fraction(2 * 10**4), Fraction(10**4), _ONE, _ONE, Fraction(1, 2)),
    Forced("unit noise and ridge", 1000, 2, _ONE, _ONE, _ONE, _ONE, Fraction(1, 20)),
)


def ordinary(theorem: Theorem) -> Iterator[At]:
    """The regret of several rounds in several dimensions, at horizons of a thousand and more."""
    for case in ORDINARY:
        shown = {
            "n": case.horizon,
            "d": case.dimension,
            "L": case.length,
            "B": case.mean,
            "rho": case.ridge,
            "sigma": case.sigma,
            "alpha": case.failure,
        }
        yield At(shown, case.regret(), theorem.at(**case.known(theorem)).ball)


# --- Items 1 and 2 ------------------------------------------------------------------------------------------------------------------------


def long_first_action(factor: int = 1) -> Iterator[At]:
    """One round with actions R and -(999/1000) R, parameter -1, ridge 1: its regret, and so many times Lemma 21 without Item 2."""
    for length in (10, 10**3, 10**6, 10**12):
        case = Forced("", 1, 1, Fraction(length), _ONE, _ONE, _ONE, Fraction(1, 2))
        radius = case.radius(Fraction(0))
        claimed = factor * fraction(regret.GENERIC_REGRET.at(horizon=1, confidence_radius=radius, potential=1).ball)
        yield At({"R": length}, case.regret(), claimed)


def first_round(theorem: Theorem) -> Iterator[At]:
    """One round with actions B and -(999/1000) B, parameter -1, at ridges and noise as small and as large as any: its regret."""
    for length, ridge, sigma in product((1, 1000), (Fraction(1, 10**9), _ONE, Fraction(10**9)), (Fraction(1, 10**9), _ONE)):
        case = Forced("", 1, 1, Fraction(length), Fraction(length), ridge, sigma, Fraction(1, 2))
        yield At({"B": length, "rho": ridge, "sigma": sigma}, case.regret(), theorem.at(mean_bound=length).ball)


# --- Remark 2 -----------------------------------------------------------------------------------------------------------------------------


def same_action() -> Iterator[At]:
    """Which of two actions is played, before and after actions and rewards are divided by B while H_t, h_t and beta_t stay."""
    parameter: Vector = (Fraction(3, 5), Fraction(4, 5))
    actions: tuple[Vector, ...] = ((Fraction(0), Fraction(-4)), (Fraction(-4), Fraction(-9)))
    for by in (1, 2, 10):
        found = []
        for scale in (1, by):
            gram: Matrix = ((1 + Fraction(42, scale**2), Fraction(0)), (Fraction(0), 1 + Fraction(32, scale**2)))
            sums: Vector = (42 * parameter[0] / scale**2, 32 * parameter[1] / scale**2)
            found.append(played(tuple(tuple(x / scale for x in action) for action in actions), gram, sums, Fraction(2)))
        yield At({"B": by, "H": "I", "G": "diag(42, 32)", "beta": 2}, found[1], found[0])


AUDITS = (
    Audit(
        regret.WITHOUT_ITEMS.id,
        "points.long_first_action",
        "Lemma 21 without Item 2, as Section 3 has it",
        Pointwise(long_first_action, "round 1, one feature, R 10 to 10^12", "regret"),
        Verdict.REFUTED,
    ),
    Audit(
        gaussian.FIRST_ROUND.id,
        "points.played",
        "round 1 as it is played",
        Pointwise(partial(first_round, gaussian.FIRST_ROUND), "B 1, 1000, ridge and sigma 1e-9 to 1e9", "regret", Sense.AT_LEAST),
    ),
    Audit(
        regret.SCALING.id,
        "points.same_action",
        "Remark 2: the algorithm plays the same actions after scaling, as printed",
        Pointwise(same_action, "two actions, B 1, 2, 10, H_t and beta_t unchanged", "index of the action that is played", Sense.EQUALS),
        Verdict.REFUTED,
    ),
)
