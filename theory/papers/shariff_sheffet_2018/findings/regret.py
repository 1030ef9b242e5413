"""What was found about the statements of regret.py: Theorems 5 and 6, Lemmas 21 and 22, Remark 2."""

from banditproof.theory.findings import Finding, Grade, Reach

REGRET = Finding(
    name="regret",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.CONCLUSION,
    title="Theorem 5 drops the condition beta_n >= 1 of its own Lemma 21",
    place="Theorem 5, (2), and its proof",
    sentence=(
        "Suppose Items 1, 2, 3, 4 and 5 hold and the beta_t are as given by Proposition 4. Then with probability at least 1 - alpha the "
        "pseudo-regret of Algorithm 1 is bounded by ... (2)"
    ),
    literal=(
        "Lemma 21 asks for beta_n >= max{beta_1, ..., beta_n, 1}, so that a round costs at most 2 <= 2 beta_n. Theorem 5 applies it "
        "without that condition, and states no lower bound on sigma, S sqrt(rho_max) or gamma. With little noise and a small "
        "regulariser beta_n is below 1, a round still costs up to 2 B, and (2) falls with beta_n."
    ),
    charitable=(
        "A reader may take max(beta_n, 1) for beta_n throughout; (2) then holds with that, and its order in n is the same. The theorem "
        "gives its hypotheses in full, however, and this one is not among them."
    ),
    counterexample=(
        "n = 1, d = 1, L = S = B = 1, sigma = 1/1000, rho_min = rho_max = 1/100, gamma = 0, alpha = 1/2, theta* = -1, actions 1 and "
        "-999/1000, no noise: the estimate is 0, so the longer action is played, at a regret of 1.999 with certainty; (2) says 0.629. "
        "It is no matter of one round: with n = 10000, d = 4, L = S = B = 1, theta* = -(1, 1, 1, 1)/2, rho_min = rho_max = 10^-6, "
        "gamma = 0, sigma = 10^-5, alpha = 1/20, rewards without noise, actions e_t and -(999/1000) e_t in rounds t = 1 to 4 and one "
        "action from then on, the regret is 3.998 with certainty, and (2) says 2.897"
    ),
    values=(
        ("horizon", "1"),
        ("dimension", "1"),
        ("mean_bound", "1"),
        ("context_norm", "1"),
        ("parameter_norm", "1"),
        ("reward_sigma", "1/1000"),
        ("rho_min", "1/100"),
        ("rho_max", "1/100"),
        ("perturbation", "0"),
        ("failure", "1/2"),
    ),
    consequence=(
        "The regret exceeds (2) by an unbounded factor as sigma and S sqrt(rho_max) + gamma fall to 0; the order in n stays. The "
        "private algorithms and the experiments are not affected: S sqrt(rho_max) + gamma is 552 and 785 at the noise of Appendix D.2 "
        "(n = 5 x 10^7, d = 5, epsilon = 1, delta = 1/10, alpha = 1/n, L~^2 = 2, S = L = B = sigma = 1), and sigma = 1 throughout."
    ),
    stands=(
        "(2) wherever its bracket Psi = [...] is at least E = sqrt(d log(1 + n L^2/(d rho_min))): for sigma >= 1, and for S "
        "sqrt(rho_max) + gamma >= 1. Elsewhere B sqrt(8 n) E holds, which is of the same order in n."
    ),
    instead=(
        "B sqrt(8 n) max(Psi, E), with Psi the bracket [...] of (2) and (3) and E = sqrt(d log(1 + n L^2/(d rho_min))); or add the "
        "condition max(sigma, S sqrt(rho_max) + gamma) >= 1."
    ),
    refuted_by=("shariff_sheffet_2018.regret/points.round1_as_printed",),
)

