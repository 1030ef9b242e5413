"""What was found about Theorem 3.4, Lemma 3.5 and Corollary 3.6."""

from banditproof.theory.findings import Finding, Grade, Reach

POWERS_OF_EPSILON = Finding(
    name="powers_of_epsilon",
    grade=Grade.FALSE,
    reach=Reach.ORDER,
    title="The rate sqrt(dT)/(epsilon lambda_min) is too small by 1/epsilon or more: the width has sigma^2 in G",
    place="Corollary 3.6, the inequality between its two displays; abstract; section 3.1; section 3.2; section 4, C_i; conclusion",
    sentence=(
        "... + log T sqrt(H log(1/delta))/epsilon) x sqrt(dT log(T/d))) <= O~(min{sqrt(d) T^(3/4)/epsilon, sqrt(dT)/(epsilon "
        "lambda_min)}), where H = G^2/(lambda_min + Delta^2)^2 + GD/(lambda_min + Delta^2)"
    ),
    literal=(
        "G is not a constant: it has 2 log(2T/beta)(2 D sigma^2 + 2 sigma^2 + D C sigma^2), and sigma^2 = 8 log(1.25/delta)/epsilon^2. So "
        "sqrt(H) is of the order 1/(epsilon^2 lambda_min) and the third term of the first display of the order 1/(epsilon^3 lambda_min): "
        "the second display does not follow, in neither entry of its minimum. And it is not true: with a width of that size the algorithm "
        "plays the longer action for the first epsilon^(-4) rounds, whatever the rewards are, while the printed rate is already below "
        "the regret of one wrong action per round from about epsilon^(-2) rounds on."
    ),
    charitable=(
        "For a fixed epsilon the power of T is right, up to logarithms. But O~ hides logarithms, not powers of epsilon, the rate displays "
        "epsilon, section 3.2 compares powers of epsilon for epsilon >= d^(-1/2), and Remark 3.7 says that there is no restriction on it. "
        "A smaller width, if a proof allowed it, is not what Lemma 3.3 with Lemma 3.5 prescribes."
    ),
    counterexample=(
        "d = 1, D_t = {1, 1/2}, theta* = -1: lambda_min >= 1/4, no injection. x = 1 is played, for regret 1/2, while the width is at "
        "least the root of V~. At T = epsilon^(-4) it is so to the end, with probability at least 1/2 (exploring_rounds): regret T/2, "
        "over sqrt(T)/(epsilon lambda_min) = 4 T^(3/4). At epsilon = 0.01, delta = 0.1: T = 10^8, and any hidden constant of K_T above "
        "6e-11 is enough. So the second entry of the minimum is refuted there, and the minimum with it; the first entry, sqrt(d) T^(3/4)/"
        "epsilon, is T at T = epsilon^(-4), and is not. All this is about the printed K_T: with the learner's true path in K_N the width "
        "has the order of the root of V~ up to a logarithm as long as Maler has learned nothing, and nothing is claimed. The two displays "
        "alone: their quotient goes to infinity like 1/epsilon^2."
    ),
    consequence=(
        "By the paper's chain the regret is sqrt(dT)/(epsilon^3 lambda_min), 125 times as large at epsilon = 0.2 as at 1, not 5 times; of "
        "the algorithm it is at least sqrt(T)/epsilon^2. The constants C_i of Theorem 4.1 take over the printed power. With 1/epsilon^3 "
        "the comparison with Zheng et al. needs epsilon >= d^(-1/10) instead of d^(-1/2)."
    ),
    stands="The power of T at fixed epsilon and d, where nothing is injected; the first display.",
    instead="sqrt(dT)/(epsilon^3 lambda_min) for epsilon <= 1.",
    refuted_by=(
        "ldp_linucb_2024.corollary_favourable/growth.small_epsilon_exploring",
        "ldp_linucb_2024.corollary_favourable/growth.epsilon_low",
        "ldp_linucb_2024.corollary_worst/growth.epsilon_low",
    ),
)

LARGE_EPSILON = Finding(
    name="large_epsilon",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.ORDER,
    title="The rates hold for bounded epsilon only: for large epsilon they fall below any regret",
    place="Corollary 3.6, second display; section 3.2, both terms; Remark 3.7, 'no restriction on epsilon'; Theorem 4.1, first case",
    sentence=(
        "O~(min{sqrt(d) T^(3/4)/epsilon, sqrt(dT)/(epsilon lambda_min)}) ... O~(sqrt(d) T^(3/4)/epsilon + sqrt(dT)) with high "
        "probability ... superior dimension dependence in both private and non-private terms (section 3.2)"
    ),
    literal=(
        "As epsilon grows the rate goes to 0 at fixed T and d, with whatever constant, but some action must be played before anything is "
        "known. The terms of Theorem 3.4 that remain, R sqrt(log(T/beta)) and sqrt(M_T) with G = 2 D + 2, are left out. The form with two "
        "terms does not repair it: without privacy it is sqrt(dT), and the introduction quotes d sqrt(T) as the optimum; at T = d^2, "
        "epsilon = sqrt(d) it is 2 d^(3/2), that optimum d^2. In Theorem 4.1 the term 288 log(T^3 N/beta) T eta_i of R_i grows with "
        "epsilon."
    ),
    charitable="epsilon is a constant ('typically O(1)'); for epsilon <= 1 and T >= d^2 sqrt(d) T^(3/4)/epsilon is at least d sqrt(T).",
    counterexample=(
        "T = 1, d = 1, actions -1 and 1, lambda_min = 1: regret 2 for one of the parameters 1 and -1; over 1/epsilon this goes to infinity"
    ),
    consequence=(
        "None for epsilon of order 1. At epsilon = 10 (panel c) the non-private terms are what counts, and the claim to be better there "
        "than d sqrt(T) is not supported."
    ),
    stands="As far as this is concerned, the rates for epsilon <= 1.",
    instead="'for epsilon <= 1', or (R + sqrt(M_T)) sqrt(dT) beside the rates.",
    refuted_by=("ldp_linucb_2024.corollary_favourable/growth.epsilon_high_first_round",),
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
    grade=Grade.READING,
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

LOGARITHM_AT_FEW_ROUNDS = Finding(
    name="logarithm_at_few_rounds",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="log(T/d) stands for the log(1 + T/d) of Theorem 3.4",
    place="Corollary 3.6, first display, last factor",
    sentence="x sqrt(dT log(T/d))",
    literal="At T = d the display is 0, and for T < d it is the root of a negative number.",
    charitable="Theorem 3.4, into which it is inserted, has log(1 + T/d); the two are of one order from T = 2 d on.",
    consequence="None for T >= 2 d.",
    stands="The display for T >= 2 d.",
    instead="sqrt(dT log(1 + T/d)).",
)
