"""What was found about Algorithm 1's elimination: line 10, Fact 1."""

from banditproof.theory.findings import Finding, Grade, Reach

ARMS_OUTSIDE_CORESET = Finding(
    name="arms_outside_coreset",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="Line 10 eliminates every arm outside the coreset, the optimal one too",
    place="Algorithm 1, lines 10 and 12; section 3, Fact 1",
    sentence=(
        "A_i = {a in S_{A_{i-1}} | <a, theta~_i> >= max_{a' in S_{A_{i-1}}} <a', theta~_i> - 2 gamma_i} ... Thus, a* always satisfies the "
        "condition of the algorithm and is not eliminated."
    ),
    literal=(
        "The coreset S_{A_{i-1}} has only the actions in the support of the design. An optimal arm outside it fails the condition of "
        "membership after the first round, whatever its estimate, and is never played. Fact 1 checks the inequality and not the "
        "membership."
    ),
    charitable=(
        "With A_{i-1} in place of S_{A_{i-1}} line 10 is arm elimination as section 2.1 describes it, and Facts 1 and 2 hold. No sentence "
        "says so: the coreset is printed in both ranges of line 10 and again in line 12."
    ),
    counterexample=(
        "d = 2, actions (1, 0), (0, 1) and a* = 0.99 (1, 1)/sqrt(2), theta* = (1, 1)/sqrt(2). Weights 1/2 on the first two are the "
        "G-optimal design; the squared norm of a* is 1.9602 < 2, so that a* is in the support of no optimal design. Its gap to the "
        "others is 0.283: the regret is at least 0.283 T without corruption, privacy or noise."
    ),
    values=(("unit_ratio", "1/2"),),
    consequence="Linear regret against the sqrt(T d log(T/delta)) of Theorem 3.4, and of Theorem 3.9 with the support for d log log d.",
    stands="Facts 1 and 2 and the argument of the regret for elimination over A_{i-1} (best_is_kept, worse_is_removed).",
    instead=(
        "A_i = {a in A_{i-1} | <a, theta~_i> >= max_{a' in A_{i-1}} <a', theta~_i> - 2 gamma_i}, and the best arm of A_{B-1} in line 12."
    ),
    step="best_arm_in_the_coreset",
    refuted_by=(
        "charisopoulos_2023.restricted_to_coreset/points.played_as_printed",
        "charisopoulos_2023.regret_m1/growth.horizon_over_coreset",
    ),
)
