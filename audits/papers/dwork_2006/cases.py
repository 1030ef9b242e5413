"""Audits of dwork_2006: the Laplace mechanism, as a release and as a client randomiser, and its parameter functions.

Releases are replayed from an equal generator, and the discrete noise from a sampler that adds known numbers (`common.whole_noise`).
"""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms import laplace
from banditproof.algorithms.mechanisms.discrete_laplace import DiscreteLaplace
from banditproof.algorithms.mechanisms.laplace import Laplace, LocalLaplace
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common import reports, whole_noise
from banditproof.audits.common.beside import beside
from banditproof.audits.common.neighbours import FAR, MessagePairs
from banditproof.audits.common.releases import answers, described, equal, guaranteed, one_moved, refusals, replayed
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.frozen_releases import FrozenReleases, FrozenRuns
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.privacy.frozen_pipeline import Reports
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import ClientRandomiser, Floats, Pipeline
from banditproof.mechanism import Neighbours, PolicyMechanism
from banditproof.randomness import CLIENT
from banditproof.randomness import laplace as laplace_noise
from banditproof.theory.papers import dwork_2006

_THEOREM = "dwork_2006.laplace_privacy"

_LOW, _HIGH = ((0.0, 0.0),) * 4, ((1.0, 1.0), *((0.0, 0.0),) * 3)
_USER = PolicyMechanism(
    Pipeline(UCB1(), Bernoulli((0.5, 0.5)), randomiser=LocalLaplace(1.0)),
    LocalLaplace(1.0).guarantee(),
    differing=0,
    horizon=4,
    theorems=LocalLaplace(1.0).theorems,
    worst=((_LOW, _HIGH),),
)

RELEASES = tuple(
    Audit(
        _THEOREM,
        f"privacy.{swept(eps=epsilon, sensitivity=sensitivity, w=width)}",
        f"Laplace(epsilon={epsilon}, sensitivity={sensitivity}, width={width})",
        PrivacyLoss(mechanism, exact=epsilon),
    )
    for epsilon, sensitivity, width in ((0.5, 1.0, 1), (1.0, 1.0, 1), (2.0, 5.0, 1), (1.0, 1.0, 3))
    for mechanism in (Laplace(epsilon, sensitivity, width),)
)
FROZEN = tuple(
    Audit(
        _THEOREM,
        f"frozen.{swept(eps=epsilon, sensitivity=sensitivity, w=width)}",
        f"Laplace(epsilon={epsilon}, sensitivity={sensitivity}, width={width}), replayed",
        FrozenReleases(Laplace(epsilon, sensitivity, width)),
    )
    for epsilon, sensitivity, width in ((1.0, 1.0, 1), (2.0, 5.0, 3))
)
FROZEN_REPORTS = tuple(
    Audit(
        _THEOREM,
        f"frozen.report_{swept(eps=epsilon, w=width)}",
        f"LocalLaplace(epsilon={epsilon}), one user's {width} numbers replaced",
        FrozenRuns(
            Reports(LocalLaplace(epsilon)),
            MessagePairs(((0.0,) * width, (1.0,) * width, (1.0, *(0.0,) * (width - 1)), (0.25,) * width, *((far,) * width for far in FAR))),
            LocalLaplace(epsilon).guarantee(),
        ),
    )
    for epsilon, width in ((1.0, 1), (0.5, 3))
)
REPORT = Audit(_THEOREM, "privacy.user_report", "LocalLaplace(epsilon=1.0), a user's report under UCB1", PrivacyLoss(_USER, exact=1.0))


def reports_replayed(epsilon: float, randomiser: ClientRandomiser | None = None) -> Iterator[At]:
    """Each number that LocalLaplace sends: clipped, and Laplace noise of scale width / epsilon of its own."""

    def expected(number: float, width: int, place: int) -> float:
        return reports.clipped(number) + width / epsilon * laplace_noise(reports.KEY, CLIENT, place)

    return reports.replayed(randomiser or LocalLaplace(epsilon), expected)


REPLAYED = tuple(
    Audit(
        _THEOREM,
        f"points.replayed_{swept(eps=epsilon)}",
        f"LocalLaplace(epsilon={epsilon}), numbers inside and outside [0, 1], replayed",
        Pointwise(partial(reports_replayed, epsilon), "13 users, messages of 1, 2 and 5 numbers", "distance"),
    )
    for epsilon in (0.5, 2.0)
)
_PARAMETERS = ((1.0, 1.0, 1), (0.25, 1.0, 2), (3.0, 0.7, 1), (2.0, 5.0, 4))  # epsilon, sensitivity, width


