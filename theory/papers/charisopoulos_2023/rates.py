r"""The rates that the paper compares, and which is smallest where (Charisopoulos, Esfandiari and Mirrokni 2023): section 1.2.

Main statements
    BOGUNOVIC, BOGUNOVIC_UNKNOWN, LI, HANNA_CENTRAL, HANNA_LOCAL, HANNA_SHUFFLE, SHARIFF_SHEFFET_LOWER, SHARIFF_SHEFFET_UPPER, ZHENG, HAN,
    SHUFFLE_WORKS           rates of earlier work as the paper quotes them
The dominance map
    RATES                   each rate, this paper's included, as an expression in d, T, alpha and epsilon
    dominance               where each of some of them is smallest, as exact conditions

Readings
    The budget of the earlier work is C = alpha T, as section 1.2 takes it. In the map rates have no logarithms, and the sum of the entries
    of a max stands for the max. What is quoted without a dimension has none in the map.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sympy import Expr, Rational, expand, log, sqrt

from banditproof.glossary import DIMENSION, EPSILON, HORIZON
from banditproof.glossary.charisopoulos_2023 import CORRUPTION, TOTAL_CORRUPTION
from banditproof.theory.findings import Finding
from banditproof.theory.language import Theorem, symbol
from banditproof.theory.papers.charisopoulos_2023.dominance import Region, rate_of, smallest_where
from banditproof.theory.papers.charisopoulos_2023.findings import text
from banditproof.theory.papers.charisopoulos_2023.introduction import informal_m2
from banditproof.theory.papers.charisopoulos_2023.setting import source

_T, _d, _epsilon, _alpha = symbol(HORIZON), symbol(DIMENSION), symbol(EPSILON), symbol(CORRUPTION)
_C = symbol(TOTAL_CORRUPTION)
_three_halves = Rational(3, 2)

# --- rates as they are quoted -----------------------------------------------------------------------------------------------------------

_by_budget = sqrt(_d * _T) + _C * _d**_three_halves
_by_unknown_budget = _by_budget + _C**2
CENTRAL = sqrt(_T * log(_T)) + log(_T) ** 2 / _epsilon
LOCAL = sqrt(_T) / _epsilon
_lower = sqrt(_T) + log(_T) / _epsilon
_joint = sqrt(_T) + sqrt(_T) / _epsilon
_convex = _T ** Rational(3, 4) / _epsilon


def _quoted(name: str, words: str, place: str, rate: Expr | None, findings: tuple[Finding, ...] = ()) -> Theorem:
    shown = f"constants suppressed: {rate}" if rate is not None else "exponents unreadable in the scan, or no rate"
    return Theorem(
        id=f"charisopoulos_2023.{name}",
        statement=words,
        source=source(place),
        not_checkable=f"quoted from earlier work, {shown}",
        findings=findings,
    )


BOGUNOVIC = _quoted(
    "bogunovic",
    "The regret of phased elimination under additive corruption of a known total budget, up to logarithms.",
    "section 1.2, (5), quoting Bogunovic et al. 2021",
    _by_budget,
)
BOGUNOVIC_UNKNOWN = _quoted(
    "bogunovic_unknown",
    "The regret of phased elimination under additive corruption of an unknown total budget, up to logarithms.",
    "section 1.2, quoting Bogunovic et al. 2021",
    _by_unknown_budget,
)
LI = _quoted(
    "li",
    "The regret under additive corruption of an unknown budget for a full-dimensional polytope with a gap.",
    "section 1.2, quoting Li et al. 2019",
    None,
    (text.EARLIER_WORK,),
)
HANNA_CENTRAL = _quoted(
    "hanna_central",
    "The regret of private arm elimination in the central model.",
    "section 1.2, quoting Hanna et al. 2022",
    CENTRAL,
    (text.ORDER_OPTIMAL,),
)
HANNA_LOCAL = _quoted(
    "hanna_local",
    "The regret of private arm elimination in the local model, up to logarithms.",
    "section 1.2, quoting Hanna et al. 2022",
    LOCAL,
)
HANNA_SHUFFLE = _quoted(
    "hanna_shuffle",
    "The regret of private arm elimination in the shuffle model, essentially that of the central model.",
    "section 1.2, quoting Hanna et al. 2022",
    CENTRAL,
)
SHARIFF_SHEFFET_LOWER = _quoted(
    "shariff_sheffet_lower",
    "The lower bound on the regret in the central model, which section 1.2 calls the focus of the paper.",
    "section 1.2, quoting Shariff and Sheffet 2018",
    _lower,
    (text.FOCUS_OF_THE_PAPER,),
)
SHARIFF_SHEFFET_UPPER = _quoted(
    "shariff_sheffet_upper",
    "The regret of LinUCB with additive noise in the central model, up to logarithms.",
    "section 1.2, quoting Shariff and Sheffet 2018",
    _joint,
    (text.RATE_OF_SHARIFF_AND_SHEFFET,),
)
ZHENG = _quoted("zheng", "The regret in the local model, up to logarithms.", "section 1.2, quoting Zheng et al. 2020", _convex)
HAN = _quoted(
    "han",
    "The regret in the local model where actions are drawn from a distribution, up to logarithms.",
    "section 1.2, quoting Han et al. 2021",
    LOCAL,
)
SHUFFLE_WORKS = _quoted(
    "shuffle_works",
    "Shuffle algorithms for linear bandits of Tenenbaum et al. 2021, Chowdhury and Zhou 2022 and Garcelon et al. 2022.",
    "section 1.2",
    None,
)

# --- which rate is smallest where -------------------------------------------------------------------------------------------------------


def _without_logarithms(rate: Expr) -> Expr:
    return rate.subs(log(_T), 1)


_stated = sqrt(_d * _T) + _T * (sqrt(_alpha * _d) + _alpha * _d)
_by_interval = sqrt(_d * _T) + _T * _d * sqrt(_alpha)
_whole_m2 = informal_m2(_d)
_whole_m2_power = informal_m2(_d**_three_halves)

RATES: Mapping[str, Expr] = MappingProxyType(
    {
        "M1": _stated,
        "M1 by (50)": _by_interval,
        "M2": _d * sqrt(_T) + _d**_three_halves * sqrt(_alpha) * (_T + sqrt(_d * _T)) + _alpha * _T,
        "private M1": expand(_stated * (1 + 1 / _epsilon)),
        "private M1 by (50)": expand(_by_interval * (1 + 1 / _epsilon)),
        "private M2": expand(_whole_m2),
        "private M2, nu to the power 1": expand(_whole_m2_power),
        "budget": _by_budget.subs(_C, _alpha * _T),
        "unknown budget": _by_unknown_budget.subs(_C, _alpha * _T),
        "central": _without_logarithms(CENTRAL),
        "local": LOCAL,
        "lower bound": _without_logarithms(_lower),
        "joint": _joint,
        "convex": _convex,
        "every policy": _T,
    }
)
"""The rates that `dominance` compares, without constants and logarithms; this paper's are at epsilon to infinity unless "private"."""


def dominance(names: Iterable[str]) -> dict[str, Region]:
    """Where each of these rates of RATES is smallest, ties included, for d > 1, T > 1 and alpha < 1. Raises ValueError for a name that
    is not there, and for fewer than two."""
    chosen = list(dict.fromkeys(names))
    if unknown := [name for name in chosen if name not in RATES]:
        raise ValueError(f"rates {', '.join(unknown)}: must be of {', '.join(RATES)}")
    if len(chosen) < 2:
        raise ValueError(f"{len(chosen)} rates: must be at least two to compare")
    return smallest_where({name: rate_of(RATES[name]) for name in chosen})
