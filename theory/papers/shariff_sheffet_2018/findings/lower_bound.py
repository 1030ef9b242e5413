"""What was found about the statements of lower_bound.py: Claims 13 and 14 and Corollary 15."""

from banditproof.theory.findings import Finding, Grade, Reach

CONTEXT_REGRET_CHOICES = Finding(
    name="context_regret_choices",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Claim 13's chain has '=' and the wrong arm where '>=' and the other arm are meant",
    place="Proof of Claim 13 (Appendix C), the chain for the regret of day t",
    sentence="(1 - P[a_t = a^1 | S]) + e^{-epsilon} (P[a_t = a^1 | S] - delta) = 1 + (e^{-epsilon} - 1) P[a_t = a^2 | S] - delta",
    literal="The terms in P[a_t = a^1 | S] add up to (e^{-epsilon} - 1) P[a_t = a^1 | S], and e^{-epsilon} delta is not delta.",
    charitable="With a^1 and '>=' the line is true, and the next one holds for either arm.",
    counterexample="epsilon = 1/2, delta = 1/10, P[a_t = a^1 | S] = 9/10: 0.585 on the left, 0.861 on the right.",
    values=(("epsilon", "1/2"), ("delta", "1/10"), ("choice", "9/10")),
    consequence="Nothing follows from it.",
    stands="Claim 13 with its n/4, and even with n/2.",
    instead=">= 1 + (e^{-epsilon} - 1) P[a_t = a^1 | S] - delta (step choices).",
    step="choices_as_printed",
)

CONTEXT_REGRET_HISTORY = Finding(
    name="context_regret_history",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="Claim 13's proof takes the probability of an action for that of a history and an action",
    place="Proof of Claim 13 (Appendix C), 'Thus, applying the guarantee of differential privacy'",
    sentence=(
        "Denote S as the subset of action sequences that are fixed on the first t-1 days according to H_{t-1}, have the t-th action be a^1 "
        "... P[a_t = a^1 | S] = P[A(S) in S] <= e^epsilon P[a_t = a^1 | S'] + delta"
    ),
    literal=(
        "P[A(S) in Q] (Q for the paper's calligraphic S) is the probability of the history times that of the action given the history. "
        "If P[a_t = a^1 | S] is this product, the next line's P[a_t = a^2 | S] = 1 - P[a_t = a^1 | S] is false; if it is the "
        "conditional one, the equality is, and privacy gives it with delta divided by the probability of the history."
    ),
    charitable=(
        "For delta = 0 conditioning costs nothing. For delta > 0 the set of all sequences with a_t = a^1, whatever comes before, is enough."
    ),
    counterexample=(
        "P[history] = 1/2, P[action | history] = 1/2: a learner that tosses a fair coin each day, t = 2, history (a^1), has P[A(S) in "
        "Q] = 1/4 and P[a_2 = a^1] = 1/2. In the formula below 'unit_ratio' is P[history] and 'other_unit_ratio' is P[action | history]."
    ),
    values=(("unit_ratio", "1/2"), ("other_unit_ratio", "1/2")),
    consequence="Nothing else: the regret of day t needs the probability of the action alone.",
    stands="Claim 13.",
    instead=("Q = {sequences with a_t = a^1}, for any inputs before day t. In the toolkit: context_regret_exact is proved so."),
    step="history_as_printed",
)

CONTEXT_REGRET_CONSTANT = Finding(
    name="context_regret_constant",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="Claim 13 holds for every epsilon and delta < 1, with an exact constant",
    place="Claim 13 (section 5) and its proof",
    sentence=(
        "For any epsilon < ln(2) and delta < 0.25, any (epsilon, delta)-differentially private algorithm A ... must incur pseudo-regret of "
        "Omega(n)."
    ),
    literal=(
        "True, with n/4 in the proof. The least regret is exactly 2 (1 - delta) n/(e^epsilon + 1): at least n/2 on the printed range, and "
        "linear for every epsilon and every delta < 1."
    ),
    charitable="Only the order is claimed.",
    counterexample="epsilon -> 0, delta -> 0: n instead of n/4; epsilon = 5, delta = 0: 0.0134 n, where the claim says nothing.",
    consequence="A factor of 2 to 4, and a range that is not needed; abstract and introduction, which have no range, are right.",
    stands="Claim 13.",
    instead="2 (1 - delta) n/(e^epsilon + 1), attained by randomised response.",
)

