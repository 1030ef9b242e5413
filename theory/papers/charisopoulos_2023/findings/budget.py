"""What was found about the budget of plays: lines 3 and 5 of Algorithm 1, (57), (58) and the sums of the proofs."""

from banditproof.theory.findings import Finding, Grade, Reach

TOO_MANY_BATCHES = Finding(
    name="too_many_batches",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.CONSTANT,
    title="With more than log T/log 2 batches Algorithm 1 plays more than T actions",
    place="Section 1.1, 'Batched observations'; lines 2 and 3 of Algorithm 1",
    sentence="in addition to the total number of actions played not exceeding the budget T",
    literal=(
        "The loop plays batches of q^i for i = 1, ..., B - 1, q = T^(1/B), which are (T - q)/(q - 1) plays and what the ceilings add. That "
        "is above T where q < 2 - q/T, so for B a little above 1.4427 log T. No rule is printed that ends the loop earlier."
    ),
    charitable=(
        "The paper takes B 'logarithmic in T', and with B at most log T/log 2 all fits, up to the ceilings. B = 2 log T is "
        "logarithmic as well."
    ),
    counterexample="T = 10^6: B = 28, which is 2 log T rounded up, has 1.57 T plays in the loop; B = 42 has 2.57 T.",
    values=(("growth", "3/2"), ("horizon", "1000000")),
    step="loop_within_budget",
    refuted_by=("charisopoulos_2023.batches_of_the_loop/points.within_horizon_as_printed",),
    consequence="The budget that the problem sets is exceeded by the factor 1/(q - 1), a constant for B of the order log T.",
    stands="All with q >= 2, up to the ceilings.",
    instead=(
        "q = max(2, T^(1/B)), or a batch that does not fit is not started, which is what the toolkit does. The step "
        "loop_within_budget_for_few_batches has the range."
    ),
)

SUMS_OF_MANY_BATCHES = Finding(
    name="sums_of_many_batches",
    grade=Grade.MISPRINT,
    reach=Reach.CONSTANT,
    title="The sums of the proof of Theorem 3.4 need an upper bound on the number of batches, not a lower one",
    place="Appendix B.1.4, 'Finally, we note that when B >= log(T)'",
    sentence="when B >= log(T) we have [the first sum] <~ sqrt(T) and q = T^(1/B) <= e",
    literal=(
        "The first sum is q (sqrt(T) - 1)/(sqrt(q) - 1) and the second q (T - 1)/(q - 1). Both grow without limit as q falls to 1, which B "
        "much larger than log T makes it: the first as 2 B/log T times sqrt(T), the second as B/log T times T."
    ),
    charitable=(
        "Section 1.1 says 'we focus on the case where B scales logarithmically in T', so >= means: of the order of. Then both sums are "
        "of the stated orders: for log T <= B <= 2 log T the first is at "
        "most 10 sqrt(T). The relation between B and log T is not perfectly legible in the scan."
    ),
    counterexample=(
        "T = 10^6, first sum over sqrt(T): 4.2 at B = 14, 30 at B = 200, 146 at B = 1000. Second sum over T: 1.59, 15.0, 72.9. For B = 2 "
        "the first is 32.6, of the order T^(1/4): B of a smaller order than log T changes the rate as well."
    ),
    refuted_by=(
        "charisopoulos_2023.root_sum_order/growth.batches_high",
        "charisopoulos_2023.size_sum_order/growth.batches_high",
    ),
    consequence="A factor B/log T. The claim of section 1.1 that the analysis is 'easily modified for general B' comes with other rates.",
    stands="The orders for B between two multiples of log T.",
    instead="log T <= B <= 2 log T, with which the step first_sum_between_two_logarithms holds.",
)

SUM_WITHOUT_CONSTANT = Finding(
    name="sum_without_constant",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The sum of q^i is bounded by T without a constant",
    place="Appendix B.1.4, the display after 'For the second sum'",
    sentence="sum q^i (sqrt(log(q^(i-1)/delta)) + log(q^(i-1)/delta)/epsilon) <= (sqrt(log(T/delta)) + log(T/delta)/epsilon) T",
    literal=(
        "The last term of the sum of q^i, i = 1, ..., B, is T itself, so that the sum is above T for every B >= 2; it is "
        "q (T - 1)/(q - 1). The scan shows the relation like the <= of (28); if it is 'up to a constant' there, nothing is wrong."
    ),
    charitable="The last line of the proof is up to a constant, and for q >= e this one is 1.582.",
    counterexample="T = 10^6, q = 2: the sum is 1,999,998, against 1,000,000.",
    values=(("growth", "2"), ("horizon", "1000000")),
    step="second_sum",
    consequence="None.",
    stands="The bound with the constant e/(e - 1) where B <= log T, and 2 where q >= 2.",
    instead="'<~' in place of '<='; the step multiple_of_the_horizon of sum_of_sizes has the constant.",
)

