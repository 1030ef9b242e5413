"""Peak memory, each in a process of its own: of long runs, which must not grow with the rounds.

A run of 5e7 rounds is not played: its memory is that of 5e6 rounds plus what a line through 1e6 and 5e6 adds (`lin_ucb_5e7`). The peak
of whole audits is in `verify`.
"""

from collections.abc import Callable, Sequence

from benchmarks.runner.cases import Case, Figure, Scale, Target
from benchmarks.runner.memory import peak_megabytes

LONG = False
SHORT, LONGER, LONGEST = 1_000_000, 5_000_000, 50_000_000
RUN = """
import sys
from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.interaction import Pipeline
from banditproof.randomness import key_of
from banditproof.simulation import play
policy = LinUCB(Noise(sys.argv[1]), planned_horizon=50_000_000)
play(Pipeline(policy, Sphere()), horizon=int(sys.argv[2]), key=key_of(17, "benchmark"), record=())
"""


def cases(scale: Scale) -> Sequence[Case]:
    target, sizes = Target(at_most=300.0, source="issue 17, 7"), scale.of((SHORT, LONGER), (SHORT // 10, SHORT))
    peaks = _Peaks("wishart")
    return [
        *(Figure(f"lin_ucb_{size:.0e}".replace("e+0", "e"), peaks.of(size), "MB", target, note="Wishart noise") for size in sizes),
        Figure("lin_ucb_5e7", lambda: peaks.at(LONGEST, sizes), "MB", target, note="an estimate: the line through the two others"),
    ]


class _Peaks:
    """Measures each size once, after a run of one round that leaves compiled kernels behind."""

    def __init__(self, noise: str) -> None:
        self._noise, self._found = noise, dict[int, float]()

    def of(self, rounds: int) -> Callable[[], float]:
        return lambda: self._measured(rounds)

    def at(self, rounds: int, sizes: tuple[int, int]) -> float:
        short, longer = (self._measured(size) for size in sizes)
        return longer + max(0.0, (longer - short) / (sizes[1] - sizes[0])) * (rounds - sizes[1])

    def _measured(self, rounds: int) -> float:
        if not self._found:
            peak_megabytes(RUN, (self._noise, 1))
        if rounds not in self._found:
            self._found[rounds] = peak_megabytes(RUN, (self._noise, rounds))
        return self._found[rounds]
