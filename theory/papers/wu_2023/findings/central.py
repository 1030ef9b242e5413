"""What was found about Theorem 6.5, Corollaries 6.6 and 6.8 and Theorems 6.10 and 6.12: the statements of central.py and their remarks."""

from banditproof.theory.findings import Finding, Grade, Reach

_NO_BIN = (
    "The same fault as in concentration_clean_at_an_end (this is no further one): rewards that are always D lie in no bin of Algorithm 3, "
    "and each of the 2D/r bins wins with the same probability. "
)
_INTERIOR = "With a histogram that reaches one bin beyond each end, as section 6.2 ('bins over the range') may have meant it, "
_BINS_NEEDED = "For delta <= 1/2 and a number of bins 2D/r that is whole or rounded up: "
_ROUNDED = "For a number of bins 2D/r that is whole or rounded up: "
_SAFE_DISTRIBUTIONS = (
    " Also, at mu = D, distributions of the rewards that put more than C_2 + 2 C_1 (of the proof of Theorem 6.5) into [D - r, D): 0.3 is "
    "enough, so "
    "every distribution that is symmetric about D and has no atom there is safe."
)
_ONE_BIN_MORE = (
    "Bins for j in {-D - r, -D, ..., D - r, D}, one more on each side: no change of privacy, and log(16 D/delta) still pays for them once "
    "D >= 9/2 (as r >= 1 there are at most 2D + 3 <= 8D/3 bins). Or means in [-D + r, D - r]. "
)

CONCENTRATION_CLEAN_AT_AN_END = Finding(
    name="concentration_clean_at_an_end",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="Corollary 6.6 fails for rewards that are always D, D large: the error is of the order of D",
    place="Corollary 6.6, its bound and its sample complexity ('In other words')",
    sentence=(
        "for all n >= Omega(log(D/delta)/epsilon) and D >= 2r, we have that for any delta in (0, 1), with probability at least 1 - delta, "
        "|mu~ - mu| <= beta where beta = O(sqrt(log(1/delta)/n) + (log(1/delta)/(n epsilon))^(1-1/k))"
    ),
    literal=(
        "This entry and the four after it (concentration_contaminated_at_an_end, regret_clean_at_an_end, "
        "regret_contaminated_at_an_end and initial_distance, the line of the proof) are one fault in five places: the bins that "
        "are missing at the ends of the range. Definition 3.2 allows every mean in [-D, D]. Rewards that are always D (or "
        "nearly always a little above D) lie in no bin of Algorithm 3, line 3: the last one is [D - r, D). All noisy "
        "frequencies are then noise, and each of the 2D/r bins wins with the same probability. With probability at least 1/2 "
        "the winner begins at 0 or below; if M < D the second fold keeps nothing, and the estimate is at most 0 with "
        "probability at least 1/4: an error of D or more, where beta does not depend on D. At the n that the corollary asks "
        "for, M grows with log D alone, so no constants in Theta, Omega and O help: the quotient of error and beta is unbounded "
        "in D."
    ),
    charitable=_INTERIOR + "the corollary holds for all means. As printed it holds for means at least r from the ends.",
    counterexample=(
        "k = 2, epsilon = 1, delta = 1/20, 2D/r = 1000 (D = 1581.1), n = 2627 = 200 log(16 D/delta)/epsilon rounded up: M = 118.5 < D, "
        "and the "
        "error is at least D with probability 0.2505 > 1/20; beta with the constant 1000 in its O would be 67.5. With 2D/r = 100000 a "
        "constant of 100000 is still too small. The sample complexity asks for log D more draws; (D/4)^k log(1/delta)/epsilon are needed"
    ),
    consequence=(
        "No bound that is independent of D holds for all distributions of Definition 3.2. Theorem 6.10 takes the radius from here and "
        "fails with it. The paper's experiments are not touched: at mu = D their inlier distributions put 0.70 (Pareto noise, centred) "
        "and 0.50 (Student's) of their mass into the last bin [D - r, D), so that J = D - r, which is within 2r. And with D >= "
        "2r, values divided by 34.6 (34.3) and centre 0, D is at least 216 in the unit of the rewards without contamination, "
        "above the largest mean 100."
    ),
    stands=_BINS_NEEDED
    + "the corollary for means in [-D + r, D - r], and for all means with one bin more on each side."
    + _SAFE_DISTRIBUTIONS,
    instead=_ONE_BIN_MORE
    + (
        "With constants (`banditproof theory show wu_2023.central_radius_clean_tuned`): beta = sqrt(2) (1 + 10^(1/k)) "
        "sqrt(log(16/delta)/n) + 73 (log(1/delta)/(n epsilon))^(1-1/k), for epsilon <= 1, delta <= 1/2, n >= 200 log(16 "
        "D/delta)/epsilon, D >= 2r."
    ),
    refuted_by=(
        "wu_2023.central_concentration_clean/growth.range_high_at_an_end",
        "wu_2023.central_concentration_clean/points.rewards_at_an_end",
        "wu_2023.central_concentration_clean/growth.range_unpadded",
        "wu_2023.central_sample_complexity/growth.range_high_at_an_end",
    ),
)

