"""What was found about section 4: Algorithm 2 and Theorem 4.1."""

from banditproof.theory.findings import Finding, Grade, Reach

CAP_OF_ONE = Finding(
    name="cap_of_one",
    grade=Grade.PROOF_GAP,
    reach=Reach.CONCLUSION,
    title="The index is cut at 1 above a mean of noisy rewards, which may lie far below the true mean",
    place="Algorithm 2, U(i, t - 1); Theorem 4.1, '(see Corollary 2 (Cutkosky et al., 2020))'",
    sentence=(
        "U(i, t-1) = mu^_{T(i,t-1)} + min(1, (C_i T(i,t-1)^alpha_i + p sqrt(...))/T(i,t-1)) - R_i/T; Theorem 4.1. (see Corollary 2 "
        "(Cutkosky et al., 2020))"
    ),
    literal=(
        "In the source rewards lie in [0, 1], so a mean plus 1 is above every mean reward, and the cut is harmless. Here the mean is of "
        "noisy rewards with standard deviation sigma (4.5 at epsilon = 1, delta = 0.1), and |y_t| <= 1. After one round the index of the "
        "best learner is below its mean reward with probability at least Phi(-1/sigma), and a learner with a low index may never be "
        "played again. The quoted corollary, with probability 1 - 3 beta, is about an index that is above the mean in all rounds."
    ),
    charitable=(
        "The radius has 1 + sigma^2 and is wide enough; only the cut is not. Cut from above, min(1, mean + ...), it would be right. A "
        "proof in the appendix could treat it. The bound of Theorem 4.1 is not refuted: it is about the learners named there, which need "
        "not behave like those two."
    ),
    counterexample=(
        "epsilon = 1, delta = 0.1: sigma = 4.495, Phi(-1/sigma) = 0.412; epsilon = 10: sigma = 0.45, 0.0131; against 3 beta, 0.03 at "
        "beta = 0.01 and 3/T at beta = 1/T. Of two learners with rewards 1 and 0, the first has an index below 0 after one round with "
        "probability Phi(-2/sigma) = 0.328 at epsilon = 1, while that of the second, after many, is above 0."
    ),
    values=(("sigma", "9/2"),),
    consequence=(
        "With a probability of about 0.4 the best learner starts below its mean, and the combiner may stay with another one whose "
        "putative regret is larger; Theorem 4.1 does not follow from the corollary that is quoted."
    ),
    stands="The algorithm without the cut: the radius alone is above the deviation of the noisy mean.",
    instead="U = mean + (C_i n^alpha_i + rad(n))/n - R_i/T, infinite at n = 0.",
    refuted_by=("ldp_linucb_2024.index/points.index_after_one_round_as_printed",),
)

REMAINS_BELOW = Finding(
    name="remains_below",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="The first case remains below the second only for epsilon of the order T^(-1/12) or more",
    place="Section 4, after Theorem 4.1, 'The guarantee then degrades'",
    sentence=(
        "The guarantee then degrades with a rate of O(1/lambda_min^2), yet it remains below O~(sqrt(d) T^(5/6) + sqrt(d) "
        "T^(17/24)/epsilon)."
    ),
    literal=(
        "At lambda_min = T^(-1/8) the first case is sqrt(d) T^(3/4)/epsilon, and 3/4 = 18/24 > 17/24. It is below sqrt(d) T^(5/6) for "
        "epsilon >= T^(-1/12) alone."
    ),
    charitable="For a fixed epsilon the sentence is true.",
    counterexample="epsilon = T^(-1/6): T^(11/12) against T^(5/6) + T^(7/8); the quotient is T^(1/24). Both are below T.",
    consequence="None for epsilon of order 1.",
    stands="The sentence for epsilon >= T^(-1/12).",
    instead="'for epsilon >= T^(-1/12)'.",
    refuted_by=("ldp_linucb_2024.remains_below/growth.small_epsilon",),
)

GUESS_ABOVE = Finding(
    name="guess_above",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="Between T^(-1/8) and twice that, every guess but the first learner's is too large",
    place="Section 4, 'at least one of our guesses would be at most a constant factor away'",
    sentence=(
        "by setting lambda_i = 2^(i-1)/T^(1/8) for i in [M], we can guarantee that at least one of our guesses would be at most a "
        "constant factor away from the actual lambda_min if lambda_min >= 1/T^(1/8)"
    ),
    literal=(
        "A width that is computed from a guess above lambda_min is too small. For lambda_min in [T^(-1/8), 2 T^(-1/8)) the only guess "
        "that is not above it is T^(-1/8), of the first learner, which injects noise and has putative regret C_1 n^(3/4). And the number "
        "M of guesses is not printed."
    ),
    charitable="A constant factor in the guess is a constant factor in the width, which gamma can take.",
    consequence="A constant.",
    stands="Theorem 4.1 in orders, as far as this is concerned.",
    instead="A learner without injected noise at T^(-1/8), and M = 1 + ceil(log2 T^(1/8)).",
)

