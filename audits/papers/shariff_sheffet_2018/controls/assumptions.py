"""What shariff_sheffet_2018 says of its assumptions, with one more mistake each, which the audits must refute by numbers."""

from banditproof.audits.methods.pointwise import Pointwise
from banditproof.audits.mutations import control, times
from banditproof.audits.papers.shariff_sheffet_2018.cases import long_actions, matrices
from banditproof.theory.language import Sense
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, gaussian, regret

_POINTS = "the points of its audit"
ASSUMPTIONS = (
    control(
        "rank_above_size",
        "rank 3 for a 2 by 2 matrix",
        confidence.ESTIMATE,
        Pointwise(lambda: matrices.ranks(3), _POINTS, "rank", Sense.AT_LEAST),
    ),
    control(
        "hundredfold_without_items",
        "a hundred times Lemma 21 without Item 2",
        regret.WITHOUT_ITEMS,
        Pointwise(lambda: long_actions.long_first_action(100), _POINTS, "regret"),
        "hundredfold",
    ),
    control(
        "first_round_doubled",
        "twice the regret of round 1",
        gaussian.FIRST_ROUND,
        Pointwise(lambda: long_actions.first_round(times(gaussian.FIRST_ROUND, 2)), _POINTS, "regret", Sense.AT_LEAST),
        "doubled",
    ),
)
