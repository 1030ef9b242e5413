"""What was found about Theorem 3.4, Lemma 3.5 and Corollary 3.6."""

from banditproof.theory.findings import Finding, Grade, Reach

PATH_TO_THE_MINIMISER = Finding(
    name="path_to_the_minimiser",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="With injected noise the learner's path grows like T, not like log T: it ends at another point than theta*",
    place="Lemma 3.5, second display, with section 3.1's mu = 2(lambda_min + Delta^2)",
    sentence=(
        "Assuming L(theta) = E[l_t(theta_t)] is mu-strongly convex ... Furthermore, we have: sum_{t=1}^T |theta_t - theta*|^2 <= "
        "O((G^2/mu^2 + GD/mu) log T + (G^2/mu^2) log(1/beta))"
    ),
    literal=(
        "Where Delta > 0 the expected loss has its minimiser u at a distance b = D Delta^2/(lambda_min + Delta^2) from theta* (see "
        "minimiser). A learner whose regret is at most of the order sqrt(T), as that of Maler is for every sequence of gradients, has a "
        "path to u of at most the order sqrt(T)/mu, so its path to theta* is at least T b^2/2 minus that, where no gradient is clipped. "
        "Both for a fixed Delta > 0 and for the paper's Delta^2 = T^(-1/4) with lambda_min = 0, where b = D, this is of the order T; the "
        "lemma says log T and, at that Delta, T^(1/2) log T."
    ),
    charitable=(
        "The proof bounds the path to the minimiser of L, which is theta* where Delta = 0: there the lemma stands. The regret of the "
        "first display stands in both cases, since regret against theta* is at most regret against the minimiser of the mean, up to the "
        "martingale."
    ),
    counterexample=(
        "lambda_min = 0, Delta^2 = T^(-1/4), D = 1, beta = 1/20: the path is at least T/2 - 10 G T^(3/4), and over the printed bound, G^2 "
        "T^(1/2) log T, it goes to infinity with T. (Exact limits; path_floor is derived in the module.)"
    ),
    consequence=(
        "The third term of K_T is of the order T log(1/delta)/epsilon^2 instead of T^(1/2) times that, and Theorem 3.4 then gives regret "
        "of the order sqrt(d) T, which says nothing (see worst_case)."
    ),
    stands="Lemma 3.5 for Delta = 0; its first display.",
    instead="The path to (S + Delta^2 I)^(-1) S theta*, or Delta = 0.",
    refuted_by=(
        "ldp_linucb_2024.path_order/growth.horizon_high_as_printed",
        "ldp_linucb_2024.path_order/growth.worst_case_as_printed",
        "ldp_linucb_2024.path_order/growth.played_hidden_as_printed",
        "ldp_linucb_2024.path_order/growth.played_injected_as_printed",
        "ldp_linucb_2024.literal_width/growth.hidden_as_printed",
    ),
)

WORST_CASE = Finding(
    name="worst_case",
    grade=Grade.PROOF_GAP,
    reach=Reach.CONCLUSION,
    title="The worst-case rate sqrt(d) T^(3/4)/epsilon does not follow: its branch uses the path bound that fails",
    place="Corollary 3.6, second display, first entry of the minimum; abstract; section 3.2",
    sentence=(
        "when lambda_min <= 1/T^(1/4), notice that now Delta^2 = 1/T^(1/4) and Algorithm 1 guarantees O~(sqrt(d) T^(3/4)/epsilon) regret"
    ),
    literal=(
        "In this branch Delta^2 = T^(-1/4) and the sum of |theta_t - theta*|^2 is of the order T where theta* has a component along weak "
        "directions (see path_to_the_minimiser). With it K_T is of the order T, and Theorem 3.4 gives sqrt(d) T/epsilon up to logarithms. "
        "A width that is computed from the printed bound is too small to hold theta*: in a direction that is not played the centre goes "
        "to 0."
    ),
    charitable=(
        "Directions that are not played cost no regret by themselves; the rate itself is not refuted here. But the argument, which needs "
        "theta* in the confidence sets, is gone, and with two fixed actions nothing stops the algorithm from settling on the wrong one."
    ),
    counterexample="sqrt(K_T) sqrt(2 T d log(1 + T/d)) with a path of D^2 T/4 over sqrt(d) T^(3/4)/epsilon goes to infinity with T, like "
    "T^(1/4)",
    consequence=(
        "The abstract's general rate, the improvement on Zheng et al. 2020 by d^(1/4), and the first base learner of section 4 (k = 1/8) "
        "depend on this branch."
    ),
    stands="The favourable branch, lambda_min > T^(-1/4), up to the other findings.",
    instead="No repair is known to us: injected noise cannot bend the loss without moving its minimiser.",
    refuted_by=("ldp_linucb_2024.corollary_worst/growth.horizon_high_path",),
)

