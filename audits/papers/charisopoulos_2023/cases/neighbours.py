"""charisopoulos_2023: reports of neighbours with the same randomness, and of different users, rounds and runs with their own.

Two reports with the same random numbers differ by exactly what their clipped rewards differ by, so their loss is that distance over the
scale: within epsilon for rewards inside, at the ends of and outside the range, and exactly epsilon at the ends. The noise is recomputed
from its address, and no number serves two reports. What a class claims (epsilon, relation, worst pair) is listed beside it.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms.client_reports import (
    Clipping,
    Level,
    NoisyMean,
    NoisyReward,
    OwnerReport,
    level_epsilon,
    report_loss,
    reported_mean,
)
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.common.beside import unbroken
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023.cases.replayed_parts import compared
from banditproof.audits.papers.charisopoulos_2023.cases.replayed_runs import clip, number
from banditproof.audits.running.audit import Audit
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import ClientRandomiser, Floats, NoRandomiser, Pipeline, Table, Wire
from banditproof.randomness import CLIENT, key_of, laplace
from banditproof.simulation import play
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.charisopoulos_2023 import first_model, second_model

Randomiser = NoisyReward | NoisyMean
INSIDE = (-1.0, -0.4, 0.0, 0.7, 1.0)
REWARDS = (*INSIDE, -math.inf, -3.0, -1.001, 1.001, 2.0, 1e9, math.inf)
EPSILONS = (0.5, 4.0)
SLACK = Fraction(1, 10**9)  # relative: what doubles may lose
KEY = np.append(key_of(3, "charisopoulos_2023", "neighbours"), np.uint64(2))


def sent(randomiser: ClientRandomiser, message: tuple[float, ...], round: int = 7) -> Floats:
    """The report of a message (w,), by the randomiser's compiled kernel."""
    report = np.full(randomiser.messages(len(message)), 1e300)
    randomiser.kernel(randomiser.setup(), KEY, round, np.array(message), report)
    return np.asarray(report[0])


@dataclass(frozen=True)
class Case:
    """A randomiser, how many numbers its messages have, and what scale its noise has."""

    randomiser: Randomiser
    width: int
    scale: float

    def named(self) -> dict[str, Any]:
        kind, each = type(self.randomiser).__name__, self.randomiser
        return {"class": kind, "epsilon": each.epsilon, "clipping": each.clipping.value, "width": self.width, "scale": self.scale}

    def held(self, value: float) -> float:
        return clip(value) if self.randomiser.clipping is Clipping.REPAIRED else value


def cases(clipping: Clipping) -> Iterator[Case]:
    """Messages of rewards: w numbers have noise of scale 2 w/epsilon each, in both classes."""
    for epsilon, width in product(EPSILONS, (1, 2, 3)):
        yield Case(NoisyReward(epsilon, clipping), width, 2.0 * width / epsilon)
        if width != 2:
            yield Case(NoisyMean(epsilon, clipping=clipping), width, 2.0 * width / epsilon)


def one_by_one() -> Iterator[At]:
    """Each reward in each place of a message, as a report less its noise."""
    for clipping in Clipping:
        for case in cases(clipping):
            for place, reward, round in product(range(case.width), (*REWARDS, math.nan), (0, 7)):
                message = tuple(reward if each == place else 0.25 for each in range(case.width))
                noise = np.array([case.scale * laplace(KEY, CLIENT, round * case.width + each) for each in range(case.width)])
                yield from agree(
                    {**case.named(), "reward": reward}, sent(case.randomiser, message, round), noise, tuple(map(case.held, message))
                )


def agree(where: dict[str, Any], report: Floats, noise: Floats, values: tuple[float, ...]) -> Iterator[At]:
    """A report beside values and noise; what is no number must be none in both."""
    expected = np.array(values) + noise
    finite = np.isfinite(expected)
    yield At({**where, "compared": "no numbers"}, int((np.isnan(report) != np.isnan(expected)).sum()), 0)
    yield from compared(where, report=(np.where(finite, report, 0.0), np.where(finite, expected, 0.0)))


