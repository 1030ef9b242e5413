"""shariff_sheffet_2018: the constructions of the lower bounds, computed exactly: Claims 13 and 14, Corollary 15.

Claim 13. All private pairs of choices form a polygon, on which the regret of a round is linear: its least value is at a corner.

Claim 14. Gap 1: arm 1 has mean 0; arm a has -1, or 1 where it is raised. A policy that knows this pulls arm a N times, counts the rewards
1, adds Laplace noise of scale 1/epsilon, and keeps arm a if that exceeds N/2: it errs with probability exp(-epsilon N/2)/2 either way. It
is private, and N is taken as small as a regret of n^(3/4) in both problems allows. A second one plays arm 1 alone with the probability that
the regret in the raised problem leaves: as rarely as it may, it misses arm a.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import exp, log, power
from banditproof.theory.language import HypothesisFails, Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import lower_bound

# --- two contexts -------------------------------------------------------------------------------------------------------------------------

Line = tuple[Fraction, Fraction, Fraction]  # a q + b q' <= c


def private_choices(grown: Fraction, slack: Fraction) -> list[Line]:
    """That q and q', and 1 - q and 1 - q', lie within `grown` and `slack` of each other, and in [0, 1]."""
    one, nil = Fraction(1), Fraction(0)
    return [
        (one, -grown, slack),
        (-grown, one, slack),
        (-one, grown, grown - 1 + slack),
        (grown, -one, grown - 1 + slack),
        *((one, nil, one), (-one, nil, nil), (nil, one, one), (nil, -one, nil)),
    ]


def corners(lines: list[Line]) -> Iterator[tuple[Fraction, Fraction]]:
    """The corners of a polygon."""
    for (a, b, c), (d, e, f) in combinations(lines, 2):
        area = a * e - b * d
        if area != 0:
            x, y = (c * e - b * f) / area, (a * f - c * d) / area
            if all(p * x + q * y <= r for p, q, r in lines):
                yield x, y


def least_regrets(theorem: Theorem, levels: tuple[str, ...], deltas: tuple[str, ...]) -> Iterator[At]:
    """The least regret of a round over all private choices."""
    for epsilon, delta in product(levels, deltas):
        least = min(1 - one + other for one, other in corners(private_choices(exp(Fraction(epsilon)), Fraction(delta))))
        yield At({"eps": epsilon, "delta": delta}, least, theorem.at(horizon=1, epsilon=epsilon, delta=delta).ball)


_SMALL, _SMALL_DELTAS = ("1/100", "1/3", "69/100"), ("1/1000000", "1/10", "249/1000")
CONTEXTS = (
    Audit(
        lower_bound.CONTEXT_REGRET.id,
        "points.every_pair_of_choices",
        "every private pair of choices",
        Pointwise(
            partial(least_regrets, lower_bound.CONTEXT_REGRET, _SMALL, _SMALL_DELTAS),
            "epsilon below log 2, delta below 1/4",
            "regret a round",
            Sense.AT_LEAST,
        ),
    ),
    Audit(
        lower_bound.CONTEXT_REGRET_EXACT.id,
        "points.every_pair_of_choices",
        "every private pair of choices",
        Pointwise(
            partial(least_regrets, lower_bound.CONTEXT_REGRET_EXACT, (*_SMALL, "3", "10"), (*_SMALL_DELTAS, "1/2", "99/100")),
            "epsilon 1/100 to 10, delta 1e-6 to 99/100",
            "regret a round",
            Sense.EQUALS,
        ),
    ),
)

# --- two arms -----------------------------------------------------------------------------------------------------------------------------


def error(epsilon: Fraction, pulls: int) -> Fraction:
    """P(Laplace noise of scale 1/epsilon > pulls/2)."""
    return exp(-epsilon * pulls / 2) / 2


def regret_of(epsilon: Fraction, horizon: int, pulls: int) -> Fraction:
    """The larger of the two regrets, at gap 1: that where arm a is the worse one."""
    return pulls + (horizon - pulls) * error(epsilon, pulls)


def fewest(epsilon: Fraction, horizon: int) -> int | None:
    """The least N at which the regret is at most n^(3/4), if there is one up to there."""
    allowed = power(horizon, Fraction(3, 4))
    most: int | None = next((2**j for j in range(60) if 2**j > allowed or regret_of(epsilon, horizon, 2**j) <= allowed), None)
    if most is None or most > allowed:
        return None
    low, high = most // 2, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if regret_of(epsilon, horizon, middle) <= allowed else (middle, high)
    return high


def _feasible() -> Iterator[tuple[str, int, int]]:
    for epsilon, horizon in product(("1/100", "1/10", "1", "14/5"), (10**4, 10**6, 10**9, 10**18)):
        pulls = fewest(Fraction(epsilon), horizon)
        if pulls is not None:
            yield epsilon, horizon, pulls


def pulls_needed(theorem: Theorem) -> Iterator[At]:
    for epsilon, horizon, pulls in _feasible():
        claimed = theorem.at(horizon=horizon, epsilon=epsilon, minimum_gap=1, failure="1/2").ball
        yield At({"eps": epsilon, "n": horizon}, pulls, claimed)


def regrets_needed(theorem: Theorem) -> Iterator[At]:
    for epsilon, horizon, pulls in _feasible():
        claimed = theorem.at(horizon=horizon, arms=2, epsilon=epsilon, minimum_gap=1).ball
        yield At({"eps": epsilon, "n": horizon}, regret_of(Fraction(epsilon), horizon, pulls), claimed)


def missed(theorem: Theorem) -> Iterator[At]:
    """How often arm a is not pulled at all: p n <= n^(3/4) less what the errors of the other way to play cost (N = (4/epsilon) log n)."""
    for epsilon, horizon in product(("1/10", "1", "14/5"), (10**4, 10**6, 10**9, 10**18)):
        level = Fraction(epsilon)
        pulls = int(4 * log(horizon) / level) + 1
        proportion = (power(horizon, Fraction(3, 4)) - horizon * error(level, pulls)) / horizon
        if regret_of(level, horizon, pulls) <= power(horizon, Fraction(3, 4)):
            yield At({"eps": epsilon, "n": horizon}, proportion, theorem.at(horizon=horizon, epsilon=epsilon, minimum_gap=1).ball)


def _first_horizon(holds: Callable[[int], bool]) -> int:
    """The least horizon at which something holds that stays true."""
    high = 2
    while not holds(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def first_horizons(theorem: Theorem) -> Iterator[At]:
    """From which horizon the statement may be asked for the failure 1/2, epsilon 1, beside n^19 >= (4/Delta)^100 in whole numbers."""
    for gap in ("1", "1/2", "1/10"):
        promised: list[str] = []

        def applies(horizon: int, gap: str = gap, promised: list[str] = promised) -> bool:
            try:
                pulls = theorem.at(horizon=horizon, epsilon=1, minimum_gap=gap, failure="1/2").bound
            except HypothesisFails:
                return False
            promised[:] = [f"{pulls:.3g}"]
            return True

        first = _first_horizon(applies)
        exact = _first_horizon(lambda horizon, gap=gap: horizon**19 >= (4 / Fraction(gap)) ** 100)  # type: ignore[misc]
        yield At({"gap": gap, "guaranteed pulls": promised[0]}, first, exact)


def never_pulled(theorem: Theorem) -> Iterator[At]:
    """Best mean 1, gap 1/10. Arm 1 is pulled sqrt(n) times; if its noisy mean is at least 1 - tau, tau = n^(-1/4)/8, it is played for ever.
    Every reward is 1, so the Laplace noise of scale 2/(epsilon sqrt(n)) alone decides. The finding room_above has the regret elsewhere."""
    for epsilon, horizon in product(("1", "14/5"), (10**12, 10**16, 10**20)):
        level, pulls = Fraction(epsilon), power(horizon, Fraction(1, 2))
        tau = power(horizon, Fraction(-1, 4)) / 8
        proportion = 1 - exp(-level * pulls * tau / 2) / 2 if level * pulls * tau < 900 else Fraction(1)
        claimed = theorem.at(horizon=horizon, epsilon=epsilon, minimum_gap="1/10").ball
        yield At({"eps": epsilon, "n": horizon}, proportion, claimed)


def at_once(theorem: Theorem) -> Theorem:
    """The bound without the conditions that the printed corollary does not have."""
    return replace(theorem, hypotheses=())


def always_arm_one(theorem: Theorem) -> Iterator[At]:
    """The regret of playing arm 1 in the problem where it is best."""
    for epsilon in ("1/10", "1"):
        yield At({"eps": epsilon, "n": 10**6}, Fraction(0), theorem.at(horizon=10**6, arms=2, epsilon=epsilon, minimum_gap="1/2").ball)


def all_that_can_be_lost(theorem: Theorem) -> Iterator[At]:
    """2n, the largest regret of any policy with rewards in {-1, 1}."""
    for epsilon in ("1/1000000000", "1"):
        yield At({"eps": epsilon, "n": 10**6}, 2 * 10**6, theorem.at(horizon=10**6, arms=2, epsilon=epsilon, minimum_gap="1/2").ball)


_GRID = "gap 1, epsilon 1/100 to 14/5, n 1e4 to 1e18"
PRINTED = (
    Audit(
        lower_bound.PULLS_MISSED.id,
        "points.best_mean_one_as_printed",
        "a policy that recognises a best mean of 1",
        Pointwise(partial(never_pulled, lower_bound.PULLS_MISSED), "best mean 1, gap 1/10, n 1e12 to 1e20", "probability of no pull"),
        Verdict.REFUTED,
    ),
    *(
        Audit(
            lower_bound.REGRET_PRIVATE.id,
            f"points.{slug}_as_printed",
            label,
            Pointwise(partial(points, at_once(lower_bound.REGRET_PRIVATE_EXPLICIT)), domain, "regret", Sense.AT_LEAST),
            Verdict.REFUTED,
        )
        for slug, label, points, domain in (
            ("always_arm_one", "arm 1 alone, in the problem where it is best", always_arm_one, "two arms, n 1e6, epsilon 1/10, 1"),
            ("all_that_can_be_lost", "more than any policy can lose", all_that_can_be_lost, "two arms, n 1e6, epsilon 1e-9, 1"),
        )
    ),
)
ARMS = (
    Audit(
        lower_bound.PULLS.id,
        "points.fewest_pulls",
        "the fewest pulls of a policy that counts",
        Pointwise(partial(pulls_needed, lower_bound.PULLS), _GRID, "pulls", Sense.AT_LEAST),
    ),
    Audit(
        lower_bound.PULLS.id,
        "points.first_horizon",
        "from which horizon on",
        Pointwise(partial(first_horizons, lower_bound.PULLS), "gap 1, 1/2, 1/10, epsilon 1", "first horizon", Sense.EQUALS),
    ),
    Audit(
        lower_bound.PULLS_MISSED.id,
        "points.missing_often",
        "a policy that misses as often as it may",
        Pointwise(partial(missed, lower_bound.PULLS_MISSED), _GRID, "probability of no pull"),
    ),
    Audit(
        lower_bound.REGRET_PRIVATE_EXPLICIT.id,
        "points.regret_of_counting",
        "the regret of a policy that counts",
        Pointwise(partial(regrets_needed, lower_bound.REGRET_PRIVATE_EXPLICIT), _GRID, "regret", Sense.AT_LEAST),
    ),
)
