"""Environments and contamination with one mistake each."""

from functools import partial

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.huber import Huber
from banditproof.audits.common.drawn_rewards import called
from banditproof.audits.methods.pointwise import Pointwise
from banditproof.audits.mutations import control
from banditproof.audits.papers.wu_2023.cases import outliers, rewards
from banditproof.theory.papers.wu_2023 import setting

_EXPECTED = rewards.bernoulli((0.3, 0.7))
_FOUR_TENTHS = outliers.one_for_all(0.4, 3.5, -2.0, 0.3)[1]
OTHER_MEANS = control(
    "other_means",
    "the first arm pays with probability 0.5 in place of 0.3",
    setting.RAW_MOMENT_CLASS.id,
    Pointwise(called((_EXPECTED._replace(environment=Bernoulli((0.5, 0.7))),), rewards.ROUNDS), f"{rewards.ROUNDS} rounds", "distance"),
)
TWICE_THE_OUTLIERS = control(
    "twice_the_outliers",
    "a fraction of 0.8 of the rewards is replaced in place of 0.4",
    "wu_2023.huber_contamination",
    Pointwise(
        partial(outliers.values_called, ((Huber(0.8, 3.5, -2.0, 0.3), _FOUR_TENTHS),)), f"{outliers.ROUNDS} rounds, two widths", "distance"
    ),
)
