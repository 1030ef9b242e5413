"""What was found about Theorems 6.10 and 6.12 and their proofs, beside the means at the ends of the range (central.py)."""

from banditproof.theory.findings import Finding, Grade, Reach

TWO_FOLDS = Finding(
    name="two_folds",
    grade=Grade.MISPRINT,
    reach=Reach.CONSTANT,
    title="Algorithm 3 uses 2n rewards, and the theorems put B_tau for n",
    place="Theorems 6.10 and 6.12, 'with n replaced by B_tau'; Algorithm 1, line 16; Algorithm 3, line 1",
    sentence="r, M_tau, beta_tau be given by Corollary 6.6 with n replaced by B_tau",
    literal=(
        "Line 16 hands B_tau rewards to a routine whose input is {x_i}, i = 1 to 2n, so n = B_tau/2. With B_tau for n, M, beta and the "
        "threshold are "
        "those of folds twice as large, and Corollary 6.6 does not give beta_tau: at the threshold n is 100 L/epsilon, where 6 C_1 + 4 "
        "C_2 = "
        "1.25 > 1 (epsilon = 1)."
    ),
    charitable="n = B_tau/2 is meant, or two batches for each estimate.",
    consequence="Constants: the cost of the forced epochs (the paper's first phase) doubles, 800 log(...)/epsilon for 400.",
    stands="The orders.",
    instead="'with n replaced by B_tau/2'; the cost is forced_cost_of_two_folds of regret_central_clean_explicit.",
)

FAILURE_AND_THRESHOLD = Finding(
    name="failure_and_threshold",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="delta = 1/T has the letter of the threshold in place of the horizon's",
    place="Theorem 6.10, 'Set ...'",
    sentence="Set [threshold] = Omega(log(D/delta)/epsilon) and delta = 1/[threshold]",
    literal=(
        "In the copy read here (a scan, which may be the cause) both letters are the calligraphic one of the threshold: the definition "
        "is circular, and delta of the order "
        "of "
        "epsilon/log D would not fall with the horizon, so that the failure term is linear."
    ),
    charitable="The proof has it: 'choose delta = 1/T and assume T >= K', T the horizon; so have Theorem 6.12 and the authors' slides.",
    consequence="None.",
    stands="The theorem's setting with the horizon.",
    instead="delta = 1/T, T the horizon.",
)

INHERITED_CONDITIONS = Finding(
    name="inherited_conditions",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="epsilon <= 1 and D >= 2r stand in the corollaries and not in the theorems on the regret",
    place="Theorems 6.10 and 6.12, against Corollaries 6.6 and 6.8 and Definition 3.2 ('D >= 1')",
    sentence="Let Algorithm 1 be instantiated with Algorithm 3, and r, M_tau, beta_tau be given by Corollary 6.6",
    literal=(
        "By themselves the theorems allow D = 1, where k = 2 gives r = 3.16 and Algorithm 3 has no bin, and every epsilon > 0; at "
        "n = 200 log(16D/delta)/epsilon, 6 C_1 + 4 C_2 is 0.6 sqrt(epsilon) + 0.4 > 1 for epsilon > 1."
    ),
    charitable="'Given by Corollary 6.6' brings the conditions of the corollary along.",
    consequence=(
        "None for epsilon <= 1. The statements here have both conditions; the policy of this toolkit takes max{D, 2r} and min{epsilon, 1}."
    ),
    stands="The theorems where both conditions hold, for the means of regret_clean_at_an_end.",
    instead="State epsilon in (0, 1] and D >= 2r, or use max{D, 2r} and min{epsilon, 1}.",
)

CONSTANTS_OF_THE_PROOF = Finding(
    name="constants_of_the_proof",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="M, beta and the thresholds are given up to constants, which are chosen here",
    place="Corollaries 6.6 and 6.8; Theorems 6.10 and 6.12; proof of Theorem 6.12, 'similar to the proof of Theorem 6.2'",
    sentence="setting r = 10^(1/k) and M = Theta((n epsilon/log(1/delta))^(1/k)) ... beta = O(...)",
    literal=(
        "An algorithm needs numbers. The proofs name 4 in M, 200 and c_1 in the thresholds, and none in beta; in the proof of Theorem "
        "6.12 the constants "
        "that divide the arms into groups are those of Theorem 6.2 and do not fit."
    ),
    charitable="Only orders are claimed, and in orders the proofs go through ('Hence, we have B <= O(...)').",
    consequence="None for the orders. Here beta is the sum of the proof's pieces, at the proof's M and thresholds.",
    stands="The orders, for the means of regret_clean_at_an_end.",
    instead="central_radius_clean_tuned and central_radius_tuned; the explicit regret bounds use them.",
)

IOTA_IN_THE_THRESHOLD = Finding(
    name="iota_in_the_threshold",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="epsilon is written for iota in the threshold",
    place="Proof of Theorem 6.12, Appendix E",
    sentence="max{epsilon log(16/delta)/epsilon, c_1 log(16D/delta)/epsilon, log(16/delta)/alpha_1^2}",
    literal="In the copy read here (a scan, which may be the cause) the first entry would be log(16/delta).",
    charitable="Corollary 6.8 has iota log(1/delta)/epsilon there.",
    consequence="None: that entry is never the largest, see iota_never_binds.",
    stands="The threshold of Corollary 6.8.",
    instead="iota for the first epsilon.",
)

IOTA_NEVER_BINDS = Finding(
    name="iota_never_binds",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="the terms with iota are not needed: iota is at most 7.48",
    place="Theorem 6.12, gamma^; Corollary 6.8, first entry of the threshold",
    sentence="gamma^ := O(DK log T/alpha_1^2 + iota DK log T/epsilon + DK log(DT)/epsilon)",
    literal=(
        "For alpha_1 < 0.133, iota = (1 - alpha_1)/(0.249 - alpha_1) is below 7.48, so iota DK log T/epsilon is at most 8 times the last "
        "term, and "
        "iota log(1/delta)/epsilon is below c_1 log(16D/delta)/epsilon."
    ),
    charitable="It shows how the bound would depend on alpha near 0.249, which the theorem excludes.",
    consequence="None: a term can be left out.",
    stands="Theorem 6.12's bound, as far as it stands.",
    instead="DK log T/alpha_1^2 + DK log(DT)/epsilon: iota_is_covered, first_entry_never_binds.",
)
