"""What was found about the statements of loss.py: the loss, its minimiser, the clipping length."""

from banditproof.theory.findings import Finding, Grade, Reach

MINIMISER = Finding(
    name="minimiser",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="Injected noise moves the loss's minimiser: the path bound and the rate sqrt(d) T^(3/4)/epsilon fail",
    place="Section 3, mu; section 3.1, Lemma 3.5, second display, K_T; Corollary 3.6; abstract; section 4",
    sentence=(
        "l_t(theta_t) is mu-strongly convex in expectation where mu = 2(lambda_min + Delta^2). This is great news ... sum_{t=1}^T "
        "|theta_t - theta*|^2 <= O((G^2/mu^2 + GD/mu) log T + (G^2/mu^2) log(1/beta)) (Lemma 3.5) ... However, when lambda_min <= "
        "1/T^(1/4), notice that now Delta^2 = 1/T^(1/4) and Algorithm 1 guarantees O~(sqrt(d) T^(3/4)/epsilon) regret"
    ),
    literal=(
        "The regulariser takes off the variance of the privacy noise eta alone (Sigma = E[eta eta^T]). The noise zeta that is injected "
        "for curvature is in x~_t and in mu, but not in the reward, which belongs to x_t. So E l_t(theta) = |theta - theta*|_S^2 + "
        "Delta^2 |theta|^2 + a constant, S = E x_t x_t^T, with minimiser (S + Delta^2 I)^(-1) S theta*: theta* only where Delta = 0 or "
        "theta* = 0. A learner with little regret goes there. ('theta* becomes the minimizer', before the injection is introduced, is "
        "about the privacy noise, and true.) Hence two statements fail: Lemma 3.5's second display, whose path grows like T; and "
        "Corollary 3.6's first rate, because K_T, with that path of order T^(1/2), gives sets that lose theta*: in a weak direction "
        "their centre is near 0, and the algorithm settles on the wrong action."
    ),
    charitable=(
        "For Delta = 0 all is as printed: section 3 speaks before the injection is introduced, Lemma 3.5 stands (but see "
        "length_without_dimension), and lambda_min > T^(-1/4) has no injection. The learner's regret, first display, stands for every "
        "Delta: theta* need not be the minimiser. But the worst case, for 'any lambda_min >= 0', is the case with Delta^2 = T^(-1/4). The "
        "true path instead of its bound would keep theta* in the sets, but then K_T is of the order T, and the user cannot compute it; "
        "section 4 says 'we still need lambda_min to set the confidence width', so the width is the bound of Lemma 3.5."
    ),
    counterexample=(
        "(1) along an eigenvector with eigenvalue lambda the minimiser has lambda/(lambda + Delta^2) of theta*: 1/2 at lambda = Delta^2. "
        "(2) One feature, D_t = {0}: messages do not depend on theta*, and the paths to D and to -D add up to at least 2 D^2 T for every "
        "learner. (3) s = T^(-1/8)/2, theta* = (1, 1)/sqrt(2); D_t is {e_1} or {(s/2) e_1, s e_2}, each half of the time. Whatever is "
        "played, E x_2^2 <= Delta^2/8, the centre's second component ends below 1/8 of that of theta*, and the first action wins, which "
        "costs s/(2 sqrt(2)) per round: regret of at least T^(7/8)/(16 sqrt(2)) (weak_direction). Runs with "
        "sigma = 0.3, T = 10^4 to 10^6: 0.088 T^(7/8), the most that is possible."
    ),
    consequence=(
        "The abstract's main rate, the improvement by d^(1/4) on Zheng et al. 2020, the fallback at the end of section 4 and the first "
        "base learner of Algorithm 2, and with it the second case of Theorem 4.1, have no proof; as a rate in T the worst case is at "
        "least T^(7/8). These are statements on large T: with every hidden constant 1 the printed width is small enough for (3) from "
        "about T = 10^26 on at epsilon = 1, delta = 0.1, and before that the sets say nothing at all."
    ),
    stands=(
        "As far as this is concerned, everything with Delta = 0, in particular the power of T of the favourable case; Lemma 3.5's first "
        "display."
    ),
    instead=(
        "With Sigma = (sigma^2 + Delta^2) I theta* is a minimiser for every Delta, and mu is 2 lambda_min: nothing is gained. The path is "
        "small to (S + Delta^2 I)^(-1) S theta*. No proof of T^(3/4) for lambda_min < T^(-1/4) by this way is known to us."
    ),
    refuted_by=(
        "ldp_linucb_2024.minimiser/points.grid_of_components_as_printed",
        "ldp_linucb_2024.path_order/growth.horizon_high_as_printed",
        "ldp_linucb_2024.path_order/growth.worst_case_as_printed",
        "ldp_linucb_2024.corollary_worst/growth.horizon_high_weak",
        "ldp_linucb_2024.corollary_worst/growth.horizon_high_path",
        "ldp_linucb_2024.minimiser/coverage.mean_gradient_injected_as_printed",
        "ldp_linucb_2024.path_order/growth.played_hidden_as_printed",
        "ldp_linucb_2024.path_order/growth.played_injected_as_printed",
        "ldp_linucb_2024.literal_width/growth.hidden_as_printed",
    ),
)

