"""shariff_sheffet_2018: Claim 7 by exact enumeration: how private the actions of Algorithm 1 are beside the sums that it is given.

One feature and D_t = {l_t, -l_t}: both actions have one norm, so Algorithm 1 plays the sign of u~_t, and the row that is added, x_t y_t,
is chosen by the releases before. V_t is a constant (H_t is a constant less G_t). All outcomes of the noise, all lists of four rounds over
three entries (l_t, y_t), and all pairs of neighbours are enumerated; probabilities are fractions. The sums come from
    answers    each row once, by randomised response over -1, 0, 1: (epsilon, 0)
    leaking    the same, but with probability delta the row itself: (epsilon, delta)
    tree       nodes of a binary tree with two-sided geometric noise, cut at -2 and 2; a row is in at most two nodes: (epsilon, 0)

As printed, Claim 7 allows an exact last pair, and sums that are private for fixed rows alone; both are played here with two features.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import exp, log, sqrt
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import setting

ROUNDS = 4
ENTRIES = ((1, 1), (1, -1), (0, 1))  # (l_t, y_t)

Memory = tuple[Any, ...]
Release = tuple[Fraction, Memory, int]  # probability, what the sums remember, u~
Sums = Callable[[Memory, int, Fraction, Fraction], Iterator[Release]]  # of memory, row, epsilon, delta
Distributions = dict[tuple[int, ...], Fraction]


def answers(memory: Memory, row: int, epsilon: Fraction, delta: Fraction) -> Iterator[Release]:
    """Randomised response for one row, added to the answers before."""
    before = memory[0] if memory else 0
    kept = exp(epsilon) / (exp(epsilon) + 2)
    for answer in (-1, 0, 1):
        yield kept if answer == row else (1 - kept) / 2, (before + answer,), before + answer


def leaking(memory: Memory, row: int, epsilon: Fraction, delta: Fraction) -> Iterator[Release]:
    """With probability delta ten times the row, else randomised response."""
    before = memory[0] if memory else 0
    yield delta, (before + 10 * row,), before + 10 * row
    for chance, after, total in answers(memory, row, epsilon, delta):
        yield (1 - delta) * chance, after, total


CUT = 2


def tree(memory: Memory, row: int, epsilon: Fraction, delta: Fraction) -> Iterator[Release]:
    """The binary tree: a row completes one node, which is released with geometric noise and used until a larger one holds it. Replacing a
    row moves a node by at most 2, and a row is in at most two nodes, so the ratio of the noise is exp(-epsilon/4)."""
    rows, nodes = (*memory[0], row) if memory else (row,), memory[1] if memory else ()
    size = len(rows) & -len(rows)
    kept = tuple(node for node in nodes if node[0] > size)
    exact, ratio = sum(rows[-size:]), exp(-epsilon / 4)
    for value in range(-CUT, CUT + 1):
        yield _chance(value, exact, ratio), (rows, (*kept, (size, value))), sum(node for _, node in kept) + value


def _chance(value: int, exact: int, ratio: Fraction) -> Fraction:
    """The probability of a released value; an end of the range has all that lies beyond it."""
    if -CUT < value < CUT:
        return (1 - ratio) / (1 + ratio) * ratio ** abs(value - exact)
    inside = value - exact if value > 0 else exact - value  # how far the exact sum lies inside this end
    return ratio**inside / (1 + ratio) if inside >= 0 else 1 - ratio ** (1 - inside) / (1 + ratio)


def actions(entries: tuple[tuple[int, int], ...], sums: Sums, epsilon: Fraction, delta: Fraction) -> Distributions:
    """The probabilities of all sequences of actions x_1, ..., x_n of Algorithm 1; the first u~ is 0."""
    states: dict[tuple[Memory, tuple[int, ...]], Fraction] = {((), (entries[0][0],)): Fraction(1)}
    for (_, reward), (length, _) in pairwise(entries):
        after: dict[tuple[Memory, tuple[int, ...]], Fraction] = defaultdict(Fraction)
        for (memory, played), chance in states.items():
            for part, kept, total in sums(memory, played[-1] * reward, epsilon, delta):
                after[kept, (*played, length if total >= 0 else -length)] += chance * part
        states = after
    found: Distributions = defaultdict(Fraction)
    for (_, played), chance in states.items():
        found[played] += chance
    return found


def seen(distributions: Distributions, place: int) -> Distributions:
    """The probabilities of the actions after a round, counted from 0."""
    found: Distributions = defaultdict(Fraction)
    for played, chance in distributions.items():
        found[played[place + 1 :]] += chance
    return found


def neighbours(sums: Sums, epsilon: Fraction, delta: Fraction) -> Iterator[tuple[Distributions, Distributions]]:
    """What is seen after round t for every two lists that differ in round t; the last round's reward is never used."""
    lists = [(*entries, (1, 1)) for entries in product(ENTRIES, repeat=ROUNDS - 1)]
    distributions = {entries: actions(entries, sums, epsilon, delta) for entries in lists}
    for one, place in product(lists, range(ROUNDS - 1)):
        for entry in ENTRIES:
            other = (*one[:place], entry, *one[place + 1 :])
            if other != one:
                yield seen(distributions[one], place), seen(distributions[other], place)


