"""ldp_linucb_2024: what mechanisms, randomisers and policies claim of themselves, and the pairs of neighbours that the privacy audits take.

CLAIMS   epsilon, delta, relation and view, or the level of a Gaussian guarantee, beside the paper's words: an audit of a claim that is too
         weak would find nothing
PAIRS    the listed pair is as far apart as any two users of the domain, and lies in it
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.gram.local import GramContributions, LocalGram, Scale
from banditproof.algorithms.mechanisms.local_row import LocalRow, RowMessage
from banditproof.algorithms.mechanisms.vector_sum import ShuffledSum
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.ldp_linucb_2024.plain import sums
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import numbers_of
from banditproof.audits.running.audit import Audit
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, View
from banditproof.interaction import Floats
from banditproof.theory.papers.ldp_linucb_2024 import baselines, privacy

NEARLY = Fraction(1, 10**8)


class Claim(NamedTuple):
    """A claim, whose it is, and what it should be."""

    whose: str
    claimed: Guarantee | None
    stated: Guarantee | None


def unlike(claim: Claim) -> float:
    """The largest relative difference of two guarantees' numbers; infinite where anything else differs."""
    one, other = claim.claimed, claim.stated
    if one is None or other is None:
        return 0.0 if one is other else math.inf
    if isinstance(one, ApproximateDP) and isinstance(other, ApproximateDP):
        numbers = [(one.epsilon, other.epsilon), (one.delta, other.delta)]
    elif isinstance(one, GaussianDP) and isinstance(other, GaussianDP):
        numbers = [(one.mu, other.mu)]
    else:
        return math.inf
    if (one.relation, one.view) != (other.relation, other.view):
        return math.inf
    return max(abs(found / stated - 1.0) for found, stated in numbers)


def differences(claims: tuple[Claim, ...]) -> Iterator[At]:
    """Of each claim."""
    for claim in claims:
        yield At({"of": claim.whose}, Fraction(min(unlike(claim), 1e300)), NEARLY)


def claims_that(claims: tuple[Claim, ...]) -> Pointwise:
    """That claims are those of the papers."""
    return Pointwise(partial(differences, claims), f"{len(claims)} claims", "difference of a claim")


def of_method(method: Method, stated: Guarantee | None) -> tuple[Claim, ...]:
    """The claim of a baseline, in the columns that it has here."""
    both = method not in (Method.LIN_UCB, Method.JDP)
    columns = tuple(Column) if both else (Column.SCRIPT,)
    return tuple(Claim(f"{method.value} {each.value}", NoisyGramUCB(method, each, 2.0, 0.03).claim(), stated) for each in columns)


ALONE = ApproximateDP(2.0, 0.03, NeighbouringRelation.ANY_PAIR, View.LOCAL)
JOINT = ApproximateDP(2.0, 0.03, NeighbouringRelation.REPLACE_ROUND, View.JOINT)
SHUFFLED = ApproximateDP(2.0, 0.03, NeighbouringRelation.REPLACE_ROUND, View.SHUFFLED)
RECORD = ApproximateDP(2.0, 0.03, NeighbouringRelation.REPLACE_RECORD, View.SHUFFLED)
_LEVEL = sums.sensitivity(1.5) / sums.noise_of(NoisyGramUCB(Method.SDP_AMP, Column.SCRIPT, 2.0, 0.03, batch=4), 2)
ROWS = (
    Claim("LocalRow", LocalRow(2.0, 0.03).guarantee(), ALONE),
    Claim("RowMessage", RowMessage(2.0, 0.03).guarantee(), ALONE),
)
BASELINES = (
    *of_method(Method.LIN_UCB, None),
    *of_method(Method.LDP, ALONE),
    *of_method(Method.JDP, JOINT),
    *of_method(Method.SDP_AMP, SHUFFLED),
    *of_method(Method.SDP_VEC, SHUFFLED),
    *(Claim(f"LocalGram {scale.value}", LocalGram(2.0, 0.03, scale).guarantee(), ALONE) for scale in Scale),
    Claim("LocalGram exact, 4", LocalGram(2.0, 0.03, Scale.EXACT, 4).guarantee(), ALONE),
    Claim(
        "LocalGram script, 4",
        LocalGram(2.0, 0.03, Scale.SCRIPT, 4, 1.5).guarantee(),
        GaussianDP(_LEVEL, NeighbouringRelation.ANY_PAIR, View.LOCAL),
    ),
    Claim("GramContributions, 1", GramContributions(2.0, 0.03).guarantee(), ALONE),
    Claim("GramContributions, 4", GramContributions(2.0, 0.03, users=4).guarantee(), RECORD),
    Claim("ShuffledSum", ShuffledSum(2.0, 0.03).guarantee(), RECORD),
)

