"""A user's object becomes a mechanism: every form, every way to get it wrong."""

import re

import numpy as np
import pytest

from banditproof.audits.data_forms import DataForm
from banditproof.audits.front_door import audit_privacy
from banditproof.audits.privacy.declared import related, relation_named
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.subjects import NO_SEED, Form, Subject, SubjectRaised, adapt, load_subject, repeats
from banditproof.guarantees import NeighbouringRelation
from banditproof.mechanism import MARK, Neighbours

from .conftest import SUBJECTS, subject


def mechanism(name: str) -> Subject:
    return adapt(load_subject(subject(name)), name=name)


@pytest.mark.parametrize(
    ("name", "form", "width"),
    [
        ("plain", Form.PLAIN, 1),
        ("vectorised", Form.VECTORISED, 1),
        ("keyword_only", Form.VECTORISED, 1),
        ("other_order", Form.VECTORISED, 1),
        ("sparse_vector", Form.PLAIN, 2),
        ("release", Form.VECTORISED, 2),
        ("Promising", Form.VECTORISED, 1),
        ("Nested.member", Form.PLAIN, 1),
    ],
)
def test_every_form_is_recognised_by_its_signature(name: str, form: Form, width: int) -> None:
    """Would catch a vectorised function called once per run, and arguments passed in the wrong order."""
    found = mechanism(name)
    outputs = found.release([0.0, 1.0], 500, np.random.default_rng(1))
    assert found.form is form
    assert outputs.shape == (500, width)
    assert np.unique(outputs).size > 1


def test_the_three_forms_of_one_mechanism_have_one_distribution() -> None:
    """Would catch a loop over runs that reuses a draw: the plain form has the vectorised form's very numbers."""
    plain, vectorised = (mechanism(name).release([0.0, 1.0], 1000, np.random.default_rng(3)) for name in ("plain", "vectorised"))
    assert np.array_equal(plain, vectorised)


def test_sequences_that_end_early_are_padded_with_the_mark() -> None:
    """Would catch padding with 0 or NaN, which are outputs that a mechanism can mean."""
    outputs = mechanism("sparse_vector").release([0.0, 0.0, 0.0], 400, np.random.default_rng(1))
    ended = outputs[:, 0] == 1.0
    assert 0 < ended.sum() < 400
    assert (outputs[ended][:, 1:] == MARK).all()
    assert (outputs[~ended][:, 1] != MARK).all()


def test_users_code_always_sees_numbers_and_lists() -> None:
    """Would catch a mechanism that works on --dataset, and gets tuples or arrays from the search."""
    seen = []

    def spy(data, rng):
        seen.append(data)
        return 0.0

    adapted = adapt(spy)
    for data in ((0.0, 1.0), np.array([0.0, 1.0]), [0.0, 1.0]):
        adapted.release(data, 1, np.random.default_rng(1))
    assert seen == [[0.0, 1.0]] * 3
    assert all(type(value) is float for data in seen for value in data)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wrong_shape", "wrong_shape returned shape (3, 50): must be (50,) or (50, width), one row for each of 50 runs"),
        ("functions", "functions returned an output of which a part is of type function: must be made of numbers, text, bytes, None"),
        ("changes_its_data", "changes_its_data changes its data in place"),
        ("number", "number is an int: must be a function f(data, rng)"),
        ("one_parameter", "one_parameter(data): must be a function f(data, rng)"),
        ("Release", "Release is a class whose instances need scale: name an instance, as `mechanism = Release(...)`"),
    ],
)
def test_what_is_no_mechanism_is_refused_in_words(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        mechanism(name).release([0.0, 1.0], 50, np.random.default_rng(1))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "kinds"), [("words", 2), ("huge", 1), ("nested", 1)])
def test_outputs_that_are_no_doubles_are_rows_all_the_same(name: str, kinds: int) -> None:
    """Would catch words that are refused, and a whole number beyond all floats that becomes infinite."""
    outputs = mechanism(name).release([0.0], 50, np.random.default_rng(1))
    assert np.isfinite(outputs).all()
    assert len(np.unique(outputs, axis=0)) == kinds