CONCENTRATION_CONTAMINATED_AT_AN_END = Finding(
    name="concentration_contaminated_at_an_end",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="Corollary 6.8 fails for rewards that are always D, D large: the error is of the order of D",
    place="Corollary 6.8, its bound",
    sentence=(
        "for all n such that n >= [threshold] = Omega(max{...}) and D >= 2r, we have that for any delta in (0, 1), with "
        "probability at least 1 - delta, |mu~ - mu| <= beta"
    ),
    literal=(
        _NO_BIN + "Here M = O(alpha_1^(-1/k)) however large n is, so a D above it is enough for the second fold to keep nothing, and the "
        "estimate is at most 0 with probability at least 1/4. (The outliers' distribution may be the arm's own.) beta does not contain D."
    ),
    charitable=_INTERIOR + "the corollary holds for all means. As printed it holds for means at least r from the ends.",
    counterexample=(
        "k = 2, epsilon = 1, delta = 1/20, alpha = alpha_1 = 1/50, 2D/r = 1000 (r = 2.07, iota = 4.28, D = 1034.3), n = "
        "57194300 (the threshold, with the proof's c_1): M = 28.3 < D, and the error is at least D with probability 0.2505 > "
        "1/20; beta with the constant 1000 would be 141.9"
    ),
    consequence="As for Corollary 6.6: no bound independent of D holds for all distributions of Definition 3.2. Theorem 6.12 fails too.",
    stands=_BINS_NEEDED
    + "the corollary for means in [-D + r, D - r], and for all means with one bin more on each side."
    + _SAFE_DISTRIBUTIONS,
    instead=_ONE_BIN_MORE
    + (
        "With constants (`banditproof theory show wu_2023.central_radius_tuned`): beta = sqrt(2) sqrt(log(16/delta)/n) + 33 "
        "(log(1/delta)/(n epsilon))^(1-1/k) + 25 alpha_1^(1-1/k), for epsilon <= 1, delta <= 1/2, alpha_1 < 0.133, D >= 2r, n "
        ">= 4500000 log(16 D/delta)/epsilon and n >= log(16/delta)/alpha_1^2."
    ),
    refuted_by=(
        "wu_2023.central_concentration_contaminated/growth.range_high_at_an_end",
        "wu_2023.central_concentration_contaminated/points.rewards_at_an_end",
    ),
)

