"""ldp_linucb_2024: the combiner's index after one round of a learner's own, exactly."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction
from banditproof.theory.language import Theorem
from banditproof.theory.papers.ldp_linucb_2024 import combiner, privacy

FAILURE = Fraction(1, 100)


def misses(theorem: Theorem, delta: str) -> Iterator[At]:
    """How often the index is below the mean reward after one round, beside 3 beta."""
    for epsilon in ("1/5", "1", "10"):
        sigma = fraction(privacy.NOISE_SCALE.at(epsilon=epsilon, delta=delta).ball)
        yield At({"epsilon": epsilon, "delta": delta, "beta": FAILURE}, theorem.at(sigma=sigma).ball, 3 * FAILURE)


def guarantee(horizon: int, epsilon: int) -> float:
    """Three times the target of a learner whose guess of lambda_min, 1/5, is right."""
    return 3 * combiner.OTHER_TARGET.at(**known(horizon, epsilon), positive_curvature="1/5").bound


def guarantee_of_first(horizon: int, epsilon: int) -> float:
    """Three times the target of the first learner."""
    return 3 * combiner.FIRST_TARGET.at(**known(horizon, epsilon)).bound


def known(horizon: int, epsilon: int) -> dict[str, Any]:
    return {"horizon": horizon, "dimension": 5, "epsilon": epsilon, "failure": Fraction(1, horizon), "learners": 3}


VACUOUS = tuple(
    (
        theorem,
        f"vacuity.{swept(below=2, eps=epsilon)}",
        f"from which horizon the combiner's guarantee says anything, epsilon = {epsilon}",
        Vacuity(
            partial(bound, epsilon=epsilon),
            2.0,
            most=10**24,
            parameters={"d": 5, "epsilon": epsilon, "M": 3, "failure": "1/T", "lambda": "1/5"},
        ),
    )
    for theorem, bound, epsilons in (
        (combiner.OTHER_TARGET, guarantee, (1, 10)),
        (combiner.FIRST_TARGET, guarantee_of_first, (1,)),
    )
    for epsilon in epsilons
)
VACUITY = tuple(Audit(theorem.id, slug, label, method) for theorem, slug, label, method in VACUOUS)

INDEX = Audit(
    combiner.INDEX.id,
    "points.index_after_one_round_as_printed",
    "how often the cut index is below the learner's mean after one round",
    Pointwise(partial(misses, combiner.INDEX_MISSES, "1/10"), "epsilon 1/5, 1, 10, delta 1/10, beta 1/100", "probability of a low index"),
    Verdict.REFUTED,
)
