"""What was found about the statements of lower_bound.py: Theorem 4.1, its proof, and the text of section 4."""

from banditproof.theory.findings import Finding, Grade, Reach

LOWER_BOUND = Finding(
    name="lower_bound",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.CONCLUSION,
    title="the lower bound needs enough rounds: T epsilon >= K - 1, T >= K - 1 and K >= 2",
    place="Theorem 4.1; its proof, Appendix C, 'where gamma in (0, 1]', 'Taking gamma = ...' and 'due to Theorem 15.2 in [55]'",
    sentence=(
        "its minimax regret satisfies R = Omega(sqrt(KT) + (K/epsilon)^(1-1/k) T^(1/k) + T alpha^(1-1/k)) ... where gamma in (0, 1] ... "
        "Taking gamma = ((K-1)/(T epsilon))^(1/k)"
    ),
    literal=(
        "No regret of the raw class exceeds 2T, as its means lie in [-1, 1]; for small T epsilon/K the second term, and for K far above T "
        "the first, is any multiple of T. In the proof gamma is above 1 for T epsilon < K - 1, so gamma^k/2 need not be a probability, "
        "and Theorem 15.2 of Lattimore and Szepesvari is for K > 1 and T >= K - 1. With one arm the regret is 0 and the bound is not."
    ),
    charitable="For T going to infinity at fixed K >= 2, epsilon and k all of it holds; the proof of Theorem 6.2 assumes T >= K.",
    counterexample=(
        "T = 1, K = 2, k = 2, epsilon = 10^-8: the second term is 14142 (22.7 with the proof's constant exp(-12/5)/40, and K - "
        "1 for K), no regret exceeds 2. T = 1, K = 10^6, epsilon = 10^6: the first term is 1000. No constant serves, as either "
        "term over 2T is unbounded. In the proof, K = 5, T epsilon = 1, k = 2: gamma = 2"
    ),
    consequence=(
        "Few rounds, or very strong privacy, where the theorem claims more regret than there is to lose. All T above K/min(1, epsilon) "
        "are safe."
    ),
    stands="The theorem for T >= (K - 1) max(1, 1/epsilon) and K >= 2.",
    instead=(
        "Omega(min{T, sqrt(KT)} + min{T, (K/epsilon)^(1-1/k) T^(1/k)} + T alpha^(1-1/k)) for K >= 2, or the condition. With "
        "constants, for T >= (K - 1) max{1, 1/epsilon}: R >= max{sqrt((K - 1) T)/(27 (1 + (E|Z|^k)^(1/k))), exp(-12/5)/40 ((K - "
        "1)/epsilon)^(1-1/k) T^(1/k), T alpha^(1-1/k)/40}, Z standard normal (`banditproof theory show "
        "wu_2023.lower_bound_explicit`, which has the case of fewer rounds too)."
    ),
    refuted_by=(
        "wu_2023.lower_bound/points.few_rounds",
        "wu_2023.lower_bound/growth.epsilon_low_largest_regret",
        "wu_2023.lower_bound/growth.arms_high_largest_regret",
        "wu_2023.lower_bound_gaussian/growth.arms_high_largest_regret",
        "wu_2023.lower_bound/growth.epsilon_low",
    ),
)

