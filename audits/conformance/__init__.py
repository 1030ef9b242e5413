"""Checks that a class of yours, or of this package, keeps the contracts of the vocabulary, for use in a test.

    from banditproof.audits.conformance import check_mechanism
    check_mechanism(Noisy)          # a class (or a function that makes one): its parameters are drawn from the values that it declares
    check_mechanism(Noisy(0.5))     # or one object

    check_mechanism     a random release with a guarantee (`banditproof.mechanism.Mechanism`)
    check_policy        a bandit algorithm, as compiled `Kernels` or as plain Python with `choose` and `update`
    check_environment   contexts, mean rewards and rewards
    check_randomiser    what turns a user's message into a report that is private by itself
    check_corruption    what changes rewards, reports or batches
    check_shuffler      what orders the messages of a batch

Each raises `ConformanceError`, which names the subject, the value and the rule that it breaks, and each docstring lists the rules and what
they cannot see. A conforming class is well formed; that its guarantee or its regret bound is true is for the audits to test
(`banditproof.audits.assertions`). The values of parameters are declared as `banditproof.typical` says. Every example is derived from the
code alone, so a failure is found again; nothing is written to Hypothesis' database.
"""

from banditproof.audits.conformance.environments import ENVIRONMENT_RULES as ENVIRONMENT_RULES
from banditproof.audits.conformance.environments import check_environment as check_environment
from banditproof.audits.conformance.mechanisms import MECHANISM_RULES as MECHANISM_RULES
from banditproof.audits.conformance.mechanisms import check_mechanism as check_mechanism
from banditproof.audits.conformance.parts import CORRUPTION_RULES as CORRUPTION_RULES
from banditproof.audits.conformance.parts import RANDOMISER_RULES as RANDOMISER_RULES
from banditproof.audits.conformance.parts import SHUFFLER_RULES as SHUFFLER_RULES
from banditproof.audits.conformance.parts import check_corruption as check_corruption
from banditproof.audits.conformance.parts import check_randomiser as check_randomiser
from banditproof.audits.conformance.parts import check_shuffler as check_shuffler
from banditproof.audits.conformance.plain import PLAIN_POLICY_RULES as PLAIN_POLICY_RULES
from banditproof.audits.conformance.policies import POLICY_RULES as POLICY_RULES
from banditproof.audits.conformance.policies import check_policy as check_policy
from banditproof.audits.conformance.trial import ConformanceError as ConformanceError