REGRET_CLEAN_AT_AN_END = Finding(
    name="regret_clean_at_an_end",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="Theorem 6.10 fails: the regret is linear in T if the best arm always pays D, D above a constant",
    place="Theorem 6.10, the displayed regret bound",
    sentence="R_T = O(sqrt(KT log T) + (K log T/epsilon)^((k-1)/k) T^(1/k) + gamma), where gamma := O(KD log(DT)/epsilon)",
    literal=_NO_BIN
    + (
        "In the first test (the first epoch in which arms may be removed) the estimate of the arm that pays D is J, drawn "
        "uniformly, and noise: with probability at least 1/2 it is 0 or below, while another arm, of mean D/2, is estimated "
        "well. The best arm is eliminated there with probability at least 1/5 for every T, if D is above a constant, and each "
        "later round costs D/2: the regret is at least D T/10 less a logarithm, for a fixed D and all T, where the theorem "
        "claims sqrt(T log T)."
    ),
    charitable=_INTERIOR + "the theorem holds for all means. Nothing in its text says so; it quantifies over Definition 3.2.",
    counterexample=(
        "K = 2, k = 2, epsilon = 1, D = 316 r = 999.3 (r = 10^(1/2)), arms that always pay D and D - 10, the constants 200 and "
        "4 of the proof: in runs the median regret grows 22.4 times from T = 60000 to T = 800000, where sqrt(T log T) grows "
        "4.06 times; with one bin more on each side it grows 1.01 times. Without simulation: with 2D/r = 1000 and k = 3 the "
        "quotient of a proved lower bound, (D/10)(T - 2400 L/epsilon) with L = log(64 D T log_2^2 T) and 2400 L/epsilon at "
        "least the number of rounds up to the end of the first test (forced epochs below 800 L/epsilon, the two tested batches "
        "below 800 L/epsilon each), and the printed order goes to infinity like (T/log T)^(1/2)"
    ),
    consequence=(
        "The order is lost: linear in T for sqrt(T log T), with a fixed D and whatever constants stand in Theta and Omega. This "
        "is the worst fault of the paper. A user who sets D to the largest possible mean meets it if the rewards of the best "
        "arm hardly ever fall below D, for instance if they are constant."
    ),
    stands=_ROUNDED
    + "the theorem for arms whose means lie in [-D + r, D - r], and for all arms with one bin more on each side."
    + _SAFE_DISTRIBUTIONS,
    instead=_ONE_BIN_MORE
    + (
        "With constants (`banditproof theory show wu_2023.regret_central_clean_explicit`), where L_c = log(c K T log_2^2 T): "
        "R_T <= 64 (1 + 10^(1/k)) sqrt(KT L_32) + 1168 (8 K L_2/epsilon)^(1-1/k) T^(1/k) + 2D + 1600 (K + 1) D log(32 K D T "
        "log_2^2 T)/epsilon, for T >= K, epsilon <= 1, D >= 2r."
    ),
    refuted_by=(
        "wu_2023.regret_central_clean/growth.horizon_high_at_an_end",
        "wu_2023.regret_central_clean/growth.horizon_at_end_unpadded",
    ),
)

REGRET_CONTAMINATED_AT_AN_END = Finding(
    name="regret_contaminated_at_an_end",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="Theorem 6.12 fails: the regret is of the order D T if the best arm always pays D",
    place="Theorem 6.12, the displayed regret bound",
    sentence="R_T = O(sqrt(KT log T) + (K log T/epsilon)^((k-1)/k) T^(1/k) + T alpha_1^(1-1/k) + gamma^)",
    literal=(
        _NO_BIN
        + "The best arm is eliminated in its first test with probability at least 1/5, as in Theorem 6.10; here M <= 4 alpha_1^(-1/k) in "
        "every epoch, so D > 4 alpha_1^(-1/k) is enough. The regret is at least D T/10 less a logarithm; of the printed terms those that "
        "contain D grow with log T alone, and T alpha_1^(1-1/k) does not contain D: with T = D and D growing the bound is exceeded by any "
        "factor."
    ),
    charitable=_INTERIOR + "the theorem holds for all means. As for Theorem 6.10, nothing in its text says so.",
    counterexample=(
        "k = 3, K = 2, epsilon = 1, alpha_1 = 1/50, arms that always pay D and D/2, D = r T/2, so that there are T bins: the "
        "quotient of the proved lower bound, (D/10)(T - O(log(D T))), and of the printed order goes to infinity like T/log T"
    ),
    consequence=(
        "At fixed alpha_1 the printed bound is linear in T as well, but with the factor alpha_1^(1-1/k) in place of D: it is too small by "
        "a factor "
        "that grows with D without limit."
    ),
    stands=_ROUNDED
    + "the theorem for arms whose means lie in [-D + r, D - r], and for all arms with one bin more on each side."
    + _SAFE_DISTRIBUTIONS,
    instead=_ONE_BIN_MORE
    + (
        "With constants (`banditproof theory show wu_2023.regret_central_explicit`), where L_c = log(c K T log_2^2 T): R_T <= "
        "128 sqrt(KT L_32) + 1056 (8 K L_2/epsilon)^(1-1/k) T^(1/k) + 200 T alpha_1^(1-1/k) + 2D + 8 (K + 1) D (L_32/alpha_1^2 "
        "+ iota L_2/epsilon + 4500000 log(32 K D T log_2^2 T)/epsilon), with iota = (1 - alpha_1)/(0.249 - alpha_1), for T >= "
        "K, epsilon <= 1, alpha_1 < 0.133, D >= 2r."
    ),
    refuted_by=("wu_2023.regret_central/growth.range_and_horizon_high_at_an_end",),
)

