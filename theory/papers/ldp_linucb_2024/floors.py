r"""Regrets and paths from below (ours), which orders of locally private LinUCB (2024) contradict.

Main statements
    WEAK_DIRECTION          a regret of the order T^(7/8) where noise is injected, against Corollary 3.6, first rate
    EXPLORING_ROUNDS        the regret while the width exceeds the root of the noisy Gram matrix, against its second rate
    FIRST_ROUND             a regret that no epsilon removes, against the same
    PATH_OF_ANY_LEARNER     what messages about d features allow, whoever learns from them, against Lemma 3.5

Derivations
    FIRST_ROUND. d = 1, D_t = {-1, 1}, D <= 1: lambda_min = 1 whatever is played. In round 1 nothing is known and the action does not
    depend on
    the parameter, D or -D; for one of the two it costs 2 D.
    WEAK_DIRECTION. s = T^(-1/8)/2, theta* = (1, 1)/sqrt(2), D_t = {e_1} or {(s/2) e_1, s e_2}, each with probability 1/2; lambda_min is at
    most s^2/2 = Delta^2/8 < T^(-1/4), so Delta^2 = T^(-1/4). Every x_t lies on an axis; let a_t <= Delta^2/8 be the conditional mean of
    x_2^2, z the second component of theta_t and q that of theta*. Against u = (q, 0) the mean linearised loss of a round is at least
    -Delta^4 from the first component, and from the second 2 (a_t + Delta^2) z^2 - 2 a_t q z >= Delta^2 (2 z_+^2 - q z_+/4). Its sum up to
    n in [T/2, T] is at most of the order G sqrt(T) (Maler's first bound and Azuma, no gradient clipped), which is o(Delta^2 T). By
    convexity the mean of z_+ is at most q/8 + o(1); the first components have mean square distance o(1) from q. The centre is, up to
    o(1), the mean of the predictions with weights sigma^2 + Delta^2 + E x_i^2 in component i: at most q/8 + o(1) in the second, q + o(1)
    in the first. The width over the root of sigma^2 n is o(1), by the printed M_T and K_T. So (s/2) e_1 is played from round T/2 on,
    where s e_2 is better by s/(2 sqrt(2)): regret of (T/4) s/(2 sqrt(2)) up to o(1), T^(7/8)/(16 sqrt(2)).
    EXPLORING_ROUNDS. d = 1, D_t = {1, 1/2}, theta* = -1, so lambda_min >= 1/4 whatever is played. The centre is a mean of predictions
    with weights x~^2 and one 0 with weight 1, so it is above -1, and x = 1 is played, for regret 1/2, wherever w/sqrt(V~) >= 1. By Markov
    V~_T <= 2 (1 + T (1 + sigma^2)) with probability at least 1/2. At T = epsilon^(-4) the printed K_T is of the order
    G^2/epsilon^2 = sigma^4/epsilon^2 times log(T)^4 or more, and T sigma^2 of the order epsilon^(-6): whatever the constants, the width
    is large enough from some T on.
    PATH_OF_ANY_LEARNER. One action per round, x_t ~ N(0, I/(2 d)), theta* ~ N(0, I/(2 d)), both of length at most 1 except with
    probability exp(-c d). Given x~_t the reward's mean is known up to <E[x_t | x~_t], theta*>, of variance at most 1/(8 d^2 sigma^2), under
    noise of variance at least sigma^2: a message has at most 1/(16 d^2 sigma^4) nats about theta* (and less than that, by a power of d,
    about its length). So every estimate after t messages has mean square error at least exp(-t/(8 d^3 sigma^4))/2 (entropy power), and
    up to T = d^3 sigma^4 rounds the path has mean at least 4 (1 - exp(-1/8)) T = 0.47 T; stated with 2/5 for the terms left out. As the
    path is at most 4 D^2 T, it is at least T/5 with probability at least 1/20.
"""

from sympy import Rational, sqrt

from banditproof.glossary import HORIZON, PARAMETER_NORM, REGRET
from banditproof.glossary.ldp_linucb_2024 import PATH
from banditproof.theory.language import Bound, Checked, Hypothesis, Mode, Sense, Theorem, always, symbol
from banditproof.theory.papers.ldp_linucb_2024.regret import unclipped
from banditproof.theory.papers.ldp_linucb_2024.setting import source

_T, _D = symbol(HORIZON), symbol(PARAMETER_NORM)

two_actions = Hypothesis(
    "two_actions", "one feature, the actions -1 and 1, the parameter is D or -D, at random, and D <= 1", Checked.BY_ENVIRONMENT
)
_settled = Hypothesis(
    "settled", "T is so large that width, learner's regret and sampling errors are small beside the gap of the instance", Checked.ASSUMED
)
_weak_contexts = Hypothesis(
    "weak_contexts",
    "D_t is {e_1} or {(s/2) e_1, s e_2}, each with probability 1/2, s = T^(-1/8)/2, theta* = (1, 1)/sqrt(2), Delta^2 = T^(-1/4)",
    Checked.BY_ENVIRONMENT,
)
_one_and_a_half = Hypothesis("one_and_a_half", "one feature, the actions 1 and 1/2, and the parameter -1", Checked.BY_ENVIRONMENT)
_wide_beside_noise = Hypothesis("wide_beside_noise", "the squared width is at least 2 (1 + T (1 + sigma^2)) up to round T", Checked.ASSUMED)
_one_gaussian_action = Hypothesis(
    "one_gaussian_action",
    "one action per round and the parameter are drawn from N(0, I/(2 d)), d is large, and T is at most d^3 sigma^4",
    Checked.BY_ENVIRONMENT,
)

WEAK_DIRECTION = Theorem(
    id="ldp_linucb_2024.weak_direction",
    statement="The regret of Algorithm 1 with the printed M_T and K_T where one of two features is weak, with high probability.",
    source=source("[assembled] Algorithm 1; derivation in the module"),
    hypotheses=(_weak_contexts, unclipped, _settled),
    bound=Bound(of=REGRET, sense=Sense.AT_LEAST, cases=always(_T ** Rational(7, 8) / (16 * sqrt(2))), given=(HORIZON,)),
)

EXPLORING_ROUNDS = Theorem(
    id="ldp_linucb_2024.exploring_rounds",
    statement="The regret of Algorithm 1 while its width is larger than the root of the noisy Gram matrix, with probability at least 1/2.",
    source=source("[assembled] Algorithm 1; derivation in the module"),
    hypotheses=(_one_and_a_half, _wide_beside_noise),
    bound=Bound(of=REGRET, sense=Sense.AT_LEAST, cases=always(_T / 2), given=(HORIZON,)),
)

PATH_OF_ANY_LEARNER = Theorem(
    id="ldp_linucb_2024.path_of_any_learner",
    statement="The mean, over a random parameter, of the sum of |theta_t - theta*|^2, whatever the learner does with the messages.",
    source=source("[assembled] Algorithm 1; derivation in the module"),
    hypotheses=(_one_gaussian_action,),
    bound=Bound(of=PATH, sense=Sense.AT_LEAST, cases=always(2 * _T / 5), given=(HORIZON,), mode=Mode.IN_EXPECTATION),
)

FIRST_ROUND = Theorem(
    id="ldp_linucb_2024.first_round",
    statement="The regret of any learner for one of two parameters, D and -D, with curvature 1.",
    source=source("[assembled] section 2; derivation in the module"),
    hypotheses=(two_actions,),
    bound=Bound(of=REGRET, sense=Sense.AT_LEAST, cases=always(2 * _D), given=(PARAMETER_NORM,)),
)
