"""Orders beside explicit bounds: true and false pairs, both ends, both senses, what is left out, and what no rule decides."""

import json
import math
from dataclasses import replace

import pytest
import sympy
from sympy import exp, log, sqrt

from banditproof.audits.methods.orders import OrderLimits, OrderWitness, audits_of
from banditproof.audits.running import registry
from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.glossary import ARMS, EPSILON, FAILURE, GAP, HORIZON, LEVELS, RADIUS, RATIO, REGRET
from banditproof.theory.dyadic import levels_of
from banditproof.theory.hypotheses import horizon_at_least_arms
from banditproof.theory.language import Bound, Case, Checked, Constants, Hypothesis, Sense, Source, Theorem, always, symbol
from banditproof.theory.limits import End
from banditproof.theory.orders import Fixed, Pair, Path, Tied

T, K, eps, beta, gap = symbol(HORIZON), symbol(ARMS), symbol(EPSILON), symbol(FAILURE), symbol(GAP)
_ALL = {HORIZON: T, ARMS: K, EPSILON: eps, FAILURE: beta, GAP: gap, RATIO: symbol(RATIO)}


def stated(name: str, expression: object, sense: Sense = Sense.AT_MOST, hypotheses: tuple[Hypothesis, ...] = ()) -> Theorem:
    cases = expression if isinstance(expression, tuple) else always(expression)  # type: ignore[arg-type]
    letters = set().union(*(case.expression.free_symbols | case.condition.free_symbols for case in cases))
    given = tuple(quantity for quantity, letter in _ALL.items() if letter in letters)
    of = REGRET if sense is not Sense.EQUALS else RADIUS
    return Theorem(
        id=f"somebody.{name}",
        statement="a statement",
        source=Source("nobody", "nowhere"),
        hypotheses=hypotheses,
        bound=Bound(of=of, sense=sense, cases=cases, given=given),
    )


def pair(order: object, explicit: object, sense: Sense = Sense.AT_MOST, **more: object) -> Pair:
    printed = stated("order", order, sense)
    suppressed = replace(printed, bound=replace(printed.stated(), constants=Constants.SUPPRESSED))
    return Pair(suppressed, stated("explicit", explicit, sense), **more)  # type: ignore[arg-type]


def judged(pair: Pair, *only: str) -> Measurement:
    return OrderLimits(pair, only).measure(Request(0.0, 0, ()))


TRUE = [
    (sqrt(T * log(T)) / eps, 12 * sqrt(T * log(4 * T)) / eps + 7),
    (T * eps, T * eps / (1 + 1 / T)),
    (log(1 / beta) + 1, 3 * log(8 / beta)),
    (T / gap, T / gap + T),
    (exp(eps), 4 * exp(eps) + eps**7),
]


@pytest.mark.parametrize(("order", "explicit"), TRUE[1:])
def test_an_order_that_follows_is_certified_at_every_end(order: sympy.Expr, explicit: sympy.Expr) -> None:
    """Would catch a true order refuted, and an end that is not looked at."""
    found = judged(pair(order, explicit))
    assert found.verdict is Verdict.CERTIFIED, found.message
    names = {quantity.name for quantity in pair(order, explicit).quantities()}
    assert set(found.detail["ends"]) == {f"{name}_{end}" for name in names for end in ("low", "high")}


def test_a_lower_order_term_can_win_at_the_other_end() -> None:
    """Would catch an audit of one end only: the 7 is nothing as T grows, and all there is as epsilon grows."""
    found = judged(pair(*TRUE[0]))
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, OrderWitness) and (found.witness.quantity, found.witness.end) == ("epsilon", "high")


FALSE = [
    (sqrt(T), sqrt(T * log(T)) + 1, "horizon", "high"),
    (1 + 1 / sqrt(eps), 1 + 1 / eps, "epsilon", "low"),
    (log(1 / beta), log(8 / beta), "failure", "high"),
    (T, T / gap, "gap", "low"),
    (sqrt(K) + T, K + T, "arms", "high"),
    (exp(2 * eps), exp(3 * eps), "epsilon", "high"),
]


@pytest.mark.parametrize(("order", "explicit", "quantity", "end"), FALSE)
def test_an_order_that_does_not_follow_is_refuted_and_the_witness_replays(
    order: sympy.Expr, explicit: sympy.Expr, quantity: str, end: str
) -> None:
    """Would catch a growth by a logarithm alone, a pole, an end at 0 or at 1, and a witness that cannot be looked at again."""
    method = OrderLimits(pair(order, explicit))
    found = method.measure(Request(0.0, 0, ()))
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, OrderWitness) and (found.witness.quantity, found.witness.end) == (quantity, end)
    assert len(found.witness.points) >= 2
    record = json.loads(json.dumps(found.witness.to_json()))
    again = method.recheck(replace(found, witness=OrderWitness.from_json(record)), Recheck(1, ()))
    assert again.verdict is Verdict.REFUTED and again.witness == found.witness
    altered = replace(found.witness, points=tuple((exponent, value + 1) for exponent, value in found.witness.points))
    assert method.recheck(replace(found, witness=altered), Recheck(1, ())).witness != altered