def means() -> Iterator[At]:
    """(mean, n) of an owner: clipped, with noise 2/(n epsilon), or 2/epsilon at user level; nothing where n = 0."""
    for epsilon, level, clipping, plays in product(EPSILONS, Level, Clipping, (0, 1, 2, 5, 1000)):
        randomiser = NoisyMean(epsilon, level, clipping)
        scale = 2.0 / epsilon / (max(plays, 1) if level is Level.EVENT else 1)
        for reward, round in product((*REWARDS, math.nan), (0, 7)):
            held = clip(reward) if clipping is Clipping.REPAIRED else reward
            noise = np.array([scale * laplace(KEY, CLIENT, round)])
            where = {"epsilon": epsilon, "level": level.value, "clipping": clipping.value, "n": plays, "mean": reward}
            yield from agree(where, sent(randomiser, (reward, float(plays)), round), noise, (held if plays else math.nan,))


def losses(randomise: Callable[[Case], ClientRandomiser]) -> Iterator[At]:
    """The loss of two messages: the distance of their reports, with the same randomness, over the scale of the noise, beside epsilon.

    The scale is that of the client himself: what his report of zeros is, over the Laplace numbers behind it."""
    for case in cases(Clipping.REPAIRED):
        numbers = np.array([laplace(KEY, CLIENT, 7 * case.width + column) for column in range(case.width)])
        scales = sent(randomise(case), (0.0,) * case.width) / numbers
        for one, other in product(REWARDS, repeat=2):
            for changed in range(1, case.width + 1):
                pair = (tuple(each if place < changed else 0.5 for place in range(case.width)) for each in (one, other))
                first, second = (sent(randomise(case), message) for message in pair)
                loss = sum(map(apart, first / scales, second / scales))
                claimed = Fraction(case.randomiser.epsilon) * (1 + SLACK)
                yield At({**case.named(), "pair": (one, other)}, number(loss), claimed)


def apart(one: float, other: float) -> float:
    """The distance of two numbers, either of which may be infinite, or none: NaN has no distance from itself alone."""
    return 0.0 if one == other or (math.isnan(one) and math.isnan(other)) else abs(one - other)


def as_clients(case: Case) -> ClientRandomiser:
    return case.randomiser


# --- an owner's rewards -------------------------------------------------------------------------------------------------------------------

OWNED, ARMS = 4, 3  # plays of each owner, who are three


def owner(epsilon: float, noise_level: Level) -> tuple[RobustArmElimination, ClientRandomiser]:
    """Every arm of a batch is played four times."""
    policy = RobustArmElimination(epsilon, 0.0, ClientModel.SECOND, batches=2, truncation_parameter=1.0)
    return policy, policy.randomiser(level=noise_level)


def owner_losses(level: Level, client: Callable[[float, Level], tuple[RobustArmElimination, ClientRandomiser]]) -> Iterator[At]:
    """One of an owner's rewards is another, or all are: the distance of all reports of the run over their scales, beside epsilon.

    The scales are those of a run whose rewards are 0, as in `losses`."""
    ends = np.arange(OWNED - 1, OWNED * ARMS, OWNED)
    numbers = np.array([laplace(np.append(KEY[:2], np.uint64(0)), CLIENT, int(end)) for end in ends])
    changed = slice(OWNED, OWNED + 1) if level is Level.EVENT else slice(OWNED, 2 * OWNED)  # of the second owner
    for epsilon in EPSILONS:
        scales = owned(*client(epsilon, level), 0.0, changed)[ends] / numbers
        runs = {value: owned(*client(epsilon, level), value, changed) for value in REWARDS}
        for one, other in product(REWARDS, repeat=2):
            loss = sum(map(apart, runs[one][ends] / scales, runs[other][ends] / scales))
            where = {"epsilon": epsilon, "level": level.value, "pair": (one, other)}
            yield At(where, number(loss), Fraction(epsilon) * (1 + SLACK))
        others = np.setdiff1d(np.arange(OWNED**2), ends)
        yield At({"epsilon": epsilon, "compared": "other rounds"}, int((~np.isnan([each[others] for each in runs.values()])).sum()), 0)