def test_a_forgotten_return_is_no_output() -> None:
    """Would catch a mechanism that returns nothing, and so passes as one that says nothing of its data."""
    with pytest.raises(ValueError, match="nothing returned None in each of 64 runs on both datasets: a return statement is missing"):
        repeats(mechanism("nothing"), ([0.0], [1.0]), seed=5)


def test_data_have_the_form_that_is_asked_for() -> None:
    """Would catch an annotation that is not read, be it a string, an alias or a name for type checkers alone, and an option that is."""
    seen = []

    def array(data: np.ndarray, rng) -> float:
        seen.append(data)
        return 0.0

    def written(rng, data: "npt.NDArray[np.float64]", runs) -> "Floats":  # type: ignore[name-defined] # noqa: F821
        seen.append(data)
        return np.zeros(runs)

    def unsaid(data, rng):
        seen.append(data)
        return 0.0

    rng = np.random.default_rng(1)
    for given in (adapt(array), adapt(written), adapt(unsaid), *(adapt(unsaid, data_as=form) for form in DataForm)):
        given.release([0.0, 1.0], 1, rng)
    assert [type(data).__name__ for data in seen] == ["ndarray", "ndarray", "list", "list", "ndarray", "DataFrame", "Series"]
    assert all(np.array_equal(np.asarray(data).ravel(), [0.0, 1.0]) for data in seen)


def test_the_commonest_stumble_says_what_to_do() -> None:
    def wants_an_array(data, rng):
        return data.sum()

    with pytest.raises(SubjectRaised, match=r"'list' object has no attribute 'sum' \(data arrive as a list: annotate .*--data-as array\)"):
        adapt(wants_an_array).release([0.0], 1, np.random.default_rng(1))
    with pytest.raises(ValueError, match="changes its data in place"):
        adapt(changes_an_array, data_as=DataForm.ARRAY).release([0.0], 2, np.random.default_rng(1))


def changes_an_array(data, rng):
    data += 1.0
    return 0.0


@pytest.mark.parametrize(("name", "kind"), [("raises", RuntimeError), ("stops", SystemExit)])
def test_an_error_of_the_users_code_is_its_own(name: str, kind: type[BaseException]) -> None:
    """Would catch a user's ValueError taken for bad input, or a SystemExit that ends the audit silently."""
    with pytest.raises(SubjectRaised) as caught:
        mechanism(name).release([0.0], 5, np.random.default_rng(1))
    assert isinstance(caught.value.__cause__, kind)
    assert str(caught.value).startswith(f"{name} raised {kind.__name__}: ")


@pytest.mark.parametrize(("name", "wanted"), [("plain", True), ("vectorised", True), ("coin", True), ("unseeded", False)])
def test_noise_that_cannot_be_seeded_is_noticed(name: str, wanted: bool) -> None:
    data = 1.0 if name == "coin" else [1.0]
    assert repeats(mechanism(name), (data, data), seed=5) is wanted


def test_an_object_may_say_that_it_cannot_be_seeded() -> None:
    def f(data, rng):
        return rng.laplace()

    f.seedable = False
    assert not repeats(adapt(f), ([0.0], [1.0]), seed=5)


def none_for_one_record(data, rng):
    return None if len(data) < 2 else float(np.mean(data)) + rng.laplace()


def unseeded_for_two_records(data, rng):
    return 0.0 if len(data) < 2 else np.random.default_rng().random()


@pytest.mark.parametrize("pair", [([0.0], [0.0, 1.0]), ([0.0, 1.0], [0.0])])
def test_both_datasets_are_looked_at(pair) -> None:
    """As it was found: None on the first dataset alone was a forgotten return, on the second alone a refutation; noise of another
    generator on the second dataset was not noticed."""
    found = audit_privacy(none_for_one_record, epsilon=1, dataset=pair[0], neighbour=pair[1], samples=2000)
    assert found.measured.verdict is Verdict.REFUTED
    assert not repeats(adapt(unseeded_for_two_records), pair, seed=5)
    found = audit_privacy(unseeded_for_two_records, epsilon=1, dataset=pair[0], neighbour=pair[1], samples=2000)
    assert NO_SEED in found.measured.assumed


