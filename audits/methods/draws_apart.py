"""A pipeline played with every random block written down: no two draws share one, and each party draws for its own purposes.

Every random number comes from a block of the counter generator, addressed by key, run, purpose and index (`randomness`). Two draws that
share a block are the same number, or depend on each other, whatever they are used for.

Lanes of short blocks (`draws.words`) come so many at a time that the last of a call may be those of the next one: whoever asks for them
first must not read them. So where one function, called several times, asks for a block again, the block belongs to the call that began
at the last one, and the pipeline is played once more with all others' copies of it replaced by 0: nothing that is recorded may change.
Normals of windows that are kept (`draws.kept_normals`) are drawn once and asked for one by one: each of them at most once.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import CodeType, FrameType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from banditproof import randomness
from banditproof.algorithms.draws import kept_normals
from banditproof.algorithms.draws import words as short_words
from banditproof.audits.privacy.followed import Rebuilt
from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.interaction import Floats, Pipeline, Run, Wire, Words
from banditproof.kernels import plain
from banditproof.lanes import Lanes
from banditproof.randomness import key_of
from banditproof.simulation import play

_PLAY = play.__code__


class _Part:
    """A party of a pipeline with other kernels, everything else as it is."""

    def __init__(self, part: Any, **kernels: Any) -> None:
        self._part, self._kernels = part, kernels

    def __getattr__(self, name: str) -> Any:
        kernels = object.__getattribute__(self, "_kernels")
        return kernels[name] if name in kernels else getattr(object.__getattribute__(self, "_part"), name)


# Which purposes the kernels of a party may draw for.
_OWN = {
    **dict.fromkeys(("start", "choose", "learn"), (randomness.CHOICES, randomness.NOISE)),
    "report": (),
    "present": (randomness.CONTEXTS,),
    "reward": (randomness.REWARDS,),
    "randomiser": (randomness.CLIENT,),
    "corruption": (randomness.CORRUPTION,),
    "shuffler": (randomness.SHUFFLING,),
}


# And the functions of `constants`: what an environment keeps for a run is drawn as its contexts are, also where a reward needs it.
_CONSTANTS_OWN = {**_OWN, "reward": _OWN["present"]}


Address = tuple[int, ...]
_KEPT = -1  # marks the address of a number of a window that is kept


@dataclass(frozen=True, eq=False)
class _Caller:
    """A call of a function of ours that asks for short blocks: `first` is the first of them."""

    frame: FrameType
    first: int


class _Copy(NamedTuple):
    """A short block as lane `lane` of the lanes number `number`, which may be `alone`: a single block."""

    caller: _Caller
    number: int
    lane: int
    alone: bool


@dataclass
class _Asked:
    """The blocks that were asked for. `unread`: which lanes of which are replaced by 0. `fixed`: those of each of `constants`."""

    constants: tuple[str, ...]
    unread: Mapping[int, list[int]] = field(default_factory=dict)
    count: int = 0  # of lanes
    blocks: dict[Address, list[_Copy]] = field(default_factory=lambda: defaultdict(list))
    fixed: dict[Address, CodeType] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    purposes: dict[Address, int] = field(default_factory=dict)  # of the streams of short blocks
    callers: dict[FrameType, _Caller] = field(default_factory=dict)

    def form(self, kernel: Callable[..., Any], party: str) -> Callable[..., Any]:
        """A party's kernel, which writes down its blocks here."""
        words, short_key = plain(randomness.block), plain(randomness.short_key)
        short_block, short_lanes = plain(short_words.short_block), plain(short_words.short_lanes)

        def block(key: Words, purpose: int, index: int) -> Any:
            self._asked_for((*key.tolist(), int(purpose), int(index)), party, purpose, f"block {index} of purpose {purpose}")
            return words(key, purpose, index)

        def stream_of(key: Words, purpose: int, target: Words) -> None:
            short_key(key, purpose, target)
            self.purposes[tuple(target.tolist())] = purpose

        def words_of(stream: Words, index: Any) -> Any:
            number, found = self.count, short_block(stream, index)
            self._short(tuple(stream.tolist()), int(index), 1, 1, party)
            return tuple(word & np.uint64(0) for word in found) if self.count > number and number in self.unread else found

        def lanes_of(stream: Words, first: int, step: int) -> tuple[Lanes, ...]:
            number, found = self.count, short_lanes(stream, first, step)
            self._short(tuple(stream.tolist()), int(first), int(step), short_words.LANES, party)
            if self.count > number and number in self.unread:
                for each in found:
                    each[self.unread[number]] = 0
            return tuple(found)

        made: dict[Any, Callable[..., Any]] = {words: block, short_key: stream_of, short_block: words_of, short_lanes: lanes_of}
        rebuilt = Rebuilt(made)
        kept_normal, consecutive = rebuilt.function(kept_normals.kept_normal), rebuilt.function(kept_normals.consecutive)

        def normal(room: Floats, key: Words, purpose: int, index: int) -> float:
            self._asked_for((*key.tolist(), purpose, _KEPT, index), party, purpose, f"normal {index} of purpose {purpose}")
            return float(kept_normal(room, key, purpose, index))

        def several(room: Floats, key: Words, purpose: int, first: int, target: Floats) -> None:
            for index in range(first, first + target.shape[0]):
                self._asked_for((*key.tolist(), purpose, _KEPT, index), party, purpose, f"normal {index} of purpose {purpose}")
            consecutive(room, key, purpose, first, target)

        made[plain(kept_normals.kept_normal)], made[plain(kept_normals.consecutive)] = normal, several
        return rebuilt.function(kernel)

    def _short(self, stream: Address, first: int, step: int, count: int, party: str) -> None:
        """So many short blocks of a stream, by a party."""
        purpose, addresses = self.purposes.get(stream), [(*stream, first + lane * step) for lane in range(count)]
        name = f"{party}: short block {first} of purpose {purpose}"
        if self._is_of_constant(addresses, party, purpose, name):
            return
        frame, number = _frame(), self.count
        caller, self.count = self.callers.setdefault(frame, _Caller(frame, first)), self.count + 1
        if purpose is None or purpose not in _OWN[party]:
            self.foreign.append(name)
        wrong = False
        for lane, address in enumerate(addresses):
            copies, copy = self.blocks[address], _Copy(caller, number, lane, count == 1)
            wrong = wrong or address in self.fixed or any(_are_wrong(each, copy) for each in copies)
            copies.append(copy)
        if wrong:
            self.twice.append(name)

    def spare(self) -> dict[int, list[int]]:
        """Which lanes of which hold blocks that belong to other calls."""
        found: dict[int, list[int]] = defaultdict(list)
        for copies in self.blocks.values():
            last = max((copy.caller.first for copy in copies), default=0)
            for copy in copies:
                if copy.caller.first < last:
                    found[copy.number].append(copy.lane)
        return found

    def _asked_for(self, address: Address, party: str, purpose: int, name: str) -> None:
        """A block of this address, by a party."""
        if self._is_of_constant([address], party, purpose, f"{party}: {name}"):
            return
        if address in self.blocks or address in self.fixed:
            self.twice.append(f"{party}: {name}")
        if purpose not in _OWN[party]:
            self.foreign.append(f"{party}: {name}")
        self.blocks[address] = []

    def _is_of_constant(self, addresses: list[Address], party: str, purpose: int | None, name: str) -> bool:
        """Whether one of `constants` is asking: it may ask for its blocks again, and nobody else may."""
        constant = self._constant()
        if constant is None:
            return False
        if purpose not in _CONSTANTS_OWN[party]:
            self.foreign.append(name)
        if any(address in self.blocks or self.fixed.setdefault(address, constant) is not constant for address in addresses):
            self.twice.append(name)
        return True

    def _constant(self) -> CodeType | None:
        """The code of the one of `constants` that is being called."""
        frame: FrameType | None = sys._getframe(3)
        while frame is not None and frame.f_code is not _PLAY:
            if frame.f_code.co_name in self.constants:
                return frame.f_code
            frame = frame.f_back
        return None


