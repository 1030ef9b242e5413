"""The conformance suite on classes from outside the package: right ones pass, and each wrong one fails for its own mistake."""

import importlib
from pathlib import Path

import numpy as np
import pytest

from banditproof.audits import conformance
from banditproof.audits.conformance import (
    ConformanceError,
    check_corruption,
    check_environment,
    check_mechanism,
    check_policy,
    check_randomiser,
    check_shuffler,
)
from banditproof.audits.conformance_rules.drawing import members
from banditproof.interaction import NoCorruption, NoRandomiser, NoShuffling

CHECKS = {
    "mechanism": check_mechanism,
    "policy": check_policy,
    "environment": check_environment,
    "randomiser": check_randomiser,
    "corruption": check_corruption,
    "shuffler": check_shuffler,
}


@pytest.fixture
def theirs(monkeypatch):
    """A module on the path, as another package's would be: its classes can be pickled."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    return importlib.import_module("their_classes")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("mechanism", "Count"),
        ("policy", "Greedy"),
        ("policy", "Exploring"),
        ("environment", "Lifted"),
        ("randomiser", "Twice"),
    ],
)
def test_right_classes_pass(theirs, kind, name):
    """Would catch a rule that only this package's own classes can keep."""
    CHECKS[kind](getattr(theirs, name), examples=30)


def test_an_object_passes_as_its_class_does(theirs):
    """Would catch a check that needs a class, where somebody has one object, and values that are given for its parameters."""
    check_mechanism(theirs.Count(0.5), examples=20)
    check_environment(theirs.Lifted((0.25, 0.5), 0.25), within=(0.0, 1.0), examples=20)
    with pytest.raises(ValueError, match=r"values = .*: must be None for an object"):
        check_mechanism(theirs.Count(0.5), {"epsilon": (1.0,)})


def test_values_come_from_the_caller_where_the_class_declares_none(theirs):
    """Would catch a parameter that stays at its default, and a declaration that only the class can make."""
    with pytest.raises(LookupError, match=r"Greedy: declares values of fade, and has no such parameter"):
        check_policy(theirs.Greedy, {"fade": (0.5,)})
    check_policy(theirs.Greedy, {"explore": (0.5,)}, examples=10)


def test_a_policy_is_tried_on_the_environments_that_it_is_for(theirs):
    """Would catch a policy for one problem that cannot be checked, and environments that are given and not used."""
    lifted = theirs.Lifted((0.25, 0.5), 0.25)
    check_policy(theirs.ForContexts(), environments=[lifted], examples=10, rules=["a_run_replays_from_the_table_of_its_outcomes"])
    with pytest.raises(ConformanceError, match=r"raised ValueError: width = 0: must be an integer >= 1"):
        check_policy(theirs.ForContexts(), examples=20, rules=["regret_is_that_of_the_means"])


def test_identities_pass():
    """Would catch a rule that asks for randomness of what has none."""
    check_randomiser(NoRandomiser(), examples=20)
    check_corruption(NoCorruption(), examples=10)
    check_shuffler(NoShuffling(3), examples=20)