CEILINGS_OF_THE_PLAYS = Finding(
    name="ceilings_of_the_plays",
    grade=Grade.PROOF_GAP,
    reach=Reach.CONSTANT,
    title="(57) leaves out the ceilings of line 5",
    place="Appendix B.2.4, (57)",
    sentence="n_i = sum n_v = q^i sum max{pi(v), nu} <= q^i (1 + nu d log log d)",
    literal=(
        "Line 5 rounds q^i max{pi(a), nu} up to an integer, so that each action of the support is played at least once. A small batch "
        "then costs k plays, not q^i (1 + nu k)."
    ),
    charitable=(
        "n_i <= q^i (1 + nu k) + k, and the k log T plays that are left out are of a lower order. Brackets of line 5 are plain in the "
        "scan; were they to round down, Lemmas 3.2 and 3.6 would fail, which need n_a >= q^i pi(a) and n_a >= nu q^i."
    ),
    counterexample="21 actions of weight 1/21 = nu, q^i = 3: each is played once, which is 21 plays, against 3 (1 + 1) = 6.",
    values=(("support", "21"), ("size", "3"), ("truncation_parameter", "1/21"), ("arm_plays", "1")),
    step="equal_weights_without_ceilings",
    refuted_by=("charisopoulos_2023.plays_m2_printed/points.equal_weights_as_printed",),
    consequence=(
        "The batches with q^i below about k, which are the first log k of them at q = e. The regret gains a term of the order k log T. "
        "(51) leaves out the same ceilings in the first model."
    ),
    stands="(57) up to the additional k.",
    instead="n_i <= q^i (1 + nu k) + k, which is the statement plays_m2.",
)

PLAYS_TURNED_ROUND = Finding(
    name="plays_turned_round",
    grade=Grade.PROOF_GAP,
    reach=Reach.CONSTANT,
    title="(58) uses (57) in the wrong direction",
    place="Appendix B.2.4, (58), the first relation",
    sentence="sum q^i = (1/(1 + nu d log log d)) sum n_i",
    literal=(
        "(57) says n_i <= q^i (1 + nu k), which gives sum q^i >= sum n_i/(1 + nu k): a lower bound, where (59) to (63) need an upper "
        "one. The scan does not show whether the relation is = or <=; both fail, and the step here states the weaker."
    ),
    charitable="It would hold if n_i were equal to q^i (1 + nu k); but the sum of max{pi(a), nu} is below 1 + nu k for every nu > 0.",
    counterexample="One batch of q^i = 1000 with k nu = 1 and all weights equal to nu: n_i = 1000 by line 5, and 1000 > 1000/2.",
    values=(("support", "10"), ("truncation_parameter", "1/10"), ("batch_sum", "1000"), ("batch_plays", "1000")),
    step="sizes_below_plays_over_factor",
    consequence="The factor 1 + nu k by which (61) and (62) divide T is not justified; see sizes_above_the_horizon for what is true.",
    stands="sum q^i >= sum n_i/(1 + nu k), which the step sizes_above_plays_over_factor has.",
    instead="A q that is chosen so that sum n_i <= T, and T gamma in place of (58) where the threshold does not depend on the batch.",
)

SIZES_ABOVE_THE_HORIZON = Finding(
    name="sizes_above_the_horizon",
    grade=Grade.PROOF_GAP,
    reach=Reach.CONSTANT,
    title="(58) bounds the sum of q^i by T/(1 + nu k), and it is above T",
    place="Appendix B.2.4, (58), the first and the last side",
    sentence="sum_(i=1)^B q^i = T/(1 + nu d log log d)",
    literal=(
        "With q = T^(1/B) of line 2 the last term alone is q^B = T, so that the left side is above T for every B >= 2 and the right side "
        "below T for every nu > 0. It fails for all values of all quantities, with = and with <=. The plays of the loop itself are up to "
        "(1 + nu k) (T - q)/(q - 1), which is above T for q < 2 + nu k."
    ),
    charitable=(
        "The sums in (61) and (62) are over i = 0, ..., B - 1 and not i = 1, ..., B. For them the bound T/(1 + nu k) holds if "
        "q >= 2 + nu k, which is B <= log T/log(2 + nu k)."
    ),
    counterexample="T = 10^6, B = 14, nu k = 1: the left side is 1.594 10^6 and the right side 5 10^5; at nu k = 6, 1.43 10^5.",
    values=(("growth", "2"), ("horizon", "1000000"), ("support", "10"), ("truncation_parameter", "1/10")),
    step="sizes_below_horizon_over_factor",
    refuted_by=("charisopoulos_2023.sizes_in_horizon/points.sum_of_sizes_as_printed",),
    consequence=(
        "A factor of about (1 + nu k)/(q - 1) on the terms T and alpha T of Theorem 3.9, and a budget that is exceeded; a constant as "
        "long as nu k is one."
    ),
    stands="(61) and (62) for q >= 2 + nu k, which is the step sizes_from_the_first_width of regret_m2.",
    instead="sum_(i=0)^(B-1) q^i <= T/(1 + nu k) for B <= log T/log(2 + nu k).",
)