def least_delta(one: Distributions, other: Distributions, epsilon: Fraction) -> Fraction:
    """The least delta at an epsilon, from one list to the other."""
    grown = exp(epsilon)
    return sum((max(Fraction(0), chance - grown * other.get(played, Fraction(0))) for played, chance in one.items()), Fraction(0))


def largest_ratio(one: Distributions, other: Distributions) -> Fraction:
    """The largest log ratio of probabilities, from one list to the other."""
    return max(log(chance / other[played]) for played, chance in one.items() if chance > 0)


_LEVELS = ("1/10", "1", "4")


def ratios(theorem: Theorem) -> Iterator[At]:
    """The largest log ratio of the actions, for sums that are private with delta = 0."""
    for (name, sums), epsilon in product({"answers": answers, "tree": tree}.items(), _LEVELS):
        level = Fraction(epsilon)
        value = max(largest_ratio(*pair) for pair in neighbours(sums, level, Fraction(0)))
        yield At({"sums": name, "epsilon": epsilon}, value, theorem.at(epsilon=epsilon).ball)


def deltas(theorem: Theorem) -> Iterator[At]:
    """The least delta of the actions at epsilon, for sums that show a row with probability delta."""
    for epsilon, delta in product(_LEVELS, ("1/1000", "1/5")):
        level, slack = Fraction(epsilon), Fraction(delta)
        value = max(least_delta(*pair, level) for pair in neighbours(leaking, level, slack))
        yield At({"sums": "leaking", "epsilon": epsilon, "delta": delta}, value, theorem.at(delta=delta).ball)


# --- the printed premise, with two features -----------------------------------------------------------------------------------------------

Vector = tuple[Fraction, Fraction]
E_1, E_2 = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))


def played(diagonal: Vector, total: Vector, decisions: tuple[Vector, ...], radius: Fraction) -> Vector:
    """The action of Algorithm 1 where V_t is diagonal: the largest index, the first of equal ones."""

    def index(action: Vector) -> Fraction:
        centre = sum((x * u / v for x, u, v in zip(action, total, diagonal, strict=True)), Fraction(0))
        return centre + radius * sqrt(sum((x * x / v for x, v in zip(action, diagonal, strict=True)), Fraction(0)))

    return max(decisions, key=index)