FRACTIONS_OF_THE_FAILURE = Finding(
    name="shares_of_the_failure",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="the failure probabilities that the proof names leave nothing for the noise",
    place="Proof of Theorem 6.5, steps 1 and 2, Appendix E",
    sentence=(
        "with high probability 1 - delta/2, |J - mu| <= 2r ... Therefore, with probability 1 - 3delta/8, T_2 <= ... By Hoeffding's "
        "inequality, we "
        "have with probability 1 - delta/8 ..."
    ),
    literal=(
        "The three failures sum to delta, and the Laplace noise of the second fold, which is bounded by O(M log(1/delta)/(n "
        "epsilon)), has a failure too (unit_ratio in the formula below). So the proof does not give 1 - delta."
    ),
    charitable=(
        "T_1 and the first part of T_2 use one event, the number of outliers. Counted once, T_2 needs 2 delta/8, and delta/8 is left."
    ),
    counterexample="the left side of the formula below is 9/16. Any unit_ratio > 0 will do",
    values=(("failure", "1/2"), ("unit_ratio", "1/16")),
    consequence="None for the bound, after the repair; the constants inside O do not change.",
    stands="Theorem 6.5 for the means for which step 1 holds.",
    instead=(
        "1 - 2 delta/8 for T_2, and 1 - delta/8 for the noise: delta/2 and four eighths. The step shares_of_the_failure of "
        "central_radius_assembled."
    ),
    step="printed_shares",
)

OUTLIERS_OWN_SUM = Finding(
    name="outliers_own_sum",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="T_1 is written for the bound of T_1",
    place="Proof of Theorem 6.5, step 2, second inequality for T_2, Appendix E",
    sentence="... <= |(1/n) sum over i in [n] of (X_i - mu) 1(|X_i - J| <= M)| + T_1",
    literal=(
        "T_1 is the sum over the outliers themselves. The second term of the line above is a sum over inliers in the outliers' places, "
        "which is "
        "not T_1: if all outliers equal mu, T_1 is 0 and that sum is not."
    ),
    charitable="The bound of T_1, |N_G|/n (M + 2r), is meant, which holds for both; Appendix D writes it out (4 alpha_1 M).",
    consequence="None.",
    stands="Everything that follows.",
    instead="'+ |N_G|/n (M + 2r)' for '+ T_1'.",
)

