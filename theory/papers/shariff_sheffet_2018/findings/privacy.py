"""What was found about the statements of privacy.py: Theorems 8 and 23, the calibrations of section 4, A.1 and A.2."""

from banditproof.theory.findings import Finding, Grade, Reach

WISHART_PRIVACY = Finding(
    name="wishart_privacy",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="Theorem 8 is stated for every positive epsilon_0 and delta_0; it fails for large epsilon_0, such as 6",
    place="Theorem 8 (section 4.1)",
    sentence=(
        "Fix positive epsilon_0 and delta_0. ... is (epsilon_0, delta_0)-differentially private, provided k_0 >= d + 1 + 28 epsilon_0^{-2} "
        "ln(4/delta_0)."
    ),
    literal=(
        "As epsilon_0 grows, k_0 falls to d + 2. With so few degrees of freedom the release for the row 0 is, with a probability above "
        "delta_0, a matrix that no input with a full row can give, and no epsilon hides that."
    ),
    charitable=(
        "Theorem 23 in the supplement quotes the same theorem with epsilon in (0, 1) and delta in (0, 1/e). With this range it is not "
        "refuted."
    ),
    counterexample=(
        "d = 1, epsilon_0 = 6, delta_0 = 1/100: k_0 = 7 satisfies the condition (6.66). For the row 0 the release less the Gram matrix of "
        "a row of length L~ is not positive definite with probability P(chi-square_6 < 1) = 0.01439 > 1/100. Likewise at 1/1000 and 1e-6; "
        "between epsilon_0 = 1 and about 5.7 nothing is known."
    ),
    values=(("dimension", "1"), ("epsilon", "6"), ("delta", "1/100")),
    consequence=(
        "None for the paper: there it is used at epsilon_0 = epsilon/sqrt(8 m ln(2/delta)), 0.0393 in Appendix D.2 (n = 5 x 10^7, "
        "epsilon = 1, delta = 1/10). It stays below 1 for every epsilon up to 25 in Appendix D.2, and up to 3 for every n >= 2."
    ),
    stands="Theorem 23, and section 4.1 wherever epsilon_0 < 1 and delta_0 < 1/e.",
    instead=(
        "Theorem 8 with Theorem 23's 'epsilon_0 in (0, 1) and delta_0 in (0, 1/e)'; beyond, the degrees of freedom of epsilon_0 = 1, "
        "delta_0 = 1/e, as what is private for less is private. (In the formulas below log(4*E) is ln(4 e) = ln 4 + 1, e being Euler's "
        "number.)"
    ),
    refuted_by=("shariff_sheffet_2018.wishart_privacy/points.row_shows_as_printed",),
)

WISHART_LETTERS = Finding(
    name="wishart_letters",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Theorem 23 and section 4.1 mix up letters: d for p, N for W, L~ for L~^2",
    place="Theorem 23 (Appendix C); section 4.1, after Theorem 8",
    sentence=(
        "sampled from the d-dimensional Wishart distribution ... scale matrix L~^2 I{p} ... Then outputting A^T A + N; 'a matrix from "
        "W_{d+1}(L~ I, k)' (section 4.1)"
    ),
    literal="A is n x p, so the matrix has p dimensions and is called W. The scale L~ I of section 4.1 has the wrong unit.",
    charitable="W is drawn from W_p(L~^2 I_p, k) in the same sentence, and Theorem 8, Proposition 9 and Corollary 10 have L~^2.",
    consequence="Nothing follows from it.",
    stands="Theorem 23 and section 4.1.",
    instead="p-dimensional, L~^2 I_p, A^T A + W; W_{d+1}(L~^2 I, k).",
)

WISHART_INTEGER_PART = Finding(
    name="wishart_integer_part",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="One theorem is quoted with the integer part of 28 log(4/delta)/epsilon^2 and without it",
    place="Theorem 23 against Theorem 8 and section 4.1",
    sentence="k >= p + floor(14/epsilon^2 * 2 log(4/delta)) (Theorem 23); k_0 >= d + 1 + 28 epsilon_0^{-2} ln(4/delta_0) (Theorem 8)",
    literal="The floor asks for up to one degree of freedom less than Theorem 8, and section 4.1 has a ceiling.",
    charitable="Theorem 8 and section 4.1 ask for more and are safe; the source of both was not available here.",
    consequence=("One degree of freedom of many thousand: 139,115 at Appendix D.2 (n = 5 x 10^7, d = 5, epsilon = 1, delta = 1/10)."),
    stands="Whatever the source proves, section 4.1.",
    instead="Stated here without the floor, which is the weaker claim.",
)