POWERS_OF_EPSILON = Finding(
    name="powers_of_epsilon",
    grade=Grade.PROOF_GAP,
    reach=Reach.ORDER,
    title="After substitution the bound is 1/epsilon^3, not 1/epsilon: the clipping length has sigma^2",
    place="Corollary 3.6, the inequality between its two displays",
    sentence=(
        "... + log T sqrt(H log(1/delta))/epsilon) x sqrt(dT log(T/d))) <= O~(min{sqrt(d) T^(3/4)/epsilon, sqrt(dT)/(epsilon "
        "lambda_min)}), where H = G^2/(lambda_min + Delta^2)^2 + GD/(lambda_min + Delta^2)"
    ),
    literal=(
        "G is not a constant: it has the terms 2 log(2T/beta)(2 D sigma^2 + 2 sigma^2 + D C sigma^2), and sigma^2 = 8 "
        "log(1.25/delta)/epsilon^2. So sqrt(H) is of the order 1/(epsilon^2 lambda_min), the third term of the first display of the order "
        "1/(epsilon^3 lambda_min), and the second display does not follow, in neither entry of its minimum: at lambda_min = 0, Delta^2 = "
        "T^(-1/4) the third term is sqrt(d) T^(3/4)/epsilon^3. The paper does count powers of epsilon: it compares with "
        "(dT)^(3/4)/sqrt(epsilon) for epsilon >= d^(-1/2)."
    ),
    charitable="For a fixed epsilon the inequality is right in T, d and lambda_min, up to logarithms.",
    counterexample="Delta = 0: the first display over sqrt(dT)/(epsilon lambda_min) goes to infinity like 1/epsilon^2 as epsilon goes to 0",
    consequence=(
        "By the paper's own chain the regret is of the order sqrt(dT)/(epsilon^3 lambda_min): 125 times as large at epsilon = 0.2 as at "
        "1, not 5 times. The threshold epsilon >= d^(-1/2) of the comparison with Zheng et al. becomes epsilon >= d^(-1/10)."
    ),
    stands=(
        "The powers of T, d and lambda_min at fixed epsilon. The claim itself is not refuted: for epsilon of the order T^(-1/2) and less "
        "the printed bound is above 2 T."
    ),
    instead="sqrt(dT)/(epsilon^3 lambda_min), or a clipping length of another order.",
    refuted_by=("ldp_linucb_2024.corollary_favourable/growth.epsilon_low", "ldp_linucb_2024.corollary_worst/growth.epsilon_low"),
)

LARGE_EPSILON = Finding(
    name="large_epsilon",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.CONSTANT,
    title="The rate holds for bounded epsilon only: for large epsilon it falls below any regret",
    place="Corollary 3.6, second display; section 3.1; Remark 3.7, 'no restriction on epsilon'",
    sentence="O~(min{sqrt(d) T^(3/4)/epsilon, sqrt(dT)/(epsilon lambda_min)})",
    literal=(
        "As epsilon grows the bound goes to 0 at fixed T and d, with whatever constant. With one feature, the actions -1 and 1 and the "
        "parameter D or -D, lambda_min is 1 and round 1 costs 2 D for one of the two parameters."
    ),
    charitable="epsilon is a constant; section 3.2 prints the worst case with a second term, sqrt(dT), which does not fall with epsilon.",
    counterexample="T = 1, d = 1, D = 1: regret 2 for one of two parameters; over 1/epsilon this goes to infinity with epsilon",
    consequence="None for epsilon of order 1. For epsilon = 10 (panel c) the non-private term is what counts.",
    stands="The rate for epsilon of order at most 1.",
    instead="'for epsilon <= 1', or a non-private term beside it, as in section 3.2.",
    refuted_by=("ldp_linucb_2024.corollary_favourable/growth.epsilon_high_first_round",),
)

CURVATURE_HAS_A_CEILING = Finding(
    name="curvature_has_a_ceiling",
    grade=Grade.LOOSE,
    reach=Reach.ORDER,
    title="lambda_min is at most 1/d, so that 'sqrt(dT)' is never better than d^(3/2) sqrt(T) as d grows",
    place="Abstract; section 3.1, 'Consider the best-case scenario'; section 3.2, 'In the favorable settings'",
    sentence="Consider the best-case scenario, which is when lambda_min = O(1) ... guarantees O~(sqrt(dT)/epsilon) regret with high "
    "probability",
    literal=(
        "By |x_t| <= 1 the trace of the second moment is at most 1 and lambda_min at most 1/d. A lambda_min above a constant c means d <= "
        "1/c: the dimension is a constant as well, and sqrt(dT), d sqrt(T) and d^(3/2) sqrt(T) are the same order. As a statement about d "
        "the best that Corollary 3.6 offers is sqrt(dT)/(epsilon/d) = d^(3/2) sqrt(T)/epsilon."
    ),
    charitable="As a rate in T at fixed d, sqrt(T), the sentence is true.",
    consequence=(
        "'The factor is sqrt(d)' is empty in the favourable case (see better_than_non_private). The branches need horizons of at least "
        "d^4 (Corollary 3.6), d^8 (Theorem 4.1) and d^10 (Remark 3.7) rounds: 625, 390,625 and 9,765,625 at d = 5."
    ),
    stands="The rate in T.",
    instead="lambda_min = c/d with c <= 1, and sqrt(dT) d/(c epsilon).",
)