WHAT_EXISTS = Finding(
    name="what_exists",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="D is among the constants that exist, and M is any constant",
    place="Theorem 6.5",
    sentence="there exist some constants T(alpha_1, epsilon, delta), r, M and D >= 2r such that for all n >= T(alpha_1, epsilon, delta)",
    literal=(
        "D is given with the problem (Definition 3.2), so it cannot be chosen; the threshold depends on D and k too. As M may be any "
        "constant, a "
        "large one makes the bound say nothing. alpha <= alpha_1 allows alpha = 0 beside alpha_1 > 0. The breakdown point alpha_max is "
        "that of the analysis, see breakdown_of_the_choice."
    ),
    charitable="For every D >= 2r; the corollaries, which follow, are the content.",
    consequence=(
        "Read as printed, the theorem is not refuted by the means at the ends of the range, since a suitable D may be chosen; read for "
        "every D it "
        "fails as Corollary 6.6 does."
    ),
    stands="The theorem as printed; its proof for means that have bins on both sides.",
    instead="Corollaries 6.6 and 6.8, for the means for which they hold.",
)

TRUE_CONTAMINATION_KNOWN = Finding(
    name="true_contamination_known",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="the bin width is set by the true contamination alpha, which the learner does not know",
    place="Corollary 6.8 and Theorem 6.12, 'iota'; Algorithm 3, line 1 (r is an input)",
    sentence="we let r = iota^(1/k) where iota = (1 - alpha)/(0.249 - alpha)",
    literal="r is an input of the algorithm, so the algorithm as printed needs alpha itself, not only the bound alpha_1 >= alpha.",
    charitable="With alpha_1 for alpha in iota the proof goes through: C_2 <= 0.249 still, and M >= 4r in the same range alpha_1 < 0.133.",
    consequence="None for the claims. For alpha = 0.01, alpha_1 = 0.1 iota is 6.04 in place of 4.14.",
    stands="Corollary 6.8 and Theorem 6.12 in both readings. Here alpha_1 is used.",
    instead="iota = (1 - alpha_1)/(0.249 - alpha_1): mass_at_the_known_share.",
)

SUFFICIENT_SAMPLES = Finding(
    name="sufficient_samples",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="'requires n >= 20 log(16D/delta)/epsilon' is true, and 40 is what is enough",
    place="Proof of Theorem 6.5, case I, Appendix E",
    sentence="Hence, we have C_1 < 0.1, which requires n to satisfy n >= 200 log(16D/delta) and n >= 20 log(16D/delta)/epsilon",
    literal=(
        "4 log(16D/delta)/(n epsilon) < 0.1 needs more than 40 log(16D/delta)/epsilon; at 20 it is 0.2 and 6 C_1 + 4 C_2 = 1.6. And at n "
        "= 200 "
        "log(16D/delta), epsilon = 1, 6 C_1 + 4 C_2 is 1, not below it."
    ),
    charitable=(
        "'Requires' says that 20 is necessary, which it is. The proof goes on with 200/epsilon, which is enough; a tie has probability 0."
    ),
    consequence="None.",
    stands="The threshold 200 log(16D/delta)/epsilon of the proof, for epsilon <= 1.",
    instead="40 in place of 20: noise_small_from_forty.",
)

KNOWN_BOUND_IN_THE_CONDITION = Finding(
    name="known_bound_in_the_condition",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="1/alpha >= iota is written for 1/alpha_1 >= iota",
    place="End of the proof of Theorem 6.5, case II, Appendix E",
    sentence="which satisfies M >= 4r when n and alpha satisfy n >= iota log(1/delta)/epsilon and 1/alpha >= iota",
    literal=(
        "M is at most 4 alpha_1^(-1/k), so M >= 4r needs 1/alpha_1 >= iota. With alpha = 0.1 and alpha_1 = 0.4, 1/alpha = 10 >= iota = "
        "6.04, and "
        "M <= 4 * 2.5^(1/k) < 4r."
    ),
    charitable="Corollary 6.8 has alpha_1 < 0.133, where 1/alpha_1 >= iota holds by itself.",
    consequence="None in the range of the corollary.",
    stands="Corollary 6.8's range.",
    instead="1/alpha_1 >= iota: bins_by_the_known_share.",
)