GAUSSIAN_MEANS = Finding(
    name="gaussian_means",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="Gaussian rewards with arbitrary means are not in the class",
    place="Proof of Theorem 4.1, first display, Appendix C",
    sentence=(
        "the value of sigma_k is determined by k to make the k-th raw moments of the distributions are bounded by 1 as E_N^K(sigma_k) = "
        "{(N(mu_i, sigma_k^2)) : mu in R^K} ... R^minimax >= inf sup over nu in E_N^K(sigma_k) of Reg_T(pi, nu) >= Omega(sqrt(KT))"
    ),
    literal=(
        "No sigma_k > 0 bounds the k-th raw moment for all means, so these problems are not problems of the class, nor of the central "
        "class, whose means lie in [-D, D]. The first inequality fails for every T: over all means the infimum of the supremum is "
        "infinite (in round 1 some arm has a probability of at most 1/2; let its gap grow), while the left side is at most 2T."
    ),
    charitable="The hard problems of Theorem 15.2 have means in [0, sigma_k]; over these, with a smaller sigma_k, the display is right.",
    counterexample="N(2, sigma^2) has E|X|^k >= 2^k > 1; T = 1, K = 2: the left side is at most 2, the middle at least g/2 for every gap g",
    values=(("ratio", "2"),),
    consequence="None for the order; the constant then depends on k.",
    stands="The term sqrt(KT) for T >= K - 1.",
    instead=(
        "means in [0, sigma_k] with sigma_k = 1/(1 + (E|Z|^k)^(1/k)), Z standard normal (means_with_room): then R >= sqrt((K - "
        "1) T)/(27 (1 + (E|Z|^k)^(1/k))) for T >= K - 1 (`banditproof theory show wu_2023.lower_bound_gaussian_explicit`)."
    ),
    step="every_mean",
)

FIRST_PROBLEM_ALONE = Finding(
    name="first_problem_alone",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="the regret in the first problem alone is said to be large, where the sum of two is",
    place="Proof of Theorem 4.1, last lines of case 1 and of case 2, Appendix C",
    sentence=(
        "we get the result R_T(pi, nu_1) >= Omega((K/epsilon)^((k-1)/k) T^(1/k)) ... We obtain R_T(pi, nu~_1) >= Omega(T alpha^(1-1/k))"
    ),
    literal=(
        "What is bounded from below is R_T(pi, nu_1) + R_T(pi, nu_2). The policy that always plays arm 1 is private for every epsilon and "
        "has regret 0 in nu_1 and in nu~_1."
    ),
    charitable="For the larger of the two regrets it is right, and the minimax regret is at least that.",
    counterexample=(
        "the policy always plays arm 1: regret 0 in the first problem, T Delta in the second; the sum is at least T Delta/4, "
        "and 0 is no multiple of that. (In the formula below, which has 1/1000 for the constant in Omega, unit_ratio and "
        "other_unit_ratio are the two regrets over T Delta, and 10^-7 stands for 0.)"
    ),
    values=(("horizon", "1000000"), ("gap", "1"), ("divergence", "0"), ("other_unit_ratio", "1"), ("unit_ratio", "1/10000000")),
    consequence="None.",
    stands="Theorem 4.1, under the conditions of the finding lower_bound.",
    instead="max{R_T(pi, nu_1), R_T(pi, nu_2)} is at least half of the sum: larger_of_the_two.",
    step="first_alone",
)

LEMMA_C2_WITH_EQUALITY = Finding(
    name="lemma_c2_with_equality",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Lemma C.2 is stated for one distance and used for smaller ones",
    place="Lemma C.2, and its use in the proof of Theorem 4.1, case 2, Appendix C",
    sentence="TV(R_1, R_2) = alpha/(1 - alpha) ... TV(r_a || r'_a) <= (2/5) gamma^k = (2/5) alpha <= alpha/(1 - alpha), from Lemma C.2",
    literal="(2/5) alpha < alpha/(1 - alpha) for every alpha > 0, so the lemma as stated does not apply.",
    charitable="The lemma holds with <= as well.",
    consequence="None: for these distributions the pair of contaminations can be written down.",
    stands="Case 2.",
    instead="'<=' in Lemma C.2; or G with 1/gamma at probability (2/5)(1 - alpha) and G' = 0, as in the steps of equal_mixtures.",
)

MISPRINTS_OF_THE_LOWER_BOUND = Finding(
    name="slips_of_the_lower_bound",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="misprints in the proof of Theorem 4.1",
    place="Proof of Theorem 4.1, Appendix C",
    sentence=(
        "E[r_a] = 3/10 gamma^(k-1) and E[r_{a_1}^k] = 3/10 <= 1 ... where r_{a_1}, ..., r_{a_k} are the same ... since nu_1 and nu_i only "
        "differ in the arm i ... By the definition of minimax regret, we know that R_{epsilon,alpha} >= R_{epsilon,0} ... R_T^minimax(pi, "
        "nu)"
    ),
    literal=(
        "The k-th moment 3/10 is that of r_a; the arms are a_1 to a_K (a scan may be the cause of the small k); the second "
        "problem is nu_2; that contamination cannot lower the minimax regret needs, beside the definition, that G_a = P_a is "
        "allowed; the minimax regret has no arguments pi and nu."
    ),
    charitable="All evident.",
    consequence="None.",
    stands="The proof.",
    instead="As said: contaminated_by_itself for the fourth.",
)