CONVEX_WITHOUT_PATH = Finding(
    name="convex_without_path",
    grade=Grade.PROOF_GAP,
    reach=Reach.ORDER,
    title="Learner regret of the order sqrt(T) does not give T^(3/4): the width also has the learner's path",
    place="Section 3, 'However, it is convex in expectation'",
    sentence=(
        "However, it is convex in expectation, which is sufficient to guarantee an O(sqrt(T)) regret. This in turn translates to "
        "O~(T^(3/4)) for the final regret bound."
    ),
    literal=(
        "The squared width of Lemma 3.3 is M_N + K_N, and K_N has the term gamma (log(1/delta)/epsilon^2) log(T/beta) times the sum of "
        "|theta_t - theta*|^2. A loss that is convex and not strongly convex in expectation leaves that sum without a bound below 4 D^2 "
        "T: where no action has a component in some direction, the expected loss does not depend on that component of theta_t."
    ),
    charitable=(
        "The sentence is an outline; for the worst case the algorithm injects curvature, which is to bound the path. That fails for the "
        "reason in minimiser."
    ),
    counterexample="with the path at D^2 T, sqrt(K_T) sqrt(d T) grows like T: its quotient by T^(3/4) goes to infinity",
    consequence="Convexity alone gives no regret below T by the paper's chain.",
    stands="That the learner's regret is of the order sqrt(T).",
    instead="A bound on the path is needed beside the learner's regret.",
    refuted_by=("ldp_linucb_2024.convex_is_enough/growth.horizon_high",),
)

LENGTH_WITHOUT_DIMENSION = Finding(
    name="length_without_dimension",
    grade=Grade.FALSE,
    reach=Reach.ORDER,
    title="The learner's bounds are not free of the dimension: the noise has length sigma sqrt(d), G has not",
    place="Algorithm 1, G; section 3, 'dimension-independent regret'; Lemma 3.5; section 3.1, 'rather than the dimension d'; section 3.2",
    sentence=(
        "implementing Maler with our loss function yields a dimension-independent regret of O(log T) with high probability ... our online "
        "regret depends on the radius D of the domain ... rather than the dimension d ... As a result, we are able to improve the "
        "dimension dependence from O(d^(3/4)) in previous works to O(sqrt(d))"
    ),
    literal=(
        "G bounds the terms of g_t one by one, each noise replaced by sqrt(2 log(2T/beta)) standard deviations. But |eta_x| is about "
        "sigma sqrt(d), and already g_1 = -2 x~_1 y~_1 is of that length. For d well above log^2(2T/beta) gradients are clipped in a "
        "constant part of the rounds, and the clipped ones are not gradients of the loss. No treatment of clipping can save the bounds "
        "of Lemma 3.5 with this G: d features cannot be learnt that fast from such messages, by any learner (path_of_any_learner)."
    ),
    charitable=(
        "At fixed d nothing changes, and G has room: at T = 20000, beta = 1/T, D = C = 1, epsilon = 1 no gradient of 20000 drawn ones was "
        "clipped up to d = 200. C is called a universal constant, so it does not hold d. That the good event may exclude long gradients "
        "does not help either: it is said to have high probability. The martingale terms of Lemma 3.3 are free of d."
    ),
    counterexample=(
        "One action per round, x_t and theta* from N(0, I/(2 d)), cut at length 1, which changes probabilities by at most exp(-0.15 d): "
        "lambda_min = 1/(2 d). A message has at most 1/(16 d^2 sigma^4) nats "
        "about theta*, so that up to T = d^3 sigma^4 rounds the mean path is at least 2 T/5 for every learner. Lemma 3.5 says d^2 G^2 log "
        "T: at sigma = 1, d = T^(1/3) the quotient goes to infinity like d/log^3 T. (The curvature is the true one, without injection: "
        "Algorithm 1's threshold, an input, below 1/(2 d).) The mean regret to theta* is the path over 2 d, at least d^2/5 there, "
        "against d G^2 log T: the first display fails too. And P(|g_1| > G) at T = 20000, beta = 1/T, epsilon = "
        "1, delta = 0.1: 0.29 at d = 10^4, 0.74 at 10^5, 0.92 at 10^6."
    ),
    consequence=(
        "With sigma sqrt(d) for |eta_x|, G grows like sqrt(d): the first rate of Corollary 3.6 then has d^(3/4) by its middle term and d "
        "by its third, the second rate d. The improvement by d^(1/4) on Zheng et al. 2020 is what is missing in G. None at the "
        "experiment's d = 5."
    ),
    stands="The bounds at fixed d; G as a definition.",
    instead="sigma (sqrt(d) + sqrt(2 log(2T/beta))) for the length of eta_x in G.",
    refuted_by=("ldp_linucb_2024.path_order/growth.many_features_as_printed",),
)

