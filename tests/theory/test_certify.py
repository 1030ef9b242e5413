"""The proof engine: it never proves what is false, its refutations are exact, and its certificates stand by themselves."""

import json
import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import ctx
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from sympy import Rational, cosh, exp, log, sqrt, tanh

from banditproof.glossary import COUNT, NON_NEGATIVE, POSITIVE, UNIT_OPEN, Domain
from banditproof.theory import certify
from banditproof.theory.certify import Certificate, Proved, Refuted, Undecided, decide, recheck
from banditproof.theory.language import Sense
from banditproof.theory.proving.boxes import Budget
from banditproof.theory.proving.claims import Claim, goals
from banditproof.theory.proving.search import Prover

X, Y = sympy.Symbol("x", positive=True), sympy.Symbol("y", positive=True)
Z = sympy.Symbol("z", nonnegative=True)
Q = sympy.Symbol("q", positive=True)
N = sympy.Symbol("n", integer=True, positive=True)
DOMAINS = {X: POSITIVE, Y: POSITIVE, Z: NON_NEGATIVE, Q: UNIT_OPEN, N: COUNT}


def claim(left, sense, right, *conditions, domains=None):
    left, right = sympy.sympify(left), sympy.sympify(right)
    free = set().union(left.free_symbols, right.free_symbols, *(condition.free_symbols for condition in conditions))
    chosen = {**DOMAINS, **(domains or {})}
    return Claim("test", left, sense, right, tuple((item, chosen[item]) for item in chosen if item in free), conditions)


def at_most(left, right, *conditions, domains=None):
    return claim(left, Sense.AT_MOST, right, *conditions, domains=domains)


def by_mpmath(asked, point, digits=60):
    """Both sides in another arithmetic."""
    with mpmath.workdps(digits):
        values = {item: sympy.Rational(str(point[item.name])) for item, _ in asked.domains}
        return tuple(mpmath.mpf(sympy.N(side.xreplace(values), digits)) for side in (asked.left, asked.right))


def require_exact(asked, decision):
    """A refutation is a point of the domain at which another arithmetic sees the claim fail too."""
    point = decision.point()
    for item, domain in asked.domains:
        assert point[item.name] in domain
    values = {item: sympy.Rational(str(point[item.name])) for item, _ in asked.domains}
    assert all(bool(condition.xreplace(values)) for condition in asked.conditions)
    left, right = by_mpmath(asked, point)
    match asked.sense:
        case Sense.AT_MOST:
            assert left > right
        case Sense.AT_LEAST:
            assert left < right
        case Sense.EQUALS:
            assert left != right


