"""What `import banditproof` gives beside the assertions, as functions: measure, run the registered audits, look up what is stated.

    audit_privacy   a mechanism of yours on two neighbouring datasets, by what its outputs show
    audit_gray_box  the same, by two runs with frozen releases: which line leaks, and how much
    verify          the registered audits, as the command of this name runs them
    read_record     what a command kept with --json
    theorem         a paper's statement by its id
    findings        what is wrong or open in print
    reproduce       a figure of a paper

None prints, and none raises because of what it measured: the assertions (`banditproof.audits.assertions`) do.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.audits.running import registry
from banditproof.audits.running.audit import FALSE_ALARM, Level, Posteriors, stem_of
from banditproof.audits.running.naming import nearest, shortened
from banditproof.audits.running.report import AuditResult, Report, Reuse, Settings
from banditproof.audits.statistics.design import SIGNIFICANCE_LEVEL

if TYPE_CHECKING:
    from banditproof.audits.experiments.experiment import Experiment, Reproduction
    from banditproof.audits.running.registry import Observation
    from banditproof.guarantees import NeighbouringRelation, View
    from banditproof.mechanism import Neighbours
    from banditproof.theory.language import Theorem


def audit_privacy(
    subject: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    mu: float | None = None,
    dataset: Any = None,
    neighbour: Any = None,
    neighbours: "Mapping[str, Any] | Neighbours | None" = None,
    relation: "NeighbouringRelation | None" = None,
    view: "View | None" = None,
    samples: int = 200_000,
    false_alarm: float = SIGNIFICANCE_LEVEL,
    seed: int = 17,
    must_detect: float | None = None,
    posterior: bool = False,
    timeout: float | None = None,
) -> AuditResult:
    """Measures how well the outputs on two neighbouring datasets are distinguished, and compares that with the claim. Does not raise on a
    refutation: the result's `measured.verdict` says what was found.

    `subject` is a plain f(data, rng) that returns a number or a sequence, a vectorised f(data, runs, rng) that returns shape (runs,) or
    (runs, width), an object with `release` (and `neighbours`, `guarantee`), or two samplers (runs, rng) -> (runs,) or (runs, width). The
    claim is epsilon (in nats; with delta) or mu, or else the guarantee that the object states (`banditproof.claim`). The neighbours are
    `dataset` and `neighbour`, or the worst that a search finds where `neighbours` or the object says; with `neighbours={"group": k}` they
    are k steps apart, and the claim is k times the stated one, by group privacy. Datasets are numbers, texts, dictionaries, nested lists of
    them, or data frames, whose columns are matched by label and whose row numbers are ignored. Arrays arrive as lists unless the parameter
    is annotated (np.ndarray, pd.DataFrame, pd.Series); a data frame or series that was given arrives as one, a new one for each release.
    `samples` counts the outputs of both datasets together; `false_alarm` is the significance level, the probability of refuting a true
    claim; the same `seed` gives the same result; `must_detect` is a loss in the claim's unit, 1.25 times the claimed one by default;
    `posterior` samples the PyMC model too. The mechanism runs in this process, unless a `timeout` is given: then it runs in a child process
    (it must be one that cloudpickle can send there), each of its calls for at most so many seconds, with the same numbers.

    Raises ValueError, naming the value and the rule, on a claim, neighbours or numbers that are none; SubjectRaised if the mechanism
    raises; with a `timeout` EndedEarly if it raises, does not return, exits or crashes, with what its outputs until then show.
    """
    from banditproof.audits.isolation.elsewhere import here_or_in_a_child
    from banditproof.audits.privacy.claims import claimed_loss
    from banditproof.audits.privacy.comparison import compare
    from banditproof.audits.privacy.declared import plain_datasets, require_distance_only
    from banditproof.audits.privacy.judgement import AuditSettings
    from banditproof.audits.privacy.search import worst_pair
    from banditproof.audits.privacy.subject import claimed, measured_on, require_neighbours
    from banditproof.audits.running.run import versions
    from banditproof.guarantees import NeighbouringRelation, claim, whole

    samples, seed = whole("samples", samples, 200), whole("seed", seed, 0, most=math.inf)

    def settings(of: Any) -> AuditSettings:
        if must_detect is not None and not claimed_loss(of) < must_detect < math.inf:
            raise ValueError(f"must_detect = {must_detect}: must be > the claimed {claimed_loss(of):g}, and finite")
        return AuditSettings(claim=of, samples=samples, false_alarm=false_alarm, seed=seed, must_detect=must_detect, posterior=posterior)

    given = dataset is not None
    if isinstance(subject, tuple):
        if given or neighbour is not None or neighbours is not None:
            raise ValueError("dataset, neighbour, neighbours: are for a mechanism; two samplers have theirs in them")
        if timeout is not None:
            raise ValueError(f"timeout = {timeout}: is for a mechanism; two samplers run in this process")
        name, between = "two samplers", relation or NeighbouringRelation.ANY_PAIR
        stated = claim(epsilon=epsilon, delta=delta, mu=mu, relation=between, view=view, name=name)
        one, other = subject
        measured = compare(one, other, settings(stated))
        return AuditResult(f"user:{name}", "", name, measured, seed=seed, versions=versions())
    if given != (neighbour is not None):
        raise ValueError("dataset, neighbour: give both neighbours, or neither and they are searched")
    if given and isinstance(neighbours, Mapping):
        require_distance_only(neighbours)
    examples = (dataset, neighbour) if given else ()
    dataset, neighbour = plain_datasets((dataset, neighbour))
    with here_or_in_a_child(subject, timeout, neighbours=neighbours, relation=relation, examples=examples) as mechanism:
        pair = (dataset, neighbour) if given else None
        stated = claimed(mechanism, epsilon=epsilon, delta=delta, mu=mu, relation=relation, view=view, pair=pair)
        if pair is None:
            pair = worst_pair(mechanism, claim=stated, seed=seed)
        else:
            require_neighbours(mechanism, stated, pair)
        measured = measured_on(mechanism, pair, settings(stated), given=given)
    return AuditResult(f"user:{mechanism.name}", "", mechanism.name, measured, seed=seed, versions=versions())


def audit_gray_box(
    subject: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    mu: float | None = None,
    dataset: Any,
    neighbour: Any,
    relation: "NeighbouringRelation | None" = None,
    view: "View | None" = None,
    seed: int = 17,
    contract: bool = False,
) -> AuditResult:
    """Runs a mechanism on a dataset, freezes what it releases, runs it on the neighbour with the same noise, and compares. Exact, with a
    few runs; names the line whose noise is too small, and finds data that leave beside the releases. Does not raise on a refutation.

    `subject` is a plain f(data, rng), a vectorised f(data, runs, rng) or an object with `release`; no instrumentation is needed, but all of
    its randomness must come from rng. A pipeline (`PolicyMechanism`) is replayed step by step, its kernels as plain Python. Claim and
    neighbours are those of `audit_privacy`. With `contract` what is judged is that the function is private by composition: nothing beside
    what it releases depends on the data, draws and branches included. Without, the claim is refuted only where the function returns all
    that it releases, as it is.

    Raises ValueError, naming the value and the rule, on a claim or neighbours that are none, and where two runs with the same noise differ;
    SubjectRaised if the mechanism raises.
    """
    from banditproof.audits.privacy.declared import plain_datasets
    from banditproof.audits.privacy.subject import claimed, replayed_on, require_neighbours
    from banditproof.audits.running.run import versions
    from banditproof.audits.subjects import adapt
    from banditproof.guarantees import whole

    seed = whole("seed", seed, 0, most=math.inf)
    examples = (dataset, neighbour)
    first, second = plain_datasets(examples)
    mechanism, pair = adapt(subject, relation=relation, examples=examples), (first, second)
    stated = claimed(mechanism, epsilon=epsilon, delta=delta, mu=mu, relation=relation, view=view, pair=pair)
    require_neighbours(mechanism, stated, pair)
    measured = replayed_on(mechanism, pair, stated, seed=seed, contract=contract)
    return AuditResult(f"user:{mechanism.name}", "", mechanism.name, measured, seed=seed, versions=versions())


def verify(
    pattern: str | None = None,
    *,
    level: Level | str = Level.QUICK,
    seed: int = 17,
    false_alarm: float = FALSE_ALARM,
    jobs: int | None = None,
    budget: float | None = None,
    posterior: bool = False,
    fresh: bool = False,
    scheduler: str | None = None,
) -> Report:
    """Runs the registered audits that a pattern picks, and returns the report; `banditproof verify` prints the same one.

    `pattern` is the id of a statement or of an audit, the stem of a paper (dwork_2006), or a shell pattern of ids; None picks all, which
    takes many minutes. The same `seed` gives the same results. `level` is "quick", "standard" or "deep", each with 10 times the draws of
    the one before. `false_alarm` is the significance level of each statistical audit. `jobs` is the number of worker processes (one per
    core by default), and no number depends on it. No audit begins after `budget` seconds. `posterior` samples a PyMC model beside each
    exact interval; the command does so in a few. Results are kept as the command keeps them, and taken from its ledger while nothing that
    an audit reaches has changed, unless `fresh`. With the address of a `scheduler` the audits run on the workers of that Dask cluster,
    `jobs` of them at a time at most (docs/cluster.md).

    Raises LookupError, naming the nearest ids, on a pattern that picks nothing; ValueError on a bad number or level;
    `banditproof.audits.running.cluster.ClusterUnusable` on a cluster that cannot be reached, is lost, or runs other software.
    """
    from banditproof.audits.running.cluster import at
    from banditproof.audits.running.keeping import keeping
    from banditproof.audits.running.run import run
    from banditproof.audits.running.selection import reported, select
    from banditproof.audits.running.workers import cores
    from banditproof.guarantees import named

    chosen, amount = select(pattern), named(Level, level, "level") or Level.QUICK
    if not chosen:
        raise LookupError(f"pattern {shortened(str(pattern))}: matches no statement and no audit")
    workers = min(cores() if jobs is None else jobs, max(1, len(chosen.audits)))
    sampled = Posteriors.ALL if posterior else Posteriors.NONE
    settings = Settings(pattern, amount.value, false_alarm, seed, workers, budget, sampled, strict=False)
    with at(scheduler, jobs) as cluster, keeping(chosen.audits, settings, Reuse(fresh=fresh), say=lambda line: None) as keeper:
        left = [audit for audit in chosen.audits if audit.id not in keeper.found]
        for timed in run(
            left,
            seed=seed,
            false_alarm=false_alarm,
            level=amount,
            jobs=workers,
            budget=budget,
            posterior=sampled,
            progress=lambda timed, done, total: keeper.keep(timed),
            cluster=cluster,
        ):
            keeper.found[timed.result.audit] = timed
        keeper.end()
        finished = dict(keeper.found)
    return reported(chosen, settings, finished, complete=True)


def read_record(path: str | Path) -> Report | AuditResult:
    """What a command kept with --json, read back: the report of `banditproof verify`, or the result of one audit.

    `path` is the file. `to_frame()` of what is returned is a table for pandas; the seconds in it are those of FILE.times.json, if that is
    there. Records of the schema before this one are read too, with a DeprecationWarning.

    Raises ValueError, naming the file and what is wrong, on one that cannot be read or is no such record.
    """
    from banditproof.audits.reporting.kept import read_kept

    return read_kept(path)


def theorem(id: str) -> "Theorem":
    """A paper's statement by its id, as `auer_2002.ucb1_regret`; only that paper is imported.

    Its `at(horizon=1000, ...)` evaluates the bound, `function()` vectorises it, `text()` and `latex()` print the statement, and a notebook
    shows it with formulas. The quantities with their units are in `banditproof.glossary`.

    Raises LookupError on an unknown id, naming the nearest ones, and on the name of a paper, naming its statements.
    """
    found = registry.theorems(stem_of(id)).get(id)
    if found is None:
        if id in registry.papers():
            raise LookupError(f"{id}: is a paper, not a statement; its statements are: {', '.join(registry.theorems(id))}")
        near = nearest(id, registry.nearby(id, registry.theorems)) or "; see banditproof theory list"
        raise LookupError(f"statement {shortened(id)}: there is none of this id{near}")
    return found


def findings(paper: str | None = None) -> "tuple[Observation, ...]":
    """What is wrong, missing or open in the text of one paper (by its stem, as wu_2023) or of all, worst first within each paper.

    Each is a `finding` (grade, sentence, readings, counterexample, what still stands, what to use instead) with the `theorem` that it is
    about. Raises LookupError, naming the nearest stems, on an unknown one.
    """
    known = registry.papers()
    if paper is not None and paper not in known:
        raise LookupError(
            f"paper {shortened(paper)}: there is none of this name{nearest(paper, known) or '; there are: ' + ', '.join(known)}"
        )
    return tuple(item for stem in (known if paper is None else [paper]) for item in registry.findings(stem).values())


def reproduce(
    figure: str,
    *,
    seed: int = 17,
    runs: int | None = None,
    horizon: int | None = None,
    jobs: int | None = None,
    kept: Path | None = None,
    alpha_1: float | None = None,
    scheduler: str | None = None,
) -> "Reproduction":
    """Runs a figure of a paper again, as `wu_2023.figure1`: its rows, and whether each sentence of the paper about it is reproduced,
    contradicted or undecided by these runs. Draws no picture and writes nothing but the finished cells in the folder `kept`, if one is
    given (a second call goes on from there).

    `runs` is the number of repetitions of each curve and `horizon` the number of rounds, the paper's by default (which can take hours);
    `alpha_1` is the contamination that the learners are told, the true one by default. `jobs` is the number of worker processes (one per
    core by default); the numbers depend on the `seed` alone. With the address of a `scheduler` the cells run on the workers of that Dask
    cluster (docs/cluster.md). Raises LookupError, naming the nearest figures, on an unknown one; ValueError, naming the rule, on numbers
    that the figure cannot be run with; ClusterUnusable as `verify` does.
    """
    from dataclasses import replace

    from banditproof.audits.experiments.experiment import SILENT
    from banditproof.audits.experiments.limits import asked_of
    from banditproof.audits.running.cluster import at
    from banditproof.audits.running.workers import cores

    found = experiment(figure)
    workers = cores() if jobs is None else jobs
    request = asked_of(found, seed=seed, jobs=workers, runs=runs, horizon=horizon, kept=kept, alpha_1=alpha_1)
    with at(scheduler, jobs) as cluster:
        there = workers if cluster is None else cluster.workers()
        return found.reproduce(replace(request, jobs=there, cluster=cluster), SILENT)


def experiment(id: str) -> "Experiment":
    """The experiment of an id. Raises LookupError, naming the nearest ids."""
    found = registry.experiments(stem_of(id)).get(id)
    if found is None:
        known = registry.every(registry.experiments)
        if id in registry.papers():
            raise LookupError(f"{id}: is a paper, not a statement; its statements are: {', '.join(registry.theorems(id))}")
        near = nearest(id, known) or "; there are: " + ", ".join(known)
        raise LookupError(f"figure {shortened(id)}: there is none of this id{near}")
    return found