@pytest.mark.parametrize(("returned", "said"), [(5, "guarantee() is 5"), ({"epsilon": 1}, "guarantee() is {'epsilon': 1}")])
def test_a_guarantee_of_another_type_is_named(returned: object, said: str) -> None:
    """As it was found: "its process failed with AttributeError: 'int' object has no attribute 'relation'"."""

    class Stating:
        def guarantee(self) -> object:
            return returned

        def release(self, data, rng):
            return rng.laplace()

    rule = "must be None or a guarantee, as banditproof.claim(epsilon=1) gives it"
    with pytest.raises(ValueError, match=re.escape(f"stating: its {said}: {rule}")):
        adapt(Stating(), name="stating")


def test_neighbours_may_be_declared_in_three_ways() -> None:
    assert mechanism("with_domain").neighbours() == Neighbours(NeighbouringRelation.REPLACE_RECORD, 0.0, 1.0, (1, 2))
    assert mechanism("release").neighbours().worst == (([0.0], [1.0]), ([0.0], [0.5]))
    assert mechanism("Promising").neighbours() == Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(1, 2))
    with pytest.raises(ValueError, match=r"give two, or where to look for them"):
        mechanism("plain").neighbours()


def test_what_is_asked_for_overrides_what_is_declared() -> None:
    found = adapt(
        load_subject(subject("with_domain")), neighbours={"high": 2, "sensitivity": 3}, relation=NeighbouringRelation.QUERY_SENSITIVITY
    )
    assert found.neighbours() == Neighbours(NeighbouringRelation.QUERY_SENSITIVITY, high=2.0, sensitivity=3.0)


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        ({"hihg": 1}, "'hihg' is not one of relation, low, high"),
        ({"low": "a"}, "low = 'a': must be a number"),
        ({"low": True}, "low = True: must be a number"),
        ({"integral": 1}, "integral = 1: must be true or false"),
        ({"lengths": 3}, "lengths = 3: must be [shortest, longest]"),
        ({"lengths": [1, 2, 3]}, "must be [shortest, longest]"),
        ({"lengths": [0, 2]}, "lengths = [0, 2]: must be whole numbers >= 1"),
        ({"relation": "near"}, "relation = 'near': must be one of replace_round"),
        ({"worst": [[1]]}, "must be a list of pairs of datasets"),
        ({"low": 2}, "low = 2.0, high = 1.0: must be finite, low < high"),
    ],
)
def test_a_domain_that_cannot_be_read_is_refused(domain: dict, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        adapt(load_subject(subject("plain")), name="plain", neighbours=domain)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ([0, 1], [0, 2], NeighbouringRelation.REPLACE_RECORD),
        ([[0, 1], [2, 3]], [[0, 1], [9, 9]], NeighbouringRelation.REPLACE_RECORD),
        ([0, 1], [0], NeighbouringRelation.ADD_OR_REMOVE),
        ([[0, 1]], [], NeighbouringRelation.ADD_OR_REMOVE),
        (0, 1, NeighbouringRelation.ANY_PAIR),
        ("a", "b", NeighbouringRelation.ANY_PAIR),
        (["a", "b"], ["a", "cc"], NeighbouringRelation.REPLACE_RECORD),
        (["1", "b"], ["1.0", "b"], NeighbouringRelation.REPLACE_RECORD),  # text of digits is text
        ([1, [2]], [1, [3]], NeighbouringRelation.REPLACE_RECORD),
        ([{"age": 1}, None], [{"age": 1}], NeighbouringRelation.ADD_OR_REMOVE),
        ([10**400, 1], [10**400, 2], NeighbouringRelation.REPLACE_RECORD),
        ({"age": 1}, {"age": 2}, NeighbouringRelation.ANY_PAIR),
    ],
)
def test_the_relation_of_a_given_pair_is_the_narrowest(first, second, relation: NeighbouringRelation) -> None:
    assert related(first, second) is relation