WISHART_CALIBRATION = Finding(
    name="wishart_calibration",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="The degrees of freedom of section 4.1 are not enough for very large epsilon",
    place="Section 4.1, after Theorem 8",
    sentence="it suffices to sample a matrix from W_{d+1}(L~ I, k) with k := d + 1 + ceil(224 m epsilon^{-2} ln(8m/delta) ln(2/delta))",
    literal=(
        "No range of epsilon is stated. As epsilon grows k falls to d + 2, which shows the row as in Theorem 8 (see "
        "[wishart_privacy](#wishart_privacy))."
    ),
    charitable="For small epsilon, as in all of the paper, k is enough: then each node is used at a level below 1, as Theorem 23 asks.",
    counterexample=(
        "n = 2, d = 1, epsilon = 10^4, delta = 1/1000: k = 3, and with all m = 2 matrices V_2 is x_1^2 plus L~^2 times a chi-square "
        "variable with six degrees of freedom. For x_1 = 0 it is below L~^2 with probability P(chi-square_6 < 1) = 0.0144 > 1/1000, for "
        "x_1 = L~ never. With one matrix for the only row, as printed, with k = 6 the output reveals the row in the same way at epsilon "
        "= 100."
    ),
    values=(("horizon", "2"), ("dimension", "1"), ("epsilon", "10000"), ("delta", "1/1000")),
    consequence="None for the paper (epsilon = 1 in Appendix D.2).",
    stands="Section 4.1 for epsilon <= 1, by Theorem 23 and A.2.",
    instead="'for epsilon <= 1'; for larger epsilon the k of epsilon = 1.",
    refuted_by=(
        "shariff_sheffet_2018.wishart_calibration/points.row_shows_as_printed",
        "shariff_sheffet_2018.wishart_calibration/coverage.row_shows_as_printed",
    ),
)

TWO_ROUNDS = Finding(
    name="two_rounds",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="With one round nothing is released",
    place="Section 4.1, k; section 4, m",
    sentence="k := d + 1 + ceil(224 m epsilon^{-2} ln(8m/delta) ln(2/delta))",
    literal="For n = 1 the only pair of sums is noise, and every calibration is trivially enough.",
    charitable="A horizon of one round is of no interest to anybody.",
    consequence="None; statements here about what is released ask for n >= 2.",
    stands="Everything.",
    instead="n >= 2.",
)

GAUSSIAN_NOISE = Finding(
    name="gaussian_noise",
    grade=Grade.READING,
    reach=Reach.LINE,
    title=("A.1 names the Gaussian mechanism without a range of epsilon; its noise is too small for epsilon such as 20"),
    place="Appendix A.1, last sentence",
    sentence="add Gaussian noise of 0-mean and variance 2 GS_2^2 ln(2/delta)/epsilon^2",
    literal="The sentence gives a variance for every epsilon and delta, and says of none that it is private.",
    charitable=(
        "The mechanism is known for epsilon < 1, and the paper speaks of small epsilon. For epsilon <= 4 log 2 = 2.77 it is private "
        "(proved)."
    ),
    counterexample=(
        "epsilon = 20, delta = 1/10, GS_2 = 1: the exact profile of Gaussian noise of this variance is delta(20) = 0.934. It fails from "
        "epsilon = 7.1 (delta = 1/10) and from 9.75 (delta = 1e-6; delta(20) = 1.01e-4 there)."
    ),
    consequence=(
        "None for the paper: there it is used at epsilon_0 = epsilon/sqrt(8 m ln(2/delta)), 0.0393 in Appendix D.2 (n = 5 x 10^7, "
        "epsilon = 1, delta = 1/10)."
    ),
    stands="A.1 for epsilon <= 4 log 2, in fact up to about 6, and all of section 4.2.",
    instead=(
        "'for epsilon <= 4 log 2'; above, the standard deviation GS_2 (sqrt(ln(1/delta) + epsilon) + sqrt(ln(1/delta)))/(sqrt(2) epsilon)."
    ),
)