def last_pair(theorem: Theorem) -> Iterator[At]:
    """Two rounds: the first pair is constant, the second exact. The premise holds with delta 0; delta of the action at every epsilon."""
    for radius in (Fraction(0), Fraction(1, 10), Fraction(1)):
        second = [
            played((1 + first[0] ** 2, 1 + first[1] ** 2), first, (E_1, E_2), radius)
            for first in (played((Fraction(1), Fraction(1)), (Fraction(0), Fraction(0)), (only,), radius) for only in (E_1, E_2))
        ]
        premise = Fraction(1, 10**12)  # any delta will do: that of the first n - 1 pairs is 0
        yield At({"beta": radius}, Fraction(int(second[0] != second[1])), theorem.at(delta=premise).ball)


def on_the_circle(count: int) -> tuple[Vector, ...]:
    """Unit vectors with rational entries."""
    proportions = [Fraction(place, count) for place in range(count)]
    return tuple(((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in proportions)


def third_total(drawn: Vector, row: Vector, other: Vector) -> Vector:
    """u~_3 shows the first row if the second one is the vector that was drawn and released as u~_2."""
    return row if other == drawn else (Fraction(0), Fraction(0))


def shown_of_fixed_rows(vectors: tuple[Vector, ...]) -> Fraction:
    """The largest total variation of (u~_2, u~_3) between two fixed sequences of two rows that differ in one of them."""
    rows = (*vectors[:3], E_1, E_2)
    distributions = {
        pair: {(drawn, third_total(drawn, *pair)): Fraction(1, len(vectors)) for drawn in vectors} for pair in product(rows, rows)
    }
    return max(
        sum(
            (max(Fraction(0), chance - distributions[other].get(seen, Fraction(0))) for seen, chance in distributions[one].items()),
            Fraction(0),
        )
        for one, other in product(distributions, distributions)
        if (one[0] == other[0]) != (one[1] == other[1])
    )


def fixed_rows(theorem: Theorem) -> Iterator[At]:
    """Three rounds with V_t = 3 I: the first action is played again in the third, whatever is drawn. Delta at every epsilon."""
    for count, radius in product((10, 100), (Fraction(0), Fraction(1))):
        vectors, diagonal = on_the_circle(count), (Fraction(3), Fraction(3))
        second = {drawn: played(diagonal, drawn, vectors, radius) for drawn in vectors}
        third = {
            only: {played(diagonal, third_total(drawn, only, action), (E_1, E_2), radius) for drawn, action in second.items()}
            for only in (E_1, E_2)
        }
        told_apart = Fraction(int(not third[E_1] & third[E_2]))
        yield At({"K": count, "beta": radius}, told_apart, theorem.at(delta=shown_of_fixed_rows(vectors)).ball)


_LISTS = "four rounds, every list of three entries, every pair of neighbours, epsilon 1/10, 1, 4"
LEARNER = (
    Audit(
        setting.LEARNER_PRIVACY.id,
        "points.every_list",
        "every list and neighbour, randomised response and a tree",
        Pointwise(partial(ratios, setting.LEARNER_PRIVACY), _LISTS, "log ratio of the actions", Sense.AT_MOST),
    ),
    Audit(
        setting.LEARNER_DELTA.id,
        "points.every_list",
        "every list and neighbour, answers that leak",
        Pointwise(partial(deltas, setting.LEARNER_DELTA), f"{_LISTS}, delta 1/1000, 1/5", "delta of the actions", Sense.AT_MOST),
    ),
    Audit(
        setting.LEARNER_DELTA.id,
        "points.last_pair_as_printed",
        "an exact last pair, which the printed premise allows",
        Pointwise(partial(last_pair, setting.LEARNER_DELTA), "n 2, d 2, beta 0, 1/10, 1", "delta of the last action"),
        Verdict.REFUTED,
    ),
    Audit(
        setting.LEARNER_DELTA.id,
        "points.fixed_rows_as_printed",
        "sums that are private for fixed rows, which the printed premise allows",
        Pointwise(partial(fixed_rows, setting.LEARNER_DELTA), "n 3, d 2, K 10, 100", "delta of the last action"),
        Verdict.REFUTED,
    ),
)