def _are_wrong(one: _Copy, other: _Copy) -> bool:
    """Whether two copies of a block are read, whatever the second play shows."""
    by_one = one.caller.frame.f_code is other.caller.frame.f_code
    return not by_one or one.caller.first == other.caller.first or (one.alone and other.alone)


def _frame() -> FrameType:
    """Of the function that asks for short blocks: outside of `draws.words` and of this module."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename in _WORDS_AND_HERE and frame.f_back is not None:
        frame = frame.f_back
    return frame


_WORDS_AND_HERE = (plain(short_words.short_block).__code__.co_filename, _frame.__code__.co_filename)


def _differences(run: Run, other: Run) -> list[str]:
    """The records in which two runs differ."""
    pairs = {wire.value: (run.wires[wire], other.wires[wire]) for wire in run.wires}
    pairs["regret"] = (run.regret, other.regret)
    return [name for name, (left, right) in pairs.items() if not np.array_equal(left, right, equal_nan=True)]


@dataclass(frozen=True)
class DrawsApart:
    """Plays `horizon` rounds step by step; refuted where a block is read twice, or by a party whose purpose it is not; other than by one of
    the functions `constants`, which draw what is the same in all rounds of a run each time that they need it."""

    pipeline: Pipeline
    horizon: int
    constants: tuple[str, ...] = ()
    prefix: ClassVar[str] = "draws"
    statistical: ClassVar[bool] = False

    def measure(self, request: Request) -> Measurement:
        asked = _Asked(self.constants)
        run = self._played(asked, request)
        again, unread, spare = [], 0, asked.spare()
        if spare:
            unread = sum(len(lanes) for lanes in spare.values())
            try:
                again = _differences(run, self._played(_Asked(self.constants, spare), request))
            except Exception as error:  # whatever a kernel does with zeros that it was not to read
                again = [f"{type(error).__name__}: {error}"[:80]]
        found = len(asked.twice) + len(asked.foreign) + len(again)
        also = f"; {unread} unread" if unread else ""
        wrong = (("twice", asked.twice), ("of another", asked.foreign), ("read by two calls, as shown by", again))
        first = "".join(f"; {what}: {names[0]}" for what, names in wrong if names)
        verdict = Verdict.HOLDS_AT_POINTS if asked.blocks else Verdict.INCONCLUSIVE  # of nothing, nothing is known
        return Measurement(
            Verdict.REFUTED if found else verdict,
            quantity="blocks that two draws share, or of another party",
            exact=float(found),
            claimed=0.0,
            samples=len(asked.blocks),
            message=f"{len(asked.blocks)} blocks in {self.horizon} rounds, {found} of them wrong{first}{also}",
            assumed=("step by step in plain Python, from the sources that are compiled",),
        )

    def _played(self, asked: _Asked, request: Request) -> Run:
        key, marks = key_of(request.seed, *request.path), range(1, self.horizon + 1)
        return play(self._with(asked.form), horizon=self.horizon, key=key, record=tuple(Wire), checkpoints=marks, stepwise=True)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Plays again with the seed of the second look."""
        return self.measure(Request(0.0, again.seed, ("draws",)))

    def _with(self, form: Callable[[Any, str], Any]) -> Pipeline:
        pipeline = self.pipeline
        kernels, world = pipeline.policy.kernels, pipeline.environment
        policy: Any = _Part(pipeline.policy, kernels=kernels._replace(**{name: form(getattr(kernels, name), name) for name in _FOUR}))
        environment: Any = _Part(world, present=form(world.present, "present"), reward=form(world.reward, "reward"))
        others = {name: getattr(pipeline, name) for name in ("randomiser", "corruption", "shuffler")}
        parts: dict[str, Any] = {name: _Part(part, kernel=form(part.kernel, name)) for name, part in others.items()}
        return replace(pipeline, policy=policy, environment=environment, **parts)


_FOUR = ("start", "choose", "report", "learn")
