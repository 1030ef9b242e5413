"""What was found about Remarks 3.1 and 3.7 and the comparisons of section 3.2."""

from banditproof.theory.findings import Finding, Grade, Reach

BETTER_THAN_NON_PRIVATE = Finding(
    name="better_than_non_private",
    grade=Grade.LOOSE,
    reach=Reach.CONCLUSION,
    title="lambda_min is at most 1/d: the gain of sqrt(d) over the non-private rate is in no setting with growing d",
    place="Abstract; section 3, 'improves upon'; section 3.1, 'Consider the best-case scenario'; section 3.2, last paragraph; section 5",
    sentence=(
        "Interestingly, Algorithm 1 also exhibits better dimension dependence than even non-private algorithms ... in this specific "
        "setting; attain a regret of O(sqrt(dT)), which ... improves upon the non-private worst-case regret guarantee for general "
        "settings by an order of O(sqrt(d)); matches the rate of the central model. However, our algorithm demonstrates a more favorable "
        "dimension dependence; OnlineUCB has a better regret guarantee than all of the previous private stochastic linear bandits "
        "algorithms (section 5)"
    ),
    literal=(
        "By |x_t| <= 1 the trace of the second moment is at most 1, so lambda_min <= 1/d. So sqrt(dT)/(epsilon lambda_min) is at least "
        "d^(3/2) sqrt(T)/epsilon in every setting, with equality for actions drawn from the unit vectors. For epsilon of order 1 that is "
        "worse by sqrt(d) than d sqrt(T), which is what it is said to improve, and than the central rate that the paper quotes. It is "
        "sqrt(dT) in no sequence of settings with growing d."
    ),
    charitable=(
        "The sentences speak of favourable settings, lambda_min >= C for a positive constant C (Remark 3.1). There d is at most 1/C: the "
        "claim is empty, not contradicted, since 1/C, which the order hides, is at least d. So no fault is claimed under that "
        "hypothesis; the audit is about the rate with its lambda_min, in growing d. In T at fixed d the rate sqrt(T) is right. Were "
        "actions allowed to be longer, up to sqrt(d), sensitivity and noise would grow by sqrt(d)."
    ),
    counterexample=(
        "d^(3/2) sqrt(T)/epsilon, the least value of the rate, over d sqrt(T) goes to infinity with d, like sqrt(d). At d = 5, T = 20000, "
        "epsilon = 1, the rates with constants 1: 1581 at the largest lambda_min, 1/5, against 707 without privacy and 1180 for the "
        "central model, as quoted."
    ),
    consequence=(
        "The improved dependence on d in the favourable case says nothing, nor the better guarantee than the central model that section 5 "
        "explains Figure 1 with. (In the worst case lambda_min is not used; for it see minimiser and length_without_dimension.)"
    ),
    stands="The rate sqrt(T) at fixed d; in T, the comparison with the local and the shuffle model.",
    instead="d^(3/2) sqrt(T)/epsilon at the largest possible lambda_min, 1/d.",
    refuted_by=("ldp_linucb_2024.better_than_non_private/growth.dimension_high",),
)

GAUSSIAN_ACTIONS = Finding(
    name="gaussian_actions",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="Gaussian actions, the example of the favourable setting, break the assumption |x| <= 1",
    place="Remark 3.1, 'let each action be x_i ~ N(0, sigma^2 I_d)'",
    sentence=(
        "Let us discuss one specific example when the condition ... is satisfied, giving our algorithm the optimal regret guarantee ... "
        "let each action be x_i ~ N(0, sigma^2 I_d). ... Thus, as long as the number of actions is not too large, this example would fall "
        "under our favorable setting"
    ),
    literal=(
        "A Gaussian action is longer than 1 with positive probability, whatever sigma. Theorem 3.2 needs |x - x'| <= 2 for privacy, and "
        "the regret bounds need |x_t| <= 1. The condition on the curvature alone is satisfied."
    ),
    charitable=(
        "Actions that are cut at length 1, with sigma^2 of order 1/d, keep the curvature up to a constant; it is then of the order 1/(d "
        "k^2). For k and d fixed that is a constant. At T = 20000, d = 5 and sigma^2 = 1/d the remark's bound exceeds Corollary 3.6's "
        "threshold T^(-1/4) = 0.084 for k = 1 alone; for 100 actions it is 0.00001."
    ),
    counterexample="d = 2, sigma = 1: P(|x| > 1) = exp(-1/2) = 0.607; d = 2, sigma = 1/3: exp(-9/2) = 0.011",
    values=(("sigma", "1"), ("dimension", "2")),
    consequence="The example shows curvature, not the guarantee.",
    stands="E min <v, x_i>^2 >= sigma^2 pi/(6 k^2).",
    instead="'x_i ~ N(0, sigma^2 I_d), cut at length 1', with its own constant.",
    refuted_by=("ldp_linucb_2024.gaussian_example/points.longer_than_one_as_printed",),
)

