"""Decides what is certified: walks a proof with its goals written out, and believes none of them.

Main definitions
    Derivation   a goal, the rule that closes it, and the derivations of the goals from which it is said to follow
    accepts      whether derivations prove a claim

Everything that a derivation says is a suggestion. The checker shares the plain data (Goal, Range, Constraint) and the ball arithmetic with
the search, and none of its rewriting: normal forms are its own (algebra.py), derivatives and limits are below. What it checks of a rule:

    what is proved    "wherever the goal's expression is defined on the goal's set, it is >= 0 (> 0)". That a side is defined is proved
                      apart, so two expressions with one normal form may stand for each other.
    a smaller set     a rule may speak of a larger set: each range and constraint of the new goal follows from those of the old one.
                      A new symbol has a meaning, and its range follows for that meaning.
    a derivative      is used only where the expression is defined, hence continuous, on all of the larger set, and where everything
                      under a real power is > 0 inside the range, so that the derivative exists there. What is not plain is a goal.
    a limit           at an end of a range is the value where the expression is defined there, else a limit of its own.
    a box             the cuts cover it, and a derivative on it is used as above.
"""

from banditproof.theory.proving.checker.claims import accepts
from banditproof.theory.proving.checker.derivations import Derivation

__all__ = ["Derivation", "accepts"]
