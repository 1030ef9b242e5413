"""From a user's object to a privacy result: its claim, two neighbours, the draws or the replay. The command line, `audit_privacy`,
`audit_gray_box` and `assert_private` are this, and what they do with the result."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from banditproof.audits.privacy.comparison import compare, compare_source
from banditproof.audits.privacy.declared import related
from banditproof.audits.privacy.early import judged_early
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.audits.privacy.outputs import samplers
from banditproof.audits.privacy.readings import for_group, with_reading
from banditproof.audits.privacy.witness import Terms, with_inputs
from banditproof.audits.subjects import NO_SEED, EndedEarly, Subject, repeats
from banditproof.guarantees import Guarantee, NeighbouringRelation, View, claim
from banditproof.mechanism import Neighbours

if TYPE_CHECKING:
    from banditproof.audits.statistics.evidence import Measurement


def claimed(
    mechanism: Subject,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    mu: float | None = None,
    relation: NeighbouringRelation | None = None,
    view: View | None = None,
    pair: tuple[Any, Any] | None = None,
) -> Guarantee:
    """What is claimed of a mechanism: the given numbers, else its own guarantee (`guarantees.claim`).

    The relation is the given one, else that of the neighbours that it declares, else that of its guarantee, else the narrowest one that
    makes the given datasets neighbours. Where the declared neighbours are a group, the claim is what group privacy makes of it. Raises
    ValueError as `guarantees.claim`, `declared.related` and `readings.for_group` do.
    """
    if relation is None and mechanism.declared_neighbours is not None:
        relation = mechanism.declared_neighbours.relation
    if relation is None and mechanism.stated_guarantee is None and pair is not None:
        relation = related(*pair)
    stated = claim(mechanism.stated_guarantee, epsilon=epsilon, delta=delta, mu=mu, relation=relation, view=view, name=mechanism.name)
    return for_group(stated, group_of(mechanism))


def group_of(mechanism: Subject) -> int:
    """By how many steps of the relation its neighbours differ at most."""
    return 1 if mechanism.declared_neighbours is None else mechanism.declared_neighbours.group


def terms_of(mechanism: Subject, subject: str) -> Terms:
    """What a replay must know of it beside the claim; the form of the data where `subject` names code to load again."""
    data_as = mechanism.data_as.value if subject else ""
    declared = mechanism.declared_neighbours
    return Terms(data_as=data_as) if declared is None else Terms(declared.sensitivity, declared.norm, declared.group, data_as)


def require_neighbours(mechanism: Subject, claim: Guarantee, pair: tuple[Any, Any]) -> None:
    """Raises ValueError, naming the rule, unless the two datasets are neighbours under the claim's relation. Equal ones are: a property
    test may draw them."""
    if claim.relation is NeighbouringRelation.ANY_PAIR:
        return
    try:
        (mechanism.declared_neighbours or Neighbours(claim.relation)).check(*pair)
    except (TypeError, ValueError, IndexError) as error:
        raise ValueError(f"dataset and neighbour are not neighbours: {error}") from None


def measured_on(mechanism: Subject, pair: tuple[Any, Any], settings: AuditSettings, *, given: bool, subject: str = "") -> "Measurement":
    """Compares the outputs on two neighbours, which were given or found by a search. `subject` names what a replay can load again. Raises
    EndedEarly, with what the outputs until then show, if the mechanism's code runs in a child that ends."""

    def said(measured: "Measurement", seedable: bool) -> "Measurement":
        found = with_inputs(measured, pair, subject, terms_of(mechanism, subject))
        return _assuming(with_reading(found, settings.claim, pair, mechanism.declared_neighbours), given, seedable)

    if mechanism.elsewhere is None:
        seedable = repeats(mechanism, pair, settings.seed)
        return said(compare(*samplers(mechanism, pair), settings), seedable)
    source = mechanism.elsewhere.source(pair, settings.seed, settings.path)
    try:
        found = compare_source(source, settings)
        return said(found, repeats(mechanism, pair, settings.seed))  # last: a limit of time is for the draws
    except EndedEarly as end:
        shown = judged_early(source.outputs(), settings, str(end))
        raise EndedEarly(str(end), end.trace, None if shown is None else said(shown, True)) from None


def _assuming(measured: "Measurement", given: bool, seedable: bool) -> "Measurement":
    """The measurement with what is assumed of its neighbours and of the noise."""
    neighbours = (
        "the two given datasets are the worst neighbours"
        if given
        else "the worst neighbours are in the domain that was searched, and were found"
    )
    return replace(
        measured,
        assumed=(*measured.assumed, neighbours, *(() if seedable else (NO_SEED,))),
        detail={**measured.detail, "seedable": seedable},
    )


def replayed_on(
    mechanism: Subject, pair: tuple[Any, Any], claim: Guarantee, *, seed: int, contract: bool, subject: str = ""
) -> "Measurement":
    """Replays two neighbours with frozen releases, a pipeline step by step; `subject` names what a replay can load again. Raises ValueError
    as `judged` does, and on a pipeline that cannot be replayed."""
    if mechanism.elsewhere is not None:
        return mechanism.elsewhere.replayed(pair, claim, seed=seed, contract=contract, subject=subject)
    from banditproof.audits.privacy.frozen import judged
    from banditproof.audits.privacy.frozen_pipeline import function_of
    from banditproof.audits.privacy.frozen_witness import FrozenWitness

    measured = judged(function_of(mechanism.call) or mechanism.once, pair, claim, seed=seed, contract=contract)
    return replace(measured, witness=FrozenWitness(claim, *pair, seed, contract, subject, terms_of(mechanism, subject)))