TERMS_LEFT_OUT = Finding(
    name="terms_left_out",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="The first display leaves out the learner's regret M_T and the terms in D Delta and Delta^2",
    place="Section 3.1, 'Then: K_T <='; Corollary 3.6, first display",
    sentence="Now plugging K_T and M_T into Theorem 3.4 we get the following corollary",
    literal=(
        "sqrt(M_T) is of the order G sqrt(log T/(lambda_min + Delta^2)), and has no term of its own. It is below the third term, log T "
        "sqrt(H log(1/delta))/epsilon, as long as epsilon is at most of the order sqrt(log(1/delta) log T/(lambda_min + Delta^2)). D "
        "Delta and Delta^2 are at most of order 1, and within the others for epsilon of order 1."
    ),
    charitable="All of it is covered for epsilon of order 1.",
    consequence="None for epsilon of order 1.",
    stands="The first display, for bounded epsilon.",
    instead="sqrt(M_T) beside the three terms.",
)

FIRST_DISPLAY_IS_VACUOUS = Finding(
    name="first_display_is_vacuous",
    grade=Grade.LOOSE,
    reach=Reach.CONCLUSION,
    title="With every hidden constant 1 the first display exceeds 2 T up to horizons of about 10^15",
    place="Corollary 3.6, first display, at the numbers of section 5",
    sentence="O(((R + D sqrt(log(1/delta))/epsilon) sqrt(log(T/beta)) + ... + log T sqrt(H log(1/delta))/epsilon) x sqrt(dT log(T/d)))",
    literal=(
        "The clipping length is in H squared, and is about 4400 at epsilon = 1, delta = 0.1. With Delta = 0, D = 1, R = 1/2, beta = 1/T, "
        "d = 5 and the largest possible lambda_min = 1/5 the display is 15,000 T at T = 20000, where regret is at most 2 T; it falls "
        "below 2 T between T = 10^14 and 10^15. At epsilon = 10 it is 24 T and falls below 2 T between 10^7 and 10^8, at epsilon = 0.2 "
        "between 10^19 and 10^20. In the worst case (lambda_min = 0, Delta^2 = T^(-1/4)) it takes 10^29 to 10^30 rounds at epsilon = 1."
    ),
    charitable="The corollary is about orders; its constants are not printed and could be smaller than 1.",
    consequence="The theorem says nothing about the experiment, at no panel.",
    stands="The order.",
    instead="A width that is calibrated to the data.",
)

NESTED_ROOT = Finding(
    name="nested_root",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The middle term of the first display needs a nested root",
    place="Corollary 3.6, first display",
    sentence="sqrt(D Delta^2 log(T/beta)) sqrt(TH log T)",
    literal="As the text at hand shows it, the root of K_T's first term, sqrt(TH log T), is taken out without being halved.",
    charitable="The root of D Delta^2 log(T/beta) sqrt(TH log T) is meant; the scan may have lost the bar.",
    consequence="None.",
    stands="The corollary with the nested root.",
    instead="sqrt(D Delta^2 log(T/beta) sqrt(TH log T)).",
)

NOISY_POTENTIAL = Finding(
    name="noisy_potential",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="The elliptical potential is about the noisy actions, the regret about the actions themselves",
    place="Theorem 3.4",
    sentence="Regret_T <= O~(sqrt(M_T + K_T) sqrt(2Td log(1 + T/d)))",
    literal=(
        "The noisy Gram matrix adds x~_t x~_t^T. The potential lemma bounds the sum of min(1, |x~_t|^2) in its inverse, with the length "
        "of x~_t in the logarithm; the regret has |x_t| in that norm. No deterministic inequality goes from one to the other: were the "
        "noise -x_t, the Gram matrix would not grow. In the mean it grows by more, x_t x_t^T + (sigma^2 + Delta^2) I."
    ),
    charitable="The proof is in the appendix, and the matrix concentrates around its mean, which is larger than without noise.",
    consequence="A logarithm of 1 + d sigma^2, and an event of high probability.",
    stands="The order.",
    instead="The potential of x~_t, and a bound of one norm by the other on an event.",
)