REGRET_GAP = Finding(
    name="regret_gap",
    grade=Grade.FALSE,
    reach=Reach.ORDER,
    title="Theorem 6 has a factor B where its proof gives B^2",
    place="Theorem 6, (3); its proof refers to Remark 2 'to introduce the missing B factor'",
    sentence="R_n <= (8 B/Delta) [...]^2",
    literal=(
        "Remark 2 divides rewards by B and multiplies the regret by B. Dividing by B divides the gap Delta as well, so that the bound "
        "for B = 1 becomes B times 8 B/Delta: the factor is B^2. With B alone, (3) fails for large B although sigma = 1 and beta_n is "
        "above 1. (For B = 1 it fails where Theorem 5 does, see [regret](#regret).)"
    ),
    charitable="Where B is taken for a constant nothing changes; but B stands in the formula, and Remark 2 is about how (3) depends on it.",
    counterexample=(
        "n = 1, d = 1, B = L = 1000, S = sigma = rho_min = rho_max = 1, gamma = 0, alpha = 1/2, Delta = 1999, theta* = -1, actions "
        "1000 and -999: the longer action is played, at a regret of 1999; (3) says 1650. With n = 1000, d = 4, B = 10^6, L = 2 B, S = "
        "sigma = rho = 1, gamma = 0, alpha = 1/2, theta* = -(1, 1, 1, 1)/2 and actions L e_t and -(999/1000) L e_t in rounds t = 1 to "
        "4 (one action from then on, Delta = 1.999 B) the regret is 8.0 x 10^6 with certainty, and (3) says 9.33 x 10^4, where beta_n "
        "= 12.9"
    ),
    values=(
        ("horizon", "1"),
        ("dimension", "1"),
        ("mean_bound", "1000"),
        ("context_norm", "1000"),
        ("parameter_norm", "1"),
        ("reward_sigma", "1"),
        ("rho_min", "1"),
        ("rho_max", "1"),
        ("perturbation", "0"),
        ("failure", "1/2"),
        ("minimum_gap", "1999"),
    ),
    consequence=(
        "The order in B changes from B to B^2. Nothing changes in n, d or epsilon. The experiments have B = 1. The private corollaries "
        "are not affected where B <= L S, as in Remark 2, and rho_max >= L~^2: then S sqrt(rho_max) >= B and the bracket is large enough."
    ),
    stands=(
        "(3) for B = 1 where (2) stands, (3) with B^2 for B there, and (3) as printed where its bracket is at least sqrt(B) E, E = "
        "sqrt(d log(1 + n L^2/(d rho_min)))."
    ),
    instead=(
        "(8 B^2/Delta) Psi^2, where Psi is the bracket [...] of (2) and (3), or 8 max(beta_n, B)^2 E^2/Delta with E^2 = d log(1 + n "
        "L^2/(d rho_min))."
    ),
    refuted_by=("shariff_sheffet_2018.regret_gap/points.round1_as_printed",),
)

ITEMS_ONE_AND_TWO = Finding(
    name="items_one_and_two",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Without Items 1 and 2 a bound on the regret must name the largest action that is offered",
    place="Section 3, after the list of assumptions",
    sentence=(
        "Items 1 and 2 aren't required to have good pseudo-regret bounds, they merely simplify the bounds on the confidence set (see "
        "Proposition 4 and Section 3.1)."
    ),
    literal=(
        "Item 2 is in no bound on the confidence set: it is what bounds a round's regret by 2 B in Lemma 21. Without Items 1 and 2 the "
        "first round can cost any amount, so no bound in n, d, S, sigma, the regularisers and alpha holds, and none in det V_n either, "
        "since the potential counts min{1, |x|_{V^-1}^2}."
    ),
    charitable=(
        "A bound in terms of the data may have the largest action that was offered for L, and max{1, L S} for B: then Item 1 is a "
        "definition, Item 2 follows from it and Item 3, and the learner with the first form of beta_t uses neither L nor B. 'Good' is not "
        "defined, so the sentence may mean this."
    ),
    counterexample=(
        "d = 1, theta* = -1, H_1 = 1, h_1 = 0, D_1 = {R, -(999/1000) R}: the estimate is 0 and R is the longer action, so R is played at "
        "a regret of 1.999 R. Items 3, 4 and 5 hold for every R, and Lemma 21 without Item 2 would give 2 beta_1 = 5.33 at sigma = 1, "
        "alpha = 1/2."
    ),
    consequence="A remark; Theorems 5 and 6 list both items.",
    stands="Theorems 5 and 6, Proposition 4 (which needs neither item in its first form), and the sentence in the charitable reading: in "
    "the example (2) with L = B = R is at least 7.8 R.",
    instead="Item 1 enters log det V_t and Lemma 22, Item 2 the cost of a round; with Items 1 and 3, Item 2 holds for B = L S.",
    refuted_by=("shariff_sheffet_2018.without_items/points.long_first_action",),
)

