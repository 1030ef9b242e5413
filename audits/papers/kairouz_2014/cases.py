"""Audits of kairouz_2014: randomised response, as a release and as a client randomiser."""

import math
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms import randomised_response
from banditproof.algorithms.mechanisms.randomised_response import LocalResponse, RandomisedResponse
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common import reports
from banditproof.audits.common.beside import beside
from banditproof.audits.common.neighbours import FAR, MessagePairs
from banditproof.audits.common.releases import described, equal, guaranteed, refusals, replayed
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.frozen_releases import FrozenRuns
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.privacy.frozen_pipeline import Reports
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import ClientRandomiser, Floats, Pipeline
from banditproof.mechanism import Neighbours, PolicyMechanism
from banditproof.randomness import CLIENT, uniform
from banditproof.theory.papers import kairouz_2014

_LOW, _HIGH = ((0.0, 0.0),) * 4, ((1.0, 1.0), *((0.0, 0.0),) * 3)
_USER = PolicyMechanism(
    Pipeline(UCB1(), Bernoulli((0.5, 0.5)), randomiser=LocalResponse(1.0)),
    LocalResponse(1.0).guarantee(),
    differing=0,
    horizon=4,
    theorems=LocalResponse(1.0).theorems,
    worst=((_LOW, _HIGH),),
)

FROZEN = tuple(
    Audit(
        "kairouz_2014.randomised_response_privacy",
        f"frozen.report_{swept(eps=epsilon, w=width)}",
        f"LocalResponse(epsilon={epsilon}), one user's {width} numbers replaced",
        FrozenRuns(
            Reports(LocalResponse(epsilon)),
            MessagePairs(((0.0,) * width, (1.0,) * width, (1.0, *(0.0,) * (width - 1)), (0.25,) * width, *((far,) * width for far in FAR))),
            LocalResponse(epsilon).guarantee(),
        ),
    )
    for epsilon, width in ((1.0, 1), (0.5, 3))
)
RELEASES = tuple(
    Audit(
        "kairouz_2014.randomised_response_privacy",
        f"privacy.{swept(eps=epsilon, categories=categories)}",
        f"RandomisedResponse(epsilon={epsilon}, categories={categories})",
        PrivacyLoss(RandomisedResponse(epsilon, categories), exact=epsilon),
    )
    for epsilon, categories in ((0.5, 2), (1.0, 2), (1.0, 4), (3.0, 16))
)
REPORT = Audit(
    "kairouz_2014.randomised_response_privacy",
    "privacy.user_report",
    "LocalResponse(epsilon=1.0), a user's report under UCB1",
    PrivacyLoss(_USER, exact=1.0),
)
KEEP = Audit(
    "kairouz_2014.randomised_response_keep",
    "privacy.eps2_categories3",
    "RandomisedResponse(epsilon=2.0, categories=3)",
    PrivacyLoss(RandomisedResponse(2.0, 3), exact=2.0),
)


def reports_replayed(epsilon: float, debias: bool, randomiser: ClientRandomiser | None = None) -> Iterator[At]:
    """Each number that LocalResponse sends: a coin that falls on 1 with the probability by which its mean is the clipped number."""

    def expected(number: float, width: int, place: int) -> float:
        if math.isnan(number):
            return number
        kept = 1.0 / (1.0 + math.exp(-epsilon / width))
        one = kept * reports.clipped(number) + (1.0 - kept) * (1.0 - reports.clipped(number))
        answer = float(uniform(reports.KEY, CLIENT, place) < one)
        return (answer + kept - 1.0) / (2.0 * kept - 1.0) if debias else answer

    return reports.replayed(randomiser or LocalResponse(epsilon, debias), expected)


REPLAYED = tuple(
    Audit(
        "kairouz_2014.randomised_response_privacy",
        f"points.replayed_{swept(eps=epsilon)}{'' if debias else '_answers'}",
        f"LocalResponse(epsilon={epsilon}, debias={debias}), numbers inside and outside [0, 1], replayed",
        Pointwise(partial(reports_replayed, epsilon, debias), "13 users, messages of 1, 2 and 5 numbers", "distance"),
    )
    for epsilon, debias in ((1.0, True), (0.5, False))
)


