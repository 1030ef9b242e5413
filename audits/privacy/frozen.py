"""Gray-box evidence: run on a dataset, freeze what is released, run on its neighbour with the same variates, and compare.

A privacy proof by composition says: given what was released, everything else is a function of that and of fresh randomness, and each
release adds noise of a known scale to a value that the neighbour changes by at most the sensitivity. One pair of runs shows both, exactly:
where the second run leaves the first one's path although it got the same released values and the same variates, data flow beside the
releases; and from how far each value before the noise moved, in units of its noise, follows the loss on this pair. Nothing is estimated.

    replayed   the two runs
    judged     them against a claim

Two claims can be judged. The *contract* is that of the proof: nothing beside the releases depends on the data, and their losses add up to
no more than is claimed. A function may break it and still be private (it returns less than it releases, or draws in another order), so the
privacy claim itself is refuted only where all that was released is in the output, as it is and at one place.

What none of it sees: other pairs and paths than those that were run; draws that are no noise with a location (`recording.OPAQUE`), bits
that were drawn past the recording, and noise that is no summand, through which the data are not followed; other processes and files.
"""

import math
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from banditproof.audits.privacy.claims import claimed_loss
from banditproof.audits.privacy.noisy import Noise, Noisy, settled
from banditproof.audits.privacy.pair_loss import Level, level
from banditproof.audits.privacy.recording import Diverged, Recording
from banditproof.audits.privacy.shifts import ROUNDING, Rescaled, Shift, moves
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP
from banditproof.interaction import Floats

Function = Callable[[Any, np.random.Generator], Any]  # f(data, rng)


@dataclass(frozen=True)
class Replay:
    """A pair of runs. `shifts` are of the variates that the neighbour moves.

    `leak` is the first thing that depends on the data beside the releases; `shared` a draw that two values have, which move apart; `lost`
    the first randomness that was not followed; `hidden` the first draw of another kind, whose distribution may depend on the data unseen
    (noise that is no summand shows it in the output). Each is "" for none. `rescaled`: noise whose scale depends on the data, or None.
    `differs`: the outputs do, both runs having ended. `shows`: every release is in the output as it is, in both at one place. `forks`:
    something random was used before the end, so that another run may take another path. `limited`: normal noise that the neighbour moves
    was, so that the function may return nothing beyond a range."""

    shifts: tuple[Shift, ...]
    releases: int
    draws: int
    leak: str
    shared: str
    lost: str
    hidden: str
    rescaled: Rescaled | None
    differs: bool
    shows: bool
    forks: bool
    limited: bool


class NotRepeated(ValueError):
    """Two runs on the same dataset with the same variates differ: not all of the randomness comes from the generator."""


@dataclass(frozen=True)
class FirstRuns:
    """A function's runs on datasets that several pairs have in common, kept from one pair to the next: nothing is written to them later."""

    runs: dict[bytes, tuple[Recording, Any]] = field(default_factory=dict)

    def of(self, function: Function, data: Any, seed: int, signs: dict[int, int]) -> tuple[Recording, Any]:
        """The recording and the output of the run on this dataset. Raises what the function raises."""
        try:
            address = pickle.dumps((data, seed, sorted(signs.items())))
        except (pickle.PicklingError, TypeError, AttributeError):  # a value that has no address is run again each time
            return _first_run(function, data, seed, signs)
        if address not in self.runs:
            self.runs[address] = _first_run(function, data, seed, signs)
        return self.runs[address]


def _first_run(function: Function, data: Any, seed: int, signs: dict[int, int]) -> tuple[Recording, Any]:
    recording = Recording(seed, signs=signs)
    try:
        output = function(data, recording.generator())
    except TypeError as error:
        if Noisy.__name__ not in str(error):
            raise
        hint = "a value with noise in it is followed as an array is; what takes numbers alone must be given float(value)"
        raise ValueError(f"{error} ({hint})") from error
    recording.used = len(recording.releases)
    return recording, settled(output)