BREAKDOWN_OF_THE_CHOICE = Finding(
    name="breakdown_of_the_choice",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="0.133 is a limit of the choice of M, not of the estimator",
    place="End of the proof of Theorem 6.5, Appendix E; Theorem 6.5, 'alpha_max < 1/2 is the breakdown point'",
    sentence="Hence, we only have a valid concentration for alpha in (0, 0.133)",
    literal=(
        "The limit comes from M = 4 alpha_1^(-1/k) >= 4r alone, that is alpha_1 iota <= 1. M is free up to a constant: with "
        "M = 4 max{1, iota alpha_1}^(1/k) alpha_1^(-1/k) the condition M >= 4r holds up to alpha_1 < 0.249, at the price of a constant (k "
        "= 2: 1.81 at alpha_1 = 0.2, 4.50 at 0.24, 43.2 at 0.2489) that grows without limit towards 0.249."
    ),
    charitable="'Only' refers to this choice of M. The number is right: alpha_1 iota = 1 at 1 - sqrt(0.751) = 0.13340.",
    consequence=(
        "Corollary 6.8 and Theorem 6.12 could be stated up to any fixed number below 0.249, with a constant that depends on it. "
        "The experiments use at most 0.1."
    ),
    stands="The corollary in its range.",
    instead="'our choice of M needs alpha_1 < 0.133', or the larger M above: breakdown_rounded has the end of the range.",
)

THRESHOLD_SQUARED = Finding(
    name="threshold_squared",
    grade=Grade.LOOSE,
    reach=Reach.ORDER,
    title="the threshold log(1/delta)/alpha_1^2 can be log(1/delta)/alpha_1",
    place="Proof of Theorem 6.5, case II, Appendix E; Corollary 6.8; DK log T/alpha_1^2 in Theorem 6.12",
    sentence="One simple way is to set n >= log(16/delta)/alpha_1^2",
    literal=(
        "It is for the last part of T_3, 2r sqrt(log(16/delta)/(2n)). As r = iota^(1/k) is at most 7.48^(1/2) for alpha_1 < 0.133, that "
        "part "
        "is at most 3.87 sqrt(log(16/delta)/n), a constant times the first term of the bound, for every n: the paper argues so in case I. "
        "Only T_1 needs a threshold, n >= log(16/delta)/alpha_1."
    ),
    charitable="The paper says 'one simple way'.",
    consequence=(
        "The term DK log T/alpha_1^2 of Theorem 6.12 improves to DK log T/alpha_1: 50 times at alpha_1 = 2 %, where it is the largest of "
        "all terms "
        "at the T = 10^5 of the experiments."
    ),
    stands="Corollary 6.8 and Theorem 6.12 as printed.",
    instead="n >= max{c_1 log(16D/delta)/epsilon, log(16/delta)/alpha_1} with a larger constant at sqrt(log(1/delta)/n): width_is_bounded.",
)

BIN_CONSTANT = Finding(
    name="bin_constant",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="the 'absolute constant c_1' is 4,500,000: at the paper's T nothing but random exploration happens",
    place="Corollary 6.8, 'there exists constant c_1'; proof of Theorem 6.5, case II, Appendix E",
    sentence="there exists an absolute constant c_1 such that when n >= c_1 log(16D/delta)/epsilon, we guarantee 6C_1 + 4C_2 < 1",
    literal="C_2 = 0.249 leaves 6 C_1 < 0.004, and C_1 >= sqrt(2/c_1) at epsilon = 1, so c_1 > 2 (6/0.004)^2 = 4,500,000.",
    charitable="Only the existence is claimed, and it exists.",
    consequence=(
        "At the parameters of Appendix A (K = 11, T = 10^5, epsilon = 1, any alpha_1) the first tested batch has 2^28 = 2.7 * 10^8 rounds "
        "or more: "
        "the policy of Theorem 6.12 draws arms at random to the end. With 0.2 in place of 0.249 it is c_1 = 1800, for alpha_1 < 0.1055; "
        "with "
        "0.24, 45000, for alpha_1 < 0.128."
    ),
    stands="The order.",
    instead="C_2 = 0.2, that is iota = (1 - alpha_1)/(0.2 - alpha_1), and c_1 = 1800; for 0.249, smallest_bin_constant.",
)

