"""A pipeline played with every random block written down: no two draws share one, and each party draws for its own purposes.

Every random number comes from a block of the counter generator, addressed by key, run, purpose and index (`randomness`). Two draws that
share a block are the same number, or depend on each other, whatever they are used for.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import CodeType, FrameType
from typing import Any, ClassVar

from banditproof import randomness
from banditproof.algorithms.draws import arrays
from banditproof.algorithms.draws import words as short_words
from banditproof.audits.privacy.followed import Rebuilt
from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.interaction import Pipeline, Words
from banditproof.kernels import plain
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


@dataclass
class _Asked:
    """The blocks that were asked for."""

    constants: tuple[str, ...]
    blocks: dict[tuple[int, ...], CodeType | None] = field(default_factory=dict)  # and, where it asked for many at a time, which function
    begun: set[tuple[int, ...]] = field(default_factory=set)  # the first blocks of those many
    counted: list[int] = field(default_factory=list)  # how many of the next ones are read, where that is known
    twice: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    purposes: dict[tuple[int, ...], int] = field(default_factory=dict)  # of the streams of short blocks

    def form(self, kernel: Callable[..., Any], party: str) -> Callable[..., Any]:
        """A party's kernel, which writes down its blocks here."""
        words, short_key, short_block = plain(randomness.block), plain(randomness.short_key), plain(short_words.short_block)
        short_lanes = plain(short_words.short_lanes)

        def block(key: Words, purpose: int, index: int) -> Any:
            self._asked_for((*key.tolist(), int(purpose), int(index)), party, purpose, f"block {index} of purpose {purpose}")
            return words(key, purpose, index)

        def stream_of(key: Words, purpose: int, target: Words) -> None:
            short_key(key, purpose, target)
            self.purposes[tuple(target.tolist())] = int(purpose)

        def words_of(stream: Words, index: Any) -> Any:
            of, at = tuple(stream.tolist()), int(index)
            self._asked_for((*of, at), party, self.purposes[of], f"short block {at} of purpose {self.purposes[of]}")
            return short_block(stream, index)

        def lanes_of(stream: Words, first: Any, step: Any) -> Any:
            of = tuple(stream.tolist())
            addresses = [(*of, (int(first) + int(step) * lane) % 2**64) for lane in range(short_words.LANES)]
            name = f"short blocks {first}, {int(first) + int(step)} .. of purpose {self.purposes[of]}"
            if self.counted:
                read, self.counted[-1] = addresses[: self.counted[-1]], max(self.counted[-1] - short_words.LANES, 0)
                for address in read:
                    self._asked_for(address, party, self.purposes[of], name)
            else:
                self._asked_for_many(addresses, party, self.purposes[of], name)
            return short_lanes(stream, first, step)

        rebuilt = Rebuilt({words: block, short_key: stream_of, short_block: words_of, short_lanes: lanes_of})
        rows_of = rebuilt.function(arrays.normals)

        def normals(key: Words, purpose: int, first: int, target: Any, room: Any) -> None:
            self.counted.append(target.shape[0] * (target.shape[1] // 2))
            rows_of(key, purpose, first, target, room)
            self.counted.pop()

        rebuilt.made[plain(arrays.normals)] = normals
        return rebuilt.function(kernel)

    def _asked_for(self, address: tuple[int, ...], party: str, purpose: int, name: str) -> None:
        """A block of this address, by a party."""
        if not self._is_constant():
            if address in self.blocks:
                self.twice.append(f"{party}: {name}")
            if purpose not in _OWN[party]:
                self.foreign.append(f"{party}: {name}")
        self.blocks[address] = None

    def _asked_for_many(self, addresses: list[tuple[int, ...]], party: str, purpose: int, name: str) -> None:
        """Blocks of these addresses, by a party, that perhaps reads only the first ones.

        What it does not read, the same function asks for again when it comes there: so a block may be asked for twice, but by one function,
        and never twice as the first of many."""
        caller = self._caller()
        if not self._is_constant():
            if addresses[0] in self.begun or any(self.blocks.get(address, caller) is not caller for address in addresses):
                self.twice.append(f"{party}: {name}")
            if purpose not in _OWN[party]:
                self.foreign.append(f"{party}: {name}")
        self.begun.add(addresses[0])
        self.blocks.update(dict.fromkeys(addresses, caller))

    def _caller(self) -> CodeType:
        """The function that asks for blocks by those of `words`."""
        frame = sys._getframe(3)
        while frame.f_code.co_filename == short_words.__file__ and frame.f_back is not None:
            frame = frame.f_back
        return frame.f_code

    def _is_constant(self) -> bool:
        """Whether one of `constants` is being called."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code is not _PLAY:
            if frame.f_code.co_name in self.constants:
                return True
            frame = frame.f_back
        return False


@dataclass(frozen=True)
class DrawsApart:
    """Plays `horizon` rounds step by step; refuted where a block is asked for twice, or by a party whose purpose it is not; other than by
    one of the functions `constants`, which draw what is the same in all rounds of a run each time that they need it."""

    pipeline: Pipeline
    horizon: int
    constants: tuple[str, ...] = ()
    prefix: ClassVar[str] = "draws"
    statistical: ClassVar[bool] = False

    def measure(self, request: Request) -> Measurement:
        asked = _Asked(self.constants)
        play(self._with(asked.form), horizon=self.horizon, key=key_of(request.seed, *request.path), stepwise=True)
        found = len(asked.twice) + len(asked.foreign)
        first = "".join(f"; {what}: {names[0]}" for what, names in (("twice", asked.twice), ("of another", asked.foreign)) if names)
        return Measurement(
            Verdict.REFUTED if found else Verdict.HOLDS_AT_POINTS,
            quantity="blocks that two draws share, or of another party",
            exact=float(found),
            claimed=0.0,
            samples=len(asked.blocks),
            message=f"{len(asked.blocks)} blocks in {self.horizon} rounds, {found} of them wrong{first}",
            assumed=("step by step in plain Python, from the sources that are compiled",),
        )

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