def releases_replayed() -> Iterator[At]:
    """The true answer unless the first uniform number is below (m - 1) / (e^epsilon + m - 1); then one of the others, by the second."""
    for epsilon, categories in ((0.5, 2), (1.0, 4), (3.0, 16), (40.0, 3), (699.0, 2), (700.0, 2), (1e4, 2)):
        mechanism = RandomisedResponse(epsilon, categories)
        flip = (categories - 1.0) * math.exp(-epsilon) / (1.0 + (categories - 1.0) * math.exp(-epsilon))
        for answer in {0, 1, categories - 1}:

            def expected(rng: np.random.Generator, runs: int, answer: int = answer, flip: float = flip, many: int = categories) -> Floats:
                moved = rng.random(runs) < max(flip, 5e-324)  # 0 is below it, so that no answer is impossible
                others = [[other % many for other in range(answer + 1, answer + many)][int(u * (many - 1))] for u in rng.random(runs)]
                return np.where(moved, others, answer)[:, None].astype(float)

            yield from replayed(mechanism, [float(answer)], expected, runs=60)
            yield equal({"answer": answer}, mechanism.release(float(answer), 2, np.random.default_rng(1)).shape, [2, 1])
        rng = np.random.default_rng(2)
        bad: dict[str, Any] = {
            "none": [],
            "two": [0.0, 1.0],
            "negative": -1.0,
            "half": 0.5,
            "too large": float(categories),
            "nan": math.nan,
        }
        yield from refusals({f"{name} of {categories}": partial(mechanism.release, data, 1, rng) for name, data in bad.items()})
        for each in (mechanism, LocalResponse(epsilon)):
            yield guaranteed(each, PureDP(epsilon, NeighbouringRelation.ANY_PAIR, View.LOCAL))
        last = categories - 1.0
        worst = (((0.0,), (1.0,)), ((last,), (0.0,)))
        yield from described(mechanism, Neighbours(NeighbouringRelation.ANY_PAIR, high=last, lengths=(1, 1), integral=True, worst=worst))


def parameters_computed() -> Iterator[At]:
    """The probability of the truth is e^epsilon times that of each other answer, and the m of them add up to 1."""
    for level, categories in product((0.1, 1.0, 7.0), (2, 3, 16)):
        kept = randomised_response.keep(level, categories)
        other = (1.0 - kept) / (categories - 1)
        where = {"epsilon": level, "categories": categories}
        yield equal({**where, "compared": "ratio"}, kept / other / math.exp(level), 1.0)
        yield equal({**where, "compared": "truth"}, randomised_response.epsilon(kept, categories), level)
        # The other way round: as private where the truth is as much less likely.
        least = 1.0 / (1.0 + (categories - 1) * math.exp(level))
        yield equal({**where, "compared": "lie"}, randomised_response.epsilon(least, categories), level)
    yield equal({"compared": "defaults"}, randomised_response.epsilon(randomised_response.keep(0.7)), 0.7)


SHIPPED = tuple(
    beside("kairouz_2014.randomised_response_privacy", slug, words, points, domain)
    for slug, words, points, domain in (
        ("releases_replayed", "RandomisedResponse, answers and neighbours", releases_replayed, "2 to 16 answers, epsilon 0.5 to 10000"),
        ("parameters_computed", "randomised_response.keep and epsilon", parameters_computed, "2 to 16 answers, epsilon 0.1 to 7"),
    )
)
AGREEMENT = (
    agreement("randomised_response.keep", Agreement(kairouz_2014.RANDOMISED_RESPONSE_KEEP, randomised_response.keep)),
    agreement("randomised_response.epsilon", Agreement(kairouz_2014.RANDOMISED_RESPONSE_PRIVACY, randomised_response.epsilon)),
)