STRICTLY_IMPROVES = Finding(
    name="strictly_improves",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="a sum of two logarithms is below their product only where both are large",
    place="Remark 6.7; its 'lemma' is Corollary 6.6",
    sentence=(
        "The above lemma strictly improves the result in [38, Theorem 3.5] ... it ... achieves log D log(1/delta)/epsilon for the third "
        "term. In "
        "contrast, our third term is additive rather than multiplicative"
    ),
    literal=(
        "log D + log(1/delta) < log D log(1/delta) fails for every D <= e; at D = 2, delta = 10^-5 the sum is 12.2 and the product 8.0."
    ),
    charitable=(
        "The remark compares orders: as D and 1/delta grow the quotient of sum and product goes to 0, and for D >= 2r and delta <= 1/2 "
        "the sum is "
        "at most 2.9 times the product."
    ),
    consequence="None for the order. (Corollary 6.6 itself holds for means inside the range, see concentration_clean_at_an_end.)",
    stands="Additive against multiplicative, as orders.",
    instead="'as D and 1/delta grow': sum_below_product, for both logarithms from 2 on.",
)

SMALL_CONTAMINATION = Finding(
    name="small_contamination",
    grade=Grade.LOOSE,
    reach=Reach.ORDER,
    title="gamma^ is dominated only from T = DK log T alpha_1^(1/k - 3) on, beyond the paper's T at 2, 5 and 10 %",
    place="Remark 6.13, first sentence",
    sentence="O(gamma^), which is dominated by other terms for a sufficiently large T and small alpha, D",
    literal=(
        "gamma^ contains DK log T/alpha_1^2, which grows as alpha_1 falls, while T alpha_1^(1-1/k) falls. If 'small alpha' "
        "means a small alpha_1, it makes it harder: for every T there is an alpha_1 so small that gamma^ exceeds all other "
        "terms, and T itself."
    ),
    charitable=(
        "alpha without index stands in iota alone, which 'small alpha' keeps bounded; and T is large after alpha_1, D and "
        "epsilon. So read the sentence is true."
    ),
    counterexample=(
        "K = 11, D = 5, k = 2, alpha_1 = 2 %, T = 10^5 (the T and alpha of Appendix A): DK log T/alpha_1^2 = 1.58 * 10^6, which "
        "is 112 times T alpha_1^(1/2) = 14142, and above T"
    ),
    consequence=(
        "At T = 10^5, D = 5, gamma^ is the largest term of Theorem 6.12 at every alpha of Appendix A (112, 11.3 and 2.0 times "
        "T alpha_1^(1/2) at 2, 5, 10 %); it is dominated from T = 1.6 * 10^7, 1.4 * 10^6 and 2.1 * 10^5 on."
    ),
    stands="The sentence, for T large after alpha_1, D and epsilon.",
    instead=(
        "'for T >= DK log T alpha_1^(1/k - 3) and T >= DK log(DT) alpha_1^(1/k - 1)/epsilon' (the term with iota is at most 8 "
        "times the last one): dominated_from_here, last_entry_dominated. In both the condition is the inequality solved for T."
    ),
)