TREE_BUDGET = Finding(
    name="tree_budget",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="The budget of a node is not enough for large epsilon",
    place="Appendix A.2, last sentence; section 4, before 4.1",
    sentence=(
        "to make sure the entire tree is (epsilon, delta)-differentially private, it suffices to set epsilon_0 = epsilon/sqrt(8 m "
        "ln(2/delta)) and delta_0 = delta/2m"
    ),
    literal=(
        "For large epsilon the budget is too large: the composition theorem adds m epsilon_0 (e^{epsilon_0} - 1), which the budget "
        "leaves out and which then exceeds epsilon/2. Adding up, m epsilon_0, is no way out where m > 8 ln(2/delta), since it exceeds "
        "epsilon as well."
    ),
    charitable="The composition theorem is used for small epsilon. For epsilon <= 1 the budget is enough (proved), and well beyond.",
    counterexample=(
        "m = 20, epsilon = 100, delta = 9/10: epsilon_0 = 8.85, and the answers of randomised response at epsilon_0 have delta(100) = "
        "1.000 > 0.9. With m = 27, delta = 1/10 (Appendix D.2) and mechanisms that fail with delta_0 beside: delta(56) = 0.103 > 0.1, "
        "while 55 holds."
    ),
    values=(("nodes", "20"), ("epsilon", "100"), ("delta", "9/10")),
    consequence="None for the paper (epsilon = 1).",
    stands="A.2 and section 4 for epsilon <= 1; A.2's order, O(m epsilon_0^2 + epsilon_0 sqrt(2 m ln(1/delta'))), for every epsilon_0.",
    instead=(
        "'for epsilon <= 1'. In general the whole tree is at level epsilon where m <= 8 ln(2/delta), or where m epsilon_0 "
        "(e^{epsilon_0} - 1) <= epsilon/2, and at level m epsilon_0 else (total_epsilon in the formulas below)."
    ),
    refuted_by=("shariff_sheffet_2018.tree_budget/points.randomised_response_as_printed",),
)

GAUSSIAN_CALIBRATION = Finding(
    name="gaussian_calibration",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="The noise of section 4.2 is too small for very large epsilon",
    place="Section 4.2, sigma_noise",
    sentence="the variance in each coordinate must be sigma_noise^2 = 16 m L~^4 ln(4/delta)^2/epsilon^2",
    literal="No range of epsilon is stated.",
    charitable="For epsilon <= 8 ln(4/delta)^2, 109 at delta = 1/10, the noise is enough (proved), with much room.",
    counterexample="n = 2, epsilon = 1000, delta = 1/2, L~ = 1: sigma_noise = 0.0118, and the one released node has delta(1000) > 0.999.",
    values=(("horizon", "2"), ("epsilon", "1000"), ("delta", "1/2"), ("row_norm", "1")),
    consequence="None for the paper (epsilon = 1); no user asks for such an epsilon.",
    stands="Section 4.2 for every epsilon up to 8 ln(4/delta)^2.",
    instead=(
        "'for epsilon <= 8 ln(4/delta)^2'; above, sigma_noise = sqrt(m - 1) L~^2/mu with Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 "
        "- epsilon/mu) = delta."
    ),
    refuted_by=("shariff_sheffet_2018.gaussian_calibration/points.gaussian_profile_as_printed",),
)

SENSITIVITY = Finding(
    name="sensitivity",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="Replacing a row moves M_t by sqrt(2) L~^2, not by L~^2",
    place="Section 4.2, before sigma_noise",
    sentence=(
        "a change to a single datum may alter the Frobenius norm of M_t by L~^2. It follows that ... the variance in each coordinate must "
        "be"
    ),
    literal=(
        "Read word for word (the norm of M_t changes by at most L~^2) it is true, but A.1 needs the norm of the change of M_t. That "
        "reaches sqrt(2) L~^2 when a row v is replaced by v'. Either way the noise does not follow from it."
    ),
    charitable="For adding or removing a row the change is v v^T, of norm at most L~^2. But Definition 1 and A.1 replace an element.",
    counterexample=("|v| = |v'| = L~, v orthogonal to v', such as v = L~ e_1, v' = L~ e_2: the squared norm of the change is 2 L~^4."),
    values=(("unit_ratio", "1"), ("other_unit_ratio", "1"), ("squared_cosine", "0")),
    consequence=(
        "Nothing else: the doubled variance on the diagonal makes up for it exactly (mu = L~^2/sigma_noise for a node), and the larger "
        "logarithm would do so too."
    ),
    stands="The privacy of section 4.2 with the printed sigma_noise.",
    instead=(
        "'may change M_t by sqrt(2) L~^2'; weighted by the variances, half of the squared change counts: mu = L~^2/sigma_noise for a node."
    ),
    step="sensitivity_as_printed",
)

