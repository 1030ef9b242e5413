"""A count that adds half the noise it should."""


def count(data, rng):
    return sum(data) + rng.laplace(scale=0.5)