REMARK_TWO_SAME_ALGORITHM = Finding(
    name="remark_two_same_algorithm",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="Dividing the actions by B changes G_t and V_t, so the bound for B = 1 is about another algorithm",
    place="Appendix B, Remark 2, for B > 1",
    sentence="Note that by only scaling the D_t, we are not modifying any quantities used in the actual algorithm, just the regret bound",
    literal=(
        "Algorithm 1 uses x_t, G_t, u_t and V_t. Divided by B, the actions and rewards give x_t/B, G_t/B^2 and u_t/B^2, while H_t, h_t "
        "and beta_t stay: V_t is another matrix, and the algorithm plays other actions. A bound on the regret of that algorithm is none "
        "on the regret of Algorithm 1."
    ),
    charitable=(
        "'Quantities' may mean the constants that the algorithm is given (S, rho_min, rho_max, gamma), which do stay, or Algorithm 1 may "
        "be meant to run on scaled data. Then (2) is proved for an algorithm that first divides by B, and not for Algorithm 1 as it is "
        "printed, unless H_t and h_t are divided by B^2 too."
    ),
    counterexample=(
        "d = 2, B = 10, H = I, h = 0, theta* = (0.6, 0.8), G = diag(42, 32), u = G theta*, beta = 2, actions (0, -4) and (-4, -9) with "
        "means -3.2 and -9.6: the upper confidence bounds are -1.71 and -5.96, so the first is played. With actions over B, and G and u "
        "over B^2, they are 0.62 and 1.46, so the second is played."
    ),
    consequence=(
        "The factor B of (2) is not derived for Algorithm 1 as printed. (2) is true for B > 1 all the same, by (6) with max(beta_n, B) "
        "for beta_n; (3) is not (see [regret_gap](#regret_gap))."
    ),
    stands=("Theorem 5 for B > 1 where it stands for B = 1. Scaling is exact where H_t and h_t are divided by B^2."),
    instead="r_t <= 2 max(beta_n, B) min{1, |x_t|_{V_t^-1}}, and no scaling.",
    refuted_by=("shariff_sheffet_2018.scaling/points.same_action",),
)

REMARK_TWO_VARIANCE = Finding(
    name="remark_two_variance",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="'noise variance' for the standard deviation of the noise",
    place="Appendix B, Remark 2, last paragraph",
    sentence="both L and sigma can be scaled down by B (the noise variance scales proportionally to the reward)",
    literal="A reward over B has variance sigma^2/B^2: for B = 2 a quarter, and not half. Its standard deviation is what is proportional.",
    charitable="The next sentence has sigma/B, which is right.",
    consequence="Nothing beyond the line.",
    stands="sigma/B.",
    instead="The noise's standard deviation scales proportionally to the reward.",
)

LEMMA_21_MEAN = Finding(
    name="lemma_21_mean",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="A factor n is missing in 'R_n = <1_n, r/n>'",
    place="Appendix B, proof of Lemma 21, before the last display",
    sentence="since R_n = <1_n, r/n>, where 1_n is the all-ones vector and r is the vector of per-round regrets",
    literal="<1_n, r/n> is R_n/n: for n = 2 and r = (1, 1) it is 1, and R_n = 2.",
    charitable="The display after it has n^2 (sum of r_t/n)^2, which is right.",
    consequence="Nothing beyond the line.",
    stands="Lemma 21.",
    instead="R_n = n <1_n, r/n>.",
)

LEMMA_22_INDICES = Finding(
    name="lemma_22_indices",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Wrong indices of the determinants in the proof of the elliptical potential",
    place="Appendix B, proof of Lemma 22, the sentence after the first display, and the last display",
    sentence="We will show that this last summation is 2 log(det U_{n+1}/det U_n).",
    literal=(
        "That is the last summand and not the sum: for d = 1, U_1 = 1, x_t = 1, n = 2 the sum is 2 log 3 = 2.197, and 2 log(det U_3/det "
        "U_2) = 0.811. The last display bounds det U_n, where the lemma needs det U_{n+1}, whose trace has the n terms of n L^2."
    ),
    charitable="The proof goes on to show 2 log(det U_{n+1}/det U_1), and the lemma states it.",
    consequence="Nothing beyond the lines.",
    stands="Lemma 22.",
    instead="U_1 for U_n in the sentence, U_{n+1} for U_n in the last display.",
)

LEMMA_22_CONSTANT = Finding(
    name="lemma_22_constant",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="The constant 2 of Lemma 22 can be 1/log 2",
    place="Appendix B, proof of Lemma 22; used in Theorems 5 and 6",
    sentence="We use the fact that min{1, u} <= 2 log(1 + u) for any u >= 0",
    literal="True; the best constant is 1/log 2 = 1.4427, with equality at u = 1.",
    charitable="A standard constant.",
    consequence="(2) can be multiplied by 0.849 and (3) by 0.721.",
    stands="Everything.",
    instead="sqrt(4 n/log 2) = sqrt(5.771 n) for sqrt(8 n), and 4/log 2 = 5.771 for 8 in (3).",
)

ROUNDS_WITH_REGRET = Finding(
    name="rounds_with_regret",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The set B_n of the proof is not defined",
    place="Appendix B, proof of Theorem 6, first display",
    sentence="R_n = sum_{t in B_n} r_t <= sum_{t in B_n} r_t^2/Delta",
    literal="B_n is defined nowhere, and its letter is that of the bound B on the means.",
    charitable="The sentence before it speaks of the rounds with r_t != 0, which is the set that is needed.",
    consequence="Nothing beyond the line.",
    stands="The line, summed over the rounds with r_t != 0.",
    instead="Sums over the rounds t <= n with r_t != 0.",
)
