"""Discrete Laplace noise: what OpenDP's sampler is asked for, what is done with its answer, and how often each number comes.

The noise cannot be seeded. `asked_for` runs the shipped release with another module in place of `opendp.prelude`, whose measurement writes
down its scale and adds known whole numbers; `Counted` counts releases of the real sampler.
"""

import builtins
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from types import FunctionType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from banditproof.algorithms.mechanisms.discrete_laplace import DiscreteLaplace
from banditproof.audits.common.releases import equal, refusals
from banditproof.audits.methods.coverage import Claim, judge
from banditproof.audits.methods.pointwise import At
from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.interaction import Floats
from banditproof.theory.language import Sense

MUST_DETECT_RATIO = 1.2
Release = Callable[..., Floats]


@dataclass
class _Sampler:
    """Stands in for `opendp.prelude`."""

    scales: list[float] = field(default_factory=list)
    types: list[Any] = field(default_factory=list)

    def module(self) -> SimpleNamespace:
        return SimpleNamespace(
            enable_features=lambda *names: None,
            atom_domain=lambda T: T,
            vector_domain=lambda inner: inner,
            l1_distance=lambda T: T,
            m=SimpleNamespace(make_laplace=self._make),
        )

    def _make(self, domain: Any, metric: Any, scale: float) -> Callable[[list[int]], list[int]]:
        self.scales.append(scale)
        self.types += [domain, metric]
        return lambda numbers: [number + _known(place) for place, number in enumerate(numbers)]


def _known(place: int) -> int:
    """The noise of place 0, 1, 2, ... among all numbers of a call."""
    return (7 * place) % 11 - 5 + place


def _with_module(release: Release, module: Any) -> Release:
    """A method that finds this module wherever it imports one of that name."""

    def imported(name: str, *rest: Any) -> Any:
        return SimpleNamespace(prelude=module) if name == "opendp.prelude" else builtins.__import__(name, *rest)

    given: Any = release
    scope = {**given.__globals__, "__builtins__": {**vars(builtins), "__import__": imported}}
    return FunctionType(given.__code__, scope, given.__name__, given.__defaults__)


def asked_for() -> Iterator[At]:
    """Scale and numbers of releases, where the sampler adds known numbers: one call for all runs, every number with noise of its own."""
    for epsilon, sensitivity, width, runs in ((1.0, 1, 1, 1), (0.5, 3, 2, 4), (3.0, 7, 3, 2), (0.1, 1, 1, 5)):
        sampler, mechanism = _Sampler(), DiscreteLaplace(epsilon, sensitivity, width)
        answer = np.array([(-1.0) ** place * (2.0**53 if place == 2 else 5.0 * place + 1.0) for place in range(width)])
        found = _with_module(DiscreteLaplace.release, sampler.module())(mechanism, answer, runs, np.random.default_rng(0))
        noise = np.array([_known(place) for place in range(runs * width)], dtype=float).reshape(runs, width)
        where = {"epsilon": epsilon, "sensitivity": sensitivity, "width": width, "runs": runs}
        yield equal({**where, "compared": "numbers"}, found, answer + noise)
        yield equal({**where, "compared": "calls"}, len(sampler.scales), 1)
        yield equal({**where, "compared": "scale"}, sampler.scales[0], sensitivity / epsilon)
        # The privacy loss that a move by the sensitivity has, in exact arithmetic: the nearest double may lie below the quotient.
        yield At({**where, "compared": "loss"}, Fraction(sensitivity) / Fraction(sampler.scales[0]), Fraction(epsilon))
        yield At({**where, "compared": "types"}, int(any(each != "i64" for each in sampler.types)), 0)


def refused() -> Iterator[At]:
    """Answers that are not whole numbers, too large, or of another width, on either side of the rule."""
    one, rng = DiscreteLaplace(1.0), np.random.default_rng(0)
    bad = {
        "half": [0.5],
        "minus half": [-0.5],
        "nan": [math.nan],
        "infinite": [math.inf],
        "large": [2.0**53 + 2.0],
        "small": [-(2.0**53) - 2.0],
    }
    release = _with_module(DiscreteLaplace.release, _Sampler().module())
    yield from refusals({name: partial(release, one, data, 1, rng) for name, data in {**bad, "two numbers": [1.0, 2.0]}.items()})
    for data in (2.0**53, -(2.0**53), 0.0):
        yield equal({"kept": data}, release(one, [data], 1, rng), [[data - 5.0]])


@dataclass(frozen=True)
class Counted:
    """Counts the releases whose first number has noise beyond sensitivity / epsilon, rounded, in size: `coverage.judge` on both sides.

    P(|k| > t) = 2 q^(t + 1) / (1 + q) for q = exp(-epsilon / sensitivity). The counts differ from run to run, since the noise has no seed:
    a measurement that refutes nothing leaves them out, so that it is the same in every run.
    """

    mechanism: DiscreteLaplace
    runs: int = 5_000
    prefix: ClassVar[str] = "coverage"
    statistical: ClassVar[bool] = True

    def measure(self, request: Request) -> Measurement:
        return self._judged(self.runs * request.level.factor, request.false_alarm)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Counts fresh releases."""
        return self._judged(*again.of(before))

    def _judged(self, runs: int, false_alarm: float) -> Measurement:
        mechanism = self.mechanism
        size, q = round(mechanism.sensitivity / mechanism.epsilon), math.exp(-mechanism.epsilon / mechanism.sensitivity)
        answer = np.arange(mechanism.width, dtype=np.float64) - 3.0
        noise = mechanism.release(answer, runs, np.random.default_rng(0))[:, 0] - answer[0]
        claim = Claim(2.0 * q ** (size + 1) / (1.0 + q), Sense.EQUALS, MUST_DETECT_RATIO)
        found = judge(claim, int((np.abs(noise) > size).sum()), runs, false_alarm=false_alarm, rule=f"|noise| > {size}")
        if found.verdict is not Verdict.NOT_REFUTED:
            return found
        message = f"the number of {runs} releases with |noise| > {size} fits its binomial distribution (it differs from run to run)"
        shown = replace(found, estimate=None, low=None, high=None, witness=None, message=message)
        return replace(shown, detail={"sense": found.detail["sense"]})
