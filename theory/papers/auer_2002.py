r"""Finite-time analysis of the multiarmed bandit: UCB1 (Auer, Cesa-Bianchi and Fischer 2002).

Main statements
    UCB1_REGRET   Theorem 1: logarithmic regret for any rewards in [0, 1], with the lines of its proof
    UCB1_PULLS    its companion for one arm: expected pulls of an arm with a given gap
    arm_sums      the two sums over arms that the theorem needs, exactly, from a vector of gaps
Reads             the article in Machine Learning 47, 2002. There n is our horizon T

Implementation notes
    The sum of log(T)/gap over the suboptimal arms is log(T) times the sum of 1/gap, so two numbers stand for the vector of gaps.
    Example: UCB1_REGRET.at(horizon=1000, **arm_sums((0, "0.1", "0.3"))).
    Not a step: exp(-2 s c^2) = t^-4 at the radius c = sqrt(2 log(t)/s), which SymPy reduces to itself when it is written down.
    UCB1 plays the arm with the largest mean + sqrt(2 log(t)/pulls) after one pull of each.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from sympy import Ge, log, pi, sqrt, zeta

from banditproof.glossary import GAP, HORIZON, INVERSE_GAPS, REGRET, ROUND, SAMPLES, TOTAL_GAP, Quantity
from banditproof.glossary.auer_2002 import PULLS
from banditproof.theory.evaluate import exact
from banditproof.theory.findings import Finding, Grade, Reach
from banditproof.theory.hypotheses import independent_rewards, plays_ucb1, possible_gaps, unit_rewards
from banditproof.theory.language import Bound, Mode, Number, OutsideDomain, Sense, Source, Step, Theorem, always, symbol

PAPER = (
    "Peter Auer, Nicolò Cesa-Bianchi and Paul Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem* (Machine Learning 47, 2002)"
)
LETTERS: Mapping[Quantity, str] = {  # the paper has no letter for the regret
    HORIZON: "n",
    REGRET: "R_n",
    PULLS: r"\mathbb{E}[T_i(n)]",
    GAP: r"\Delta_i",
    SAMPLES: "s",
    INVERSE_GAPS: r"\bigl(\textstyle\sum_{i:\mu_i<\mu^*} 1/\Delta_i\bigr)",
    TOTAL_GAP: r"\bigl(\textstyle\sum_j \Delta_j\bigr)",
}

_horizon, _gap, _round, _samples = symbol(HORIZON), symbol(GAP), symbol(ROUND), symbol(SAMPLES)

FEW_ROUNDS = Finding(
    name="few_rounds",
    grade=Grade.LOOSE,
    reach=Reach.CONCLUSION,
    title="the bound exceeds the largest possible regret for the first rounds",
    place="Theorem 1",
    sentence="[8 sum over suboptimal arms of (ln n / Delta_i)] + (1 + pi^2/3) (sum of Delta_j)",
    literal="The bound is true for every n and says nothing while it is above n times the largest gap.",
    charitable="The theorem is about the growth in n, and is stated for every n without a claim that it is useful there.",
    counterexample="two arms with a gap of 2/5 after 100 rounds: the bound is 93.8, and no policy loses more than 100 * 2/5 = 40",
    consequence="It says nothing for the first rounds, the longer the smaller the gaps are: about (log n)/Delta^2 rounds.",
    stands="The theorem as printed, for every number of rounds.",
    instead="The lesser of the bound and n times the largest gap.",
)
WHICH_GAPS = Finding(
    name="which_gaps",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="the sums over arms stand here for the vector of gaps",
    place="Theorem 1",
    sentence="sum over i with mu_i < mu* of (ln n / Delta_i), and the sum of the Delta_j",
    literal="The theorem is in terms of all gaps; the statement here has their sum and the sum of their inverses as two numbers.",
    charitable="Every vector of gaps gives two such numbers; not all pairs of numbers come from gaps.",
    consequence="The condition possible_gaps (by Cauchy and Schwarz the product of the sums is at least 1) refuses what no gaps have.",
    stands="The theorem as printed.",
    instead="arm_sums, which computes the two numbers exactly from the gaps.",
)

_STEPS = (
    Step(
        id="enough_pulls",
        sense=Sense.AT_LEAST,
        left=_gap,
        right=2 * sqrt(2 * log(_horizon) / _samples),
        draw_order=(GAP, HORIZON, SAMPLES),
        domain=(Ge(_samples, 8 * log(_horizon) / _gap**2),),
        reason="the proof counts pulls from ceil(8 log(T)/gap^2) on",
        note="(9) there: an arm with that many pulls cannot have both confidence intervals right and look best",
    ),
    Step(
        id="double_sum",
        sense=Sense.AT_MOST,
        left=2 * (_round - 1) ** 2 / _round**4,
        right=2 / _round**2,
        draw_order=(ROUND,),
        note="two tails for each pair of sample counts below t",
    ),
    Step(
        id="sum_over_rounds",
        sense=Sense.AT_MOST,
        left=pi**2 / 3 - 2 * zeta(2, _horizon + 1),
        right=pi**2 / 3,
        draw_order=(HORIZON,),
        note="sum of 2/t^2 over t <= T, which is pi^2/3 less the Hurwitz tail",
    ),
    Step(
        id="regret_of_an_arm",
        sense=Sense.EQUALS,
        left=_gap * (8 * log(_horizon) / _gap**2 + 1 + pi**2 / 3),
        right=8 * log(_horizon) / _gap + (1 + pi**2 / 3) * _gap,
        draw_order=(HORIZON, GAP),
        note="regret is gap times pulls",
    ),
)

UCB1_REGRET = Theorem(
    id="auer_2002.ucb1_regret",
    statement="The expected regret of UCB1 after any number of rounds, also fewer than the arms, for more than one arm and any reward "
    "distributions on [0, 1].",
    source=Source("auer2002finite", "Theorem 1", "Machine Learning 47"),
    hypotheses=(possible_gaps, unit_rewards, independent_rewards, plays_ucb1),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(8 * log(_horizon) * symbol(INVERSE_GAPS) + (1 + pi**2 / 3) * symbol(TOTAL_GAP)),
        given=(HORIZON, INVERSE_GAPS, TOTAL_GAP),
        mode=Mode.IN_EXPECTATION,
    ),
    steps=_STEPS,
    findings=(FEW_ROUNDS, WHICH_GAPS),
)

UCB1_PULLS = Theorem(
    id="auer_2002.ucb1_pulls",
    statement="The expected number of pulls that UCB1 gives to an arm with suboptimality gap `gap`.",
    source=Source("auer2002finite", "Theorem 1, last line of its proof", "Machine Learning 47"),
    hypotheses=(unit_rewards, independent_rewards, plays_ucb1),
    bound=Bound(
        of=PULLS,
        sense=Sense.AT_MOST,
        cases=always(8 * log(_horizon) / _gap**2 + 1 + pi**2 / 3),
        given=(HORIZON, GAP),
        mode=Mode.IN_EXPECTATION,
    ),
)


def arm_sums(gaps: Iterable[Number]) -> dict[str, Fraction]:
    """The sums over arms, exactly: {"inverse_gaps": ..., "total_gap": ...}. Gaps of 0 (best arms) count in neither.

    Raises OutsideDomain for a gap outside [0, 1], or if no gap is positive: then the regret is 0 and the theorem says nothing more.
    """
    numbers = [exact(f"gaps[{place}]", gap) for place, gap in enumerate(gaps)]
    for place, number in enumerate(numbers):
        if not 0 <= number <= 1:
            raise OutsideDomain(f"gaps[{place}] = {float(number)}: must be >= 0 and <= 1 ({GAP.meaning})")
    positive = [number for number in numbers if number]
    if not positive:
        raise OutsideDomain("gaps: one at least must be positive, or every arm is best and the regret is 0")
    return {
        INVERSE_GAPS.name: sum((1 / number for number in positive), Fraction(0)),
        TOTAL_GAP.name: sum(positive, Fraction(0)),
    }
