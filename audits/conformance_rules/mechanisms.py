"""The rules of a mechanism: what it releases, what it says of itself, and what it does with its arguments."""

import pickle
from typing import Any

import numpy as np
from hypothesis import strategies as st

from banditproof.audits.conformance_rules.trial import SEEDS, Rule, Trial, demand, has_members, shown
from banditproof.audits.strategies import neighbouring
from banditproof.guarantees import Guarantee, NeighbouringRelation, Replacement
from banditproof.interaction import Floats
from banditproof.mechanism import Mechanism, Neighbours

RUNS = 64


def _inputs(neighbours: Neighbours, data: st.DataObject) -> list[tuple[Any, Any]]:
    """The worst pairs and a drawn one."""
    return [*neighbours.worst, data.draw(neighbouring(neighbours))]


def _seedable(mechanism: Any) -> bool:
    return bool(getattr(mechanism, "seedable", True))


def _released(mechanism: Any, data: Any, runs: int, seed: int) -> Floats:
    released: Floats = mechanism.release(data, runs, np.random.default_rng(seed))
    return released


def _as_array(data: Any) -> Any:
    return data if isinstance(data, Replacement) else np.array(data, dtype=float)


def has_the_members(trial: Trial) -> None:
    """Would catch an object that an audit could not even start with, and a theorem that no registry can look up."""

    @trial.over(fraction=0.1)
    def hold(mechanism: Any) -> None:
        has_members(mechanism, Mechanism)
        for theorem in mechanism.theorems:
            fits = isinstance(theorem, str) and theorem.count(".") == 1
            demand(fits, mechanism, f"theorems: {theorem!r}", "must be ids of theorems, as 'dwork_2006.laplace_privacy'")


def guarantee_and_neighbours_agree(trial: Trial) -> None:
    """Would catch a claim for one relation audited on neighbours of another, and worst pairs that are no neighbours."""

    @trial.over(st.data())
    def hold(mechanism: Any, data: st.DataObject) -> None:
        try:
            guarantee = mechanism.guarantee()
        except ValueError as refusal:  # as folds * delta >= 1
            demand("must be" in str(refusal), mechanism, f"guarantee() refuses: {refusal}", "must name the rule, as '... must be < 1'")
            return
        demand(isinstance(guarantee, Guarantee), mechanism, f"guarantee() = {shown(guarantee)}", "must be one of banditproof.guarantees")
        demand(guarantee == mechanism.guarantee(), mechanism, f"guarantee() = {guarantee}", "must be the same when asked for again")
        neighbours = mechanism.neighbours()
        demand(isinstance(neighbours, Neighbours), mechanism, f"neighbours() = {shown(neighbours)}", "must be a Neighbours")
        demand(shown(neighbours) == shown(mechanism.neighbours()), mechanism, shown(neighbours), "must be the same when asked for again")
        claimed, declared = guarantee.relation.value, neighbours.relation.value
        demand(claimed == declared, mechanism, f"neighbours of relation {declared}", f"must be those of the guarantee, {claimed}")
        for first, second in _inputs(neighbours, data):
            try:
                neighbours.check(first, second)
            except ValueError as refusal:
                demand(False, mechanism, f"worst pair {shown((first, second))}", f"must be neighbours ({refusal})")
        for first, second in neighbours.worst:
            same = shown(_as_array(first)) == shown(_as_array(second)) if isinstance(first, Replacement) else np.array_equal(first, second)
            demand(not same, mechanism, f"worst pair {shown((first, second))}", "must differ")
        if neighbours.relation is NeighbouringRelation.QUERY_SENSITIVITY and neighbours.worst:
            near, far = (np.array(each, dtype=float) for each in neighbours.worst[0])
            try:
                neighbours.check(near, near + 1.001 * (far - near))
            except ValueError:
                return
            demand(False, mechanism, f"worst pair {shown(neighbours.worst[0])}", f"must lie the sensitivity {neighbours.sensitivity} apart")


def release_has_one_row_per_run(trial: Trial) -> None:
    """Would catch a transposed release, and an output length that distinguishes neighbours by itself."""

    @trial.over(st.integers(1, 4), SEEDS, st.data())
    def hold(mechanism: Any, runs: int, seed: int, data: st.DataObject) -> None:
        for pair in _inputs(mechanism.neighbours(), data):
            widths = set[int]()
            for each in pair:
                release = _released(mechanism, each, runs, seed)
                kind = getattr(release, "dtype", type(release).__name__)
                demand(isinstance(release, np.ndarray) and kind == np.float64, mechanism, f"a release of {kind}", "must be float64")
                fits = release.ndim == 2 and release.shape[0] == runs
                demand(fits, mechanism, f"a release of shape {release.shape}", f"must be (runs, width) with runs = {runs}")
                demand(np.isfinite(release).all(), mechanism, f"release {shown(release.tolist())} of {shown(each)}", "must be finite")
                widths |= {release.shape[1], _released(mechanism, each, runs + 1, seed).shape[1]}
            demand(len(widths) == 1, mechanism, f"widths {sorted(widths)} of releases of {shown(pair)}", "must be one width")


