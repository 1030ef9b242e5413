"""What was found about the statements of raw.py: Theorem 6.1, and the sample complexity after it."""

from banditproof.theory.findings import Finding, Grade, Reach

CLEAN_RADIUS = Finding(
    name="clean_radius",
    grade=Grade.FALSE,
    reach=Reach.ORDER,
    title="without contamination the concentration fails for weak privacy, whatever the constant",
    place="Theorem 6.1, uncontaminated case, and the last two displays of case 1 of its proof, Appendix D",
    sentence=(
        "for any privacy budget epsilon > 0 and delta in (0, 1) ... |mu~ - mu| = O(sqrt(log(1/delta)/n) + M log(1/delta)/(n epsilon) + "
        "1/M^(k-1)), with probability at least 1 - delta ... For epsilon > 0 and delta in (0, 1) ... Taking M = (n epsilon/(4 "
        "log(4/delta)))^(1/k), we have |mu~ - mu| <= sqrt(2 log(4/delta)/n) + 2 (4 log(4/delta)/(n epsilon))^(1-1/k)"
    ),
    literal=(
        "The proof merges Bernstein's term 4 M log(4/delta)/(3n) into the noise's term, which is smaller than it once epsilon is above 3. "
        "As epsilon grows, the truncation M grows without end and the claim becomes that the plain empirical mean of rewards with E|X|^k "
        "<= 1 is within O(sqrt(log(1/delta)/n)) of its mean with probability 1 - delta. It is not: the value sqrt(n/(2 delta)), at the "
        "rate that E X^2 = 1 allows, occurs among n rewards with probability about 2 delta and moves their mean by 1/sqrt(2 n delta), and "
        "the quotient of this to the bound, 1/sqrt(2 delta log(1/delta)), goes to infinity as delta goes to 0. So the radius of the proof "
        "fails, and no other constant helps."
    ),
    charitable=(
        "With epsilon <= 1, as Theorem 6.5 has it, or with a constant that may depend on epsilon (3/2 + epsilon/3 in place of 2 is enough "
        "at the printed M), the claim is true. But epsilon stands in the O() as a variable, and 'epsilon > 0' is printed in the theorem "
        "and in its proof."
    ),
    counterexample=(
        "the explicit radius, n = 1, epsilon = 300, delta = 1/20: X = 4 with probability 1/16, else 0, has E X^2 = 1 and mean 1/4; M = "
        "4.137 keeps the 4, the estimate 4 is 3.75 from the mean, the radius is 3.444 and the noise has scale 0.028: it fails with "
        "probability 0.0624 > 0.05. Any constant: n = 64, delta = 10^-5, X = v = 1789 with probability 1/v^2, else 0: some v occurs with "
        "probability 2.0 10^-5 > delta and puts the estimate 27.95 away, 65.9 times sqrt(log(1/delta)/n); at delta = 10^-8 it is 1648 "
        "times. M is above v from epsilon = 2.6 10^6 on"
    ),
    values=(("samples", "1"), ("epsilon", "300"), ("moment", "2"), ("failure", "1/20")),
    consequence=(
        "The order of the bound is wrong where epsilon is of the order of log(1/delta)/delta, and the explicit radius is too "
        "small already at a few hundred; between 3/2 and there the proof says nothing. The paper's experiments have epsilon <= "
        "1 and are not touched. Section 6.1's sample complexity and Remark 6.3 inherit it: clean_sample_complexity and "
        "regret_clean are one fault with this entry, the truncation for large epsilon."
    ),
    stands=(
        "The theorem and the explicit radius for epsilon <= 3/2, and the contaminated case for every epsilon. The second display, with M "
        "chosen, holds for every epsilon (and delta <= 1/2) if M is chosen with min{epsilon, 1} for epsilon: the error is in the choice of "
        "M."
    ),
    instead=(
        "M = Theta((n min{epsilon, 1}/log(1/delta))^(1/k)), the noise being that of epsilon. With constants and e = "
        "min{epsilon, 3/2}: M = (n e/(4 log(4/delta)))^(1/k) and |mu~ - mu| <= sqrt(2 log(4/delta)/n) + 2 (4 log(4/delta)/(n "
        "e))^(1-1/k) (`banditproof theory show wu_2023.clean_radius`): merge_up_to_three_halves, merge_beyond_three_halves, "
        "repaired_by_variance."
    ),
    refuted_by=(
        "wu_2023.clean_radius/points.as_printed_v4_p1over16_eps300",
        "wu_2023.clean_radius/coverage.as_printed_v4_p1over16_eps300",
        "wu_2023.clean_concentration_tuned/points.rare_value_constants_to_1000",
        "wu_2023.clean_concentration_tuned/growth.epsilon_high_rarely_kept_value",
        "wu_2023.clean_concentration/growth.epsilon_high_tuned",
    ),
)

