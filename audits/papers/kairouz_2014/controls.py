"""Controls of kairouz_2014: randomised response with the probability for another number of categories."""

import math
from functools import partial

import numpy as np

from banditproof.algorithms.mechanisms.randomised_response import LocalResponse
from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.methods.pointwise import Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedMechanism, MutatedRandomiser, control
from banditproof.audits.papers.kairouz_2014 import cases
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Floats, Words
from banditproof.kernels import RANDOMISE, compiled
from banditproof.mechanism import Neighbours
from banditproof.randomness import CLIENT, uniform
from banditproof.theory.papers import kairouz_2014


def _two_categories_of_four(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The probability of the truth is the one for two categories; there are four."""
    keep = math.e / (1.0 + math.e)
    moved = np.where(rng.random(runs) < keep, 0.0, 1.0 + np.floor(3.0 * rng.random(runs)))
    return np.asarray(np.mod(data[0] + moved, 4.0)[:, None])


_FOUR = Neighbours(NeighbouringRelation.ANY_PAIR, high=3.0, lengths=(1, 1), integral=True, worst=(((0.0,), (1.0,)),))
WRONG_CATEGORIES = control(
    "two_categories_of_four",
    "randomised response calibrated for fewer categories",
    "kairouz_2014.randomised_response_privacy",
    PrivacyLoss(MutatedMechanism(PureDP(1.0, NeighbouringRelation.ANY_PAIR, View.LOCAL), _FOUR, _two_categories_of_four)),
)
WRONG_KEEP = control(
    "keep_of_two_categories",
    "the probability of the truth for two categories, used for four",
    "kairouz_2014.randomised_response_keep",
    PrivacyLoss(MutatedMechanism(PureDP(1.0, NeighbouringRelation.ANY_PAIR, View.LOCAL), _FOUR, _two_categories_of_four)),
)


def _categories_not_less_one(categories: int, epsilon: float) -> float:
    return 1.0 / (1.0 + categories * math.exp(-epsilon))


CATEGORIES = control(
    "categories_not_less_one",
    "m for m - 1",
    kairouz_2014.RANDOMISED_RESPONSE_KEEP,
    Agreement(kairouz_2014.RANDOMISED_RESPONSE_KEEP, _categories_not_less_one),
)


def _as_one_number(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    """Each number is answered with the whole epsilon."""
    flip = 1.0 / (1.0 + math.exp(setup[0]))
    for column in range(message.shape[0]):
        value = min(max(message[column], 0.0), 1.0) if message[column] == message[column] else message[column]
        answer = 1.0 if uniform(key, CLIENT, round * message.shape[0] + column) < flip + (1.0 - 2.0 * flip) * value else 0.0
        report[0, column] = (answer - flip) / (1.0 - 2.0 * flip) if value == value else value


WHOLE_EPSILON = control(
    "whole_epsilon",
    "epsilon is not divided among the numbers of a message",
    "kairouz_2014.randomised_response_privacy",
    Pointwise(
        partial(cases.reports_replayed, 1.0, True, MutatedRandomiser(LocalResponse(1.0), compiled(_as_one_number, RANDOMISE))),
        "13 users",
        "distance",
    ),
)