FACTOR_OF_SIX = Finding(
    name="factor_of_six",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="The least square of Remark 3.1 is up to six times as large as its bound",
    place="Remark 3.1, 'sigma^2 pi/(6 k^2)'",
    sentence="E[min_i |<v, x_i>|^2] >= sigma^2 pi/(6 k^2)",
    literal=(
        "True for every k. The same argument gives sigma^2 pi/((k + 1)(k + 2)), and the mean itself is sigma^2 pi/k^2 up to lower orders. "
        "For k = 1 it is sigma^2, against 0.524 sigma^2."
    ),
    charitable="The constant does not matter to the remark.",
    consequence="None.",
    stands="The remark's inequality.",
    instead="sigma^2 pi/((k + 1)(k + 2)).",
)

CONDITION_IS_EMPTY = Finding(
    name="condition_is_empty",
    grade=Grade.LOOSE,
    reach=Reach.CONCLUSION,
    title="At the paper's T and d no set of actions meets lambda_min >= T^(-1/10) or T^(-1/8)",
    place="Remark 3.7; Theorem 4.1, first case; section 5",
    sentence="Algorithm 1 has a better regret as long as lambda_min >= Omega(1/T^(1/10)); If lambda_min >= 1/T^(1/8) (Theorem 4.1)",
    literal=(
        "lambda_min <= 1/d. At T = 20000, d = 5 (section 5) 1/d = 0.2, and T^(-1/10) = 0.371, T^(-1/8) = 0.290: read with constant 1 both "
        "conditions are impossible. They become possible at T = d^10 = 9,765,625 and d^8 = 390,625. Corollary 3.6's T^(-1/4) = 0.084 is "
        "possible."
    ),
    charitable="Remark 3.7 says Omega, and speaks of large T.",
    consequence="The theory gives no comparison with the shuffle model, and only the second case of Theorem 4.1, for the experiment's "
    "numbers.",
    stands="The comparison for T >= d^10, Theorem 4.1's first case for T >= d^8.",
    instead="Say from which T on the cases are not empty: d^10, d^8, d^4.",
)

SHUFFLE_AND_EPSILON = Finding(
    name="shuffle_and_epsilon",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="The comparison with the shuffle model leaves epsilon out",
    place="Remark 3.7",
    sentence="Since the regret in (Chowdhury & Zhou, 2022) is O~(dT^(3/5)), Algorithm 1 has a better regret as long as lambda_min >= "
    "Omega(1/T^(1/10))",
    literal="sqrt(dT)/(epsilon lambda_min) <= d T^(3/5) asks for lambda_min >= T^(-1/10)/(epsilon sqrt(d)); the quoted rate has no "
    "epsilon.",
    charitable="epsilon is a constant in the remark.",
    consequence="None for epsilon >= d^(-1/2).",
    stands="The remark for epsilon >= d^(-1/2).",
    instead="lambda_min >= T^(-1/10)/(epsilon sqrt(d)).",
)

TWO_WORST_CASES = Finding(
    name="two_worst_cases",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Section 3.2 prints the worst case with a second term that Corollary 3.6 does not have",
    place="Section 3.2, first sentence; against Corollary 3.6",
    sentence="In the worst-case scenario, Algorithm 1 provides a regret bound of O~(sqrt(d) T^(3/4)/epsilon + sqrt(dT)) with high "
    "probability",
    literal="The two differ for epsilon above T^(1/4), where the second term is the larger one.",
    charitable="For epsilon of order 1 the second term is within the first.",
    consequence=(
        "'Better in both private and non-private terms' compares sqrt(dT) with d sqrt(T), the quoted optimum; for that term see "
        "large_epsilon. Section 4 prints the same worst case as sqrt(d) T^(3/4), without epsilon, for the smallest guess."
    ),
    stands="Both, for epsilon of order 1.",
    instead="The form with two terms throughout.",
)