def releases_replayed() -> Iterator[At]:
    """Releases are the answer and independent noise of scale sensitivity / epsilon; neighbours are those of the query's L1 sensitivity."""
    for epsilon, sensitivity, width in _PARAMETERS:
        mechanism = Laplace(epsilon, sensitivity, width)

        def expected(rng: np.random.Generator, runs: int, scale: float = sensitivity / epsilon, width: int = width) -> Floats:
            return answers(width) + scale * rng.laplace(size=(runs, width))

        yield from replayed(mechanism, answers(width), expected)
        yield from refusals({"another width": partial(mechanism.release, answers(width + 1), 1, np.random.default_rng(0))})
    for made in (Laplace, DiscreteLaplace):
        for epsilon, sensitivity, width in ((0.5, 1, 1), (2.0, 5, 4)):
            yield guaranteed(made(epsilon, sensitivity, width), PureDP(epsilon, NeighbouringRelation.QUERY_SENSITIVITY))
            yield from described(
                made(epsilon, sensitivity, width),
                Neighbours(
                    NeighbouringRelation.QUERY_SENSITIVITY,
                    low=-2.0 * sensitivity,
                    high=2.0 * sensitivity,
                    lengths=(width, width),
                    integral=made is DiscreteLaplace,
                    sensitivity=float(sensitivity),
                    worst=one_moved(width, float(sensitivity)),
                ),
            )
    yield guaranteed(LocalLaplace(0.3), PureDP(0.3, NeighbouringRelation.ANY_PAIR, View.LOCAL))


def parameters_computed() -> Iterator[At]:
    """Scale, epsilon and tail: densities of the noise at two answers differ by a factor of e^epsilon, and half of it lies beyond b ln 2."""
    for epsilon, sensitivity, _ in _PARAMETERS:
        scale = laplace.scale(epsilon, sensitivity)
        far, near = (math.exp(-abs(3.0 * sensitivity - answer) / scale) / (2.0 * scale) for answer in (0.0, sensitivity))
        where = {"epsilon": epsilon, "sensitivity": sensitivity}
        yield equal({**where, "compared": "ratio"}, math.log(near / far), epsilon)
        yield equal({**where, "compared": "epsilon"}, laplace.epsilon(2.5 * sensitivity, sensitivity), 0.4)
        yield equal({**where, "compared": "half"}, laplace.tail(scale * math.log(2.0), scale), 0.5)
        yield equal({**where, "compared": "eighth"}, laplace.tail(scale * math.log(8.0), scale), 0.125)
    yield equal({"compared": "defaults"}, [laplace.scale(4.0), laplace.epsilon(4.0)], [0.25, 0.25])


SHIPPED = tuple(
    beside(_THEOREM, slug, words, points, domain)
    for slug, words, points, domain in (
        ("releases_replayed", "Laplace and DiscreteLaplace, releases and neighbours", releases_replayed, "4 settings"),
        ("parameters_computed", "laplace.scale, epsilon and tail", parameters_computed, "4 settings"),
        ("sampler_asked", "DiscreteLaplace, what OpenDP is asked for", whole_noise.asked_for, "4 settings"),
        ("whole_numbers", "DiscreteLaplace, answers that are refused", whole_noise.refused, "10 answers"),
    )
)
WHOLE_NOISE = tuple(
    Audit(
        _THEOREM,
        f"coverage.whole_noise_{swept(eps=epsilon, sensitivity=sensitivity, w=width)}",
        f"DiscreteLaplace(epsilon={epsilon}, sensitivity={sensitivity}, width={width}), how often the noise is large",
        whole_noise.Counted(DiscreteLaplace(epsilon, sensitivity, width)),
    )
    for epsilon, sensitivity, width in ((1.0, 1, 1), (2.0, 5, 2))
)
AGREEMENT = (
    agreement("laplace.epsilon", Agreement(dwork_2006.LAPLACE_PRIVACY, laplace.epsilon)),
    agreement("laplace.scale", Agreement(dwork_2006.LAPLACE_PRIVACY, laplace.scale, inverse="scale")),
)
