"""A contextual bandit from labelled data (the reduction of classification to a bandit): arms are classes, the correct one pays 1.

Features: the record's first principal components, standardised, then scaled to length 1. Arm a's context has them in block a and zeros
elsewhere, d = components * classes: one linear model per class, in one parameter. The mean rewards are the labels' indicators, which no
linear model need fit: bounds that assume one say nothing here, and the regret is the number of wrong answers.

The data come with scikit-learn: nothing is downloaded.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, assert_never

import numpy as np

from banditproof import randomness
from banditproof.guarantees import require
from banditproof.interaction import Floats, Ints, Kernel, Words
from banditproof.kernels import PRESENT, REWARD, compiled
from banditproof.randomness import uniform
from banditproof.typical import Values, whole_numbers


class Source(Enum):
    """Which data: records, features, classes."""

    IRIS = "iris"  # 150, 4, 3
    WINE = "wine"  # 178, 13, 3
    BREAST_CANCER = "breast_cancer"  # 569, 30, 2
    DIGITS = "digits"  # 1797, 64, 10


@functools.cache
def records(source: Source) -> tuple[Floats, Ints]:
    """Features (n, f) and classes (n,)."""
    from sklearn import datasets

    match source:
        case Source.IRIS:
            loaded = datasets.load_iris()
        case Source.WINE:
            loaded = datasets.load_wine()
        case Source.BREAST_CANCER:
            loaded = datasets.load_breast_cancer()
        case Source.DIGITS:
            loaded = datasets.load_digits()
        case _:
            assert_never(source)
    return np.asarray(loaded.data, dtype=float), np.asarray(loaded.target, dtype=np.int64)


def components_of(features: Floats, components: int) -> Floats:
    """Unit vectors (n, components): principal components, standardised, each record then scaled to length 1 (one at 0 stays there).

    The sign of a component is that of its largest weight. Raises ValueError unless 1 <= components <= rank of the features.
    """
    centred = features - features.mean(axis=0)
    left, sizes, weights = np.linalg.svd(centred, full_matrices=False)
    rank = int(np.count_nonzero(sizes > 1e-10 * sizes[0]))
    require(1 <= components <= rank, f"components = {components}: must be >= 1 and <= {rank} (rank of the features)")
    chosen = weights[:components]
    signs = np.sign(chosen[np.arange(components), np.abs(chosen).argmax(axis=1)])
    scores = left[:, :components] * signs * np.sqrt(len(features))
    lengths = np.linalg.norm(scores, axis=1, keepdims=True)
    return np.asarray(scores / np.where(lengths > 0.0, lengths, 1.0))


@functools.cache
def component_scores(source: Source, components: int) -> Floats:
    """`components_of` the records of a dataset, read-only: a decomposition of 0.2 s that each run would do again. Raises as it does."""
    scores = components_of(records(source)[0], components)
    scores.setflags(write=False)
    return scores


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    size, components = int(setup[0]), int(setup[1])
    record = int(uniform(key, randomness.CONTEXTS, round) * size)
    start = 2 + size + record * components
    for arm in range(contexts.shape[0]):
        for column in range(contexts.shape[1]):
            contexts[arm, column] = 0.0
        for column in range(components):
            contexts[arm, arm * components + column] = setup[start + column]
        means[arm] = 1.0 if arm == int(setup[2 + record]) else 0.0
    return round + 1


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    record = int(uniform(key, randomness.CONTEXTS, round) * int(setup[0]))
    return 1.0 if arm == int(setup[2 + record]) else 0.0


present, reward = compiled(_present, PRESENT), compiled(_reward, REWARD)


@dataclass(frozen=True)
class ClassificationBandit:
    """A classification dataset as a bandit: each round draws one record with replacement, and the arm of its class pays 1, any other 0.

    Arm a's context, (d,) with d = components * classes, has the record's first `components` principal components in block a and zeros
    elsewhere. Raises ValueError unless components >= 1; `setup`, which reads the data, if the features have fewer components.
    """

    source: Source = Source.DIGITS
    components: int = 4
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "source": (Source.IRIS, Source.WINE),  # the others take longer
        "components": whole_numbers(1, 3),
    }

    def __post_init__(self) -> None:
        require(self.components >= 1, f"components = {self.components}: must be >= 1")

    @property
    def arms(self) -> int:
        return int(records(self.source)[1].max()) + 1

    @property
    def dimension(self) -> int:
        return self.arms * self.components

    def setup(self) -> Floats:
        classes, scores = records(self.source)[1], component_scores(self.source, self.components)
        return np.concatenate([[len(classes), self.components], classes.astype(float), scores.ravel()])

    def memory(self) -> Floats:
        return np.zeros(0)