def owned(policy: RobustArmElimination, client: ClientRandomiser, value: float, changed: slice) -> Floats:
    """The reports (T,) of a run whose rewards are 0, and `value` in the changed rounds. Other rewards could be clipped with it."""
    rewards = np.zeros((OWNED**2, ARMS))
    rewards[changed] = value
    run = play(Pipeline(policy, Table(rewards), client), horizon=OWNED**2, key=KEY[:2], record=(Wire.REPORT,))
    return np.asarray(run.wire(Wire.REPORT))[:, 0]


# --- releases and claims ------------------------------------------------------------------------------------------------------------------


def mean_of(rewards: tuple[float, ...], clipping: Clipping) -> float:
    return math.fsum(clip(each) if clipping is Clipping.REPAIRED else each for each in rewards) / len(rewards)


def releases() -> Iterator[At]:
    """The release of an owner, with the noise of its generator; its mean, its loss, and what it claims."""
    for epsilon, plays, level, clipping in product(EPSILONS, (1, 2, 7), Level, Clipping):
        mechanism, where = OwnerReport(epsilon, plays, level, clipping), {"epsilon": epsilon, "n": plays, "level": level.value}
        scale = 2.0 / epsilon / (plays if level is Level.EVENT else 1)
        for rewards in product((-5.0, -1.0, 0.3, 1.5), repeat=min(plays, 2)):
            data = (*rewards, *(0.5,) * (plays - len(rewards)))
            expected = mean_of(data, clipping) + np.random.default_rng(5).laplace(0.0, scale, (9, 1))
            moved = (1.0, *data[1:])
            loss = abs(mean_of(data, clipping) - mean_of(moved, clipping)) / scale
            yield from compared(
                {**where, "rewards": data},
                released=(mechanism.release(data, 9, np.random.default_rng(5)), expected),
                mean=(reported_mean(data, clipping), mean_of(data, clipping)),
                loss=(report_loss(data, moved, epsilon, clipping=clipping, calibrated=level), loss),
            )
        one, many = (epsilon, epsilon * plays) if level is Level.EVENT else (epsilon / plays, epsilon)
        low, high = (-1.0,) * plays, (1.0,) * plays
        worst = {Level.EVENT: (low, (1.0, *low[1:])), Level.USER: (low, high)}
        relations = {Level.EVENT: NeighbouringRelation.REPLACE_RECORD, Level.USER: NeighbouringRelation.ANY_PAIR}
        for at, value in ((Level.EVENT, one), (Level.USER, many)):
            given, claimed = mechanism.neighbours_at(at), mechanism.guarantee_at(at)
            yield from compared(
                {**where, "at": at.value},
                epsilon=(claimed.epsilon, value),
                level=(level_epsilon(epsilon, plays, calibrated=level, level=at), value),
                relation=(claimed.relation is relations[at] and given.relation is relations[at], True),
                worst=(given.worst[0], worst[at]),
                domain=((given.low, given.high, *given.lengths), (-1.0, 1.0, plays, plays)),
            )
        same = mechanism.guarantee() == mechanism.guarantee_at(level) and mechanism.neighbours().worst == (worst[level],)
        yield At({**where, "compared": "own level"}, int(not same), 0)


