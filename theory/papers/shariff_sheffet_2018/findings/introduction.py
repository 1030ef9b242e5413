"""What was found about the statements of introduction.py: the introduction and section B.1."""

from banditproof.theory.findings import Finding, Grade, Reach

ORDER_IN_THE_HORIZON = Finding(
    name="order_in_the_horizon",
    grade=Grade.FALSE,
    reach=Reach.LINE,
    title="The gap-dependent bound is not O(log(n)/Delta): (3) has log(n)^2 (and (2) has sqrt(n) log n)",
    place="Appendix B.1, 'Broadly speaking', and the open question after it",
    sentence=(
        "Broadly speaking, these bounds ... match those for standard MAB algorithms in terms of their dependence on n and Delta - just "
        "like with UCB, for example, the minimax bound is O(sqrt(n)) and the gap-dependent bound is O(log(n)/Delta)."
    ),
    literal=(
        "With constant regularisers (2) is of the exact order sqrt(n) log n and (3) of the exact order log(n)^2/Delta (limits of the "
        "formulas; alpha fixed). With the private noise of section 4 they have still more logarithms."
    ),
    charitable=(
        "'Broadly speaking' may mean: up to logarithms, as O~(sqrt(n)) and polylog(n)/Delta in section 1.2, which are right. But the "
        "gap-dependent order keeps one logarithm here, and no tilde is written. So O(sqrt(n)) is read as up to logarithms; what is "
        "false is the single logarithm of the gap-dependent order."
    ),
    counterexample=(
        "d = 5, sigma = S = L = B = rho = 1, gamma = 0, alpha = 1/20: (3) Delta/log n is 3364, 6419, 12345, 23955, 46844 at n = 10^6, "
        "10^12, 10^24, 10^48, 10^96, doubling with log n; (2)/sqrt(n) is 216, 421, 826, 1627, 3218."
    ),
    consequence=(
        "The open question after the sentence is asked of 'O(log n) gap-dependent bounds', which (3) is not. No theorem changes. "
        "(UCB1's bound for all gaps has sqrt(n log n) as well.)"
    ),
    stands="The orders d and d^2 in the dimension, sqrt(n) and 1/Delta up to logarithms; section 1.2.",
    instead=("O(log(n)^2/Delta) for the gap-dependent bound, O~(sqrt(n)), or O(sqrt(n) log n), for the general one."),
    refuted_by=("shariff_sheffet_2018.orders_gap/growth.horizon_high_as_printed",),
)

MAIN_TERM = Finding(
    name="main_term",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.ORDER,
    title="The main term is sqrt(n) d^(3/4)/sqrt(epsilon) only where epsilon is at most about 1/sqrt(d)",
    place="Section 1.2",
    sentence="The main term in the two regret bounds obtained by both algorithms is O~(sqrt(n) * d^{3/4}/sqrt(epsilon))",
    literal=(
        "Both corollaries also have the term sigma d sqrt(n) log n, and Corollary 10 has S L~ d sqrt(n) beside it (in its product of "
        "two sums, d^{1/4} times d^{1/4}). Up to logarithms they are larger than d^{3/4}/sqrt(epsilon) as soon as d > 1/epsilon^2."
    ),
    charitable=(
        "'the main term that privacy adds', for small epsilon. That is right for Corollary 12; in Corollary 10 a term of order d without "
        "epsilon is part of what privacy adds."
    ),
    counterexample=(
        "epsilon fixed, d to infinity: Corollary 12 is of the order d, the printed term of the order d^{3/4}. At d = 5, epsilon = 1 "
        "(Appendix D.2) d = 5 against d^{3/4}/sqrt(epsilon) = 3.34, constants apart."
    ),
    consequence=(
        "A reader takes d^{3/4} for the dependence on the dimension at fixed epsilon, where it is d. With the constants of (2) the "
        "privacy term is the larger one in Appendix D.2 (n = 5 x 10^7, d = 5, epsilon = 1, delta = 1/10, alpha = 1/n, L~^2 = 2, S = L "
        "= B = sigma = 1)."
    ),
    stands="The sentence for epsilon <= 1/sqrt(d), up to logarithms.",
    instead="O~(sqrt(n) (d + d^{3/4}/sqrt(epsilon))).",
    refuted_by=(
        "shariff_sheffet_2018.main_terms/growth.dimension_high_as_printed",
        "shariff_sheffet_2018.main_terms/growth.epsilon_high_as_printed",
    ),
)

COMPOSITION_FACTOR = Finding(
    name="composition_factor",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="A factor epsilon is missing in the composition of section 1.3",
    place="Section 1.3, first paragraph on privacy",
    sentence="(O(k epsilon^2 + 2 sqrt(k log(1/delta'))), k delta + delta')-differentially private",
    literal=(
        "As it stands the bound does not fall to 0 with epsilon, so it is true and says nothing for small epsilon: k = 10, epsilon = "
        "10^-6, delta' = 0.01 gives 13.6, and adding up gives 10^-5."
    ),
    charitable="Appendix A.2 has epsilon_0 sqrt(2 m ln(1/delta')).",
    consequence="Nothing follows from it.",
    stands="A.2.",
    instead="O(k epsilon^2 + epsilon sqrt(k log(1/delta'))).",
)