def test_the_numbers_of_a_witness_are_the_quotient() -> None:
    """Would catch points of something else than explicit over order: log10 of log(T)^(1/2) at T = 10^e."""
    found = judged(pair(sqrt(T), sqrt(T * log(T))), "horizon_high")
    assert isinstance(found.witness, OrderWitness)
    for exponent, value in found.witness.points:
        assert value == pytest.approx(math.log10(exponent * math.log(10)) / 2)


def test_a_lower_order_is_not_kept_at_an_end_where_the_explicit_bound_is_no_longer_above_0() -> None:
    """Would catch "away from 0" said of a quotient that is 0 or below at a closed end, which bounds it from above alone."""
    explicit = K - 2
    assert judged(pair(K, explicit), "arms_low").verdict is Verdict.CERTIFIED
    for sense in (Sense.AT_LEAST, Sense.EQUALS):
        found = judged(pair(K, explicit, sense), "arms_low")
        assert found.verdict is Verdict.INCONCLUSIVE and "not above 0" in found.message, found.message


def test_upper_orders_are_refuted_from_above_and_lower_ones_from_below() -> None:
    """Would catch a sense turned round."""
    small, large = sqrt(T), T
    assert judged(pair(large, small), "horizon_high").verdict is Verdict.CERTIFIED
    assert judged(pair(small, large), "horizon_high").verdict is Verdict.REFUTED
    assert judged(pair(large, small, Sense.AT_LEAST), "horizon_high").verdict is Verdict.REFUTED
    assert judged(pair(small, large, Sense.AT_LEAST), "horizon_high").verdict is Verdict.CERTIFIED
    assert judged(pair(large, small, Sense.EQUALS), "horizon_high").verdict is Verdict.REFUTED
    assert judged(pair(large, 3 * large + small, Sense.EQUALS), "horizon_high").verdict is Verdict.CERTIFIED


def test_a_bound_of_the_other_sense_contradicts_and_certifies_nothing() -> None:
    """Would catch an upper order "certified" by a lower bound."""
    lower, upper = stated("lower", T, Sense.AT_LEAST), pair(sqrt(T), T).order
    found = judged(Pair(upper, lower), "horizon_high")
    assert found.verdict is Verdict.REFUTED and "contradict" in found.message
    assert judged(Pair(pair(T**2, T).order, lower), "horizon_high").verdict is Verdict.RATE_ONLY


def test_what_no_rule_decides_is_inconclusive() -> None:
    found = judged(pair(T, T * exp(sqrt(log(T))) / T), "horizon_high")
    assert found.verdict is Verdict.INCONCLUSIVE and "between" in found.message