COUPLING = Finding(
    name="coupling",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="The factor exp(6 epsilon Delta_a t_a) holds for epsilon <= 2.9, or for Delta_a >= 1/6, only",
    place="Proof of Claim 14, last display, quoting Lemma 6.1 of Karwa and Vadhan",
    sentence="P_P[E] <= exp(6 epsilon Delta_a t_a) P_Q[E], for 'any epsilon-differentially private algorithm'",
    literal=(
        "Exactly, t rewards that are redrawn at total variation Delta change the probability of an event of an epsilon-private learner by "
        "at most (1 + Delta (e^epsilon - 1))^t, and randomised response attains it. This is at most exp(6 epsilon Delta t) for all Delta "
        "if and only if e^epsilon - 1 <= 6 epsilon, epsilon <= 2.918. For a gap Delta >= 1/6 it is so for every epsilon, since 1 + Delta "
        "(e^epsilon - 1) <= e^epsilon; at epsilon = 3, 4, 6 and 10 the factor fails below Delta = 0.0064, 0.0599, 0.1045 and 0.1331."
    ),
    charitable="Privacy parameters of at most 1 are meant throughout section 5; there the factor is right.",
    counterexample=(
        "epsilon = 4, total variation 1/100, one reward (means 0.98 and 1: the reward -1 has probability 1/100 or 0), a learner that gives "
        "the arm up with probability e^4 c after -1 and c after 1: the ratio is 1.536, the printed factor 1.271. For t rewards both go to "
        "the power t."
    ),
    values=(("epsilon", "4"), ("total_variation", "1/100"), ("samples", "1")),
    consequence=(
        "The proof stops at epsilon = 2.9 for smaller gaps. The claim itself is not refuted there, and a proof without privacy "
        "suggests that it holds: "
        "raise arm a by 3 Delta_a/2, so that the divergence per pull is at most 2 log(2) Delta_a and t_a pulls carry at most 0.005 log n "
        "of information."
    ),
    stands="Claim 14 and Corollary 15 for epsilon <= 14/5 (with room above the best mean); the factor for Delta_a >= 1/6 at every epsilon.",
    instead="(1 + Delta_a (e^epsilon - 1))^{t_a}; or 'for epsilon <= 14/5' (step six_for_small_epsilon), or for Delta_a >= 1/6.",
    refuted_by=("shariff_sheffet_2018.coupling/points.number_of_ones_as_printed",),
)

COUPLING_ILLUSTRATION = Finding(
    name="coupling_illustration",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The illustration of the coupling leaves out the 6",
    place="Proof of Claim 14, 'To better illustrate the argument'",
    sentence=(
        "happens with similar probability under P or under Q, different only up to a multiplicative factor of exp(epsilon Delta_a t_a)"
    ),
    literal="1 + Delta (e^epsilon - 1) is above exp(epsilon Delta) for every epsilon > 0 and small Delta.",
    charitable="'reduces it to 6 Delta_a t_a' stands a few lines before, and the display after it has exp(6 epsilon Delta_a t_a).",
    counterexample="epsilon = 1, total variation 1/2, one reward, randomised response: 1.859 against 1.649.",
    values=(("epsilon", "1"), ("total_variation", "1/2")),
    consequence="Nothing follows from it.",
    stands="The display.",
    instead="exp(6 epsilon Delta_a t_a).",
    step="illustration_as_printed",
)