WRONG = [
    (
        "mechanism",
        "GlobalNoise",
        "release_follows_its_generator",
        r"two releases from seed \d+, .*: must depend on .* \(no global random state",
    ),
    ("mechanism", "FixedSeed", "release_follows_its_generator", r"rows that differ although the generator was not used: must depend on"),
    ("mechanism", "InPlace", "release_leaves_its_data", r"InPlace\(epsilon=.*\): data .* became .*: must stay as they are"),
    (
        "mechanism",
        "OfAnotherRelation",
        "guarantee_and_neighbours_agree",
        r"neighbours of relation add_or_remove: must be .* replace_record",
    ),
    ("mechanism", "NoNeighbours", "guarantee_and_neighbours_agree", r"worst pair .*: must be neighbours \(.*without one record"),
    ("mechanism", "AnyShape", "release_refuses_bad_data", r"data of shape \(1, 2\), where \(1,\) is right, are released: must be refused"),
    ("mechanism", "OneNumber", "release_has_one_row_per_run", r"a release of shape \(1,\): must be \(runs, width\) with runs = 1"),
    ("mechanism", "AsWideAsItsData", "release_has_one_row_per_run", r"widths \[1, 2\] of releases of .*: must be one width"),
    ("mechanism", "NoRepr", "has_repr_and_pickles", r"its repr: must be one line without an address"),
    ("mechanism", "Lifted", "has_the_members", r"no member 'theorems': must have what Mechanism has"),
    ("policy", "OfTheClass", "runs_share_no_state", r"a run changed sums of the class OfTheClass: .*state is shared between runs"),
    ("policy", "shared_default", "runs_share_no_state", r"a run chose .*, and (after|beside) another run .*state is shared between runs"),
    ("policy", "GlobalCoins", "runs_share_no_state", r"a run chose .*: must depend on .*or a random state is global"),
    ("policy", "Peeks", "unplayed_arms_change_nothing", r"round 0: arm 0 or 1, by rewards that it had not been paid: must be the same"),
    ("policy", "OneTooMany", "every_choice_is_an_arm", r"round \d+: choose\(\) returned \d+: must be >= 0 and < \d \(an arm\)"),
    (
        "policy",
        "Remembering",
        "a_run_is_the_same_alone_and_among_many",
        r"run \d+ alone and as one of \d differ in .*no state is shared between",
    ),
    (
        "policy",
        "Foreseeing",
        "choices_foresee_no_reward",
        r"\d+ of 4000 choices agree with .*: must be independent of it \(a stream of its own",
    ),
    (
        "policy",
        "WrapsAround",
        "compiled_and_step_by_step_agree",
        r"compiled and step by step differ in Wire.ARMS, round \d+: .*: must be the",
    ),
    ("environment", "Worn", "asked_arms_change_nothing", r"where all arms are asked, .* where it alone is: must be the same: one outcome"),
    ("corruption", "OfTheArms", "acts_on_one_of_the_three_wires", r"wire = .*ARMS.*: must be rewards, report or batch"),
    ("shuffler", "Forgets", "gives_a_permutation_of_every_length", r"order \[0, 0\]: must be a permutation of 0 .. 1"),
    ("environment", "OneStream", "rewards_have_their_means", r"rewards in rounds whose context 0 is above .* have streams of their own"),
    (
        "environment",
        "LiftNotPaid",
        "rewards_have_their_means",
        r"rewards of all arms are off their means by -0\.\d+ over 3000 rounds: must be",
    ),
    ("environment", "StaysTooLong", "presents_and_pays", r"round 1: contexts .*: must be the same when it is asked for again"),
    ("environment", "FillsOneArm", "presents_and_pays", r"round 0: contexts .*nan.*: must all be filled"),
    ("randomiser", "OnlyOnce", "reports_have_their_shape", r"report .*: must be filled, every message of it"),
    ("randomiser", "EveryRoundAlike", "reports_have_their_shape", None),
    ("randomiser", "EveryRoundAlike", "draws_each_round_and_number_anew", r"\d+ rounds, one report .*: must draw anew in each round"),
    (
        "randomiser",
        "CentralClaim",
        "has_the_randomisers_members",
        r"guarantee PureDP\(.*: must be of View.LOCAL and NeighbouringRelation.ANY_PAIR",
    ),
]


@pytest.mark.parametrize(("kind", "name", "rule", "says"), WRONG, ids=[f"{name}-{rule}" for _, name, rule, _ in WRONG])
def test_wrong_classes_fail_for_their_mistake(theirs, kind, name, rule, says):
    """Would catch a rule that passes everything, a message without value and rule, and a mistake that another rule is blamed for."""
    if says is None:  # this rule is not the one that it breaks
        CHECKS[kind](getattr(theirs, name), examples=20, rules=[rule])
        return
    with pytest.raises(ConformanceError, match=says) as failure:
        CHECKS[kind](getattr(theirs, name), examples=30, rules=[rule])
    told = failure.value
    assert isinstance(told, AssertionError)
    assert told.rule.startswith("must ")
    assert str(told) == f"{told.subject}: {told.value}: {told.rule}"
    assert "\n" not in str(told)


@pytest.mark.parametrize(("kind", "name"), [("mechanism", "GlobalNoise"), ("policy", "OfTheClass"), ("environment", "LiftNotPaid")])
def test_all_rules_are_tried_unless_some_are_named(theirs, kind, name):
    """Would catch a rule that is listed and not run."""
    with pytest.raises(ConformanceError):
        CHECKS[kind](getattr(theirs, name), examples=20)


def test_an_unknown_rule_is_refused(theirs):
    """Would catch a misspelt rule, which would be a check that passes everything."""
    with pytest.raises(ValueError, match=r"rules = \['misspelt'\]: must be among has_the_members, "):
        check_mechanism(theirs.Count, rules=["misspelt"])