def test_a_limit_that_the_numbers_contradict_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a wrong rule of the limits that nothing looks at again."""
    from banditproof.theory import limits

    honest = limits.limit_of
    monkeypatch.setattr(limits, "limit_of", lambda above, below, name: honest(below, above, name))
    for order, explicit in ((T, sqrt(T)), (sqrt(T), T)):
        assert judged(pair(order, explicit), "horizon_high").verdict is Verdict.INCONCLUSIVE


def test_an_order_that_is_0_at_one_round_is_read_from_two_on() -> None:
    """Would catch log(1) = 0 counted against an order in a number of rounds; for a real quantity a zero counts."""
    found = judged(pair(log(T), log(8 * T)))
    assert found.verdict is Verdict.CERTIFIED and "read from 2 on" in found.detail["ends"]["horizon_low"]["argument"]
    assert judged(pair(log(1 / gap), log(8 / gap)), "gap_high").verdict is Verdict.REFUTED


def test_hypotheses_end_a_range() -> None:
    """Would catch a refutation outside the hypotheses, and a pole at their end that passes for a bounded quotient."""
    small = Hypothesis("small", "epsilon <= 1", Checked.BY_VALUE, sympy.Le(eps, 1))
    one = pair(1 / eps, 1 / eps + eps)
    assert judged(one, "epsilon_high").verdict is Verdict.REFUTED
    assert judged(replace(one, explicit=replace(one.explicit, hypotheses=(small,))), "epsilon_high").verdict is Verdict.CERTIFIED
    open_end = Hypothesis("open_end", "epsilon < 1", Checked.BY_VALUE, sympy.Lt(eps, 1))
    pole = pair(1 / eps, 1 / (eps * (1 - eps)))
    assert judged(replace(pole, explicit=replace(pole.explicit, hypotheses=(open_end,))), "epsilon_high").verdict is Verdict.INCONCLUSIVE
    far = replace(one, held=((EPSILON, 2),), explicit=replace(one.explicit, hypotheses=(small,)))
    with pytest.raises(ValueError, match="held values lie outside the hypotheses"):
        judged(far)


def test_several_quantities_at_once() -> None:
    """Would catch an order that holds in T and in K, and fails along T = K, where the hypotheses keep K below T."""
    order, explicit = sqrt(T) + K, sqrt(T) + K + sqrt(K * T) / log(T + 1) * log(K)
    along = Path("arms_and_horizon_high", ARMS, End.HIGH, ((HORIZON, K**2),))
    both = pair(order, explicit, paths=(along,))
    both = replace(both, explicit=replace(both.explicit, hypotheses=(horizon_at_least_arms,)))
    assert judged(both, "arms_high").verdict is Verdict.CERTIFIED
    found = judged(both, "arms_and_horizon_high")
    assert found.verdict is Verdict.REFUTED and "horizon = arms**2" in found.message


def test_cases_and_implicit_quantities() -> None:
    """Would catch the case of the other end, and the levels of a tree that are a number where T does not move."""
    cases = (Case(sympy.Ge(eps, 1), eps), Case(sympy.Lt(eps, 1), 1 / eps))
    assert judged(pair(1 / eps + eps, cases)).verdict is Verdict.CERTIFIED
    assert judged(pair(1 / eps, cases), "epsilon_high").verdict is Verdict.REFUTED
    tree = stated("tree", T / eps)
    tree = replace(tree, bound=replace(tree.stated(), cases=always(symbol(LEVELS) / eps), where=(levels_of(HORIZON),)))
    found = judged(replace(pair((log(T) + 1) / eps, T / eps), explicit=tree))
    assert found.verdict is Verdict.CERTIFIED
    assert float(found.detail["ends"]["horizon_high"]["limit"]) == pytest.approx(1 / math.log(2), rel=1e-5)


def test_tied_quantities_move_with_the_others() -> None:
    ratio = symbol(RATIO)
    tied = Tied(RATIO, T**2, "by its definition")
    assert judged(pair(T, ratio, tied=(tied,)), "horizon_high").verdict is Verdict.REFUTED
    found = judged(pair(T**2, ratio, tied=(tied,)))
    assert found.verdict is Verdict.CERTIFIED and "ratio is not free: by its definition" in found.assumed


def test_an_excuse_is_printed_and_must_be_needed() -> None:
    """Would catch a quantity left out in silence, and an excuse for an end at which nothing is wrong."""
    excuse = Fixed(FAILURE, "for failures bounded away from 1", End.HIGH)
    one = pair(log(1 / beta), log(8 / beta), fixed=(excuse,))
    found = judged(one)
    assert found.verdict is Verdict.CERTIFIED
    assert "failure_high (infinite) is not of the order: for failures bounded away from 1" in found.assumed
    assert found.detail["ends"]["failure_high"]["outcome"] == "infinite"
    with pytest.raises(ValueError, match="excuses nothing"):
        judged(replace(one, fixed=(replace(excuse, end=End.LOW),)))


def test_every_row_is_in_exactly_one_audit() -> None:
    """Would catch a known failure that drops out of the table and has no audit, and one that hides a new failure."""
    one = pair(*TRUE[0], fails=("epsilon_high",))
    audits = audits_of(one)
    assert [(audit.slug, audit.expected) for audit in audits] == [
        ("growth.limits", None),
        ("growth.epsilon_high", Verdict.REFUTED),
    ]
    first, second = (audit.method.measure(Request(0.0, 0, ())) for audit in audits)
    assert {*first.detail["ends"], *second.detail["ends"]} == set(one.rows())
    assert first.verdict is Verdict.CERTIFIED and second.verdict is Verdict.REFUTED
    with pytest.raises(ValueError, match="no end or path is named nowhere"):
        judged(replace(one, fails=("nowhere",)))


# Orders whose constants the paper hides and for which no explicit bound is stated here: those of the first paper have other growth audits
# (issue 13), those of the second one have lines, or sides of Proposition 2.1's explicit form, that are audited instead (issue 14).
WITHOUT_EXPLICIT = (
    *(f"ldp_linucb_2024.{name}" for name in ("general_rate", "learner_regret_order", "path_order", "extra_width_inserted")),
    *(f"charisopoulos_2023.{name}" for name in ("first_term", "second_term", "design_time", "filter_removals")),
    *(f"charisopoulos_2023.{name}" for name in ("interval_first_leverage", "interval_first", "interval_second")),
)


def test_every_order_of_the_papers_is_audited_in_all_of_its_quantities() -> None:
    """Would catch a printed order without a pair, and a pair that leaves out a quantity which the order names."""
    for stem in registry.papers():
        audits = list(registry.audits(stem).values())
        for theorem in registry.theorems(stem).values():
            if theorem.bound is None or theorem.bound.constants is not Constants.SUPPRESSED or theorem.id in WITHOUT_EXPLICIT:
                continue
            mine = [audit.method for audit in audits if audit.theorem == theorem.id and isinstance(audit.method, OrderLimits)]
            same = [method for method in mine if method.pair.same_sense]
            assert same, f"{theorem.id}: no explicit bound stands beside the order"
            for method in same:
                rows = {row for other in same if other.pair == method.pair for row in (other.only or ())}
                rows |= {row for row in method.pair.rows() if row not in method.pair.fails}
                assert {f"{quantity.name}_{end.value}" for quantity in theorem.bound.given for end in End} <= rows
