"""What was found about privacy and the two client models: section 1.1, (15), Lemma 3.5."""

from banditproof.theory.findings import Finding, Grade, Reach

UNBOUNDED_REWARDS = Finding(
    name="unbounded_rewards",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.CONCLUSION,
    title="Laplace noise of scale 2/epsilon is not private for rewards without a bound",
    place="Section 3.1, before (15); Lemma 3.5; Theorem 1.3, 'an epsilon-locally differentially private algorithm'",
    sentence=(
        "In this setting, we can achieve pure LDP using the Laplace mechanism. ... With xi_a ~ Lap(2/(n_a eps_priv)), the mechanism M_a in "
        "(20) is eps_priv-differentially private."
    ),
    literal=(
        "Definition 1.1 compares any two sequences of rewards that differ at one index, and (1) has sub-Gaussian noise without a bound. "
        "The log ratio of the densities of the report is |r - r'| epsilon/2, in both models, since the mean of n_a rewards moves by |r - "
        "r'|/n_a and its noise has the scale 2/(n_a epsilon). No epsilon is enough for all pairs of rewards."
    ),
    charitable=(
        "Rewards in [-1, 1] are usual where Laplace noise of this scale is added; then both claims are true. Noise eta in [-1, 1] is "
        "enough too, since the action of an answer is public and its two possible rewards differ by at most 2."
    ),
    counterexample=(
        "r = 5 and r' = -5: the likelihoods of a report differ by the factor e^(5 epsilon). With normal noise of variance 1, two clients "
        "who answer for one action differ by more than 2 with probability 2 Phi(-sqrt(2)) = 0.157."
    ),
    values=(("ratio", "10"), ("epsilon", "1")),
    consequence=(
        "The private half of Theorems 1.3 and 1.4 has no finite epsilon under (1) with normal noise. Lemmas 3.1, 3.3, 3.6 and 3.8 are "
        "about sub-Gaussian noise, so the condition does not follow from the setting."
    ),
    stands="Both claims for rewards of which two for one action differ by at most 2; the utility lemmas.",
    instead=(
        "State |r - r'| <= 2 for any two rewards of one action. Otherwise each client clips at R = 1 + sqrt(2 log(2T/delta)) and adds "
        "Lap(2 R/epsilon): private for all rewards, and with 1-sub-Gaussian noise no reward is clipped with probability 1 - delta. That "
        "costs the factor R in the terms over epsilon."
    ),
    step="loss_of_a_report",
    refuted_by=(
        "charisopoulos_2023.second_privacy/step.loss_of_a_report",
        "charisopoulos_2023.first_privacy/points.rewards_unbounded",
        "charisopoulos_2023.second_privacy/points.rewards_unbounded",
        "charisopoulos_2023.first_privacy/privacy.published_unbounded_eps1_n1",
        "charisopoulos_2023.second_privacy/privacy.published_unbounded_eps1_n10",
        "charisopoulos_2023.first_privacy/privacy.run_published_unbounded_eps1_n1",
        "charisopoulos_2023.second_privacy/privacy.run_published_unbounded_eps1_n3",
    ),
)

CORRUPTED_OBJECT = Finding(
    name="corrupted_object",
    grade=Grade.READING,
    reach=Reach.CONCLUSION,
    title="It is open whether rewards or reports are corrupted, which differ in the second model",
    place="(3); abstract; (20); conclusion, 'the probability of corruption of each reward'",
    sentence=(
        "we assume that an adversary replaces every observation by arbitrary numbers with some small probability alpha. Thus, during each "
        "batch, the observed rewards satisfy (3)"
    ),
    literal=(
        "In M1 a report has one reward and nothing depends on the reading. In M2 an owner averages n_a rewards. If single rewards are "
        "replaced before, the mean has an arbitrary number in it with probability 1 - (1 - alpha)^n_a, which is 0.99996 at alpha = 0.01 "
        "and n_a = 1000, so that the adversary writes nearly all reports of long batches."
    ),
    charitable="The observation is what the learner receives: in M2 one report per owner and batch, corrupted as a whole.",
    consequence=(
        "Under the first reading (55) has no chance in long batches, and for epsilon small enough neither has Theorem 3.9; what the second "
        "one leaves is finding few_owners."
    ),
    stands="M1, under both readings.",
    instead="Say that reports are corrupted, after randomisation. That reading is the default here; the other one is an option.",
)
