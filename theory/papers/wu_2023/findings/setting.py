"""What was found about the statements of setting.py and privacy.py: definitions, remarks, quoted lemmas, the privacy of a run."""

from banditproof.theory.findings import Finding, Grade, Reach

PRIVACY_OF_A_RUN = Finding(
    name="privacy_of_a_run",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="the lemmas that are cited do not give the privacy of a whole run",
    place="Proof of Theorem 6.2, last sentence, Appendix D; the proofs of Theorems 6.10 and 6.12 cite Lemma B.2 as well, Appendix E",
    sentence="Based on Laplacian mechanism in Definition 3.5 and Post-processing in Lemma B.1, we can get that Algorithm 1 is epsilon-DP.",
    literal=(
        "Definition 3.5 makes each release epsilon-DP and Lemma B.1 what is computed from it. A run makes up to K log_2 T releases, for "
        "which these two give no more than that many times epsilon. That each reward enters one release has to be used, by parallel "
        "composition; and Lemma B.2 has datasets fixed beforehand, while here earlier noisy outputs decide which rewards a release sees."
    ),
    charitable=(
        "Adaptive parallel composition is standard: given the outputs so far, each round belongs to one release. Section 5 says so in "
        "words."
    ),
    counterexample="two epsilon-DP releases of one reward, epsilon = 1: their loss together is 2; K = 11, T = 10^5 has up to 176 releases",
    values=(("folds", "2"), ("epsilon", "1")),
    consequence="None for the claim; the argument is missing.",
    stands="Algorithm 1 is epsilon-DP.",
    instead=(
        "Adaptive parallel composition: if each reward enters at most one release, and which one is decided by its round and "
        "the earlier outputs, the whole run is epsilon-DP (`banditproof theory show "
        "inequalities.adaptive_parallel_composition`, under the condition parts_by_position, which Algorithm 1 satisfies)."
    ),
    step="releases_add_up",
)

SENSITIVITY_OF_NEIGHBOURS = Finding(
    name="sensitivity_of_neighbours",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="the sensitivity is a supremum over all pairs of datasets",
    place="Definition 3.5",
    sentence="Delta_1(f) = sup over D_n, D'_n of ||f(D_n) - f(D'_n)||_1",
    literal=(
        "Over all pairs it is the diameter of f: 2M for the truncated mean, for which the noise 2M/(n epsilon) of Algorithm 2 is n times "
        "too small."
    ),
    charitable="Neighbouring datasets are meant, as in Definition 3.4.",
    consequence="None: Algorithms 2 and 3 have the scale for neighbours.",
    stands="The mechanism with neighbours.",
    instead="sup over neighbouring D_n, D'_n.",
)

RANGES_OF_THE_LEMMAS = Finding(
    name="ranges_of_the_lemmas",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Lemmas B.3 to B.6 leave out the ranges of their letters",
    place="Appendix B, Lemmas B.3, B.4, B.5 and B.6",
    sentence="P(|Y| >= a) <= E(|Y|^k)/a^k ... k in N ... P(|X| >= t b) = exp(-t) ... <= 2 exp(-2 n t^2/(b - a)^2)",
    literal=(
        "Lemma B.3 does not say what k is (k > 0). Lemma B.4 has natural k, and is used for the k of Definition 3.1, any real "
        "number. Lemma B.5 needs t >= 0 (at t = -1 the probability is 1, not e), Lemma B.6 too: at t = -1 the probability is 1, "
        "and for ten values in [0, 1] the bound is 4 10^-9."
    ),
    charitable="k > 0 and t >= 0, as in every use.",
    consequence="None.",
    stands="All uses.",
    instead="inequalities.markov, markov_centred (every real k > 0), laplace_tail and hoeffding_interval, with their ranges.",
)

FINITE_MEANS_AT_MOST_ONE = Finding(
    name="finite_means_at_most_one",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="a 'finite' k-th moment is one of at most 1, for any real k",
    place="Definitions 3.1 and 3.2; abstract; Lemma B.4",
    sentence=(
        "A distribution over R is said to have a finite k-th raw moment if it is within {P : E[|X|^k] <= 1}, k >= 2, where k is "
        "considered fixed but arbitrary"
    ),
    literal=(
        "N(0, 4) has finite moments of every order and is in neither class; whether k is whole is not said (Lemma B.4 has natural k, the "
        "experiments moments of order 2)."
    ),
    charitable="The formula defines the word.",
    consequence="Rewards have to be scaled by a known bound first; Appendix A does not say how. Here k is any real number of at least 2.",
    stands="All statements.",
    instead="'a k-th moment of at most 1'.",
)

WHAT_IS_PROTECTED = Finding(
    name="what_is_protected",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="the reward is protected, participation in the sense of replacement",
    place="Section 3.1, after Definition 3.4",
    sentence=(
        "cannot infer too much about whether any particular individual has participated in this process, or the specific reward feedback"
    ),
    literal=(
        "Neighbours replace one entry of a list of fixed length T: that T people took part, and who came in which round, is not protected."
    ),
    charitable="Replacing an individual by another one is participation in that sense.",
    consequence="None for the theorems.",
    stands="Definition 3.4 and all privacy claims.",
    instead="'which reward an individual gave'.",
)

VARIANTS_RELEASE_ONCE = Finding(
    name="variants_release_once",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="the greedy variants keep the privacy if a batch's estimate is drawn once",
    place="Remark 5.1",
    sentence=(
        "one can also choose to be greedy or probabilistically greedy with respect to the mean estimate by PRM, which also only uses the "
        "rewards collected within the last batch for each arm. All of these choices have the same theoretical guarantees"
    ),
    literal="If each round of a greedy phase called PRM again, m rounds on one batch would release it m times, at m epsilon.",
    charitable="'The mean estimate by PRM' is one number for each batch, as in line 16 of Algorithm 1, and is used in all rounds.",
    consequence="None under that reading, which the policy of this toolkit has: regret and privacy are those of the random choice.",
    stands="The remark, with one estimate for each batch.",
    instead="'computed once for each batch'.",
)

FIRST_TO_STUDY = Finding(
    name="first_to_study",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="first for multi-armed bandits",
    place="Remark 5.2; after Theorem 6.2",
    sentence=(
        "We are the first to study privacy and robustness simultaneously ... the first achievable regret guarantee for private and robust "
        "bandits"
    ),
    literal=(
        "Section 2 itself names concurrent work on private and robust linear bandits ([39]). In the same remark '[31, 30] use a trimmed "
        "mean'; section 2 says 'a robust median or trimmed-mean estimator' of that literature."
    ),
    charitable="For multi-armed bandits with heavy tails under central privacy; priority cannot be audited here.",
    consequence="None.",
    stands="The restricted claim.",
    instead="'for heavy-tailed multi-armed bandits'.",
)
