"""Checks that a class of yours, or of this package, keeps the contracts of the vocabulary, for use in a test.

    from banditproof.audits.conformance import check_mechanism
    check_mechanism(Noisy)          # a class (or a function that makes one): its parameters are drawn from the values that it declares
    check_mechanism(Noisy(0.5))     # or one object

    check_mechanism     a random release with a guarantee (`banditproof.mechanism.Mechanism`)
    check_policy        a bandit algorithm, as compiled `Kernels` or as plain Python with `choose` and `update`
    check_environment   contexts, mean rewards and rewards
    check_randomiser    what turns a user's message into a report that is private by itself
    check_corruption    what changes rewards, reports or batches
    check_shuffler      what orders the messages of a batch

Each raises `ConformanceError`, which names the subject, the value and the rule that it breaks, and each docstring lists the rules and what
they cannot see. A conforming class is well formed; that its guarantee or its regret bound is true is for the audits to test
(`banditproof.audits.assertions`). The values of parameters are declared as `banditproof.typical` says. Every example is derived from the
code alone, so a failure is found again; nothing is written to Hypothesis' database.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from banditproof.audits.conformance_rules import environments as _environments
from banditproof.audits.conformance_rules import mechanisms as _mechanisms
from banditproof.audits.conformance_rules import parts as _parts
from banditproof.audits.conformance_rules import plain as _plain
from banditproof.audits.conformance_rules import policies as _policies
from banditproof.audits.conformance_rules.drawing import trial_of
from banditproof.audits.conformance_rules.trial import ConformanceError as ConformanceError
from banditproof.audits.conformance_rules.trial import keep, names
from banditproof.typical import Values

MECHANISM_RULES, ENVIRONMENT_RULES = names(_mechanisms.RULES), names(_environments.RULES)
POLICY_RULES, PLAIN_POLICY_RULES = names(_policies.RULES), names(_plain.RULES)
RANDOMISER_RULES, CORRUPTION_RULES, SHUFFLER_RULES = names(_parts.RANDOMISER), names(_parts.CORRUPTION), names(_parts.SHUFFLER)


def check_mechanism(
    subject: Any, values: Mapping[str, Values] | None = None, *, examples: int = 100, rules: Collection[str] | None = None
) -> None:
    """Raises ConformanceError unless a mechanism keeps the rules (all of MECHANISM_RULES by default).

    `subject` is a class or a function that makes instances, whose parameters are drawn from what it declares and from `values`, or one
    object. `examples` is the number of instances, datasets and seeds on which each rule is tried.

    - it has the members of `Mechanism`, and its theorems are ids; its guarantee and its neighbours are of one relation, stay the same when
      they are asked for again, or the guarantee refuses with a ValueError; its worst pairs are neighbours that differ
    - release returns float64 of shape (runs, width), finite, of one width for both neighbours and for any number of runs
    - release takes its noise from the generator that it is given and from nothing else, and keeps no state (unless it says
      `seedable = False`)
    - release does not change its data; it refuses data of another shape with a ValueError of one line that names the value and the rule
    - it has a repr of one line without an address, and releases the same after pickling

    What they cannot see: whether the guarantee is true; data outside the intervals that the mechanism names; noise that is drawn from
    a second generator which is seeded from the first; for one that is not seedable, where the noise comes from.
    Raises LookupError if a parameter has no values; ValueError if a name is no rule, if `rules` names none, and unless examples >= 1.
    """
    keep(trial_of(subject, values, examples), _mechanisms.RULES, rules)


def check_policy(
    subject: Any,
    values: Mapping[str, Values] | None = None,
    *,
    environments: Sequence[Any] = (),
    randomisers: Sequence[Any] = (),
    examples: int = 100,
    rules: Collection[str] | None = None,
) -> None:
    """Raises ConformanceError unless a policy keeps the rules, all by default: POLICY_RULES if it has kernels, PLAIN_POLICY_RULES if it is
    plain Python with `choose` and `update`.

    `subject` is a class or a function that makes instances, whose parameters are drawn from what it declares and from `values`, or one
    object with kernels. `environments` and `randomisers` are classes or objects that a policy with kernels is for; by default all of the
    package, with contexts and without, and those randomisers whose reports it accepts. `examples` is that of `check_mechanism`.

    With kernels, on pipelines whose other parts, horizon and seed are drawn:

    - it has the members of `Policy`; its theorems are ids; it has a repr of one line without an address, and pickles
    - the same wires compiled and in plain Python, as in the picture of the wires, for any block size, and alone or among many runs: so no
      state survives a run
    - wires of the documented shapes, a statistic where a batch ends and nowhere else, batches that are permutations of what was received,
      the regret of the means
    - the same run on the table of the outcomes; the same arms whatever the arms that it does not pull would have paid
    - choices that are independent of the stream of the rewards of their own round

    As plain Python, `choose() -> arm`, or `choose(contexts)` with contexts (K, 0), and `update(arm, reward)`; the constructor gets those of
    `arms`, `horizon`, `rng` and `rewards` (the table (T, K) of a simulation) that it asks for:

    - every choice is an arm, and every run ends without an error
    - a run depends on the rewards, the generator and its parameters alone: no state is shared between runs, no random state is global
    - it does not change the table; the same arms whatever the arms that it does not pull would have paid, in later rounds too

    What they cannot see: whether the guarantee or a regret bound is true; what happens after round 120 (block sizes: 2,000); a stream read
    ahead for a later round, or with an effect on less than about one choice in 20; on kernels, state that is global and the same in
    every run. Where a policy has `at_batch_end` the picture of the wires, which has batches of one length, is not compared.
    Raises LookupError if a parameter has no values, and ValueError if a name is no rule.
    """
    if _plain.is_plain(subject):
        keep(_plain.trial_of(subject, values, examples), _plain.RULES, rules)
        return
    _plain.require_methods(subject)
    trial = trial_of(subject, values, examples)
    parts = [[trial_of(each, None, examples).instances for each in given] for given in (environments, randomisers)]
    on = [st.one_of(drawn) if drawn else None for drawn in parts]
    keep(_policies.On(trial.name, trial.instances, trial.examples, environments=on[0], randomisers=on[1]), _policies.RULES, rules)


def check_environment(
    subject: Any,
    values: Mapping[str, Values] | None = None,
    *,
    within: tuple[float, float] | None = None,
    examples: int = 100,
    rules: Collection[str] | None = None,
) -> None:
    """Raises ConformanceError unless an environment keeps the rules (all of ENVIRONMENT_RULES by default).

    `subject` is a class or a function that makes instances, whose parameters are drawn from what it declares and from `values`, or one
    object. `within` is an interval that holds every reward; `examples` and `rules` are those of `check_mechanism`.

    - it has the members of `Environment`, at least two arms, and flat float64 arrays `setup` and `memory`; it has a repr of one line
      without an address, and pickles
    - it presents finite contexts (K, d) and means (K,) and fills all of both, and the next round to present lies after this one; it pays
      finite rewards; both are the same when they are asked for again from the same memory
    - contexts and means stay until the round that `present` names, whatever was presented there before
    - the same wires compiled and in plain Python, and for any block size
    - without memory: the reward of an arm does not depend on which arms were asked before
    - rewards have the presented means, in total and given what the contexts show: exact test (Hoeffding) at significance level 1e-9 per
      instance over 3,000 rounds: it sees means that are off by 7 % of the interval together, and by 7 % times sqrt(K) on one of K arms

    What they cannot see: means that are off by less; any mean unless `within` is given or the rewards have two values (of an environment
    with rare larger rewards `within` has to be given); the best of the means, unless it is presented wrongly; a reward that shares
    random numbers with another round's contexts.
    Raises LookupError if a parameter has no values, and ValueError if a name is no rule.
    """
    trial = trial_of(subject, values, examples)
    keep(_environments.Within(trial.name, trial.instances, trial.examples, within=within), _environments.RULES, rules)


def check_randomiser(
    subject: Any, values: Mapping[str, Values] | None = None, *, examples: int = 100, rules: Collection[str] | None = None
) -> None:
    """Raises ConformanceError unless a client randomiser keeps the rules (all of RANDOMISER_RULES by default).

    `subject` is a class or a function that makes instances, whose parameters are drawn from what it declares and from `values`, or one
    object; `examples` and `rules` are those of `check_mechanism`. Messages of one number and of three are randomised.

    - it has the members of `ClientRandomiser`; it has a repr of one line without an address, and pickles
    - its guarantee, if it states one, is of view LOCAL for any pair of messages; of messages that sum up several rewards, for any pair or
      for one reward
    - `messages(w)` is a number of messages and their width, both >= 1; the kernel fills all of the report and leaves the message
    - the same key and round give the same report; with a guarantee, other rounds, keys, runs and coordinates give others
    - a message of NaN gives a report of NaN; where the report has another shape, at least one NaN (the rest may be labels)
    - the same wires compiled and in plain Python, with several messages per user too

    What they cannot see: whether the guarantee is true; random numbers that are shared by some rounds and not by all that are tried (64, or
    more where epsilon is large, until two reports differ).
    Raises LookupError if a parameter has no values, and ValueError if a name is no rule.
    """
    keep(trial_of(subject, values, examples), _parts.RANDOMISER, rules)


def check_corruption(
    subject: Any, values: Mapping[str, Values] | None = None, *, examples: int = 100, rules: Collection[str] | None = None
) -> None:
    """Raises ConformanceError unless a corruption keeps the rules (all of CORRUPTION_RULES by default); subject and values as in
    `check_randomiser`.

    - it has the members of `Corruption`; it acts on the wire REWARDS, REPORT or BATCH; it has a repr of one line and pickles
    - the same wires compiled and in plain Python, and for any block size; arms and contexts of a batch stay as they are

    What they cannot see: how much is corrupted, and whether that is what the class says.
    """
    keep(trial_of(subject, values, examples), _parts.CORRUPTION, rules)


def check_shuffler(
    subject: Any, values: Mapping[str, Values] | None = None, *, examples: int = 100, rules: Collection[str] | None = None
) -> None:
    """Raises ConformanceError unless a shuffler keeps the rules (all of SHUFFLER_RULES by default); subject and values as in
    `check_randomiser`.

    - it has the members of `Shuffler`, and batches of at least one round; it has a repr of one line and pickles
    - the order of every number of messages up to that of a full batch is a permutation, the same for the same key and batch
    - the same wires compiled and in plain Python, and for any block size

    What they cannot see: whether every order is equally likely.
    """
    keep(trial_of(subject, values, examples), _parts.SHUFFLER, rules)