def replayed(
    function: Function, pair: tuple[Any, Any], *, seed: int, signs: dict[int, int] | None = None, known: FirstRuns | None = None
) -> Replay:
    """Runs `function(data, rng)` on both datasets, the second time with the first run's released values.

    `signs` turns variates around (by position). Raises what the function raises, and NotRepeated where two runs on the same dataset differ;
    `known`: of this function it is known that they do not, and runs are kept there.
    """
    turned = signs or {}
    first, output = _first_run(function, pair[0], seed, turned) if known is None else known.of(function, pair[0], seed, turned)
    if known is None:
        _, again, left = _run(function, pair[0], first, turned)
        if left or not alike(output, again):
            why = left or "their outputs differ"
            raise NotRepeated(
                f"two runs on the same dataset with the same variates are not the same ({why}): not all randomness is from rng"
            )
    second, other, leak = _run(function, pair[1], first, turned)
    numbers = _numbers_in(output)
    shifts, shared, rescaled = moves(first, second, numbers)
    differs = other is not _CUT and not alike(output, other)
    # Numbers in other places are not shown: the two outputs may be one distribution, as x and -x are of symmetric noise.
    shows = _shown(first, _in_both(output, other) if differs else numbers)
    if not leak and differs:
        leak = "the outputs differ, although all released values are the same"
    hidden = first.hiding[0] if first.hiding else ""
    lost = hidden or _no_summand(first, second)
    early = {variate for release in first.releases[: first.used] for variate in release.rows.indices.tolist()}
    limited = any(shift.noise is Noise.NORMAL and shift.variate in early for shift in shifts)
    counts = len(second.releases), len(second.draws)
    return Replay(shifts, *counts, leak, shared, lost, hidden, rescaled, differs, shows, first.forks, limited)


def _shown(recording: Recording, numbers: set[float]) -> bool:
    """Whether all that was released is among these numbers."""
    return all(float(value) in numbers for release in recording.releases for value in release.value.ravel())


_CUT = object()  # the output of a run that was cut off where it left the path


def _run(function: Function, data: Any, first: Recording, signs: dict[int, int]) -> tuple[Recording, Any, str]:
    """A run that gets the first one's released values: its recording, its output, and where it left the first one's path, or ""."""
    recording, output, left = Recording(first.seed, frozen=first, signs=signs), _CUT, ""
    try:
        output = settled(function(data, recording.generator()))
    except Diverged as error:
        left = str(error)
    draws, releases = len(recording.draws), len(recording.releases)
    if not left and draws < len(first.draws):
        left = f"draw {draws + 1} is {first.draws[draws]} on the dataset, and there is no such draw on the neighbour"
    if not left and releases < len(first.releases):
        left = f"what was drawn at {first.releases[releases].place} is used on the dataset and not on the neighbour"
    return recording, output, left


def _no_summand(first: Recording, second: Recording) -> str:
    """The first noise that is no summand of what the data change, so that it was not followed; or ""."""
    for one, other in zip(first.releases, second.releases, strict=False):
        if one.use and np.array_equal(one.before, other.before, equal_nan=True):
            return f"the noise drawn at {one.place} is no summand of what the data change ({one.use})"
    return ""


def _numbers_in(output: Any) -> set[float]:
    """The numbers of an output, however it is nested."""
    return {value for _, values in _leaves(output) for value in values}


def _in_both(output: Any, other: Any) -> set[float]:
    """The numbers that stand at one place of two outputs."""
    there = dict(_leaves(other))
    return {value for place, values in _leaves(output) for value, its in zip(values, there.get(place, ()), strict=False) if value == its}


_KEYS = object()  # the place of the keys of a dictionary


def _leaves(output: Any) -> Iterator[tuple[tuple[Any, ...], list[float]]]:
    """The numbers of an output, those of an array together, with their places in it: keys and indices, from outside to inside."""
    left: list[tuple[tuple[Any, ...], Any]] = [((), output)]
    while left:
        place, each = left.pop()
        if type(each) is float:
            yield place, [each]
        elif isinstance(each, dict):
            left += [((*place, key), value) for key, value in each.items()]
            left += [((*place, _KEYS, number), key) for number, key in enumerate(each) if type(key) in (float, tuple)]
        elif isinstance(each, (list, tuple)):
            left += [((*place, index), value) for index, value in enumerate(each)]
        elif isinstance(each, (int, float, np.generic, np.ndarray)) and np.asarray(each).dtype.kind in "fiub":
            yield place, np.asarray(each, dtype=float).ravel().tolist()


def alike(left: Any, right: Any) -> bool:
    """Whether two outputs are the same, NaN equal to NaN; numbers, arrays, strings, and sequences and dictionaries of them, as `settled`
    leaves them."""
    if left is right:
        return True
    if isinstance(left, dict) and isinstance(right, dict):
        return alike(list(left), list(right)) and all(map(alike, left.values(), right.values()))
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, float) and isinstance(right, float):
        return left == right or (math.isnan(left) and math.isnan(right))
    if isinstance(left, (int, str)) and type(left) is type(right):
        return bool(left == right)
    one, other = np.asarray(left), np.asarray(right)
    if one.shape != other.shape:
        return False
    numbers = one.dtype.kind in "fc" and other.dtype.kind in "fc"
    return bool(np.array_equal(one, other, equal_nan=True) if numbers else np.array_equal(one, other))