FOOTNOTE_FOUR = Finding(
    name="footnote_four",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="The doubled diagonal is what pays for replacing a row, though the printed noise has room without it",
    place="Footnote 4 (section 4.2)",
    sentence=(
        "This increases the variance along the diagonal entries beyond the noise magnitude required to preserve privacy, but only by a "
        "constant factor of 2."
    ),
    literal="At the printed sigma_noise privacy holds without the doubling, for epsilon <= 8 ln(4/delta)^2, so the sentence is true.",
    charitable="The same.",
    consequence=(
        "Whoever recalibrates the noise and drops the doubling has a level mu that is sqrt(2) times larger than with it, for L~ e_1 "
        "against L~ e_2."
    ),
    stands="The footnote, at the printed noise.",
    instead="'required at this sigma_noise'.",
)

NODE_DELTA = Finding(
    name="node_delta",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="In section 4.2 a node spends delta/2 and not delta/2m",
    place="Section 4.2, before sigma_noise, and footnote 5",
    sentence="each node in the tree-based algorithm preserves (epsilon/sqrt(8 m ln(2/delta)), delta/2)-differential privacy",
    literal=(
        "By A.2 alone m such nodes are (epsilon, (m + 1) delta/2)-private: delta = 1.4 in Appendix D.2 (n = 5 x 10^7, so m = 27; delta "
        "= 1/10)."
    ),
    charitable=(
        "Footnote 5 composes the nodes by zero-concentrated privacy, where only sigma_noise counts; ln(4/delta) ln(2/delta) is then "
        "rounded up to ln(4/delta)^2. That is right."
    ),
    consequence="None.",
    stands="The privacy of section 4.2.",
    instead=("Only the variance matters: a delta of delta/2m per node is nowhere needed, and ln(4/delta) ln(2/delta) <= ln(4/delta)^2."),
)

NOISE_IS_LARGE = Finding(
    name="noise_is_large",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="sigma_noise is 13.8 times what (1, 0.1)-privacy needs at the paper's parameters, and not what it 'must be'",
    place="Section 4.2, sigma_noise",
    sentence="the variance in each coordinate must be sigma_noise^2 = 16 m L~^4 ln(4/delta)^2/epsilon^2",
    literal=(
        "It is enough, not necessary. The least noise is sigma = sqrt(m - 1) L~^2/mu, where mu is the level whose exact Gaussian profile "
        "at epsilon is delta."
    ),
    charitable="'must be' means 'we take'.",
    counterexample=(
        "Appendix D.2 (n = 5 x 10^7, epsilon = 1, delta = 1/10, L~^2 = 2): sigma_noise = 153.3 is printed, 11.07 is enough. What is "
        "printed has delta(1) = 1.5e-53 where 0.1 is asked for."
    ),
    consequence="The noise is 13.8 times, and sqrt(rho_max) 3.7 times, as large as it need be; regret bound and measured regret follow.",
    stands="The privacy, with much room.",
    instead=(
        "sigma_noise = sqrt(m - 1) L~^2/mu, where Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) = delta. In the toolkit: "
        "exact_calibration."
    ),
)

NODES_OF_A_PREFIX = Finding(
    name="nodes_of_a_prefix",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="'log' without its base: the number of noisy sums is log to the base 2, rounded up",
    place="Section 1.3, second paragraph on privacy; Appendix A.2",
    sentence=(
        "by combining at most log(n) noisy sums (1.3); 'any partial sum sum_{j=1}^i l_i using at most m := ceil(log(n) + 1) nodes' (A.2)"
    ),
    literal=(
        "Elsewhere in the paper log is natural. With natural logarithms a prefix of 1023 rows (n = 1024) adds 10 nodes, where ceil(ln "
        "n + 1) = 8. With base 2 and n = 2^i, as A.2 assumes, both sentences are true; for other n 'log(n)' must be rounded up (n = 7: "
        "3 nodes, log2(7) = 2.81). In A.2 the summand should be l_j."
    ),
    charitable="Section 2 has m = ceil(log2(n) + 1), with which all is true.",
    consequence="None: all later formulas use m of section 2.",
    stands="A.2 with m of section 2.",
    instead="At most ceil(log2 n) noisy sums; m = 1 + ceil(log2 n); sum_{j=1}^i l_j.",
)

RELEASED_NODES = Finding(
    name="released_nodes",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="A row is in m - 1 released nodes, not in m",
    place="Appendix A.2",
    sentence="the partial sums stored at no more than m nodes in T are different",
    literal=(
        "True. But only nodes that some prefix of the first n - 1 rows uses are ever released, and those that hold one row are at most m - "
        "1."
    ),
    charitable="The count of the whole tree is meant.",
    consequence="The noise could be smaller by a factor sqrt((m - 1)/m), 1.9 % in Appendix D.2 (m = 27).",
    stands="A.2.",
    instead="m - 1 = ceil(log2 n).",
)