TIGHTER_FOR_LARGE_RANGES = Finding(
    name="tighter_for_large_ranges",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.ORDER,
    title="a large D does not make Theorem 6.12 tighter than D times Theorem 6.2 unless T is large too",
    place="Remark 6.13, its comparison",
    sentence=(
        "the dependence on D is only an additive linear term rather than a multiplicative factor of O(D). Consequently, the bounds "
        "presented in Theorem "
        "6.12 and Theorem 6.10 prove to be substantially tighter when D assumes larger values"
    ),
    literal=(
        "Both bounds are linear in D, and the central one has D log(DT) besides: at a fixed T, whatever the constants, the quotient of "
        "the central "
        "bound and D times the raw one goes to infinity with D, like log D. The central bound has D K log T/alpha_1^2, the other one "
        "D (K log T/alpha_1 + T alpha_1^(1-1/k) + ...), so only T makes it tighter: from about K log T alpha_1^(1/k - 3) on."
    ),
    charitable="With T large first and D large then, the central bound is the smaller, as the remark says.",
    counterexample=(
        "K = 11, k = 2, alpha_1 = 2 %, epsilon = 1, D = 10^6, T = 10^5: with all constants 1 the bound of Theorem 6.12 is 11.5 "
        "times D times that of Theorem 6.2, and D -> infinity does not help (10.0 at epsilon = 0.2, 1.5 to 1.6 at alpha_1 = 5 "
        "%, 0.34 to 0.40 at 10 %). With the constants of the proofs at D = 5 the central bound is 3600 times the other one at 2 "
        "%, 2800 times at 10 %"
    ),
    values=(
        ("moment", "2"),
        ("arms", "11"),
        ("contamination", "1/50"),
        ("epsilon", "1"),
        ("range", "1000000"),
        ("horizon", "100000"),
    ),
    consequence=(
        "The comparison that motivates Algorithm 3 goes the other way at six of the nine settings of Appendix A, whatever D is. It is a "
        "comparison "
        "of orders at one T, with 1 for the constants."
    ),
    stands=(
        "The comparison for T >= K log T alpha_1^(1/k - 3) and large D, and that of Theorem 6.10 with D times Remark 6.3 for large T. "
        "With the "
        "threshold of threshold_squared it holds at smaller T too."
    ),
    instead=(
        "State the condition T >= K log T alpha_1^(1/k - 3); dominated_from_here has it, with the factor D, for the term "
        "concerned (the condition is this inequality solved for T)."
    ),
    step="tighter",
)

SLIPS_OF_THE_PROOFS = Finding(
    name="slips_of_the_central_proofs",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="misprints in the proofs of Theorems 6.5 and 6.10",
    place="Proof of Theorem 6.5, step 1, and proof of Theorem 6.10, 'B_tau(a) <=', Appendix E",
    sentence=(
        "(1) where the first inequality is from inequality (4) ... (2) the bin chosen by line 3 in Algorithm 3 ... (3) B_tau(a) <= "
        "O(x, y, z)"
    ),
    literal=(
        "(1) The first inequality is that of a set within another; the second one is from (4). (2) The bin is chosen in line 5. (3) The "
        "last display of the bound on B_tau(a) has commas for the plus signs of the one before."
    ),
    charitable="All evident.",
    consequence="None.",
    stands="Everything else.",
    instead="As said.",
)

THRESHOLD_LOGARITHM = Finding(
    name="threshold_logarithm",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="the threshold of Theorem 6.10 has 16 under its logarithm where the proof of Corollary 6.6 gives 32",
    place="Proof of Theorem 6.10, 'from Corollary 6.6, we have with probability at least 1 - delta/(2|S| tau^2)', Appendix E",
    sentence=(
        "For tau > tau_0, B_tau >= 200 log(16 D |S| tau^2/delta)/epsilon. For each a in S, from Corollary 6.6, we have with probability ..."
    ),
    literal=(
        "The proof of Corollary 6.6 at the failure delta/(2|S| tau^2) asks for 200 log(32 D |S| tau^2/delta)/epsilon. With 16 its lines "
        "give the probability 1 - 3/2 delta/(2|S| tau^2)."
    ),
    charitable=(
        "The corollary hides its constants, and 200 has room: with 16 the histogram still fails with about delta'/(2 r) where delta'/2 is "
        "allowed, r > 1. The union bound holds with the 3/2 as well (step printed_threshold_is_enough)."
    ),
    consequence="None: the good event has a probability of at least 1 - delta with either constant.",
    stands="Theorem 6.10 with 16 as with 32.",
    instead="200 log(32 D |S| tau^2/delta)/epsilon (central_threshold_clean), or 16 with the sum over epochs from 2 on.",
)