# --- judging ------------------------------------------------------------------------------------------------------------------------


PATHS = 3  # seeds, on each of which a refutation must be found: it may depend on what was released
RARE = 0.02  # paths that are less likely are run on three seeds out of three once in 100,000 audits
OTHERS = 40  # seeds on which a function whose path may depend on its noise must show all that it releases, as on the PATHS


def judged(
    function: Function,
    pair: tuple[Any, Any],
    claim: Guarantee,
    *,
    seed: int,
    contract: bool = False,
    flow: bool = False,
    known: FirstRuns | None = None,
    every: bool = True,
) -> Measurement:
    """Replays the pair on PATHS seeds (not `every`: until one of them passes), and judges the claim, or with `contract` that the function
    is private by composition.

    REFUTED, exactly: the loss at values that were released exceeds the claim on every path, or the outputs differ where all releases are
    the same; a Laplace loss is realised by turning the variates to the side where it is largest, and a loss to which delta or mu is
    compared is the same on all paths. Of the claim itself only where the function returns the releases as they are. INCONCLUSIVE: on some
    path something else than the releases depends on the data, the loss exceeds the claim, or a draw was not followed. NOT_REFUTED: the loss
    of this pair, on these paths, is within the claim; or, with `flow`, it has no closed form. `known` and what is raised: as `replayed`.
    """
    result = Measurement(
        Verdict.NOT_REFUTED, quantity="mu" if isinstance(claim, GaussianDP) else "epsilon", claimed=_claimed(claim), assumed=_ASSUMED
    )
    verdicts = list[_Path]()
    for path in range(PATHS):
        verdicts.append(_on_path(function, pair, claim, seed + path, contract, flow, known))
        if verdicts[-1][0] is Verdict.NOT_REFUTED and not every:
            break
    shown, found_on = _over_paths(verdicts)
    verdict, message, replay, loss_there = shown
    found = level(replay.shifts)
    if verdict is Verdict.REFUTED and math.isfinite(loss_there) and not isinstance(claim, PureDP):
        losses = [each[3] for each in verdicts]
        if max(losses) > min(losses) * (1.0 + ROUNDING):
            verdict, message = Verdict.INCONCLUSIVE, f"{message}; it depends on what is released"
    if found_on < len(verdicts):
        verdict, message = Verdict.INCONCLUSIVE, f"on {found_on} of {len(verdicts)} paths: {message}"
    if (
        verdict is Verdict.REFUTED
        and not contract
        and any(each[2].forks for each in verdicts)
        and not _always_shows(function, pair, seed + PATHS)
    ):
        verdict, message = Verdict.INCONCLUSIVE, f"{message}; on other paths the output does not show all that was released"
    followed = not (replay.shared or replay.leak or replay.rescaled or replay.lost)
    known_loss = followed and (contract or replay.shows or verdict is Verdict.NOT_REFUTED)
    loss = _loss(found, claim) if known_loss else None
    broken = replay.shared or replay.leak or replay.rescaled or ("" if found.within(claim) else f"the loss of this pair is {found}")
    detail = {
        "evidence": "gray-box",
        "releases": replay.releases,
        "draws": replay.draws,
        "pure": found.pure,
        "mu": found.mu,
        "contract": f"broken: {broken}" if broken else "kept",
        "not_followed": replay.lost,
        "moved": [_row(shift) for shift in replay.shifts[:20]],
    }
    return replace(result, verdict=verdict, exact=loss, message=message, detail=detail)


_ASSUMED = (
    "gray-box: the loss is that of this pair, on the paths that were run",
    "rng gives the function all of its randomness, and it keeps nothing between runs",
)
_Path = tuple[Verdict, str, Replay, float]  # what a seed shows, why, and the loss


def _always_shows(function: Function, pair: tuple[Any, Any], seed: int) -> bool:
    """Whether the output shows all that is released on OTHERS other paths of each dataset too. Where noise is drawn again until it lies in
    a range, a path on which it was taken at once shows all, and the output may come from any number of draws."""
    for data in pair:
        for path in range(OTHERS):
            recording, output = _first_run(function, data, seed + path, {})
            if not _shown(recording, _numbers_in(output)):
                return False
    return True


def _over_paths(paths: list[_Path]) -> tuple[_Path, int]:
    """The path that stands for all, and on how many of them its verdict is found: of the refuted ones the least loss, since a refutation is
    found on every path; of those that pass the largest; where they differ one that does not pass."""
    verdict = min((path[0] for path in paths), key=(Verdict.INCONCLUSIVE, Verdict.REFUTED, Verdict.NOT_REFUTED).index)
    those = [path for path in paths if path[0] is verdict]
    best = max if verdict is Verdict.NOT_REFUTED else min
    return best(those, key=lambda path: path[3]), len(those)


