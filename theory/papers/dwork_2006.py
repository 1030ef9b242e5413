r"""Calibrating noise to sensitivity (Dwork, McSherry, Nissim and Smith 2006).

Main statements
    LAPLACE_PRIVACY   Laplace noise of scale b on a query of L1 sensitivity s is (s/b)-differentially private
Reads                 the TCC 2006 text, from its statement as it is quoted everywhere: noise Lap(s/epsilon) gives epsilon
                      (there "epsilon-indistinguishability", which is pure differential privacy)
"""

from collections.abc import Mapping

from banditproof.glossary import EPSILON, SCALE, SENSITIVITY, Quantity
from banditproof.theory.hypotheses import fresh_laplace_noise, l1_sensitivity, real_arithmetic
from banditproof.theory.language import Bound, Sense, Source, Theorem, always, symbol

LETTERS: Mapping[Quantity, str] = {EPSILON: r"\epsilon", SENSITIVITY: "S(f)", SCALE: r"\lambda"}

LAPLACE_PRIVACY = Theorem(
    id="dwork_2006.laplace_privacy",
    statement="With independent Laplace noise of this scale on each coordinate, the release of a query is epsilon-differentially private "
    "with epsilon = L1 sensitivity / scale.",
    source=Source("dwork2006calibrating", "Proposition 1", "TCC 2006"),
    hypotheses=(l1_sensitivity, fresh_laplace_noise, real_arithmetic),
    bound=Bound(
        of=EPSILON,
        sense=Sense.AT_MOST,
        cases=always(symbol(SENSITIVITY) / symbol(SCALE)),
        given=(SENSITIVITY, SCALE),
    ),
)
