"""From the constants of each epoch of each base learner to the arrays of `kernels.State`."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from banditproof.algorithms.learners.protocol import COUNTS, FAMILY, RULE, SETTINGS, Arrays, scratch_numbers
from banditproof.algorithms.mechanisms.gram.noise import packed
from banditproof.algorithms.policies.locally_private_lin_ucb import kernels
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Putative, Radius, Width, combiner_logarithm
from banditproof.algorithms.policies.locally_private_lin_ucb.kernels import Counters, Learners, Measures, Settings, State
from banditproof.guarantees import require
from banditproof.interaction import Floats
from banditproof.lanes import WIDE, zeros


class Epoch(NamedTuple):
    """Constants of one epoch: the own round at which it ends, its fresh learner, Delta, the squared radius and the bound that stands for
    S_N, what the radius is multiplied by, and the multiple of the identity that the learner's metrics start from."""

    end: float
    learner: Arrays
    injection: float
    radius: Radius
    path: float
    scale: float
    metric: float


class Common(Protocol):
    """What all base learners share."""

    @property
    def theta_clash(self) -> bool: ...
    @property
    def truth(self) -> tuple[float, ...] | None: ...
    @property
    def width(self) -> Width: ...
    def sigma(self) -> float: ...


class Combination(NamedTuple):
    """What the combiner adds: its putative regrets, p, and beta."""

    putatives: tuple[Putative, ...]
    factor: float
    failure: float


def _settings(common: Common, combination: Combination | None, learners: int, horizon: int) -> Settings:
    """What the kernels are told; each number of the one type that they are compiled for."""
    sigma, oracle = common.sigma(), common.width is Width.ORACLE
    scale, logarithm = 0.0, 0.0
    if combination is not None:
        scale = combination.factor**2 * (1.0 + sigma**2)
        logarithm = combiner_logarithm(sigma, horizon=horizon, learners=learners, failure=combination.failure)
    return Settings(
        variance=float(sigma**2),
        clash=common.theta_clash,
        oracle=oracle,
        diagnose=common.truth is not None,
        combine=combination is not None,
        radius_scale=float(scale),
        radius_logarithm=float(logarithm),
        horizon=float(horizon),
    )


def _table(bases: Sequence[Sequence[Epoch]]) -> Floats:
    """`State.table`, (M, epochs, COLUMNS)."""
    table = np.zeros((len(bases), max(len(epochs) for epochs in bases), kernels.COLUMNS))
    table[:, :, kernels.END] = math.inf
    for base, epochs in enumerate(bases):
        for place, epoch in enumerate(epochs):
            row = table[base, place]
            row[kernels.END], row[kernels.INJECTION], row[kernels.METRIC] = epoch.end, epoch.injection, epoch.metric
            row[kernels.FAMILY], row[kernels.RULE_OF] = epoch.learner.counts[FAMILY], epoch.learner.counts[RULE]
            row[kernels.BASE], row[kernels.ROOT], row[kernels.SLOPE] = epoch.radius
            row[kernels.PATH], row[kernels.SCALE], row[kernels.LEARNER :] = epoch.path, epoch.scale, epoch.learner.settings
    return table


def _learners(bases: Sequence[Sequence[Epoch]], dimension: int) -> Learners:
    """Arrays with room for the learner of every epoch."""
    every = [epoch.learner for epochs in bases for epoch in epochs]
    number, epochs = len(bases), max(len(each) for each in bases)
    experts, wide, size = max(each.rates.size for each in every), max(each.metrics.shape[1] for each in every), packed(dimension)
    learners = Learners(
        counts=np.zeros((number, COUNTS), dtype=np.int64),
        settings=np.zeros((number, SETTINGS)),
        points=np.zeros((number, dimension)),
        experts=zeros(number, dimension, experts),
        log_weights=zeros(number, experts),
        weights=zeros(number, experts),
        rates=zeros(number, experts),
        metrics=zeros(number, size, wide),
        inverses=zeros(number, size, wide),
        scratch=zeros(scratch_numbers(dimension)),
        epoch_rates=np.zeros((number, epochs, experts)),
        epoch_priors=np.full((number, epochs, experts), -math.inf),
    )
    for base, each in enumerate(bases):
        for place, epoch in enumerate(each):
            learners.epoch_rates[base, place, : epoch.learner.rates.size] = epoch.learner.rates
            learners.epoch_priors[base, place, : epoch.learner.rates.size] = epoch.learner.log_weights
    return learners


def state_of(
    bases: Sequence[Sequence[Epoch]], common: Common, dimension: int, arms: int, horizon: int, combination: Combination | None = None
) -> State:
    """Fresh arrays of M base learners, each with its epochs. Raises ValueError where theta* has another dimension than the environment."""
    number, size = len(bases), packed(dimension)
    truth = np.zeros(dimension) if common.truth is None else np.array(common.truth, dtype=float)
    require(truth.shape == (dimension,), f"truth of {truth.size} numbers: must have {dimension} (features)")
    believed = [] if combination is None else [list(each) for each in combination.putatives]
    return State(
        settings=_settings(common, combination, number, horizon),
        counters=Counters(*(np.zeros(number, dtype=np.int64) for _ in Counters._fields)),
        measures=Measures(*(np.zeros(number) for _ in Measures._fields)),
        learners=_learners(bases, dimension),
        table=_table(bases),
        putative=np.ascontiguousarray(np.array(believed, dtype=float).T) if believed else np.zeros((3, number)),
        tallies=np.zeros((4, number)),
        current=np.zeros(1, dtype=np.int64),
        matrices=np.zeros((number, size)),
        inverses=np.zeros((number, size)),
        sums=np.zeros((number, dimension)),
        centres=np.zeros((number, dimension)),
        factor=np.zeros(size),
        row=np.zeros(dimension),
        image=np.zeros(dimension),
        slope=np.zeros(dimension),
        truth=truth,
        features=np.zeros((dimension, WIDE)),
    )
