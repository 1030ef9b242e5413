"""Policies, client randomisers and mechanisms as functions f(data, rng) that can be replayed with frozen releases.

They are played step by step, as plain Python: see `followed`. The data of a policy are {"rewards": (T, K)}, with "contexts": (T, K, d)
where there are any, and with "unseen", the round whose own arm nobody sees but its user (View.JOINT); those of a client randomiser raw
messages (n, w), one a round; those of a mechanism its dataset.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.audits.privacy.followed import Followed, holding_objects, plain_numbers
from banditproof.audits.privacy.recording import RecordingGenerator
from banditproof.guarantees import View, require
from banditproof.interaction import ClientRandomiser, Floats, NoCorruption, NoRandomiser, Policy
from banditproof.mechanism import Mechanism, PolicyMechanism
from banditproof.randomness import key_of


def _followed(rng: np.random.Generator) -> tuple[Followed, Any]:
    """Functions for a run, and the key of what it draws."""
    if not isinstance(rng, RecordingGenerator):
        raise TypeError("a followed pipeline is given an ordinary generator: must be a recording one")
    return Followed(rng.recording), np.array([*key_of(rng.recording.seed, "pipeline"), 0], dtype=np.uint64)


@dataclass(frozen=True)
class Reports:
    """The reports of users who send these messages, each in a round of his own."""

    randomiser: ClientRandomiser

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        followed, key = _followed(rng)
        messages = np.asarray(data, dtype=float)
        setup = self.randomiser.setup()
        return [_report(followed, self.randomiser, setup, key, round, message) for round, message in enumerate(messages)]


def _report(followed: Followed, randomiser: ClientRandomiser, setup: Floats, key: Any, round: int, message: Any) -> Any:
    """A user's report (m, v), released."""
    report = np.zeros(randomiser.messages(message.shape[0]), dtype=object)
    followed.function(randomiser.kernel)(setup, key, round, message, report)
    return plain_numbers(report)


@dataclass(frozen=True)
class Releases:
    """One release of a mechanism that draws in kernels."""

    mechanism: Mechanism

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        followed, _ = _followed(rng)
        return plain_numbers(followed.function(type(self.mechanism).release)(self.mechanism, data, 1, rng))


@dataclass(frozen=True)
class PolicyRun:
    """Arms and published statistics of a run without corruption, with the users' `reports` or without: a round at a time, or in the batches
    that the policy chooses."""

    policy: Policy
    randomiser: ClientRandomiser | None = None
    reports: bool = False

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        followed, key = _followed(rng)
        rewards = np.asarray(data["rewards"], dtype=float)
        horizon, arms = rewards.shape
        contexts = np.asarray(data.get("contexts", np.zeros((horizon, arms, 0))), dtype=float)
        policy, kernels, width = self.policy, self.policy.kernels, contexts.shape[2]
        state = policy.state(arms, width, horizon)
        if self.randomiser is None:  # else the reports are the releases, and the server has nothing else
            state = holding_objects(state)
        start, choose, report, learn = (followed.function(kernel) for kernel in kernels[:4])
        setup = np.zeros(0) if self.randomiser is None else self.randomiser.setup()
        statistic = np.zeros(policy.statistic_width(arms, width), dtype=object)
        start(state, key)
        at_batch_end, size = kernels.at_batch_end, 1
        if at_batch_end is not None:
            size = at_batch_end(state, key, -1, contexts[0], np.zeros(0, dtype=np.int64), np.zeros((0, 0)), statistic)
        played, published, reports, pulled, batch = list[Any](), list[Any](), list[Any](), list[int](), list[Any]()
        for round in range(horizon):
            arm = int(choose(state, key, round, contexts[round]))
            message = np.zeros(policy.message_width(width), dtype=object)
            report(state, round, arm, contexts[round], float(rewards[round, arm]), message)
            raw = np.array(plain_numbers(message), dtype=float)
            sent = [raw.tolist()] if self.randomiser is None else _report(followed, self.randomiser, setup, key, round, raw)
            played.append(None if round == data.get("unseen") else arm)
            reports.append(sent)
            pulled += [arm] * len(sent)
            batch += sent
            size -= 1
            if size > 0 and round + 1 < horizon:
                continue
            received = np.array(pulled, dtype=np.int64), np.array(batch, dtype=float)
            learn(state, key, round, *received, statistic)
            size = 1 if at_batch_end is None else at_batch_end(state, key, round, contexts[round], *received, statistic)
            pulled, batch = [], []
            published.append(plain_numbers(statistic))
        return {"arms": played, "published": published, **({"reports": reports} if self.reports else {})}


@dataclass(frozen=True)
class MechanismRun:
    """The run of a pipeline on a table of rewards (T, K), as `PolicyMechanism` releases it: what its guarantee's view leaves out is not in
    the output. Raises ValueError on a pipeline with corruption, or with batches of several rounds."""

    mechanism: PolicyMechanism

    def __post_init__(self) -> None:
        pipeline = self.mechanism.pipeline
        require(pipeline.shuffler.batch == 1, f"batch = {pipeline.shuffler.batch}: must be 1 (rounds are replayed one by one)")
        require(isinstance(pipeline.corruption, NoCorruption), f"corruption {pipeline.corruption}: must be none in a replay")

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        pipeline, view = self.mechanism.pipeline, self.mechanism.stated_guarantee.view
        table, shape = np.array(data, dtype=float), (self.mechanism.horizon, pipeline.environment.arms)
        require(table.shape == shape, f"table of shape {table.shape}: must be {shape} (rounds, arms)")
        randomiser = None if isinstance(pipeline.randomiser, NoRandomiser) else pipeline.randomiser
        seen = {"rewards": table} | ({"unseen": self.mechanism.differing} if view is View.JOINT else {})
        return PolicyRun(pipeline.policy, randomiser, reports=view is View.LOCAL)(seen, rng)


def function_of(release: Callable[..., Any]) -> Callable[..., Any] | None:
    """How the release of a pipeline (`PolicyMechanism`) is replayed, and that of a mechanism of this package, whose kernels are made again;
    None for any other callable, which is called as it is."""
    owner = getattr(release, "__self__", None)
    if isinstance(owner, PolicyMechanism):
        return MechanismRun(owner)
    return Releases(owner) if owner is not None and type(owner).__module__.startswith("banditproof.algorithms.") else None