ROOM_ABOVE = Finding(
    name="room_above",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.CONCLUSION,
    title="Claim 14 is false where the best arm has mean 1: the proof needs room above the best mean",
    place="Claim 14 (section 5), and 'we postulate a different distribution' in its proof",
    sentence="Fix any arm a != a^1 ... a new distribution whose mean is greater by Delta_a than the mean reward of arm a^1",
    literal=(
        "Rewards lie in {-1, 1}, so for a best mean above 1 - Delta_a there is no such distribution. For a best mean of 1 the claim itself "
        "fails: a learner may recognise that arm 1 cannot be beaten and never look at another."
    ),
    charitable=(
        "'We consider an instance': one that leaves room, such as a best mean of 0. Where the best mean is between 1 - Delta_a and 1, "
        "raising arm a to the middle between it and 1 gives the claim, for larger n."
    ),
    counterexample=(
        "k = 2, epsilon = 1, Delta_a = 1/10, best mean 1. The learner pulls arm 1 N = sqrt(n) times; if the mean plus Laplace noise of "
        "scale 2/(epsilon N) is at least 1 - tau, tau = n^{-1/4}/8, it plays arm 1 for ever (it commits), else it plays any 1-private "
        "learner with regret of order sqrt(n) log n. It is 1-private (each reward is used once), and its regret is at most n^{3/4} in "
        "every problem for n = 10^12: it commits to an arm of mean 1 - x, x > 2 tau, with probability exp(-N x/64) + exp(-epsilon N "
        "x/8)/2 at most. At best mean 1 it never pulls arm a with probability 1 - exp(-62.5)/2, where the proof allows 2 "
        "n^{-0.19}/Delta_a = 0.105 and the claim 1/2."
    ),
    consequence=(
        "The claim is about a class of instances that the text does not name. Corollary 15 needs one instance only and is not affected."
    ),
    stands="Claim 14 for mu_{a^1} + Delta_a <= 1, and in the limit for every mu_{a^1} < 1.",
    instead="'with mu_{a^1} + Delta_a <= 1' (which also gives Delta_a <= 1).",
    refuted_by=("shariff_sheffet_2018.pulls_missed/points.best_mean_one_as_printed",),
)

ANY_EXPONENT = Finding(
    name="any_exponent",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="With regret n^{1-c} the constant 100 of Claim 14 becomes 12/c",
    place="Section 5, comment after Claim 14",
    sentence="the bound n^{3/4} was chosen arbitrarily, and we only require a regret upper bound of n^{1-c} for some c > 0",
    literal=(
        "With t_a = log(n)/(100 epsilon Delta_a) kept, the proof's last display becomes n^{0.06 - c} 2/Delta_a, which is at most 1/2 "
        "for large n only if c > 0.06."
    ),
    charitable=("The sentence does not say that the constant 100 stays; with a constant that depends on c it is true for every fixed c."),
    counterexample="c = 1/20, n = 10^6: n^{0.06 - c} = 1.148, and it grows with n.",
    consequence="The constant 1/100 becomes c/12.",
    stands="Claim 14 for every c > 0.06; the order for every c > 0.",
    instead="c log(n)/(12 epsilon Delta_a) pulls, as exp(6 epsilon Delta_a t_a) is then n^{c/2}.",
)

LARGE_HORIZON = Finding(
    name="large_horizon",
    grade=Grade.LOOSE,
    reach=Reach.CONCLUSION,
    title="Claim 14 begins to hold where it promises about two pulls",
    place="Claim 14, 'for sufficiently large ns', and the last display of its proof",
    sentence="n^{-0.19} 2/Delta_a <= 1/2 for sufficiently large ns",
    literal=(
        "The display needs n >= (4/Delta_a)^{1/0.19}: 5.7e4 for Delta_a = 0.5, 7.0e6 for 0.2, 2.7e8 for 0.1, 1.04e10 for 0.05. There t_a "
        "at epsilon = 1 is 0.22, 0.79, 1.94, 4.6 pulls: for Delta_a >= 0.2 less than one pull is promised."
    ),
    charitable="The claim is asymptotic, and its constants were not optimised.",
    consequence=(
        "Nothing of it can be seen at a horizon that anybody simulates, unless epsilon is small. Corollary 15 promises a regret of "
        "log(n)/(200 epsilon) per arm, 0.1 at n = 2.7e8 and epsilon = 1."
    ),
    stands="The orders.",
    instead="The conditions t_a <= n/2, 2 n^{-0.19}/Delta_a <= 1/2, and (k - 1) log(n)/(200 epsilon) <= n^{3/4}.",
)