# --- pairs --------------------------------------------------------------------------------------------------------------------------------


def rows_apart(factor: float) -> Iterator[At]:
    """Of a message: the distance of the pair, `factor` times which is said, from sqrt(8)."""
    for d in (1, 2, 4):
        for pair in RowMessage(2.0, 0.03, (0.1,) * d).neighbours().worst:
            one, other = (np.array(row) for row in pair)
            outside = max(0.0, *(max(float(np.linalg.norm(row[:-1])), abs(float(row[-1]))) - 1.0 for row in (one, other)))
            yield At({"d": d}, Fraction(abs(factor * float(np.linalg.norm(one - other)) - math.sqrt(8.0)) + outside), NEARLY)


def users_apart(factor: float) -> Iterator[At]:
    """Of a contribution: the distance of the first pair, `factor` times which is said, from the largest; a single feature: from 2 L."""
    for length in (0.5, 1.0, 1.5):
        for d, users in ((1, 1), (2, 1), (3, 3)):
            pair = GramContributions(2.0, 0.03, users=users, features=d, feature_norm=length).neighbours().worst[0]
            one, other = (np.array(each) for each in pair)
            rest = float(np.abs(one[1:]).max(initial=0.0) + np.abs(other[1:]).max(initial=0.0))
            apart = float(np.linalg.norm(numbers_full(one[0]) - numbers_full(other[0])))
            most = 2.0 * length if d == 1 else sums.sensitivity(length)
            outside = max(0.0, *(float(np.linalg.norm(row[0, :-1])) - length for row in (one, other)))
            yield At({"L": length, "d": d, "users": users}, Fraction(abs(factor * apart - most) + outside + rest), NEARLY)


def batches_apart(factor: float) -> Iterator[At]:
    """Of a batch of the vector sum: the distance of the pairs from (e_1, 1) and (e_2, -1), or (e_1, -1); `factor` times them is said."""
    for d in (2, 3):
        first, second = np.eye(d + 1)[0] + np.eye(d + 1)[d], np.eye(d + 1)[1] - np.eye(d + 1)[d]
        worst = 0.0
        for pair, other in zip(ShuffledSum(2.0, 0.03, 3, d).neighbours().worst, (second, np.eye(d + 1)[0] - np.eye(d + 1)[d]), strict=True):
            for found, own in zip(pair, (first, other), strict=True):
                worst = max(worst, float(np.abs(factor * np.array(found) - np.vstack([own, np.zeros((2, d + 1))])).max()))
        yield At({"d": d}, Fraction(worst), NEARLY)


def numbers_full(row: Floats) -> Floats:
    """x x' with all its entries, and y x: the noise of an entry beside the diagonal counts once, and so does the entry twice."""
    packed = numbers_of(tuple(row.tolist()))
    lower, other = np.tril_indices(len(row) - 1)
    return np.asarray(packed * np.concatenate([np.where(lower == other, 1.0, math.sqrt(2.0)), np.ones(len(row) - 1)]))


def as_far_as(points: Callable[[float], Iterator[At]], factor: float = 1.0) -> Pointwise:
    """That the listed pair is the worst one, and in the domain."""
    return Pointwise(partial(points, factor), "pairs of the mechanisms of the privacy audits", "error of a distance")


AUDITS = (
    Audit(privacy.PRIVACY.id, "points.claims", "LocalRow and RowMessage: what they claim", claims_that(ROWS)),
    Audit(baselines.LOCAL_SIGMA.id, "points.claims", "the baselines and their mechanisms: what they claim", claims_that(BASELINES)),
    Audit(privacy.PRIVACY.id, "points.pairs", "RowMessage: the pair of its audits", as_far_as(rows_apart)),
    Audit(baselines.LOCAL_SIGMA.id, "points.pairs", "GramContributions: the pair of its audits", as_far_as(users_apart)),
    Audit(baselines.VECTOR_TRIALS.id, "points.pairs", "ShuffledSum: the pairs of its audits", as_far_as(batches_apart)),
)
