"""The rules of a bandit algorithm in plain Python: `choose` and `update`, played on drawn tables of rewards."""

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any

import hypothesis
import numpy as np
from hypothesis import strategies as st

from banditproof.audits.conformance_rules.drawing import NOTHING, drawn_parameters
from banditproof.audits.conformance_rules.trial import SEEDS, Rule, Trial, demand, shown
from banditproof.interaction import Floats
from banditproof.typical import Values

SUPPLIED = ("arms", "horizon", "rng", "rewards")
DEPENDS = "must depend on its rewards, its generator and its parameters alone"
PAIRS = st.tuples(st.integers(1, 40), st.integers(2, 5))  # rounds, arms


@dataclass(frozen=True)
class Maker:
    """Makes a fresh policy for each run; parameters of SUPPLIED names get what is theirs in that run."""

    member: Callable[..., Any]
    values: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"{self.member.__name__}({', '.join(f'{name}={value!r}' for name, value in self.values.items())})"

    def start(self, rewards: Floats, seed: int) -> Any:
        """A policy at the start of a run on a table (T, K)."""
        horizon, arms = rewards.shape
        facts = {"arms": arms, "horizon": horizon, "rng": np.random.default_rng(seed), "rewards": rewards}
        asked = [name for name in inspect.signature(self.member).parameters if name in facts]
        try:
            return self.member(**self.values, **{name: facts[name] for name in asked})
        except ValueError:  # values that do not go together, as in `instances`
            hypothesis.reject()


def is_plain(subject: Any) -> bool:
    """Whether a class or object is a policy in plain Python: `choose` and `update`, and no `kernels`."""
    made = inspect.signature(subject, eval_str=True).return_annotation if inspect.isfunction(subject) else subject
    return {"choose", "update"} <= set(dir(made)) and "kernels" not in dir(made)


def require_methods(subject: Any) -> None:
    """Raises ConformanceError, naming what is missing, on a policy that is neither plain Python nor has `kernels`."""
    made = inspect.signature(subject, eval_str=True).return_annotation if inspect.isfunction(subject) else subject
    has = {*dir(made), *(field.name for field in (dataclasses.fields(made) if dataclasses.is_dataclass(made) else ()))}
    missing = [name for name in ("choose", "update") if name not in has]
    if inspect.isfunction(subject) and made is inspect.Signature.empty:  # what it returns is not known yet
        return
    rule = "must have `choose` and `update` (plain Python), or `kernels` and what else Policy has"
    demand(not missing or "kernels" in has, subject, f"no member {' and no member '.join(map(repr, missing))}", rule)


def trial_of(subject: Any, values: Mapping[str, Values] | None, examples: int) -> Trial:
    """A trial of a policy in plain Python. Raises ValueError on an object, of which no second run can be started."""
    if not (isinstance(subject, type) or inspect.isfunction(subject)):
        raise ValueError(f"{shown(subject)}: must be a class, or a function that makes a policy, since each run needs a fresh one")
    makers = drawn_parameters(subject, values or NOTHING, SUPPLIED).map(lambda drawn: Maker(subject, drawn))
    return Trial(subject.__name__, makers, examples)


def _step(policy: Any, maker: Maker, rewards: Floats, round: int) -> int:
    contexts = [] if not inspect.signature(policy.choose).parameters else [np.zeros((rewards.shape[1], 0))]
    chosen = policy.choose(*contexts)
    try:
        arm = index(chosen)
    except TypeError:
        arm = -1
    demand(
        0 <= arm < rewards.shape[1],
        maker,
        f"round {round}: choose() returned {chosen}",
        f"must be >= 0 and < {rewards.shape[1]} (an arm)",
    )
    policy.update(arm, float(rewards[round, arm]))
    return arm


def _arms(maker: Maker, rewards: Floats, seed: int) -> list[int]:
    policy = maker.start(rewards, seed)
    return [_step(policy, maker, rewards, round) for round in range(rewards.shape[0])]


def _table(shape: tuple[int, int], seed: int) -> Floats:
    """Coins of unlike arms: ties, and an arm that pays more."""
    rng = np.random.default_rng(seed)
    return (rng.random(shape) < rng.random(shape[1])).astype(float)


def every_choice_is_an_arm(trial: Trial) -> None:
    """Would catch an index that is out of range with two arms, or on the first round."""

    @trial.over(PAIRS, SEEDS)
    def hold(maker: Maker, shape: tuple[int, int], seed: int) -> None:
        rewards = _table(shape, seed)
        before = rewards.copy()
        _arms(maker, rewards, seed)
        demand(np.array_equal(rewards, before), maker, f"table {shown(before.tolist())} became {shown(rewards.tolist())}", "must stay")


def runs_share_no_state(trial: Trial) -> None:
    """Would catch a list that is an attribute of the class or a mutable default: the second run would begin with what the first learnt; and
    choices from a global random state, which no seed replays."""

    @trial.over(PAIRS, SEEDS)
    def hold(maker: Maker, shape: tuple[int, int], seed: int) -> None:
        rewards, others = _table(shape, seed), _table(shape, seed + 1)
        kind = type(maker.start(rewards, seed))
        before = _attributes(kind)
        first = _arms(maker, rewards, seed)
        changed = [name for name, text in _attributes(kind).items() if before.get(name) != text]
        told = f"a run changed {', '.join(changed)} of the class {kind.__name__}"
        demand(not changed, maker, told, "must keep its state in the object (state is shared between runs)")
        _arms(maker, others, seed + 1)
        second = _arms(maker, rewards, seed)
        told = f"a run chose {first}, and after another run with the same rewards and seed {second}"
        demand(first == second, maker, told, f"{DEPENDS} (state is shared between runs, or a random state is global)")
        one, other = maker.start(rewards, seed), maker.start(others, seed + 1)
        among = []
        for round in range(shape[0]):
            among.append(_step(one, maker, rewards, round))
            _step(other, maker, others, round)
        told = f"a run chose {first}, and beside another run with the same rewards and seed {among}"
        demand(first == among, maker, told, f"{DEPENDS} (state is shared between runs, or a random state is global)")


def _attributes(kind: type[Any]) -> dict[str, str]:
    """The class's own attributes that hold data, as text."""
    own = {name: value for each in reversed(kind.__mro__[:-1]) for name, value in vars(each).items()}
    return {name: repr(value) for name, value in own.items() if not name.startswith("__") and not callable(value)}


def unplayed_arms_change_nothing(trial: Trial) -> None:
    """Would catch a policy that looks up, in the table of a simulation, what it did not earn: another arm's reward, or a later round's."""

    @trial.over(PAIRS, SEEDS)
    def hold(maker: Maker, shape: tuple[int, int], seed: int) -> None:
        rewards = _table(shape, seed)
        first = _arms(maker, rewards, seed)
        unseen, pulled = 1.0 - rewards, (np.arange(shape[0]), first)
        unseen[pulled] = rewards[pulled]
        second = _arms(maker, unseen, seed)
        if first != second:
            round = next(place for place, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1])
            told = f"round {round}: arm {first[round]} or {second[round]}, by rewards that it had not been paid"
            demand(False, maker, told, "must be the same whatever arms that it does not pull would have paid")


RULES: tuple[Rule, ...] = (every_choice_is_an_arm, runs_share_no_state, unplayed_arms_change_nothing)
