"""What was found about the statements of loss.py: the loss, its minimiser, the clipping length."""

from banditproof.theory.findings import Finding, Grade, Reach

MINIMISER = Finding(
    name="minimiser",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="Where noise is injected for curvature, the parameter does not minimise the expected loss",
    place="Section 3, 'Now, with the added regularizer'; section 3.1, 'This is great news'",
    sentence=(
        "Now, with the added regularizer, theta* becomes the minimizer of E[l_t(theta)]. ... l_t(theta_t) is mu-strongly convex in "
        "expectation where mu = 2(lambda_min + Delta^2). This is great news"
    ),
    literal=(
        "The regulariser takes off the variance of the privacy noise eta alone (Sigma = E[eta eta^T], Algorithm 1). The noise zeta that "
        "is injected for curvature is in x~_t and in the curvature mu as well, but not in the reward, which belongs to x_t: E l_t(theta) "
        "= |theta - theta*|_S^2 + Delta^2 |theta|^2 + a constant, S = E x_t x_t^T. Its minimiser is (S + Delta^2 I)^(-1) S theta*, which "
        "is theta* only where Delta = 0 or theta* = 0."
    ),
    charitable=(
        "Without injected noise, lambda_min above the threshold, the sentence is true. But the worst case of Corollary 3.6, for every "
        "lambda_min <= T^(-1/4), is the case with Delta^2 = T^(-1/4), which the paper names expressly."
    ),
    counterexample=(
        "along an eigenvector with eigenvalue lambda the component of the minimiser is lambda/(lambda + Delta^2) of that of theta*: half "
        "of it at lambda = Delta^2, none of it at lambda = 0. At lambda = Delta = 1 the loss (x - 1)^2 + x^2 is 1 at theta* and 1/2 at "
        "theta*/2."
    ),
    values=(("curvature", "1"), ("injected_sigma", "1"), ("ratio", "1/2")),
    consequence=(
        "Injected noise bends the loss exactly as much as it moves its minimiser. A learner with little regret then goes to the "
        "minimiser, and the sum of |theta_t - theta*|^2 grows like T (see path_to_the_minimiser), which Lemma 3.3 and Corollary 3.6 "
        "insert as O~(T^(1/2)). The branch sqrt(d) T^(3/4)/epsilon, the abstract's main rate, is then without a proof (see worst_case)."
    ),
    stands="Everything with Delta = 0: the favourable case, and Lemma 3.5 there.",
    instead=(
        "theta* minimises E l_t for Delta = 0. With Sigma = (sigma^2 + Delta^2) I it does so for every Delta, and mu is 2 lambda_min: "
        "nothing is gained."
    ),
    step="least_at_the_parameter",
    refuted_by=("ldp_linucb_2024.minimiser/coverage.mean_gradient_injected_as_printed",),
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
    grade=Grade.READING,
    reach=Reach.ORDER,
    title="The clipping length has no dimension, the length of the noise grows like sqrt(d)",
    place="Algorithm 1, 'Set clipping constant G'; section 3, 'dimension-independent regret'; section 3.2, 'a dimension-free regret'",
    sentence=(
        "Set clipping constant G = 2 sqrt(2 log(2T/beta))(2D sigma + 2 sigma + D Delta + Delta) + ... ; implementing Maler with our loss "
        "function yields a dimension-independent regret of O(log T) with high probability"
    ),
    literal=(
        "G has the form of a bound on |g_t| term by term, each noise replaced by sqrt(2 log(2T/beta)) standard deviations. But |eta_x| is "
        "about sigma sqrt(d), and |g_t| grows with it. Clipped gradients have another mean than the one that the analysis needs. Whether "
        "the good event asks for |g_t| <= G, and how the proof of Lemma 3.5 treats clipped gradients, is in the appendix, which the text "
        "at hand does not have."
    ),
    charitable=(
        "At T = 20000, beta = 1/T, D = C = 1 and epsilon = 0.2 to 10 no gradient of 20000 drawn ones was clipped up to d = 200, and two "
        "to thirteen in a hundred at d = 1000. The universal constant C may have been meant to cover more."
    ),
    consequence=(
        "If the proof needs |g_t| <= G in all rounds, then G must grow like sqrt(d), H like d, and the regret of the favourable case like "
        "d sqrt(T) instead of sqrt(dT)."
    ),
    stands="G as a definition; the experiment's d = 5.",
    instead="Say how clipped gradients are treated, or let G grow with d.",
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
    literal="Read in order, the maximiser overwrites the prediction before the gradient is computed.",
    charitable="Lemma 3.3 says that theta_t is the prediction of the online learner.",
    consequence="None.",
    stands="Lemma 3.3.",
    instead="A letter of its own for the optimistic parameter, which nothing else uses.",
)
