"""Audits of auer_2002: UCB1's regret and pulls on Bernoulli arms, in and out of the regime where the bound says something; and whole runs,
replayed round by round."""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common.beside import beside, compared
from banditproof.audits.common.index_runs import Heard, as_compiled, replayed, runs
from banditproof.audits.methods.pointwise import At
from banditproof.audits.methods.regret import Regret
from banditproof.audits.methods.stated import Stated
from banditproof.audits.running.audit import Audit, swept
from banditproof.interaction import Pipeline
from banditproof.theory.papers.auer_2002 import UCB1_PULLS, UCB1_REGRET, arm_sums

# Means as decimals: the gaps that the theorem gets are their exact differences, not those of doubles.
_TWO, _CLOSE, _CERTAIN = ("0.7", "0.3"), ("0.55", "0.45"), ("1", "0")
_TEN = ("0.9", *("0.6",) * 9)
_FIVE = ("0.9", "0.8", "0.7", "0.5", "0.2")
_PULLED = ((_TWO, 1_000, 1), (_CERTAIN, 1_000, 1), (_FIVE, 10_000, 4), (_FIVE, 10_000, 1))  # arms whose pulls are audited
_SHARED = {(means, horizon) for means, horizon, _ in _PULLED}
_SLUGS = {_TWO: "two_arms", _CLOSE: "close_arms", _CERTAIN: "certain_arms", _TEN: "ten_arms", _FIVE: "five_arms"}


def _gaps(means: tuple[str, ...]) -> list[str]:
    best = max(map(Decimal, means))
    return [str(best - Decimal(mean)) for mean in means]


def _regret_bound(means: tuple[str, ...]) -> Stated:
    return Stated(UCB1_REGRET, arm_sums(_gaps(means)))


def _pipeline(means: tuple[str, ...]) -> Pipeline:
    return Pipeline(UCB1(), Bernoulli(tuple(map(float, means))))


def _runs(means: tuple[str, ...], horizon: int) -> str:
    """The runs that the audits of regret and of pulls share where they play the same pipeline for as long."""
    return f"{UCB1_REGRET.id}/runs.{_SLUGS[means]}_{swept(n=horizon)}"


def _shown(means: tuple[str, ...]) -> str:
    kinds = dict.fromkeys(means)
    return ", ".join(f"{means.count(mean)} x {mean}" if means.count(mean) > 1 else mean for mean in kinds)


# At the first of these the bound exceeds T * gap: it is true of every policy, and the audit says so.
REGRET = tuple(
    Audit(
        UCB1_REGRET.id,
        f"regret.{_SLUGS[means]}_{swept(n=horizon)}",
        f"UCB1 on Bernoulli({_shown(means)}), {horizon} rounds",
        Regret(
            _pipeline(means),
            horizon,
            _regret_bound(means),
            largest_gap=max(map(float, _gaps(means))),
            must_detect_ratio=ratio,
            runs=runs,
            parameters={"means": list(means)},
        ),
        runs=_runs(means, horizon) if (means, horizon) in _SHARED else "",
    )
    for means, horizon, runs, ratio in (
        (_TWO, 100, 1000, 1.25),
        (_TWO, 1_000, 1000, 1.25),
        (_TWO, 100_000, 200, 1.5),
        (_CLOSE, 10_000, 500, 1.25),
        (_CERTAIN, 1_000, 500, 1.25),
        (_FIVE, 10_000, 500, 1.25),
        (_TEN, 20_000, 200, 1.5),
    )
)
PULLS = tuple(
    Audit(
        UCB1_PULLS.id,
        f"regret.{_SLUGS[means]}_{swept(arm=arm, n=horizon)}",
        f"arm {arm} of UCB1 on Bernoulli({_shown(means)}), {horizon} rounds",
        Regret(
            _pipeline(means),
            horizon,
            Stated(UCB1_PULLS, {"gap": _gaps(means)[arm]}),
            largest_gap=max(map(float, _gaps(means))),
            must_detect_ratio=1.25,
            runs=500,
            arm=arm,
            parameters={"means": list(means)},
        ),
        runs=_runs(means, horizon),
    )
    for means, horizon, arm in _PULLED
)


def _index(heard: Heard, released: Sequence[float], arm: int, played: int) -> float:
    """Figure 1: mean + sqrt(2 ln n / n_j)."""
    pulls = len(heard.rewards[arm])
    return released[arm] / pulls + math.sqrt(2.0 * math.log(played) / pulls)


def _replays() -> Iterator[At]:
    """Every arm and every released sum."""
    for found in (*runs(arms=(2, 3, 7, 10)), *as_compiled(runs())):
        yield from replayed(UCB1(), found, lambda heard, arm: math.fsum(heard.rewards[arm]), _index)
    yield from compared({}, widths=((UCB1().message_width(0), UCB1().statistic_width(4, 0)), (1, 4)))


REPLAYED = beside(UCB1_PULLS.id, "runs_replayed", "UCB1's arms and sums, round by round", _replays, "14 runs of up to 150 rounds")