def test_lists_that_differ_in_more_than_one_record_are_not_silently_neighbours() -> None:
    """Would catch a refutation of datasets that the claim never spoke about."""
    for first, second in (([0, 1], [1, 2]), (["a", "b"], ["cc", "dd"]), (["a"], [1, 11, 111]), ([["a"], 1], [["b"], 2])):
        with pytest.raises(ValueError, match="differ in more than one record"):
            related(first, second)
    for first, second in (({"x": 1}, [1, 11]), ("a", ["a"]), (None, 0), (1, True)):
        with pytest.raises(ValueError, match="must be of one kind"):
            related(first, second)


def test_records_that_are_no_numbers_have_no_distance() -> None:
    """As it was found: "could not convert string to float" for the records of a text, under relations that count them."""
    Neighbours(NeighbouringRelation.REPLACE_RECORD).check(["a", "b"], ["a", "c"])
    Neighbours(NeighbouringRelation.ADD_OR_REMOVE, group=2).check(["a", "b", "c"], ["b"])
    with pytest.raises(ValueError, match=r"differ in rows \[0, 1\]"):
        Neighbours(NeighbouringRelation.REPLACE_RECORD).check(["a", "b"], ["c", "d"])
    with pytest.raises(ValueError, match=r"must be numbers \(query_sensitivity\)"):
        Neighbours(NeighbouringRelation.QUERY_SENSITIVITY).check(["a"], ["b"])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nowhere", "subject = 'nowhere': must be MODULE:OBJECT or path/to/file.py:OBJECT"),
        ("no_such_module_here:f", "module 'no_such_module_here': there is none of this name"),
        ("json.no_such_part:f", "module 'json.no_such_part': there is none of this name"),
        ("missing.py:f", "file 'missing.py': does not exist"),
        (f"{SUBJECTS}:plane", f"{SUBJECTS}:plane: there is no 'plane' in {SUBJECTS}; nearest: plain"),
    ],
)
def test_what_cannot_be_found_is_named(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        load_subject(spec)
    assert str(caught.value).startswith(message)


def test_a_module_whose_own_import_fails_is_not_called_missing(tmp_path, monkeypatch) -> None:
    """Would catch "no module named user_code" for a user_code that lacks a package of its own, or that has a syntax error."""
    (tmp_path / "lacking.py").write_text("import a_package_that_is_not_there\n")
    (tmp_path / "unfinished.py").write_text("def f(:\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(SubjectRaised, match=r"importing lacking raised ModuleNotFoundError.*a_package_that_is_not_there"):
        load_subject("lacking:f")
    with pytest.raises(SubjectRaised, match=r"importing unfinished\.py raised SyntaxError"):
        load_subject("unfinished.py:f")


def test_a_file_may_import_what_stands_beside_it(tmp_path, monkeypatch) -> None:
    import sys

    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "beside_it_scale.py").write_text("SCALE = 2.0\n")
    (tmp_path / "a_mechanism.py").write_text("from beside_it_scale import SCALE\ndef f(data, rng): return SCALE * rng.laplace()\n")
    assert callable(load_subject(f"{tmp_path}/a_mechanism.py:f"))


def test_relations_are_read_by_value_and_for_one_version_by_the_old_one():
    """Would catch an old value that is refused, or read without a word."""
    assert [relation_named(relation.value) for relation in NeighbouringRelation] == list(NeighbouringRelation)
    with pytest.warns(DeprecationWarning, match="'within_sensitivity' is called 'query_sensitivity' now"):
        assert relation_named("within_sensitivity") is NeighbouringRelation.QUERY_SENSITIVITY
    assert relation_named("sensitivity") is None
