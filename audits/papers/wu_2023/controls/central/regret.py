"""wu_2023's PRAE-C and its bounds broken on purpose: a bin missing, nothing eliminated, a threshold that grows too fast."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.policies.elimination.kernels import State
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.mutations import MutatedPolicy, control
from banditproof.audits.papers.wu_2023.cases.central import regret as cases
from banditproof.audits.papers.wu_2023.cases.hypotheses import stated
from banditproof.interaction import NoCorruption
from banditproof.theory.papers.wu_2023 import central, chains, lower_bound


def _one_bin_less(state: State) -> State:
    """Without the last bin, the one below D."""
    bins = state.settings.bins._replace(number=state.settings.bins.number - 1)
    return state._replace(settings=state.settings._replace(bins=bins), counts=state.counts[:-1])


# The better arm's rewards lie in the bin that is missing: its estimate is a bin at random, often far below the other arm's.
_HIDDEN = cases.Problem("Gaussian arms at 999.9 and 500", Gaussian((999.9, 500.0), (0.1, 0.1)), 499.9)
_NARROW = replace(cases.WIDE, pad=False)
REGRET = (
    control(
        "one_bin_less",
        "a bin missing at D, in which the better arm's rewards lie",
        chains.REGRET_CENTRAL_CLEAN_CHAIN,
        cases.beside_the_bound(MutatedPolicy(_NARROW, _one_bin_less), _NARROW, _HIDDEN, 1_500_000, 40, 2.0, 0.6),
    ),
)

_CHAIN: dict[str, Any] = {
    "arms": 11,
    "epsilon": 1,
    "range": cases.LEAST_RANGE,
    "contamination": Fraction(1, 10_000),
    "unbounded_gap": Fraction(100.0 / cases.STANDARD_DEVIATION),
}
VACUITY = control(
    "useful_at_once",
    "a bound that is said to say something at a thousand rounds",
    chains.REGRET_CENTRAL_CHAIN,
    Vacuity(stated(chains.REGRET_CENTRAL_CHAIN, **_CHAIN).at, 100.0 / cases.STANDARD_DEVIATION, least=11, claimed=1_000),
)

GROWTH = (
    control(
        "never_eliminates",
        "a radius that nothing exceeds",
        central.REGRET_CENTRAL_CLEAN,
        cases.growth_in_horizon(replace(cases.SHORT, radius_factor=1e6)),
    ),
    control(
        "threshold_by_the_square",
        "a threshold that grows as the square of 1/epsilon",
        central.REGRET_CENTRAL_CLEAN,
        cases.growth_in_inverse_epsilon(lambda epsilon: replace(cases.SHORT, epsilon=epsilon, threshold_factor=cases.FRACTION / epsilon)),
    ),
)

LOWER = (
    control(
        "problems_without_outliers",
        "the two problems without the outliers that make them alike",
        lower_bound.TWO_REGRETS,
        cases.alike(UCB1(), Fraction(1), (NoCorruption(), NoCorruption()), 20_000, 1_500),
    ),
)