FIRST = Finding(
    name="first",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="'The first' regret of the order sqrt(T) under local privacy is a statement on the literature, not audited here",
    place="Abstract, last sentence; introduction, Contributions; conclusion",
    sentence="Our algorithm is the first algorithm that achieves O~(sqrt(T)) regret in a privacy setting that is stronger than the "
    "central settings.",
    literal=(
        "Earlier work states such rates. Han, Liang, Wang and Zhang (NeurIPS 2021, arXiv 2106.03365) have local algorithms for "
        "stochastic contextual (generalised) linear bandits with, in the words of their abstract, 'the same regret bound as in "
        "non-privacy settings', under conditions on the contexts, as here. For a fixed set of actions, Hanna, Girgis, Fragouli and "
        "Diggavi (arXiv 2207.03445) state a local algorithm with regret of the order sqrt(T)/epsilon. Neither is cited."
    ),
    charitable=(
        "The introduction says 'to the best of our knowledge'; conditions and actions of those works differ from the ones here. What "
        "they prove was not audited here."
    ),
    consequence="None for the theorems.",
    stands="The theorems.",
    instead="A comparison with both, and the conditions under which each holds.",
)

BOTH_BY_AMPLIFICATION = Finding(
    name="both_by_amplification",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="One of the two methods of the shuffled work does not rely on amplification, and needs no small epsilon",
    place="Introduction, 'Furthermore, since both works rely on privacy amplification by shuffling'; Remark 3.7",
    sentence=(
        "since both works rely on privacy amplification by shuffling, their guarantees only work for epsilon <= O(1/T^(3/10)) and "
        "epsilon <= O(1/T^(3/4)) respectively"
    ),
    literal=(
        "The abstract of Chowdhury and Zhou 2022 names two shuffle protocols, 'one relying on privacy amplification of local mechanisms, "
        "and another incorporating a protocol for summing vectors and matrices of bounded norms', and the order T^(3/5) for both. And "
        "rates are quoted without epsilon: that of Garcelon et al. is T^(2/3)/epsilon^(1/3) in their abstract, which at epsilon = "
        "T^(-3/4) is T^(11/12)."
    ),
    charitable="The sentence is true of the protocol by amplification, and the quoted rates of epsilon of order 1.",
    consequence="The comparison in Remark 3.7, 'having no restriction on epsilon', is with one of the two protocols.",
    stands="The quoted powers of T.",
    instead="Both protocols, with the powers of epsilon and their ranges.",
)

EPSILON_LEFT_OUT = Finding(
    name="epsilon_left_out",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="'A factor of d^(1/4)' and 'privacy for free' are statements for epsilon = 1 and fixed d",
    place="Abstract; section 3, after Theorem 3.4, 'O(d^(1/4)) improvement'; section 3.1, 'exactly recovers the asymptotic rate'",
    sentence=(
        "This is a factor of d^(1/4) improvement over the previous state-of-the-art (SOTA)(Zheng et al., 2020). ... This rate matches "
        "the optimal non-private asymptotic rate, thus demonstrating that we can achieve privacy for free even in the stringent LDP "
        "model."
    ),
    literal=(
        "By the two printed rates the factor is (dT)^(3/4)/sqrt(epsilon) over sqrt(d) T^(3/4)/epsilon, d^(1/4) sqrt(epsilon): it is 1 at "
        "epsilon = d^(-1/2), where the comparison begins, and d^(1/4) at epsilon = 1. And sqrt(dT)/epsilon is not sqrt(dT): at epsilon = "
        "0.2 privacy costs a factor of 5 by the printed rate. (The abstract of Zheng et al. prints T^(3/4)/epsilon, not the quoted "
        "1/sqrt(epsilon).)"
    ),
    charitable="The abstract is about powers of T and d at epsilon of order 1; O(d^(1/4)) is an upper bound.",
    consequence="None beyond the wording; for the powers themselves see powers_of_epsilon and length_without_dimension.",
    stands="The threshold epsilon >= d^(-1/2) as an inequality between the two printed rates.",
    instead="'by d^(1/4) sqrt(epsilon)', and 'for epsilon of order 1'.",
)
