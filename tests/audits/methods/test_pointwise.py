"""Pointwise: exact comparisons, with their digits."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from flint import arb

from banditproof.audits.methods import pointwise
from banditproof.audits.methods.pointwise import At, Pointwise, PointwiseWitness, holds
from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import exp, log, power, sqrt
from banditproof.theory.inequalities import LAPLACE_TAIL
from banditproof.theory.language import Sense

REQUEST = Request(0.0, 0, ())


def test_functions_have_fifty_digits() -> None:
    """Would catch a float on the way."""
    assert abs(log(exp(Fraction(7, 3))) - Fraction(7, 3)) < Fraction(1, 10**45)
    assert abs(power(sqrt(2), 2) - 2) < Fraction(1, 10**45)
    assert power(0, Fraction(1, 2)) == 0


@pytest.mark.parametrize(
    ("sense", "larger", "smaller"), [(Sense.AT_MOST, False, True), (Sense.AT_LEAST, True, False), (Sense.EQUALS, False, False)]
)
def test_a_difference_beyond_the_digits_counts(sense: Sense, larger: bool, smaller: bool) -> None:
    """Would catch a tolerance that hides a violation of 1e-20."""
    ball = LAPLACE_TAIL.at(threshold=1, scale=3).ball
    value = exp(Fraction(-1, 3))
    assert holds(sense, value, ball)
    assert holds(sense, value * (1 + Fraction(1, 10**20)), ball) is larger
    assert holds(sense, value * (1 - Fraction(1, 10**20)), ball) is smaller


def test_the_worst_point_is_the_witness() -> None:
    """Would catch a verdict that forgets a point."""
    points = (At({"n": 1}, Fraction(1), 2), At({"n": 2}, Fraction(5), 2), At({"n": 3}, Fraction(3), 2))
    method = Pointwise(lambda: points, "three points", "change")
    found = method.measure(REQUEST)
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, PointwiseWitness)
    assert found.witness.parameters == {"n": 2}
    assert method.recheck(found, Recheck(3, ())) == found
    with pytest.raises(ValueError, match="lists no point"):
        Pointwise(tuple, "nothing", "change").measure(REQUEST)


def test_numbers_beyond_doubles_are_compared_and_wide_balls_are_not() -> None:
    """Would catch a true claim that ends in an error, and a ball of 53 bits that a claim is refuted by."""
    huge = At({}, Fraction(10) ** 400, Fraction(10) ** 401)
    found = Pointwise(lambda: [huge], "one point", "change").measure(REQUEST)
    assert found.verdict is Verdict.HOLDS_AT_POINTS and found.claimed == found.estimate == math.inf
    assert json.dumps(found.to_json(), allow_nan=False)
    for wide in (arb(1) / 3, arb("nan"), arb("inf")):
        with pytest.raises(ValueError, match="must be a finite number that is known to 27 digits"):
            holds(Sense.AT_MOST, Fraction(1, 3), wide)


def test_points_certify_nothing() -> None:
    """Would catch a finite list of points that passes for a proof: the verdict and the sentence say how many points were looked at."""
    for count, words in ((1, "holds at 1 listed point, exactly"), (3, "holds at 3 listed points, exactly")):
        points = [At({"n": number}, Fraction(1, 2), Fraction(1)) for number in range(count)]
        found = Pointwise(lambda points=points: points, "numbers", "value").measure(Request(0.5, 1, ()))
        assert found.verdict is Verdict.HOLDS_AT_POINTS and found.message.startswith(words)
        assert found.assumed == ("only these points: numbers",)


def test_two_methods_alone_certify() -> None:
    """Would catch a method that says "certified" without a certificate: lines of proofs have one, orders exact limits."""
    folder = Path(str(pointwise.__file__)).parent
    assert [path.name for path in sorted(folder.glob("*.py")) if "Verdict.CERTIFIED" in path.read_text()] == ["orders.py", "proof_steps.py"]
