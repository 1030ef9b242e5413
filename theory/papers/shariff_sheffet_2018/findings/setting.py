"""What was found about the statements of setting.py: Definition 1, Claim 7 and what stands around them."""

from banditproof.theory.findings import Finding, Grade, Reach

LAST_PAIR = Finding(
    name="last_pair",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="n - 1 for n: Claim 7 leaves out the last pair of sums",
    place="Claim 7 (section 4)",
    sentence=(
        "If the sequence (V_t, u~_t)_{t=1}^{n-1} is (epsilon, delta)-differentially private with respect to (x_t, y_t)_{t=1}^{n-1}, then "
        "Algorithm 1 is (epsilon, delta)-jointly differentially private."
    ),
    literal="Action n is computed from V_n and u~_n, about which nothing is assumed: these may be the exact sums of the first n - 1 rows.",
    charitable=(
        "The n - 1 rows make the pairs 2 to n, and the first pair is noise alone. Algorithm 1 receives a pair for each t = 1, ..., n, "
        "so all n pairs are meant. Then the claim holds."
    ),
    counterexample=(
        "n = 2, d = 2. D_1 is {e_1} or {e_2} and y_1 = 1; V_1 = I and u~_1 = 0 are constants, so the printed premise holds with epsilon = "
        "delta = 0. V_2 = I + x_1 x_1^T and u~_2 = x_1 y_1 are exact and D_2 = {e_1, e_2}: for beta_2 below 1.7 Algorithm 1 plays x_2 = "
        "x_1, which distinguishes the two decision sets of round 1 with certainty (delta = 1 at every epsilon)."
    ),
    consequence=(
        "Only the last action is unprotected. The paper's own use is not affected: the tree of section 4 releases all n pairs privately."
    ),
    stands="Claim 7 with all n pairs, for rows chosen adaptively; the joint privacy of both algorithms of section 4.",
    instead="(V_t, u~_t)_{t=1}^{n} is (epsilon, delta)-differentially private with respect to (x_t, y_t)_{t=1}^{n-1}.",
    refuted_by=("shariff_sheffet_2018.learner_delta/points.last_pair_as_printed",),
)

FIXED_ROWS = Finding(
    name="fixed_rows",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.CONCLUSION,
    title="Claim 7 needs privacy for rows that are chosen from earlier releases",
    place="Claim 7 (section 4), and the sentence before it: 'because it simply post-processes'",
    sentence="If the sequence ... is (epsilon, delta)-differentially private with respect to (x_t, y_t)_{t=1}^{n-1}",
    literal=(
        "Differential privacy with respect to a sequence of rows compares two fixed sequences that differ in one row. Here x_2, x_3, ... "
        "are chosen from what was released before, so that neighbouring users do not give neighbouring row sequences; post-processing of "
        "one release (Proposition 2.1 of Dwork and Roth) does not cover that."
    ),
    charitable=(
        "'Private under continual observation' may mean: against an adversary who chooses each row after seeing the releases before it. "
        "Under that meaning the claim holds, and both trees of section 4 are private in it."
    ),
    counterexample=(
        "n = 3, d = 2, all three pairs required to be private (the repaired form of [last_pair](#last_pair)). R is uniform on {1, ..., "
        "K}, a_1, ..., a_K are distinct unit vectors, V_t = 3 I in each round (H_t = 3 I - G_t is positive definite because G_t has "
        "eigenvalues at most 2), u~_1 = 0, u~_2 = a_R, and u~_3 is x_1 if x_2 = a_R, else 0. For fixed rows replacing a row shows for "
        "at most two values of R: the sequence is (0, 2/K)-private. But with D_2 = {a_1, ..., a_K} Algorithm 1 always plays x_2 = a_R, "
        "and with D_3 = {e_1, e_2} it then plays x_3 = x_1: D_1 = {e_1} and D_1 = {e_2} are distinguished with certainty, delta = 1 "
        "instead of 2/K, at every epsilon."
    ),
    consequence=(
        "A reader who puts another private counter into Algorithm 1 on the strength of Claim 7 may have no privacy at all. The paper's two "
        "mechanisms are not affected: a node's loss does not depend on the other rows, so levels add up whatever the rows depend on."
    ),
    stands="Claim 7 for sums that are private for adaptively chosen rows; the joint privacy of both algorithms of section 4.",
    instead="'differentially private for rows (x_t, y_t) that may depend on (V_s, u~_s) for s <= t'.",
    refuted_by=("shariff_sheffet_2018.learner_delta/points.fixed_rows_as_printed",),
)