GROUP_PRIVACY = Finding(
    name="group_privacy",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Group privacy multiplies the exponent by k, not the change",
    place="Section 1.3, first paragraph on privacy",
    sentence="the change in the probability of any event is still limited by (roughly) k times the change when a single datum was changed",
    literal=(
        "k changed data change a probability by a factor of up to e^{k epsilon}, 22,026 for k = 10 and epsilon = 1, where ten times e is "
        "27."
    ),
    charitable="For k epsilon well below 1 e^{k epsilon} - 1 is about k (e^epsilon - 1); 'roughly' says so.",
    consequence="None: it is not used.",
    stands="The sentence for small k epsilon.",
    instead="'k epsilon in place of epsilon'.",
)

LIMITED_ADVANTAGE = Finding(
    name="limited_advantage",
    grade=Grade.LOOSE,
    reach=Reach.CONCLUSION,
    title="At the experiments' epsilon = 1 and delta = 0.1 colluding users may guess right with probability 0.758",
    place="Introduction, last paragraph before 1.1; parameters of Appendix D.2",
    sentence=(
        "even if all later users collude in an effort to learn user t's context or preference, they still have very limited advantage over "
        "a random guess"
    ),
    literal=(
        "Joint privacy lets them distinguish two contexts with probability (e^epsilon + delta)/(e^epsilon + 1): 0.758 at (1, 0.1). And "
        "delta = 0.1 allows a learner to publish every tenth user's data, 5 million of the 5 * 10^7 users of Appendix D.2."
    ),
    charitable=(
        "The sentence is meant for small epsilon and for delta well below 1/n. The noise that is printed is in fact far more private "
        "than promised: for the Gaussian tree of Appendix D.2 (n = 5 x 10^7, d = 5, epsilon = 1, delta = 1/10, L~^2 = 2) delta(1) = "
        "1.5e-53."
    ),
    counterexample="(e + 0.1)/(e + 1) = 0.75795.",
    consequence=(
        "The experiments are called private at a delta that no guideline accepts. At delta = 1/n the Gaussian noise would be ln(4n)/ln 40 "
        "= 5.18 times larger."
    ),
    stands="Definition 1; the sentence for small epsilon and delta.",
    instead="Report delta below 1/n, and the guess's probability.",
)

CONTEXT_IS_USED = Finding(
    name="context_is_used",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Linear regret under standard privacy does not mean that the context is ignored",
    place="Introduction, third paragraph",
    sentence=(
        "adhering to the standard notion of differential privacy ... requires us to essentially ignore the context and thus incur linear "
        "regret"
    ),
    literal=(
        "The regret is linear for every epsilon, but at epsilon = 5 randomised response follows the context in 99.3 % of the rounds and "
        "loses 0.0134 n."
    ),
    charitable="For small epsilon, as 'we later illustrate' with epsilon < ln 2, the context can hardly be used.",
    consequence="None: joint privacy is well motivated either way.",
    stands="Claim 13; the sentence for small epsilon.",
    instead="'forces a regret linear in n, 2 n/(e^epsilon + 1)'.",
)

BEST_BY_MEAN = Finding(
    name="best_by_mean",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Regret equals pseudo-regret in expectation if 'best' means best by mean",
    place="Section 1.1 and footnote 1; Algorithm 1, argmax",
    sentence=(
        "the extra reward a learner would have received by always choosing the best available action; 'It equals the regret in "
        "expectation' (footnote 1)"
    ),
    literal=(
        "If the best action is the one with the best realised reward, two arms with fair rewards of -1 and 1 give a regret of 1/2 per "
        "round and no pseudo-regret. And a decision set that is not closed need not have a best action, nor Algorithm 1 an argmax."
    ),
    charitable="'best' is by mean, and decision sets are finite or compact.",
    consequence="None. (A note 'todo: Is this necessary?' stands in the list of notation of section 2.)",
    stands="All results, which are about pseudo-regret.",
    instead="'the best action by mean'; compact decision sets.",
)

SIZE_OF_REGULARISERS = Finding(
    name="size_of_regularisers",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="Changing regularisers cost little; large ones, as privacy needs them, cost much",
    place="Appendix B.1, first sentence",
    sentence=(
        "allowing changing regularizers does not incur significant additional regret, as long as they are bounded both above and below"
    ),
    literal=(
        "(2) grows with S sqrt(rho_max) + gamma: 552 (Gaussian) and 785 (Wishart) in Appendix D.2 (n = 5 x 10^7, d = 5, epsilon = 1, "
        "delta = 1/10, alpha = 1/n, L~^2 = 2, S = L = B = sigma = 1), where the unperturbed learner has 1. The regrets measured "
        "without a gap are about 50 and 600 times that of the learner without noise (our runs of Appendix D.2)."
    ),
    charitable=(
        "What the change of the regulariser costs is d log(rho_max/rho_min) and gamma; for bounds of order one the sentence is right."
    ),
    consequence="How the sentence is to be read; the theorems say it exactly.",
    stands="The order in n.",
    instead="'beyond the factor S sqrt(rho_max) + gamma'.",
)