U = Q * (exp(Z) - 1)
TRUE = {
    "exponential series": at_most(1 + Z + Z**2 / 2, exp(Z)),
    "randomised response": at_most(tanh(Z / 2), Z / 2),
    "subsampling": claim(log(1 + Q * (exp(Z) - 1)), Sense.AT_LEAST, Q * Z),
    "dependency": at_most(log(1 + U), U),
    "exponential series on a box": at_most(1 + Z + Z**2 / 2, exp(Z), Rational(1, 10) <= Z, Z <= 5),
    "one ratio": at_most(sqrt(2 * X * Y / N) + 2 * Y / (3 * N), 3 * X, N * X >= Y),
    "merge on its domain": at_most(4 * X * log(16 / Q) / 3 + 2 * log(2 / Q), 4 * log(16 / Q), Rational(3, 2) >= X),
    "bias merge": at_most(X ** (1 - Y), 1, X >= 1, Y >= 1),
    "arithmetic and geometric": at_most(2 * sqrt(X * Y), X + Y),
    "ordering": at_most(2 * (X - Y) ** 2, X * log(X / Y) + (1 - X) * log((1 - X) / (1 - Y)), X < 1, Y < 1, X <= Y),
    "logarithm": at_most(log(N), N - 1),
    "hyperbolic": at_most(cosh(Z), exp(Z**2 / 2)),
    "power": at_most((1 - Q) ** N, 1 / (1 + N * Q)),
    "either case": at_most(X * (2 - X), X + 1, sympy.Or(X <= 1, X >= 2)),
    "integers alone": at_most(Rational(1, 2), (N - Rational(7, 2)) ** 2 + Rational(1, 4)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved_on_their_whole_domain(name):
    """The four of research/ecosystem.md 2.2 on their whole domains, and the kinds of lines that the papers' proofs have."""
    decision = decide(TRUE[name])
    assert isinstance(decision, Proved), decision
    record = json.loads(json.dumps(decision.certificate.to_json(), allow_nan=False))
    assert recheck(Certificate.from_json(record), TRUE[name])


FALSE = {
    "for all levels": at_most(4 * X * log(16 / Q) / 3 + 2 * log(2 / Q), 4 * log(16 / Q)),
    "one point of the integers": at_most(Rational(1, 4), (N - 37) ** 2),
    "a tiny region": at_most(Rational(1, 10**8), (X - Rational(1, 3)) ** 2),
    "far out": at_most(log(1 + X), 20),
    "very far out": at_most(X, 10**6 + sqrt(X)),
    "at infinity alone": at_most(X / (1 + X), 1 - Rational(1, 10**9)),
    "at the border alone": at_most(X * (1 + Rational(1, 10**6)), exp(X) - 1),
    "at an open end": at_most(Q, 1 - Rational(1, 10**7)),
    "strict somewhere": claim(sqrt(X**2 + Rational(1, 10**6)), Sense.EQUALS, X),
    "under a condition": at_most(X, Y - Rational(1, 100), X <= Y),
    "series one term too far": at_most(1 + Z + Z**2 / 2 + Z**3 / 6 + Z**4 / 23, exp(Z)),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_refuted_exactly(name):
    decision = decide(FALSE[name], boxes=4000)
    assert isinstance(decision, Refuted), decision
    require_exact(FALSE[name], decision)


def test_counterexamples_are_simple():
    found = decide(FALSE["for all levels"])
    assert isinstance(found, Refuted)
    assert sum(len(number) for _, number in found.counterexample) <= 6
    assert decide(FALSE["one point of the integers"]).counterexample == (("n", "37"),)


def test_identities():
    """Would catch an identity that is proved because both directions overlap, or a power taken apart with a negative base."""
    k = Y + 1
    merged = claim(2 * (4 * X / N) ** (1 - 1 / k), Sense.EQUALS, 4 * (N / (4 * X)) ** (1 / k) * X / N + (N / (4 * X)) ** ((1 - k) / k))
    assert isinstance(decide(merged), Proved)
    assert isinstance(decide(claim(exp(X) ** 2, Sense.EQUALS, exp(2 * X))), Proved)
    assert isinstance(decide(claim(log(8 / Q), Sense.EQUALS, 3 * log(2) - log(Q))), Proved)
    below = claim(sqrt(Q**2 - 2 * Q + 1), Sense.EQUALS, Q - 1)
    assert isinstance(decide(below), Refuted)


def test_what_is_not_defined_is_not_proved():
    """Would catch 1/log(n) >= 0 proved at n = 1, and a logarithm of 0."""
    for asked in (at_most(0, 1 / log(N)), at_most(log(Z), Z), at_most(0, (1 - Z) ** 2 / (1 - Z) ** 4, Z <= 2)):
        decision = decide(asked, boxes=500)
        assert isinstance(decision, Undecided)
    assert isinstance(decide(at_most(0, 1 / log(N), N >= 2)), Proved)


def test_undecided_says_what_remains():
    """Bretagnolle-Huber for two coins is true, with equality at two corners that no rule closes: what remains lies there."""
    divergence = Q * log(Q / X) + (1 - Q) * log((1 - Q) / (1 - X))
    asked = at_most(exp(-divergence) / 2, Q + 1 - X, domains={X: UNIT_OPEN})
    decision = decide(asked, boxes=3)
    assert isinstance(decision, Undecided)
    assert decision.remaining
    assert "remain" in decision.reason
    assert all(set(box) == {"q", "x"} for box in decision.remaining)


def test_seconds_only_turn_a_verdict_to_undecided():
    asked = TRUE["subsampling"]
    assert isinstance(decide(asked, seconds=0.0), Undecided | Proved)
    assert decide(asked, seconds=1e6) == decide(asked)


def test_a_digest_is_that_of_equal_symbols_however_they_were_made():
    """Would catch a text that depends on what SymPy has in its cache: on a cluster, kept proofs were not found so."""
    told, less = sympy.Symbol("x", real=True, positive=True), sympy.Symbol("x", positive=True)
    assert told == less and sympy.srepr(told) != sympy.srepr(less)
    digests = {
        Claim("test", 4 * one + log(1 + other), Sense.AT_MOST, exp(other), ((told, POSITIVE),), (one > 1,)).digest()
        for one in (told, less)
        for other in (told, less)
    }
    assert len(digests) == 1
    assert Claim("test", 4 * told, Sense.AT_MOST, exp(told), ((told, POSITIVE),)).digest() not in digests


def test_certificates_are_of_one_claim():
    """Would catch a certificate that is accepted for another line, or after it was changed."""
    asked = TRUE["exponential series"]
    decision = decide(asked)
    assert isinstance(decision, Proved)
    other = at_most(1 + Z + Z**2 / 2 + Z**3, exp(Z))
    assert not recheck(decision.certificate, other)
    assert not recheck(replace(decision.certificate, digest=other.digest()), other)
    for proof in ([["zero", [], []]], [["boxes", ["D"], []]], [["direct", [], []]], [["boxes", ["S0DD"], []]], [["nothing", [], []]], []):
        assert not recheck(replace(decision.certificate, proofs=tuple(proof)), asked)


def test_a_certificate_of_another_schema_is_refused():
    with pytest.raises(ValueError, match="schema"):
        Certificate.from_json({"schema": "banditproof/certificate/0"})


def test_a_budget_below_one_is_refused():
    with pytest.raises(ValueError, match="boxes = 0"):
        decide(TRUE["logarithm"], boxes=0)


def proved_without_looking(asked):
    """Whether the prover would accept the claim if nobody had looked for a counterexample first."""
    with ctx.workprec(64):
        return all(Prover(Budget(150)).prove(goal) is not None for goal in goals(asked))


# --- never a false proof ---------------------------------------------------------------------------------------------------------

tiny = st.integers(1, 12).map(lambda power: Rational(1, 10**power))
place = st.fractions(Fraction(1, 40), 50, max_denominator=40).map(lambda value: Rational(value.numerator, value.denominator))


@st.composite
def planted(draw):
    """A false claim: true except for a dent, which may be tiny, far out, or at a border only."""
    size, at = draw(tiny), draw(place)
    power = draw(st.sampled_from([Rational(1, 2), 1, Rational(3, 2), 2, 3]))
    return draw(
        st.sampled_from(
            [
                at_most(size, (X - at) ** 2),
                at_most(size * X, (X - at) ** 2 * X),
                at_most(size, (X**power - at**power) ** 2 * (1 + X)),
                at_most(2 * sqrt(X * Y) * (1 + size), X + Y),
                at_most(1 + X * (1 + size), exp(X)),
                at_most(tanh(X) * (1 + size), X),
                at_most(log(1 + X), X * (1 - size)),
                at_most(X / (at + X), 1 - size),
                at_most(1 - exp(-X), 1 - size**3),
                at_most(X**power, at / size + X ** (power / 2)),
                at_most(log(X), at / size ** Rational(1, 4)),
                at_most(1, N - 1 + (N - 5) ** 2 / at**2 + size, N >= 1, N <= 1)
                if at < 0
                else at_most(size / 4, (N - sympy.ceiling(at)) ** 2),
                claim(sqrt(X**2 + size), Sense.EQUALS, X),
                claim(exp(-X), Sense.AT_LEAST, size),
                at_most((1 - Q) ** N, 1 - N * Q + size * Q, N >= 2),
                claim(X ** (1 / (1 + Y)), Sense.AT_MOST, (1 + X) ** (1 / (1 + Y)) - size),
                at_most(X, Y * (1 - size), X <= Y),
                at_most(log(N) * X / N, (1 - size) * X, log(N) <= X, N <= 3 * X) if size < Rational(1, 2) else at_most(2, 1 + 0 * X),
            ]
        )
    )


@pytest.mark.long
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(planted())
def test_planted_false_claims_are_never_proved(asked):
    decision = decide(asked, boxes=800)
    if isinstance(decision, Proved):
        assert not _fails_somewhere(asked)
    elif _fails_somewhere(asked):
        assert not proved_without_looking(asked)
    if isinstance(decision, Refuted):
        require_exact(asked, decision)


def _fails_somewhere(asked):
    """All planted claims are false but those whose dent lies outside their condition."""
    return not (asked.conditions and N in asked.left.free_symbols | asked.right.free_symbols)


leaves = st.sampled_from([X, X, Y, Y, Z, Q, 1 - Q, N, sympy.Integer(1), sympy.Integer(2), Rational(1, 2), Rational(3, 4)])
functions = st.sampled_from(
    [
        sqrt,
        lambda part: log(1 + part),
        lambda part: exp(-part),
        lambda part: 1 / (1 + part),
        tanh,
        lambda part: part**2,
        lambda part: part ** Rational(1, 3),
        lambda part: part ** (1 - 1 / (1 + Y)),
        lambda part: 1 / part,
    ]
)
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(lambda function, part: function(part), functions, inner),
        st.builds(lambda one, two: one + two, inner, inner),
        st.builds(lambda one, two: one * two, inner, inner),
    ),
    max_leaves=5,
)
near = st.builds(lambda power, part: Fraction(2) ** power * part, st.integers(-8, 8), st.fractions(1, 2, max_denominator=64))
points = st.lists(
    st.fixed_dictionaries(
        {
            "x": near,
            "y": near,
            "z": st.one_of(st.just(Fraction(0)), near),
            "q": st.one_of(near.map(lambda part: part / (1 + part)), near.map(lambda part: 1 / (1 + part))),
            "n": st.integers(1, 40).map(Fraction),
        }
    ),
    min_size=20,
    max_size=20,
)


@pytest.mark.long
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(
    expressions,
    expressions,
    st.one_of(st.none(), st.sampled_from([X <= Y, X * Y >= 1, X + Y <= 1, X**2 <= 2, Y >= 2, N * X >= Y, Z <= X, Q * Y >= 1])),
    points,
)
def test_random_claims_agree_with_sampling(left, right, condition, drawn):
    """Would catch a rule that is wrong anywhere: what is proved holds at every drawn point, in another arithmetic."""
    assume((left - right).free_symbols)
    asked = at_most(left, right, *([] if condition is None else [condition]))
    decision = decide(asked, boxes=120)
    if isinstance(decision, Refuted):
        require_exact(asked, decision)
    if not isinstance(decision, Proved):
        return
    assert recheck(decision.certificate, asked)
    for point in drawn:
        values = {item: sympy.Rational(str(point[item.name])) for item, _ in asked.domains}
        if condition is None or bool(condition.xreplace(values)):
            one, two = by_mpmath(asked, point, 40)
            assert one <= two * (1 + mpmath.mpf(10) ** -30)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(expressions, points, tiny)
def test_a_level_just_above_a_value_is_never_proved(expression, drawn, gap):
    """f >= (the least of 20 values) + a little is false at that value's point, and nearly true elsewhere."""
    assume(expression.free_symbols and sympy.count_ops(expression) < 30)
    probe = at_most(expression, 0)
    values = [by_mpmath(probe, point, 40)[0] for point in drawn]
    assume(all(mpmath.isfinite(value) and abs(value) < 1e6 for value in values))
    least = min(values)
    level = Fraction(str(mpmath.nstr(least + abs(least) * mpmath.mpf(str(Fraction(int(gap.p), int(gap.q)) * 1.0)), 30)))
    assume(mpmath.mpf(level.numerator) / level.denominator > least)
    asked = at_most(Rational(level.numerator, level.denominator), expression)
    assert not proved_without_looking(asked)


@example(Fraction(1, 3))
@given(st.fractions(Fraction(1, 40), 100, max_denominator=60))
def test_equality_at_a_point_inside_is_never_refuted(at):
    """A double root inside the domain: true, with equality there."""
    number = Rational(at.numerator, at.denominator)
    decision = decide(at_most(2 * X * number, X**2 + number**2), boxes=200)
    assert not isinstance(decision, Refuted)


def test_the_same_claim_gets_the_same_certificate():
    asked = TRUE["subsampling"]
    assert decide(asked) == decide(asked)


def test_a_domain_that_is_empty_makes_every_claim_true():
    found = decide(at_most(X, X - 1, X >= 2, X <= 1))
    assert isinstance(found, Proved)
    assert found.empty


def test_integers_between_two_are_none():
    asked = at_most(N, 2, N > 1, N < 3)
    assert isinstance(decide(asked), Proved)
    open_real = Domain(0.0, math.inf)
    assert isinstance(decide(at_most(X, 2, X > 1, X < 3, domains={X: open_real})), Refuted)


def test_steps_are_claims():
    from banditproof.theory.papers import auer_2002

    line = auer_2002.UCB1_REGRET.steps[0]
    assert isinstance(certify.decide(line), Proved)