TARGETS_EXCEED_THE_HORIZON = Finding(
    name="targets_exceed_the_horizon",
    grade=Grade.LOOSE,
    reach=Reach.CONCLUSION,
    title="At the paper's T the targets R_i are 15 to 154 times T, and decide the index alone",
    place="Theorem 4.1, R_i; Algorithm 2, - R_i/T",
    sentence="R_i = C_i T^alpha_i + ... + 288 log(T^3 N/beta) T eta_i + sum_{k != i} 1/eta_k; U(i, t-1) = ... - R_i/T",
    literal=(
        "At T = 20000, d = 5, beta = 1/T, M = 3, P = P' = 1: R_1/T = 37 and R_i/T = 32 for a right guess of 1/5 at epsilon = 1; 84 and "
        "154 at epsilon = 0.2; 28 and 15 at epsilon = 10. Rewards are at most 1. The guarantee, 3 R_j in the source, says something (is "
        "below 2 T) from T = 10^8 to 10^11 on for the second kind of learner, from about 10^19 on for the first. And the index differs "
        "between learners by more than 2 through R_i/T alone."
    ),
    charitable="The theorem is about orders; P and P' are not printed, and section 5 does not run Algorithm 2.",
    consequence=(
        "At such horizons Algorithm 2 plays the learner with the least R_i until the test removes it, and no test does where C_i T^alpha_i "
        "is above 2 T. On four arms in the plane at epsilon = 10 (points.least_target_plays_eps10) the first learner plays every "
        "round, with 4 to 9 times the regret of the best base learner after 1000 rounds and 16 to 40 times after 16000."
    ),
    stands="Theorem 4.1 as an order.",
    instead="Say from which T on the guarantee is below T.",
)

NUMBER_OF_LEARNERS = Finding(
    name="number_of_learners",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The number of base learners is M in Algorithm 2 and N in Theorem 4.1",
    place="Theorem 4.1, R_i",
    sentence="288 log(T^3 N/beta) T eta_i",
    literal="N is not defined in section 4; in section 3 it is a round.",
    charitable="The source writes N for the number of base learners, which is M here.",
    consequence="None.",
    stands="Theorem 4.1 with M.",
    instead="288 log(T^3 M/beta) T eta_i.",
)

INDEX_OF_THE_SUM = Finding(
    name="index_of_the_sum",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The general guarantee sums over k other than i, and has a_j for alpha_j",
    place="Section 4, after Theorem 4.1",
    sentence="O~(C_j^(1/a_j) T eta_j^((1-alpha_j)/alpha_j) + sum_{k != i} 1/eta_k)",
    literal="i is not bound in the formula.",
    charitable="k other than j, the best learner's index.",
    consequence="None.",
    stands="The guarantee with j.",
    instead="sum over k other than j.",
)

ROUND_OF_THE_INDEX = Finding(
    name="round_of_the_index",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The index of round t uses counts of the end of round t",
    place="Algorithm 2, U(i, t - 1)",
    sentence="U(i, t-1) = ... p sqrt(T(i,t)(1 + sigma^2) log(T^3 M log T(i,t) (1 + sigma^2)/beta)) ...",
    literal="T(i, t) is known after i_t has been chosen by U.",
    charitable="T(i, t - 1), as in the rest of the formula.",
    consequence="None.",
    stands="Algorithm 2.",
    instead="T(i, t - 1).",
)

LOGARITHM_OF_ONE = Finding(
    name="logarithm_of_one",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="The radius is not defined after one round: it has the logarithm of log 1",
    place="Algorithm 2, U and the test",
    sentence="log(T^3 M log T(i,t) (1 + sigma^2)/beta)",
    literal="At T(i, t) = 1 log T(i, t) is 0, and its logarithm is not defined; at 2 it is log(0.69...), below that of later rounds.",
    charitable="log max(n, e).",
    consequence="None.",
    stands="Algorithm 2 from n = 3 on.",
    instead="log(max(n, e)) for log n.",
)

REGRET_OF_THE_BEST = Finding(
    name="regret_of_the_best",
    grade=Grade.READING,
    reach=Reach.ORDER,
    title="The combiner's regret is not that of its best base learner, by Theorem 4.1 itself",
    place="Section 4, before Theorem 4.1, 'Overall, Algorithm 2 guarantees'",
    sentence="Overall, Algorithm 2 guarantees O(R_T^J) regret where R_T^J is the regret of the best base learner.",
    literal=(
        "By Corollary 3.6 the best learner has sqrt(dT)/(epsilon lambda_min) or sqrt(d) T^(3/4)/epsilon, and by Theorem 4.1 the combiner "
        "has sqrt(dT)/(epsilon lambda_min^2) or sqrt(d) T^(5/6) + ...: more by 1/lambda_min >= d, and by T^(1/12) at fixed epsilon."
    ),
    charitable="R^J means the R_j of Theorem 4.1, not a regret; the text after the theorem explains the loss.",
    consequence="None: Theorem 4.1 says what is meant.",
    stands="Theorem 4.1, as far as this is concerned.",
    instead="'O(R_j), with R_j as in Theorem 4.1'.",
)

TARGET_WITHOUT_NOISE = Finding(
    name="target_without_noise",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="R_i has the source's term for rewards in [0, 1]; here rewards have noise of variance sigma^2",
    place="Theorem 4.1, R_i, third term; against Algorithm 2, the radius",
    sentence="288 log(T^3 N/beta) T eta_i",
    literal=(
        "The third term of R_i is the square of the source's radius times T eta_i. The radius of Algorithm 2 has (1 + sigma^2) under the "
        "root, R_i has not: 21 at epsilon = 1, delta = 0.1, and 506 at 0.2."
    ),
    charitable=(
        "T eta_i is of the order epsilon sqrt(T/d), so that sigma^2 T eta_i is below the first two terms up to constants; P and P' can "
        "be large."
    ),
    consequence="A constant, as far as orders in T and d are concerned.",
    stands="The orders of Theorem 4.1.",
    instead="288 (1 + sigma^2) log(T^3 M/beta) T eta_i.",
)
