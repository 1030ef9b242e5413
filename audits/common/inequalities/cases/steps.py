"""inequalities: lines of proofs that need a budget of their own."""

from banditproof.audits.methods.proof_steps import ProofSteps
from banditproof.audits.running.audit import Audit
from banditproof.theory.inequalities import BRETAGNOLLE_HUBER

# More boxes do not settle it: both sides meet along a curve that reaches a corner.
TWO_COINS = Audit(BRETAGNOLLE_HUBER.id, "step.two_coins", "step two_coins", ProofSteps(BRETAGNOLLE_HUBER.id, "two_coins", boxes=100))