DIVERGENCE_FACTOR = Finding(
    name="divergence_factor",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="the factor 6 of Lemma C.1 can be 1",
    place="Lemma C.1, Appendix C, quoted from [20]",
    sentence="KL(P_{pi,nu_1} || P_{pi,nu_2}) <= 6 epsilon E_{pi,nu_1}[sum over t of TV(r_{a_t} || r'_{a_t})]",
    literal=(
        "True for every epsilon. Couple the rewards of round t of the two problems, given the arm, so that they differ with probability "
        "TV. Given two lists of rewards the probabilities of a list of arms differ by at most exp(epsilon times the number of entries "
        "that differ); the log-sum inequality gives KL <= epsilon E[number of entries that differ] = epsilon E[sum of TV]."
    ),
    charitable="The lemma is quoted as it stands in [20].",
    consequence="The private part of Theorem 4.1 has exp(-12/5)/20 where exp(-2/5)/20 can stand: 7.39 times more.",
    stands="The lemma, and here its case of two problems that differ in one arm, as the proof uses it.",
    instead="KL <= epsilon E[sum over t of TV].",
)

AT_INFINITY = Finding(
    name="at_infinity",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="k = infinity: the formula, not the theorem with its constant",
    place="Remark 4.2",
    sentence=(
        "when k = infinity and alpha = 0, our lower bound recovers the state-of-the-art lower bound for private MABs with sub-Gaussian "
        "rewards"
    ),
    literal=(
        "At k = infinity the class is |X| <= 1, not the sub-Gaussian rewards; it holds no Gaussian reward, and the constant of the "
        "proof's first term, 1/(27 (1 + (E|Z|^k)^(1/k))), falls from 0.0185 at k = 2 to 0.0052 at k = 100 and to 0 in the limit."
    ),
    charitable=(
        "The expression sqrt(KT) + K/epsilon is the known one, and two-point rewards in place of Gaussian ones give it at k = infinity."
    ),
    consequence="None: k is fixed in the theorem.",
    stands="The remark, of the expression.",
    instead="Two-point rewards for the first term.",
)

LOWER_BOUND_OF_BOTH_CLASSES = Finding(
    name="lower_bound_of_both_classes",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="why the lower bound holds for central moments",
    place="Section 4, first paragraph",
    sentence=(
        "established under Definition 3.1, which in turn also serves as one valid lower bound for the central moment case in Definition 3.2"
    ),
    literal=(
        "The raw class is not within the central one for k > 2: X = 1 with probability 8/9, -2 with 1/9, has E X^4 = 8/3 and a fourth "
        "central moment of 152/27, 2.11 times as large. So the bound does not carry over by inclusion."
    ),
    charitable="The sentence is about the bound, and the rewards of its proof are in both classes.",
    consequence="None.",
    stands="The lower bound, for both classes.",
    instead="'Its hard problems satisfy Definition 3.2 too': central_moment_over_raw_moment, means_in_every_range.",
)

SEPARABLE = Finding(
    name="separable",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="privacy and contamination are separable in the lower bound",
    place="Section 4, after Theorem 4.1",
    sentence="Note that, for a given k, the impact of privacy and contamination is separable.",
    literal=(
        "True of the expression of the lower bound, a sum. Of the minimax regret it would need matching upper bounds for every alpha and "
        "epsilon; Theorem 6.12 has the product term iota D K log T/epsilon."
    ),
    charitable="The sentence follows the lower bound and is about it.",
    consequence="None.",
    stands="The sentence, of the lower bound.",
    instead="'in the lower bound'.",
)