class Chooses:
    """A plain policy without `update`."""

    def __init__(self, arms, depth):
        self.arms = arms

    def choose(self):
        return 0


class Updates:
    """A plain policy without `choose`."""

    def __init__(self, arms):
        self.arms = arms

    def update(self, arm, reward):
        pass


class Neither:
    """No policy at all."""


def made_by_a_function(arms) -> Updates:
    """A maker whose class lacks a method."""
    return Updates(arms)


@pytest.mark.parametrize(
    ("subject", "missing"),
    [
        (Chooses, "no member 'update'"),
        (Updates, "no member 'choose'"),
        (made_by_a_function, "no member 'choose'"),
        (Neither, "no member 'choose' and no member 'update'"),
        (Updates(2), "no member 'choose'"),
    ],
)
def test_a_policy_without_a_method_is_told_which_one(subject, missing):
    """Would catch a LookupError about values of `arms`, which sends somebody off to declare them."""
    with pytest.raises(ConformanceError, match=rf": {missing}: must have `choose` and `update` \(plain Python\), or `kernels`"):
        check_policy(subject, examples=3)


@pytest.mark.parametrize("kind", CHECKS)
def test_a_check_of_nothing_is_refused(theirs, kind):
    """Would catch no rule, or no example, after which a wrong class has passed."""
    subject = {"mechanism": theirs.Count, "policy": theirs.Greedy, "environment": theirs.Lifted, "randomiser": theirs.Twice}.get(kind)
    subject = subject or (NoCorruption() if kind == "corruption" else NoShuffling())
    for rules in ([], (), "has_the_members"):
        with pytest.raises(ValueError, match=r"^rules = .*: must be a list of one or more of "):
            CHECKS[kind](subject, rules=rules)
    for examples in (0, -5, 1.5, True, "3"):
        with pytest.raises(ValueError, match=rf"^examples = {examples!r}: must be an integer >= 1$"):
            CHECKS[kind](subject, examples=examples)


def test_an_error_of_the_subject_is_named_as_its_own(theirs):
    """Would catch a crash of somebody's class that reads like one of the suite's."""

    class Broken(theirs.Count):
        def release(self, data, runs, rng):
            raise KeyError("noise")

    with pytest.raises(ConformanceError, match=r"raised KeyError: 'noise': must run without an error \(release_has_one_row_per_run\)"):
        check_mechanism(Broken, examples=5, rules=["release_has_one_row_per_run"])


def test_a_failure_that_comes_and_goes_is_a_conformance_error(theirs):
    """Would catch a flaky release reported as an error of Hypothesis, which says nothing about the rule."""
    calls = []

    class Sometimes(theirs.Count):
        def release(self, data, runs, rng):
            calls.append(1)
            return super().release(data, runs, rng) + (np.inf if len(calls) == 7 else 0.0)

    with pytest.raises(ConformanceError, match="must be finite"):
        check_mechanism(Sometimes, examples=20, rules=["release_has_one_row_per_run"])


def test_every_rule_says_what_it_would_catch():
    """Would catch a rule without a docstring: the names alone do not say what is found."""
    from banditproof.audits.conformance_rules import environments, mechanisms, parts, plain, policies

    listed = [getattr(conformance, name) for name in dir(conformance) if name.endswith("_RULES")]
    assert len(listed) == 7
    for name in sum(listed, ()):
        rule = next(getattr(module, name) for module in (mechanisms, policies, plain, environments, parts) if name in vars(module))
        assert rule.__doc__.startswith("Would catch")


def test_a_dataclass_with_a_mark_of_an_algorithm_must_fit_a_protocol(tmp_path, monkeypatch):
    """Would catch a misspelt method, after which no check reaches a class; and a result class that is taken for an algorithm."""
    package = tmp_path / "planted_walk"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "results.py").write_text("from dataclasses import dataclass\n@dataclass\nclass Result:\n    value: float\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert members.__wrapped__(importlib.import_module("planted_walk")) == {}
    wrong = "\n    epsilon: float\n    def guarantee(self): ...\n    def releases(self): ...\n"
    (package / "wrong.py").write_text(f"from dataclasses import dataclass\n@dataclass\nclass Wrong:{wrong}")
    with pytest.raises(ConformanceError, match=r"planted_walk.wrong.Wrong: a public dataclass: must fit a protocol of the vocabulary"):
        members.__wrapped__(importlib.import_module("planted_walk"))