MISSING_TERM = Finding(
    name="missing_term",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="In the clipping length one of the two terms D Delta seems to be missing",
    place="Algorithm 1, 'Set clipping constant G'",
    sentence="2 sqrt(2 log(2T/beta)) (2D sigma + 2 sigma + D Delta + Delta)",
    literal=(
        "Of the gradient's terms that are linear in one noise, x <eta, theta>, eta <x, theta>, x eta_y and eta y give 2 D sigma + 2 "
        "sigma; x <zeta, theta>, zeta <x, theta> and zeta y give 2 D Delta + Delta."
    ),
    charitable="The terms in C leave room for it where sigma is not small.",
    consequence="A constant, where noise is injected.",
    stands="G as a definition.",
    instead="2D sigma + 2 sigma + 2D Delta + Delta, if G is to bound the terms one by one.",
)

ARGUMENT_OF_THE_LOSS = Finding(
    name="argument_of_the_loss",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The loss is printed with theta_t inside the square",
    place="Section 3, 'First, instead of using'; Algorithm 1; section 3.1",
    sentence="l_t(theta) = (<x~_t, theta_t> - y~_t)^2 - ||theta||_Sigma^2",
    literal="As a function of theta this would be -||theta||_Sigma^2 and a constant, which has no minimum.",
    charitable="The gradient of Algorithm 1 is that of (<x~_t, theta> - y~_t)^2 - ||theta||_Sigma^2.",
    consequence="None.",
    stands="The gradient, and what follows from it.",
    instead="(<x~_t, theta> - y~_t)^2 - ||theta||_Sigma^2.",
)

TWO_PARAMETERS = Finding(
    name="two_parameters",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="theta_t is both the optimistic parameter and the learner's prediction",
    place="Algorithm 1, '(x_t, theta_t) = argmax' and 'g_t = 2 x~_t(<x~_t, theta_t> - y~_t) - 2 Sigma theta_t'",
    sentence="(x_t, theta_t) = argmax over (x, theta) in D_t x C_{t-1} of <x, theta>; ... Receive theta_t ... from the server",
    literal=(
        "Read in order, the maximiser overwrites the prediction before the gradient is computed. It is theta^ + w V~^(-1) x_t/|x_t| in "
        "the norm of V~^(-1), a function of the clean action: from x~_t, y~_t and an unclipped g_t the server solves (2 x~_t x~_t^T - 2 "
        "Sigma) theta = g_t + 2 x~_t y~_t and has the direction of x_t."
    ),
    charitable=(
        "Lemma 3.3 says that theta_t is the prediction of the online learner, and the proof of Theorem 3.2 that it is computed from "
        "private values."
    ),
    consequence="None for the theory. Whoever implements the printed lines in order has no privacy.",
    stands="Lemma 3.3.",
    instead="A letter of its own for the optimistic parameter, which nothing else uses.",
)
