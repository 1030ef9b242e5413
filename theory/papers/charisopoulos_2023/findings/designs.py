"""What was found about designs and coresets: Definition 1.6, line 4, (56), Lemma 3.2."""

from banditproof.theory.findings import Finding, Grade, Reach

SUPPORT_IN_LOW_DIMENSION = Finding(
    name="support_in_low_dimension",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="No design has a support of at most C d log log d actions in dimensions 1 and 2",
    place="Definition 1.6, (7)",
    sentence=(
        "it is possible to find a probability distribution pi satisfying ... |supp(pi)| <= C d log log d ... C is a universal constant"
    ),
    literal=(
        "log log d is -infinity at d = 1 and negative at d = 2, so no C > 0 will do. At d = 3 the bound is 0.282 C, and 3 actions are "
        "needed to span; for the four corners of a regular simplex all 4 are (on three of them the fourth has at least 9, above 2 d = 6), "
        "so that C is at least 4/(3 log log 3) = 14.18, rounded up."
    ),
    charitable="For d >= 3 with a large constant, or with 4 d log log d + 16, as in the work that the paper cites, the claim stands.",
    counterexample="d = 2: 2 log log 2 = -0.733. A design with an invertible matrix M(pi) has at least 2 actions.",
    values=(("dimension", "2"), ("design_constant", "10")),
    consequence=(
        "None for the orders. Theorem 3.9 at d = 2 has the square root and the logarithm of a negative number, and a factor 1 + nu d log "
        "log d below 1."
    ),
    stands="(7) for d >= 3 with a large enough constant: 14.18 at d = 3 is necessary, and 61 is enough by the cited form.",
    instead="|supp(pi)| <= 4 d max(log log d, 0) + 16 (support_for_code).",
    step="one_constant_for_all_dimensions",
)

SUPPORT_WITHOUT_CONSTANT = Finding(
    name="support_without_constant",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The constant of the design's support is lost on the way to Algorithm 1 and Theorem 3.9",
    place="Algorithm 1, line 4; B.2.4, (56), 'Recall we can find'; Theorem 3.9",
    sentence="Compute approximate G-optimal design pi with |supp(pi)| <= d log log d",
    literal=(
        "With the constant 1 the bound is below d for all d up to 15 (8.34 at d = 10, 14.94 at d = 15), and fewer than d actions do not "
        "span. Line 4 cannot be carried out there."
    ),
    charitable="(56) begins with 'Recall', and what it recalls, (7), has a universal constant C.",
    counterexample="d = 10: 10 log log 10 = 8.34 < 10.",
    values=(("dimension", "10"),),
    consequence="A constant in the order of Theorem 3.9, which has d log log d in three places, one of them inside a logarithm.",
    stands="All orders.",
    instead="C d log log d for d >= 3, or the support k itself (regret_m2_by_support).",
    step="support_of_a_design",
    refuted_by=("charisopoulos_2023.regret_m2/step.support_of_a_design", "charisopoulos_2023.support_bound/points.support_as_printed"),
)

DESIGN_TIME = Finding(
    name="design_time",
    grade=Grade.FALSE,
    reach=Reach.LINE,
    title="A design cannot be found in time d log log d, in which its actions cannot even be read",
    place="Definition 1.6, last sentence",
    sentence="Moreover, pi can be found in time O(d log log d).",
    literal=(
        "Let all actions but one lie in the span of d - 1 unit vectors, and let the last one stand at an unknown place. Only that action "
        "has a component in the remaining direction, so a method that does not look at it has a singular matrix M(pi). To look at all K "
        "actions takes K d operations, and K is at least d."
    ),
    charitable="O(d log log d) is a known bound for the number of iterations; each of them costs K d operations or more.",
    counterexample="K = 1000, d = 10: K d = 10000 entries, against 83.4 = 10 d log log d.",
    values=(("arms", "1000"), ("dimension", "10"), ("design_constant", "10")),
    consequence="The computational cost alone; no regret bound uses it.",
    stands="O(d log log d) iterations.",
    instead="'in O(d log log d) iterations', each of O(K d) operations with a rank-one update.",
    step="every_action_is_read",
)

PLAYS_IN_ALL = Finding(
    name="plays_in_all",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.CONSTANT,
    title="The leverage bound fails for the number of plays once counts are rounded up",
    place="Lemma 3.2, (17), and the sentence before it; its proof in B.1.2",
    sentence=(
        "max_a ||a||^2_{M^-1} <= 2d/n, where n is the total number of actions played in the current round. ... M = sum_i a_i a_i^T = sum_a "
        "n_a a a^T = n sum_a pi(a) a a^T"
    ),
    literal=(
        "Line 5 rounds n_a = ceil(q^i pi(a)) up, so that the plays N are between q^i and q^i + |supp(pi)|, and n_a is not N pi(a). Extra "
        "plays do not fall in proportion to the weights, and the bound with N can fail by the factor N/q^i."
    ),
    charitable="With n = q^i the lemma is true: n_a >= q^i pi(a), so M >= q^i M(pi). It is true with N where all q^i pi(a) are integers.",
    counterexample=(
        "3 unit vectors of weight 1/6 each and 6 actions of vanishing length that share the other half: all squared norms are at most 6 "
        "= 2 d, an approximate design. With q^i = 6 every action is played once, N = 9, and the leverage is 1 against 2d/N = 2/3."
    ),
    values=(("dimension", "3"), ("support", "9")),
    consequence="A factor of at most 1 + |supp(pi)|/q^i, which matters in the batches with q^i below the support; no order changes.",
    stands="(17) and (49) with n = q^i, which is how both are used.",
    instead="n = q^i, and M >= n M(pi) in the proof.",
    step="total_plays",
    refuted_by=("charisopoulos_2023.leverage_first/points.total_plays_as_printed",),
)