def release_follows_its_generator(trial: Trial) -> None:
    """Would catch a hidden source of randomness, as NumPy's global one: a witness drawn from it never replays."""

    @trial.over(SEEDS, st.data())
    def hold(mechanism: Any, seed: int, data: st.DataObject) -> None:
        if not _seedable(mechanism):  # it may agree by chance, and does where the noise is small: nothing to check draw by draw
            return
        each = _inputs(mechanism.neighbours(), data)[0][0]
        rng = np.random.default_rng(seed)
        before, first = rng.bit_generator.state, mechanism.release(each, RUNS, rng)
        moved = rng.bit_generator.state != before
        _released(mechanism, each, 1, seed + 1)
        second = _released(mechanism, each, RUNS, seed)
        source = "must depend on its data and its generator alone (no global random state, clock or state kept between calls)"
        demand(np.array_equal(first, second), mechanism, f"two releases from seed {seed}, {shown(first[0])} and {shown(second[0])}", source)
        constant = bool(np.all(first == first[0]))
        demand(moved or constant, mechanism, "rows that differ although the generator was not used", source)


def release_leaves_its_data(trial: Trial) -> None:
    """Would catch noise added in place: the second release of the same data would carry the noise of the first."""

    @trial.over(SEEDS, st.data())
    def hold(mechanism: Any, seed: int, data: st.DataObject) -> None:
        for pair in _inputs(mechanism.neighbours(), data):
            for each in pair:
                handed = _as_array(each)
                before = shown(handed) if isinstance(handed, Replacement) else handed.copy()
                _released(mechanism, handed, 2, seed)
                same = shown(handed) == before if isinstance(handed, Replacement) else np.array_equal(handed, before, equal_nan=True)
                demand(same, mechanism, f"data {shown(each)} became {shown(handed)}", "must stay as they are (release works on a copy)")


def release_refuses_bad_data(trial: Trial) -> None:
    """Would catch data of a wrong shape that are broadcast, and an error from deep inside that names neither value nor rule."""

    @trial.over(SEEDS, st.data(), fraction=0.25)
    def hold(mechanism: Any, seed: int, data: st.DataObject) -> None:
        neighbours = mechanism.neighbours()
        good = _as_array(_inputs(neighbours, data)[0][0])
        if isinstance(good, Replacement):
            return
        bad = [np.stack([good, good], axis=-1)]
        if good.ndim and neighbours.relation is not NeighbouringRelation.ADD_OR_REMOVE:  # nobody at all may be a dataset there
            bad.append(good[:0])
        if neighbours.relation is NeighbouringRelation.QUERY_SENSITIVITY and neighbours.lengths[0] == neighbours.lengths[1]:
            bad.append(np.concatenate([good, good]))
        for each in bad:
            rule = "must be refused with a ValueError of one line that names the value and the rule, 'data of shape ...: must be ...'"
            try:
                _released(mechanism, each, 2, seed)
            except ValueError as refusal:
                said = str(refusal)
                names_it = any(part in said for part in (str(each.shape), str(each), str(each.tolist())))
                demand("\n" not in said and "must" in said and names_it, mechanism, f"bad data refused with {said!r}", rule)
            except Exception as error:
                demand(False, mechanism, f"data of shape {each.shape} raise {type(error).__name__}: {error}", rule)
            else:
                demand(False, mechanism, f"data of shape {each.shape}, where {good.shape} is right, are released", rule)


def has_repr_and_pickles(trial: Trial) -> None:
    """Would catch a subject that no report can name, and one that no other process can be given."""

    @trial.over(SEEDS, st.data(), fraction=0.25)
    def hold(mechanism: Any, seed: int, data: st.DataObject) -> None:
        again = pickled(mechanism)
        if _seedable(mechanism):
            each = _inputs(mechanism.neighbours(), data)[0][0]
            same = np.array_equal(_released(mechanism, each, 8, seed), _released(again, each, 8, seed))
            demand(same, mechanism, f"another release from seed {seed} after pickling", "must be the same")


def pickled(subject: Any) -> Any:
    """The subject after pickling. Raises ConformanceError unless that works and the repr is one line that stays the same."""
    text = repr(subject)
    demand("\n" not in text and " at 0x" not in text, text, "its repr", "must be one line without an address, as a dataclass has it")
    try:
        again = pickle.loads(pickle.dumps(subject))
    except Exception as error:
        demand(False, subject, f"pickling raises {type(error).__name__}: {error}", "must work, for workers are other processes")
    demand(repr(again) == text, subject, f"{shown(again)} after pickling", "must be the same")
    return again


RULES: tuple[Rule, ...] = (
    has_the_members,
    guarantee_and_neighbours_agree,
    release_has_one_row_per_run,
    release_follows_its_generator,
    release_leaves_its_data,
    release_refuses_bad_data,
    has_repr_and_pickles,
)
