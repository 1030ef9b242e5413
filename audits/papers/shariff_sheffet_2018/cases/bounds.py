"""shariff_sheffet_2018: what the bounds on the regret say at the parameters of section D.2, and what the shifts do to them.

Bounds at another shift are Theorems 5 and 6 at the rho_min, rho_max and gamma that it leaves (section D.3).
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from banditproof.algorithms.mechanisms.gram import gaussian as gaussian_gram
from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_constants
from banditproof.algorithms.policies.lin_ucb.constants import Accuracy
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.papers.shariff_sheffet_2018.cases.facts import EXPERIMENT, degrees_of_experiment, experiment
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, regret, wishart

_ROW_NORM = float(EXPERIMENT["row_norm"])
Accurate = Callable[[int], Accuracy]

# --- perturbations of section D.2 ---------------------------------------------------------------------------------------------------------


def ridge(horizon: int) -> Accuracy:
    return lin_ucb_constants.ridge(1.0)


def unshifted(horizon: int) -> Accuracy:
    return lin_ucb_constants.unshifted_wishart(
        degrees_of_experiment(horizon), dimension=5, horizon=horizon, failure=1.0 / horizon, row_norm=_ROW_NORM
    )


def shifted(horizon: int) -> Accuracy:
    return lin_ucb_constants.shifted_wishart(
        degrees_of_experiment(horizon), dimension=5, horizon=horizon, failure=1.0 / horizon, row_norm=_ROW_NORM
    )


def shifted_to(proportion: float, horizon: int) -> Accuracy:
    """Wishart noise whose rho_min is this fraction of the unshifted one."""
    degrees, rho = degrees_of_experiment(horizon), proportion * unshifted(horizon).rho_min
    return lin_ucb_constants.moved_wishart(rho, degrees, dimension=5, horizon=horizon, failure=1.0 / horizon, row_norm=_ROW_NORM)


def gaussian_to(proportion: float, horizon: int) -> Accuracy:
    """Gaussian noise whose rho_min is this fraction of Upsilon: 1 is the printed shift."""
    sigma = gaussian_gram.node_sigma(1.0, 0.1, horizon=horizon, row_norm=_ROW_NORM)
    rho = proportion * gaussian_gram.upsilon(sigma, dimension=5, horizon=horizon, failure=1.0 / horizon)
    return lin_ucb_constants.moved_gaussian(rho, sigma, dimension=5, horizon=horizon, failure=1.0 / horizon)


def bound_at(accurate: Accurate, gap: Fraction | None, horizon: int) -> float:
    """(2), or (3) with a gap, as repaired."""
    known: dict[str, Any] = {name: value for name, value in EXPERIMENT.items() if name != "row_norm"} | accurate(horizon)._asdict()
    known |= {"horizon": horizon, "failure": Fraction(1, horizon)}
    return regret.REGRET.at(**known).bound if gap is None else regret.REGRET_GAP.at(minimum_gap=gap, **known).bound


# --- vacuity ------------------------------------------------------------------------------------------------------------------------------

_TENTH = Fraction(1, 10)
_PUBLISHED: dict[str, Any] = {"d": 5, "epsilon": 1, "delta": "1/10", "failure": "1/n", "gap": "1/10"}
VACUITY = (
    *(
        Audit(
            theorem.id,
            f"vacuity.{short}_{swept(below=trivial)}",
            f"{name} noise, from which horizon it is below {trivial:g} a round, section D.2",
            Vacuity(partial(bound_at, accurate, gap), trivial, parameters=_PUBLISHED),
        )
        for short, name, accurate in (("no_noise", "no", ridge), ("wishart_unshifted", "unshifted Wishart", unshifted))
        for theorem, gap in ((regret.REGRET, None), (regret.REGRET_GAP, _TENTH))
        for trivial in (1.5, 2.0)
    ),
    *(
        Audit(
            theorem.id,
            f"vacuity.{swept(below=2)}",
            "from which horizon it is below 2 B a round, section D.2",
            Vacuity(partial(experiment, theorem), 2.0, parameters=_PUBLISHED),
        )
        for theorem in (
            wishart.REGRET_WISHART_EXPLICIT,
            wishart.REGRET_WISHART_GAP_EXPLICIT,
            gaussian.REGRET_GAUSSIAN_EXPLICIT,
            gaussian.REGRET_GAUSSIAN_GAP_EXPLICIT,
        )
    ),
)

# --- the shift ----------------------------------------------------------------------------------------------------------------------------

EARLY = (10**3, 10**5, 10**6)
LATE = (5 * 10**7, 10**9, 10**12, 10**18)


def lowered(horizons: tuple[int, ...], gap: Fraction | None) -> Iterator[At]:
    """The bound with the shift over that without it."""
    for horizon in horizons:
        ratio = bound_at(shifted, gap, horizon) / bound_at(unshifted, gap, horizon)
        yield At({"n": horizon}, Fraction(ratio), 1)


def optimised(
    printed: Accurate, moved: Callable[[float, int], Accuracy], proportions: tuple[float, ...], gap: Fraction | None
) -> Iterator[At]:
    """The bound at the printed shift over the least one on a grid of shifts."""
    for horizon in LATE:
        least = min(bound_at(partial(moved, proportion), gap, horizon) for proportion in proportions)
        yield At({"n": horizon}, Fraction(bound_at(printed, gap, horizon) / least), 2)


def grid(low: float, high: float) -> tuple[float, ...]:
    """25 shares, each as many times the one before."""
    return tuple(low * (high / low) ** (place / 24) for place in range(25))


def _named(gap: Fraction | None) -> str:
    return "no_gap" if gap is None else swept(gap=gap)


_SAID = "n 5e7 to 1e18, d 5, epsilon 1, delta 1/10, alpha 1/n"
SHIFT = (
    *(
        Audit(
            wishart.SHIFT_OPTIMAL.id,
            f"points.with_and_without_{_named(gap)}",
            f"with the shift and without, {name}",
            Pointwise(partial(lowered, LATE, gap), _SAID, "the bound with the shift over that without"),
        )
        for name, gap in (("without a gap", None), ("gap 1/10", _TENTH))
    ),
    *(  # "making the bounds we require smaller than without the shift", at every horizon
        Audit(
            wishart.SHIFT_OPTIMAL.id,
            f"points.early_{_named(gap)}",
            f"with the shift and without, up to a million rounds, {name}, as printed",
            Pointwise(
                partial(lowered, EARLY, gap),
                "n 1e3, 1e5, 1e6, d 5, epsilon 1, delta 1/10, alpha 1/n",
                "the bound with the shift over that without",
            ),
            Verdict.REFUTED,
        )
        for name, gap in (("without a gap", None), ("gap 1/10", _TENTH))
    ),
    *(
        Audit(
            wishart.SHIFT_OPTIMAL.id,
            f"points.grid_{noise.lower()}_{_named(gap)}",
            f"{noise} noise, every shift of a grid, {name}",
            Pointwise(partial(optimised, printed, moved, proportions, gap), _SAID, "the bound at the printed shift over the least"),
        )
        for noise, printed, moved, proportions in (
            ("Wishart", shifted, shifted_to, grid(1e-4, 1.0)),
            ("Gaussian", partial(gaussian_to, 1.0), gaussian_to, grid(1e-2, 1e2)),
        )
        for name, gap in (("without a gap", None), ("gap 1/10", _TENTH), ("gap 1/1000", _TENTH / 100))
    ),
)
