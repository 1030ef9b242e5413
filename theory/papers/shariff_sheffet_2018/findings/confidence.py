"""What was found about the statements of confidence.py: Proposition 4, and the conditions under which its quantities exist."""

from banditproof.theory.findings import Finding, Grade, Reach

ESTIMATE_INVERSE = Finding(
    name="estimate_inverse",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="The estimate needs an invertible V_t, and Item 4 only asks for positive semidefinite H_t",
    place="Section 3, the display before (1), with Item 4; proof of Lemma 21, 'since V_t >= H_t >= 0'; Section 2, 'defines a norm'",
    sentence="All regularizers are PSD H_t >= 0.",
    literal=(
        "H_t = 0 is positive semidefinite. Then V_1 = G_1 + H_1 = 0 in round 1: the least squares problem has every vector as a "
        "minimiser, (G_1 + H_1)^-1 and the norm of x in V_1^-1 do not exist, and Lemma 21, which lists Items 2 and 4 alone, divides by "
        "V_1^(1/2). A singular positive semidefinite matrix defines a seminorm and no norm."
    ),
    charitable=(
        "Definition 3 has 0 < rho_min and bounds the norm of H_t^-1, so wherever accurate bounds are assumed (Proposition 4, Theorems 5 "
        "and 6) everything is defined with the probability stated there. The condition is then missing from (1), Item 4 and Lemma 21 "
        "only."
    ),
    counterexample="Round 1 with H_1 = 0, or with H_1 = diag(1, 0): V_1 has rank 0 or 1 where d = 2, and no inverse.",
    consequence=(
        "No bound of the paper changes. The algorithm is undefined in round 1 when its Wishart noise is not padded, because no node is "
        "released before the first row (see [proposition_nine_padding](#proposition_nine_padding))."
    ),
    stands="Everything where H_t is positive definite, in particular Proposition 4 and Theorems 5 and 6 on the event of Definition 3.",
    instead="In Item 4: H_t is positive definite.",
    refuted_by=("shariff_sheffet_2018.estimate/points.rank_of_v_as_printed",),
)

REGULARISERS_SURELY = Finding(
    name="regularisers_surely",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Item 4 is stated for every outcome; both shifted noises satisfy it with high probability only",
    place="Item 4 in Proposition 4 and Theorems 5 and 6; Section 4.1, 'shifting it by -c I'; Section 4.2",
    sentence="in order to make sure that we maintain strictly positive eigenvalues throughout the execution of the algorithm",
    literal=(
        "H_t - c I, and Gaussian noise plus 2 Upsilon I, have a negative eigenvalue with positive probability, so Item 4 does not hold "
        "for every outcome, and Theorems 5 and 6 with Item 4 as a hypothesis do not apply to Corollaries 10 and 12. Nor do the norms of "
        "Definition 3 replace Item 4: for d = 1, H = -rho_min satisfies both of them."
    ),
    charitable="Item 4 is meant on the event of Definition 3, whose probability is counted already. Nothing is then left to repair.",
    consequence=(
        "None for the bounds. Code needs a rule for a round in which V_t is not positive definite, and the paper gives none; LinUCB "
        "plays the first arm there and counts the round."
    ),
    stands="All results, with Item 4 read on the event of Definition 3. That is the reading used here.",
    instead="Put 'rho_min I <= H_t <= rho_max I' into Definition 3, and drop Item 4.",
)

RADIUS_ON_THE_EVENT = Finding(
    name="radius_on_the_event",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="beta_t is a real number, and its second form is an upper bound, on the event of Definition 3 only",
    place="Proposition 4, both displays",
    sentence="beta_t := sigma sqrt(2 log(2/alpha) + log det V_t - d log rho_min) + ... <= ... (if Item 1 also holds)",
    literal=(
        "The inequality is printed without a probability. It fails where H_t is above rho_max: for d = 1, t = 1, rho_min = 1, rho_max = "
        "2, H_1 = 5, L = 1/10, log det V_1 - log rho_min = 1.609 exceeds log(2.01) = 0.698. The first radicand is negative where det V_t "
        "is far below rho_min^d: for alpha = 1/2, rho_min = 1, H_1 = 1/100 it is 2 log 4 + log(1/100) = -1.83."
    ),
    charitable="The display belongs to a proposition about the event of Definition 3, and is used on that event alone.",
    consequence="None. (The row count may be t - 1 for t, since G_t has t - 1 rows.)",
    stands="Proposition 4 and Theorem 5. Here the second form holds with probability 1 - alpha, and log det V_t >= d log rho_min is asked.",
    instead="Add: with probability at least 1 - alpha/2, for all rounds at once.",
)

RADIUS_GRAM_AS_PRINTED = Finding(
    name="radius_gram_as_printed",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="'=' for '<=' in the last line of the chain for the confidence radius",
    place="Appendix B, proof of Proposition 4, last line of the chain",
    sentence="= |z_t|_{(G_t + rho_min I)^-1} + |theta*|_{H_t} + |h_t|_{H_t^-1}, since V_t >= G_t + rho_min I",
    literal="The norm of z_t in V_t^-1 equals that in (G_t + rho_min I)^-1 only if H_t = rho_min I in the direction of z_t.",
    charitable="The reason printed beside the line gives '<=', and '<=' is all that the proof uses.",
    counterexample="With d = 1, G = 0, z = 1 and H = 2 above rho_min = 1 the squared norms are 1/2 and 1.",
    values=(("rho_min", "1"), ("ratio", "2"), ("threshold", "0")),
    consequence="Nothing beyond the line.",
    stands="Proposition 4.",
    instead="'<=' for '=': the step gram, for matrices too.",
    step="gram_as_printed",
)
