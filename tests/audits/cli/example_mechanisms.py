"""Mechanisms as users write them, correct and broken."""

import random

import numpy as np

from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.mechanism import Neighbours


def plain(data, rng):
    return float(np.sum(data)) + rng.laplace()


def half_noise(data, rng):
    return float(np.sum(data)) + rng.laplace(scale=0.5)


def vectorised(data, runs, rng):
    return np.sum(data) + rng.laplace(size=runs)


def vectorised_half_noise(data, runs, rng):
    return np.sum(data) + rng.laplace(scale=0.5, size=runs)


def with_domain(data, runs, rng):
    return np.sum(data) + rng.laplace(size=runs)


with_domain.neighbours = {"low": 0, "high": 1, "lengths": [1, 2]}


def sparse_vector(data, rng):
    """A sequence that ends at the first answer above a threshold: rows of different length."""
    answers = []
    for value in data:
        above = value + rng.laplace(scale=2.0) > 1.0
        answers.append(int(above))
        if above:
            break
    return answers


class Release:
    """Any object with `release` and `neighbours`."""

    def __init__(self, scale):
        self.scale = scale

    def release(self, data, runs, rng):
        return np.asarray(data)[None, :] + rng.laplace(scale=self.scale, size=(runs, len(data)))

    def neighbours(self):
        return [([0.0], [1.0]), ([0.0], [0.5])]


release = Release(1.0)
broken_release = Release(0.5)


class Promising:
    """States its own guarantee and where to look."""

    def release(self, data, runs, rng):
        return np.sum(data) + rng.laplace(size=runs)

    def guarantee(self):
        return PureDP(1.0, NeighbouringRelation.REPLACE_RECORD, View.CENTRAL)

    def neighbours(self):
        return Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(1, 2))


def chatty(data, rng):
    print("a user's code prints")  # noqa: T201
    return float(np.sum(data)) + rng.laplace()


def unseeded(data, rng):
    return float(np.sum(data)) + random.expovariate(1.0) - random.expovariate(1.0)


def raises(data, rng):
    raise RuntimeError("privacy budget\nexhausted")


def stops(data, rng):
    raise SystemExit("no licence")


def wrong_shape(data, runs, rng):
    return rng.laplace(size=(3, runs))


def nothing(data, rng):
    return None


def words(data, rng):
    return "yes" if rng.random() < 0.5 else "no"


def nested(data, rng):
    return [[1.0, 2.0], [3.0, 4.0]]


def functions(data, rng):
    return huge


def huge(data, rng):
    return 10**400


def changes_its_data(data, rng):
    data[0] += rng.laplace()
    return data[0]


def one_parameter(data):
    return 0.0


def coin(bit, rng):
    """Local: a dataset is one number. Keeps the bit with probability e / (1 + e)."""
    return int(bit) if rng.random() < np.e / (1 + np.e) else 1 - int(bit)


def keyword_only(data, *, runs, rng):
    return np.sum(data) + rng.laplace(size=runs)


def other_order(rng, data, runs):
    return np.sum(data) + rng.laplace(size=runs)


class Nested:
    member = staticmethod(plain)


number = 3