def claims() -> Iterator[At]:
    """What the randomisers claim, and which one a policy has."""
    any_pair, one_reward = NeighbouringRelation.ANY_PAIR, NeighbouringRelation.REPLACE_REWARD
    for epsilon, clipping in product((*EPSILONS, math.inf), Clipping):
        one = RobustArmElimination(epsilon, clipping=clipping)
        two = RobustArmElimination(epsilon, model=ClientModel.SECOND, clipping=clipping)
        found = [one.randomiser(), *(two.randomiser(level=level) for level in Level)]
        private = [NoisyReward(epsilon, clipping), *(NoisyMean(epsilon, level, clipping) for level in Level)] if epsilon < math.inf else []
        relations = (any_pair, one_reward, any_pair)
        stated = [PureDP(epsilon, relation, View.LOCAL) for relation in relations] if private else [None] * 3
        where = {"epsilon": "none" if epsilon == math.inf else epsilon, "clipping": clipping.value}
        yield At({**where, "compared": "randomisers"}, int(found != (private or [NoRandomiser()] * 3)), 0)
        for sent_as, taken in (((1, 1, 1), 1), ((2, 1, 1), 1), ((2, 1, 2), 1), ((1, 2, 1), 0), ((1, 1, 2), 0), ((2, 1, 0), 0)):
            yield At({**where, "raw, messages, width": sent_as}, int(two.kernels.accepts(*sent_as) != bool(taken)), 0)
        yield At({**where, "compared": "claims"}, int([each.guarantee() for each in found] != stated), 0)


# --- draws --------------------------------------------------------------------------------------------------------------------------------


def repeated(client: Callable[[Randomiser], ClientRandomiser]) -> Iterator[At]:
    """Numbers of noise that occur twice among the reports of 60 users, of two runs."""
    clients: tuple[Randomiser, ...] = NoisyReward(1.0), NoisyMean(1.0)
    for randomiser, width in product(clients, (1, 2, 3)):
        message = (0.0, 1.0) if isinstance(randomiser, NoisyMean) and width == 2 else (0.0,) * width
        numbers = []
        for run, round in product(range(2), range(60)):
            report = np.zeros(randomiser.messages(width))
            key = np.array([KEY[0], KEY[1], run], dtype=np.uint64)
            client(randomiser).kernel(randomiser.setup(), key, round, np.array(message), report)
            numbers += report.ravel().tolist()
        where = {"class": type(randomiser).__name__, "width": width}
        yield At(where, len(numbers) - len(set(numbers)), 0)


def itself(randomiser: Randomiser) -> ClientRandomiser:
    return randomiser


def _audit(theorem: Theorem, slug: str, words: str, points: Callable[[], Iterator[At]], quantity: str = "distance") -> Audit:
    domain = f"{len(REWARDS)} rewards, epsilon 1/2 and 4"
    return Audit(theorem.id, f"points.{slug}", words, Pointwise(unbroken(points), domain, quantity, Sense.AT_MOST))


NEIGHBOURS = (
    _audit(first_model.REPORT_SCALE_FIRST, "report_by_report", "reports of listed rewards: clipped, with their noise", one_by_one),
    _audit(second_model.REPORT_SCALE_SECOND, "mean_by_mean", "reports of listed means: clipped, with their noise", means),
    _audit(first_model.FIRST_PRIVACY, "neighbours", "two messages, the same randomness", partial(losses, as_clients), "loss"),
    _audit(
        second_model.SECOND_PRIVACY, "neighbours", "runs in which one reward differs", partial(owner_losses, Level.EVENT, owner), "loss"
    ),
    _audit(second_model.OWNER_LOSS, "neighbours", "runs in which an owner's differ", partial(owner_losses, Level.USER, owner), "loss"),
    _audit(second_model.EVENT_LOSS, "releases_replayed", "releases of owners, and their claims", releases),
    _audit(first_model.FIRST_LOSS, "claims_of_clients", "what clients claim", claims, "claims that differ"),
    _audit(first_model.LAPLACE_PART, "no_number_twice", "noise of users, rounds and runs", partial(repeated, itself), "repeated numbers"),
)