def _on_path(
    function: Function, pair: tuple[Any, Any], claim: Guarantee, seed: int, contract: bool, flow: bool, known: FirstRuns | None
) -> _Path:
    """What one seed shows."""
    replay = replayed(function, pair, seed=seed, known=known)
    whole = not (replay.leak or replay.shared or replay.rescaled)
    turned = {shift.variate: 1 if shift.units > 0 else -1 for shift in replay.shifts if shift.noise in (Noise.LAPLACE, Noise.COIN)}
    if turned and not replay.leak and not (whole and level(replay.shifts).within(claim)):
        replay = replayed(function, pair, seed=seed, signs=turned, known=known)
    refuted, open_ = Verdict.REFUTED, Verdict.INCONCLUSIVE
    if replay.leak or replay.shared:
        why = "; ".join(part for part in (replay.shared, replay.leak) if part)
        allowed = isinstance(claim, ApproximateDP) and claim.delta > RARE
        followed = not replay.lost and (contract or (replay.shows and not allowed and (replay.differs or bool(replay.shared))))
        also = "" if followed else f"; not followed: {replay.lost}" if replay.lost else "; whether the output shows it is not known"
        return refuted if followed else open_, why + also, replay, math.inf
    if replay.rescaled:
        why = str(replay.rescaled)
        if replay.rescaled.unbounded and not replay.lost and (contract or (_needs_one_scale(claim) and replay.shows)):
            return refuted, f"{why}: the loss is unbounded", replay, math.inf
        return open_, f"{why}; more is needed to compare the loss with the claim", replay, math.inf
    found, reached = level(replay.shifts), level(replay.shifts, realised=True)
    why = f"the loss of this pair is {found}"
    truth = found.within(claim)
    if truth and replay.hidden:
        return open_, f"{why}, but for what was not followed: {replay.hidden}", replay, found.pure + found.mu
    if truth:
        return Verdict.NOT_REFUTED, f"{replay.releases} releases, {why}", replay, found.pure + found.mu
    if flow and found.unknown:
        return Verdict.NOT_REFUTED, f"{replay.releases} releases, whose loss is not computed", replay, 0.0
    if replay.shifts:
        worst = max(replay.shifts, key=lambda shift: abs(shift.units))
        moved = f"moves by {worst.moved:.6g}" if math.isfinite(worst.units) else "is not finite on one of the two"
        why += f": the value before the noise drawn at {worst.place} {moved}, and its {worst.noise.value} noise has scale {worst.scale:.6g}"
    likely = RARE / 2.0 if replay.forks and not contract else 1.0  # half of it for a variate that was turned around
    if truth is None or reached.within(claim, likely) is not False:
        return open_, f"{why}; more is needed to compare it with the claim", replay, math.inf
    if replay.hidden:
        return open_, f"{why}, but for what was not followed: {replay.hidden}", replay, reached.pure + reached.mu
    if replay.limited and isinstance(claim, PureDP) and not contract:
        unless = "its loss is unbounded unless the function limits what it returns, and this number was used on the way"
        return open_, f"{why}; {unless}", replay, reached.pure + reached.mu
    shown = contract or replay.shows
    also = "" if shown else "; not all that was released is in the output, so it may show less"
    return refuted if shown else open_, why + also, replay, reached.pure + reached.mu


def _needs_one_scale(claim: Guarantee) -> bool:
    """Whether noise of two scales has an unbounded loss in this definition, for every distribution that is followed."""
    return isinstance(claim, (PureDP, GaussianDP, ZeroConcentratedDP))


def _claimed(claim: Guarantee) -> float | None:
    return None if isinstance(claim, (ZeroConcentratedDP, RenyiDP)) else claimed_loss(claim)


def _loss(found: Level, claim: Guarantee) -> float | None:
    """The pair's loss in the claim's unit, where it is one number."""
    if found.bound or found.unknown:
        return None
    match claim:
        case GaussianDP():
            return found.mu if found.pure == 0.0 else None
        case PureDP():
            return found.pure if found.mu == 0.0 else math.inf
        case _:
            return None


def _row(shift: Shift) -> dict[str, Any]:
    named = {name: getattr(shift, name) for name in ("place", "units", "moved", "scale")}
    return {**named, "noise": shift.noise.value, "in_output": shift.shown}


def as_function(release: Callable[[Any, int, np.random.Generator], Floats]) -> Function:
    """One run of a vectorised release f(data, runs, rng)."""
    return lambda data, rng: release(data, 1, rng)