CLEAN_SAMPLE_COMPLEXITY = Finding(
    name="clean_sample_complexity",
    grade=Grade.PROOF_GAP,
    reach=Reach.ORDER,
    title="with the truncation of Theorem 6.1 so many samples are not enough for large epsilon",
    place="Section 6.1, the paragraph after Theorem 6.1",
    sentence=(
        "It can be translated into a sample complexity bound, i.e., to guarantee |mu~ - mu| <= eta for any eta in (0, 1), it requires the "
        "sample size to be n >= O(log(1/delta)/eta^2 + log(1/delta)/(epsilon eta^(k/(k-1)))), which is optimal"
    ),
    literal=(
        "It is Theorem 6.1 solved for n, and fails where that fails: for large epsilon and n = C log(1/delta)/eta^2 a value v = 2 eta n, "
        "of probability 1/v^2, occurs with probability about 1/(4 C log(1/delta)), far above delta, and makes the error nearly 2 eta. "
        "Also 'requires' is the wrong way round: Theorem 6.1 says that so many samples are enough; that they are required is the lower "
        "bound cited."
    ),
    charitable=(
        "The sentence names no range of epsilon and no M. For epsilon <= 1, and for every epsilon with an M chosen with min{epsilon, 1}, "
        "it is true and optimal."
    ),
    counterexample=(
        "k = 2, eta = 1/2, delta = 10^-6, n = 100 log(1/delta)/eta^2, that is 5527, M as in the proof: v = 5527 occurs with probability "
        "1.8 10^-4 = 181 delta and the error is then 0.9998 > 1/2, from epsilon = 3.4 10^5 on"
    ),
    consequence=(
        "One fault with clean_radius, not a further one. At the printed M no constant serves for all epsilon. For epsilon <= "
        "3/2 nothing changes."
    ),
    stands="The number of samples, for every epsilon, with the M of clean_radius at min{epsilon, 3/2}.",
    instead=(
        "min{epsilon, 1} in place of epsilon in M. With constants: n >= max{8 log(4/delta)/eta^2, 4 log(4/delta)/min{epsilon, "
        "3/2} (4/eta)^(k/(k-1))} (`banditproof theory show wu_2023.clean_sample_complexity_explicit`)."
    ),
    refuted_by=("wu_2023.clean_sample_complexity/points.rare_value_constants_to_1000",),
)

RAW_RADIUS_MERGE = Finding(
    name="raw_radius_merge",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="Bernstein's term is merged into the noise's term for every epsilon",
    place="Proof of Theorem 6.1, last merge of case 2 (contaminated; case 1 has the same one), Appendix D",
    sentence=(
        "Thus, for epsilon > 0, we have |mu~ - mu| <= sqrt(2 log(16/delta)/n) + 4 M log(16/delta)/(n epsilon) + 1/M^(k-1) + 8 alpha_1 M"
    ),
    literal=(
        "4 M log(16/delta)/(3n) + 2 M log(2/delta)/(n epsilon) is not at most 4 M log(16/delta)/(n epsilon) for every epsilon: "
        "from epsilon = 3 on the first term alone is as large as the right side. The quoted line is true all the same (for "
        "every epsilon); it does not follow in the way the proof says."
    ),
    charitable="For epsilon <= 3/2 the line holds for every delta.",
    counterexample="epsilon = 3, delta = 1/2, both sides times n epsilon/M: 4 log 32 + 2 log 4 = 16.6 against 4 log 32 = 13.9",
    values=(("epsilon", "3"), ("failure", "1/2")),
    consequence="None in the contaminated case; the uncontaminated case is false for large epsilon (clean_radius).",
    stands="The radius of the contaminated case, for every epsilon: the slack in 8 alpha_1 M pays for Bernstein's term.",
    instead=(
        "2 T_1 + 4 M log(16/delta)/(3n) <= 8 alpha_1 M (outliers_and_bernstein) and then 2 log(2/delta) <= 4 log(16/delta) (laplace_alone)."
    ),
    step="merge",
)

FAILURE_NEAR_ONE = Finding(
    name="failure_near_one",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="log(1/delta) stands for log(16/delta), which needs delta bounded away from 1",
    place="Theorem 6.1, its displays against those of its proof in Appendix D; in the same way Corollaries 6.6 and 6.8",
    sentence="for any privacy budget epsilon > 0 and delta in (0, 1) ... O(sqrt(log(1/delta)/n) + M log(1/delta)/(n epsilon) + ...)",
    literal=(
        "The proof bounds the error with log(16/delta) (log(4/delta) without contamination), the theorem has log(1/delta), "
        "which goes to 0 as delta goes to 1: log(16/delta) <= C log(1/delta) holds for delta <= 16^(-1/(C-1)) alone, so C = 5 "
        "serves for delta <= 1/2. At delta = 9/10, log(16/delta) = 2.878 and 5 log(1/delta) = 0.527."
    ),
    charitable=(
        "To write log(1/delta) for log(c/delta) within O(), delta at most 1/2, is the convention of the field. For delta <= "
        "1/2, as in every use (Algorithm 1 has at most 1/4 for one estimate), 5 and 3 are such constants."
    ),
    consequence="None for the regret bounds. Whether the theorem holds for delta near 1 and bounded epsilon is left open by its proof.",
    stands="The theorem for delta <= 1/2.",
    instead="delta in (0, 1/2], with the constant 5 (logarithm_up_to_one_half), or log(16/delta) in the theorem.",
)

FAILURE_SPENT_TWICE = Finding(
    name="failure_spent_twice",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="the proof spends an eighth of the failure probability twice, and rounds a factor of 3.081 up to 4",
    place="Proof of Theorem 6.1, case 2, the bounds of T_1 and T_2, Appendix D",
    sentence="T_1 <= 4 alpha_1 M ... 'with probability 1 - delta/4' ... 'the similar analysis of T_1' ... 'w.p. 1 - delta/4'",
    literal=(
        "The number of outliers is one event, which T_1 and the first part of T_2 share; the proof counts it twice. And at n = "
        "log(8/delta)/alpha_1 the bound of T_1 is (1 + sqrt(2) + 2/3) alpha_1 M = 3.081 alpha_1 M."
    ),
    charitable="The theorem hides its constants, so nothing was to be gained in its statement.",
    consequence="Constants: 7/8 of delta is spent, and the term 8 alpha_1 M could be 6.162 alpha_1 M plus Bernstein's.",
    stands="Everything that is printed; the event may also be counted twice (count_again).",
    instead="raw_radius_assembled, which keeps the bound of T_1 as it is before it is rounded up.",
)