WORST_PROBLEM = Finding(
    name="worst_problem",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="Corollary 15 is about the worst problem and about large n, and says neither",
    place="Corollary 15 (section 5) and its proof; the same in section 1.2",
    sentence=(
        "The expected pseudo-regret of any epsilon-differentially private algorithm for the MAB is Omega(k log(n)/epsilon). ... is at "
        "least (k-1) log(n)/(200 epsilon)."
    ),
    literal=(
        "Claim 14 assumes a regret of at most n^{3/4} in every problem and n large; the corollary drops both. A learner that always plays "
        "arm 1 is 0-private and has regret 0 where arm 1 is best. And since no learner loses more than 2 per round, the bound fails "
        "whenever it exceeds 2n."
    ),
    charitable=(
        "'any algorithm' is meant in the worst of the problems considered, for n >= n_0(k, epsilon, Delta). Then a regret above "
        "n^{3/4} somewhere is large as well, and the corollary follows. Lower bounds of this kind are usually stated so, and Omega "
        "already means large n."
    ),
    counterexample=(
        "k = 2, n = 10^6. epsilon = 1: the learner that plays arm 1 has regret 0 in the problem where it is best, and (k-1) log(n)/(200 "
        "epsilon) = 0.069. epsilon = 10^{-9}: (k-1) log(n)/(200 epsilon) = 6.9e7, while no learner loses more than 2n = 2e6 in any problem."
    ),
    consequence="How fast the bound grows as epsilon falls is limited: it holds for epsilon >= (k-1) log(n)/(200 n^{3/4}).",
    stands="For every epsilon-private learner, epsilon <= 14/5, some problem has regret at least (k-1) log(n)/(200 epsilon), for n >= n_0.",
    instead=(
        "'For every epsilon-private algorithm, epsilon <= 14/5, there is an instance with gaps Delta_a <= 1 in which its regret is at "
        "least (k-1) log(n)/(200 epsilon), for every n with log(n)/(100 epsilon Delta_a) <= n/2 and 4 n^(-0.19) <= Delta_a for every "
        "arm, and (k-1) log(n)/(200 epsilon) <= n^(3/4).' In the toolkit: regret_private_explicit."
    ),
    refuted_by=(
        "shariff_sheffet_2018.regret_private/points.always_arm_one_as_printed",
        "shariff_sheffet_2018.regret_private/points.all_that_can_be_lost_as_printed",
    ),
)

ADDITIONAL_REGRET = Finding(
    name="additional_regret",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="The cost of privacy is shown as the larger of two bounds, not as an addition, and for pure privacy",
    place="Abstract; section 1.2; section 5 before Claim 14; Corollary 15",
    sentence="must incur an additional pseudo-regret of Omega(k log(n)/epsilon) on top of the standard (non-private) regret bounds",
    literal=(
        "Corollary 15 takes the maximum, at least half of the sum. Nothing shows that privacy costs k log(n)/epsilon beyond what is lost "
        "without it: where epsilon >= Delta the private term is below the other. 'Any private algorithm' is (epsilon, 0)-privacy only. The "
        "quoted log(n)/Delta_a needs a best mean away from 1: for rewards in {-1, 1} and a best mean of 1 no logarithm is lost without "
        "privacy."
    ),
    charitable=(
        "In orders the sum and the maximum agree, and the section says 'max of the two terms'; instances with means in the interior are "
        "meant."
    ),
    consequence="A constant of 2, and how the abstract is to be read.",
    stands="Corollary 15 as the maximum, for pure privacy.",
    instead="'at least the larger of the two'.",
)