NOISY_SUMS = Finding(
    name="noisy_sums",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="What is post-processed are the noisy sums, not G_t and u_t",
    place="Section 4, the sentence before Claim 7; Remark 1",
    sentence="because it simply post-processes G_t and u_t; 'via the differentially private X_{<t}' (Remark 1)",
    literal=(
        "G_t, u_t and X_{<t} are the exact history. What depends on them alone without noise is not private; with H_t = I and h_t = 0 "
        "Algorithm 1 is deterministic."
    ),
    charitable="The perturbed V_t and u~_t are meant, as the first half of the sentence and Claim 7 have it.",
    consequence="Nothing follows from it.",
    stands="Claim 7 and Remark 1.",
    instead="'post-processes V_t and u~_t'; 'via the differentially private V_t and u~_t'.",
)

PRIMED_EVENT = Finding(
    name="primed_event",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Definition 1 has another event on its right side",
    place="Definition 1 (section 1.1)",
    sentence="P(A(S) in S_{>t}) <= e^epsilon P(A(S') in S'_{>t}) + delta",
    literal="S'_{>t} is not defined. If any set were allowed in its place, the empty one would leave no algorithm private for delta < 1.",
    charitable="t-neighbours have the same decision sets after round t, so both sides can and do speak of one event S_{>t}.",
    consequence="Nothing follows from it.",
    stands="The definition, with one event on both sides; it is read so in all that follows.",
    instead="P(A(S) in S_{>t}) <= e^epsilon P(A(S') in S_{>t}) + delta.",
)

FIXED_LISTS = Finding(
    name="fixed_lists",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Definition 1 is about lists of rewards and decision sets that do not react",
    place="Definition 1 (section 1.1), and the introduction: 'even if all later users collude'",
    sentence="S = <(D_1, y_1), (D_2, y_2), ..., (D_n, y_n)>",
    literal=(
        "A reward y_t is one entry of a list, read whatever x_t is, and later decision sets are fixed. Users who choose their decision set "
        "or their reward after seeing what they were shown are not covered word for word."
    ),
    charitable=(
        "Whoever reacts can be written into the event where all that is seen is a function of private releases. That is so for the two "
        "trees of section 4, which are private for adaptively chosen rows."
    ),
    consequence=("None for section 4; it matters where Claim 7 is used with other sums (see [fixed_rows](#fixed_rows))."),
    stands="The definition, and joint privacy of both algorithms against users who react.",
    instead="'for every rule by which (D_s, y_s), s > t, is chosen from the actions before'. Audited here with decision sets that react.",
)

ROWS_ARE_BOUNDED = Finding(
    name="rows_are_bounded",
    grade=Grade.READING,
    reach=Reach.CONCLUSION,
    title="Privacy holds only for data that satisfy item 6, and Algorithm 1 does not enforce it",
    place="Section 4, last sentence before 4.1; assumption 6 (section 3)",
    sentence="Lastly, to have a private estimation of M_t, Item 6 must hold.",
    literal=(
        "Definition 1 allows any rewards in S and S', and Algorithm 1 never shortens a row. Without item 6 no finite noise is enough: "
        "with the tree of Appendix D.2 (n = 5 x 10^7, epsilon = 1, delta = 1/10, L~^2 = 2; sigma_noise = 153.3), x_t of length 1 and "
        "y_t = 0 against y_t = 10^6, u~ moves by 10^6 in each node."
    ),
    charitable=(
        "The paper names the condition and says that it is used for privacy: the universe of data is the ball of radius L~. Then nothing "
        "is missing, and the experiments with rewards of -1 and 1 satisfy it."
    ),
    consequence=(
        "On real data the guarantee depends on an assumption about the users, not on the algorithm. Rewards with Gaussian noise, which "
        "item 5 allows, are excluded by item 6."
    ),
    stands="Privacy on rows of length at most L~, as stated.",
    instead="Project (x_t, y_t) on the ball of radius L~ before it is added to the tree, as the learner shipped here does.",
)
