"""What was found about the filter's lemmas (appendix A) and the interval of Proposition 2.1."""

from banditproof.theory.findings import Finding, Grade, Reach

CHERNOFF_CONSTANT = Finding(
    name="chernoff_constant",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="Lemma A.3 has a Chernoff bound without its constants",
    place="Appendix A, Lemma A.3, (29) and (30)",
    sentence="P(|S_n - n alpha| > sqrt(n alpha log(1/delta))) <= delta, for delta in (0, 1]",
    literal=(
        "S_n is binomial with variance n alpha (1 - alpha). As n grows, with alpha and delta fixed, the probability tends to "
        "erfc(sqrt(log(1/delta)/(2 (1 - alpha)))), which is of the order delta^(1/(2 (1 - alpha))): far above delta for small delta, as "
        "alpha < 1/4. The lemma's condition n >= C log(1/delta)/alpha holds from some n on, whatever its constant. (29) and the last "
        "display of the proof have the same explicit constant 1."
    ),
    charitable=(
        "The exercise that is cited has an unspecified constant in the exponent. With suppressed constants the lemma is right; but (30) "
        "and the last display are explicit, where other lines of the appendix have '<~'. The relation of (29) is garbled in the scan."
    ),
    counterexample=(
        "By exact binomial sums: n = 10^4, alpha = 0.05, delta = 0.01 (n alpha is 109 log(1/delta)): the probability is 0.0293. n = 10^6, "
        "alpha = 0.01, delta = 10^-6: 1.89 10^-4, 189 times delta. The limit at alpha = 0.05, delta = 0.01 is 0.0277."
    ),
    values=(("corruption", "1/20"), ("failure", "1/100")),
    step="the_limit",
    refuted_by=("charisopoulos_2023.inlier_fraction/exact.binomial_as_printed",),
    consequence=(
        "The lemma enters Proposition 2.1 and its followers, all with suppressed constants: a factor sqrt(3) there. No conclusion changes."
    ),
    stands="The order: it holds as printed for some large delta, and with constants for all.",
    instead=(
        "||G_0|/n - (1 - alpha)| <= sqrt(3 alpha log(2/delta)/n) where n alpha >= 3 log(2/delta), which is the statement "
        "inlier_fraction_explicit; at the first point above its failure probability is 4.3 10^-5."
    ),
)

HALF_OF_THE_REPORTS = Finding(
    name="half_of_the_reports",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="The inequality after (33) needs 36 in place of 18",
    place="Appendix A.2, the display after (33)",
    sentence="|G_0| >= (1 - alpha) n - 3 sqrt(n log(1/delta)) >= (1 - alpha) n/2 for n >= 18 log(1/delta)/(1 - alpha)^2",
    literal=(
        "The second inequality says 3 sqrt(n log(1/delta)) <= (1 - alpha) n/2, which is n >= 36 log(1/delta)/(1 - alpha)^2. At 18 it fails."
    ),
    charitable=(
        "The outcome |G_0| >= (1 - alpha) n/2 is true with probability 1 - delta already for n >= 2 log(1/delta)/(1 - alpha)^2, by "
        "Hoeffding's inequality; only the chain through 3 sqrt(n log(1/delta)) fails."
    ),
    counterexample="alpha = 0.05, delta = 0.05, n = 60 >= 59.7: the middle is 16.8 and the right side 28.5.",
    values=(("corruption", "1/20"), ("failure", "1/20"), ("samples", "60")),
    step="half_is_left",
    consequence=(
        "None for the bound on the covariance. The condition on n is also left out of Proposition 2.1; Assumption A.1 implies it, as "
        "alpha < 1/4, if its constant is at least 8."
    ),
    stands="|G_0| >= (1 - alpha) n/2 with probability 1 - delta, as stated; exact binomial sums agree.",
    instead="n >= 36 log(1/delta)/(1 - alpha)^2, which is the step half_is_left_repaired, or Hoeffding's inequality.",
)

HEAVY_REPORT = Finding(
    name="heavy_report",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="Lemma A.4 leaves out the range of t of the vector Bernstein inequality",
    place="Appendix A.1, Lemma A.4, (31), and 'Applying the vector Bernstein inequality [Gross, 2011, Theorem 12]'",
    sentence="|theta_G0 - (n (1 - alpha)/|G_0|) theta_n| <= |y| sqrt(mu alpha (1 - alpha) log(1/delta))/|G_0| with probability at least "
    "1 - delta",
    literal=(
        "The inequality that is applied holds for t <= V/max |Q_i|, and the t that is set is outside that range where one report is a "
        "large part of |y|. Let only one report not be 0, which is possible without noise: one action of length 1 and others of length "
        "nearly 0. It is corrupted with probability alpha > delta, and then the left side is larger than the right side by "
        "sqrt((1 - alpha)/(alpha log(1/delta))), which no constant bounds as alpha falls to 0."
    ),
    charitable=(
        "Where 4 (1 - alpha) log(1/delta) max y_i^2 <= alpha |y|^2, t is in the range. With sqrt(n) max |y_i| in place of |y| "
        "Assumption A.1 with a constant of 4 is enough for that."
    ),
    counterexample=(
        "d = 1, n = 10^8, all actions 1, y = (1, 0, ..., 0) fixed, alpha = 10^-6, delta = 5 10^-7, so that n alpha is 6.9 log(1/delta) and "
        "Assumption A.1 holds: with probability 10^-6, twice delta, "
        "the left side is 262 times the right side; the audit has 100 for the constant of (31)."
    ),
    refuted_by=("charisopoulos_2023.mean_shift_bound/exact.one_heavy_report_as_printed",),
    consequence=(
        "The lemma alone, as far as is known. In the example Proposition 2.1 survives: one report that is corrupted moves the estimate "
        "by at most mu |y|, and its first term is at least mu |y| sqrt(n alpha), with n alpha >= 1 by Assumption A.1."
    ),
    stands="Lemma A.4 for reports of about the same size; Proposition 2.1 is not refuted by this.",
    instead=(
        "The condition above, with which the statement mean_shift_explicit holds, or a further term sqrt(mu) max |y_i| log(1/delta)/|G_0|."
    ),
)

EXPONENT_OF_THE_SHIFT = Finding(
    name="exponent_of_the_shift",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The t of Lemma A.4's proof gives delta^(1/4), or the exponent above it lacks its 4",
    place="Appendix A.1, proof of Lemma A.4, 'Consequently, we may set t'",
    sentence="we may set t = |y| sqrt(mu alpha (1 - alpha) log(1/delta)) to obtain the claimed probability",
    literal=(
        "The theorem that is cited has exp(-t^2/(4 V)), V = mu alpha (1 - alpha) |y|^2, which is delta^(1/4) at this t. The constant of "
        "the exponent is illegible in the scan that we have. If the 4 is printed, the choice of t is wrong; if it is not, the theorem is "
        "quoted with a constant that it does not have. (31) also leaves out the summand sqrt(V) of the theorem."
    ),
    charitable="With a suppressed constant in (31), which the scan does not show or exclude, nothing is wrong but this line.",
    counterexample="delta = 0.01: delta^(1/4) is 0.316.",
    values=(("failure", "1/100"),),
    step="choice_of_t",
    consequence="A factor 2 and a summand in a constant that Proposition 2.1 suppresses.",
    stands="(31) up to a constant, in the range of t.",
    instead="t = 2 |y| sqrt(mu alpha (1 - alpha) log(1/delta)), as in the statement mean_shift_explicit.",
)

COUNT_OF_EVENTS = Finding(
    name="count_of_events",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="Proposition 2.1 counts two of its three events",
    place="Proposition 2.1; appendix A.2, 'Taking a union bound over Lemmas A.3 and A.4'; appendix A.3.4",
    sentence="with probability at least 1 - 2 delta",
    literal=(
        "(34) needs Theorem A.2 and Lemma A.3, and the sentence names Lemma A.4 in place of Theorem A.2. Proposition 2.1 puts (34) and "
        "(42) together, and (42) needs Lemma A.4 as well: three events that fail with probability delta each. The union bound gives "
        "1 - 3 delta."
    ),
    charitable="With suppressed constants delta can be replaced by 2 delta/3, which changes log(1/delta) by a constant.",
    counterexample="delta = 1/4: the three events fail with 3/4 by the union bound, and 1/2 is claimed.",
    values=(("failure", "1/2"),),
    step="three_events",
    consequence="None beyond a constant.",
    stands="(34) with 1 - 2 delta, and Proposition 2.1 with 1 - 3 delta.",
    instead="1 - 3 delta.",
)

LIMIT_OF_THE_FILTER = Finding(
    name="limit_of_the_filter",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="Theorem A.2 has an unspecified largest corruption, and the paper admits all below 1/4",
    place="Appendix A, Theorem A.2; section 1.1, 'alpha in [0, 1/4)'",
    sentence="the set of inliers satisfies (n - |G_0|)/n + log(1/delta)/n <= c, where c is a dimension-independent constant",
    literal=(
        "If c is below 1/4, the proof says nothing for corruption between c and 1/4; and at every corruption it needs a batch of at least "
        "log(1/delta)/c reports. The value of c is not given, and the cited source was not consulted for it."
    ),
    charitable="A corruption of c or more is a constant fraction, at which the bounds on the regret are vacuous (see constant_fraction).",
    consequence="None that is known: our statements keep c as a quantity and refuse values beyond it.",
    stands="The quotation.",
    instead="alpha <= c/2 and n >= 2 log(1/delta)/c beside Assumption A.1.",
)

SIGN_OF_THE_REST = Finding(
    name="sign_of_the_rest",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The last term of (41) has the wrong sign, and (42) lacks absolute values",
    place="Appendix A.3.2, (41) and (42)",
    sentence="<M^(-1/2) a, |G_0| (theta_G0 - (n (1 - alpha)/|G_0|) theta_n)> + <M^(-1/2) a, n alpha theta_n>",
    literal=(
        "The left side is <M^(-1/2) a, |G_0| theta_G0 - n theta_n>, and n (1 - alpha) theta_n is subtracted in the first term, so that "
        "n alpha theta_n has to be subtracted in the second. (42) then bounds a sum with a sign by alpha (1 + that sum)."
    ),
    charitable="Only absolute values are used afterwards, and |-x| = |x|.",
    counterexample=(
        "|G_0| = 4, n = 5, alpha = 1/5, theta_G0 = theta_n = 1 along M^(-1/2) a: the left side is -1, and the right side is 1 as printed."
    ),
    values=(("inliers", "4"), ("samples", "5"), ("corruption", "1/5"), ("good_mean", "1"), ("clean_mean", "1")),
    step="sign_of_the_rest",
    consequence="None: (44) holds with the corrected sign.",
    stands="(42) with absolute values, and (44).",
    instead="A minus sign before the last term, which is the step sign_repaired, and |sum e_i <a, M^(-1) a_i>| in (42).",
)

GOOD_SUM = Finding(
    name="good_sum",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="The estimate (9) is alpha too small, and the term alpha of the interval comes from it alone",
    place="Section 2.1, (9); section 2.2, (12); Proposition 2.1, the last term of (14)",
    sentence="in expectation, the least-squares estimate computed over the subset of 'clean' rewards is close to the true least-squares "
    "estimate",
    literal=(
        "(9) has the Gram matrix of all actions and the sum over clean rewards, so that its mean is 1 - alpha times the least-squares "
        "estimate: neither (9) nor (12) is the least-squares solution over the clean rewards. The algorithm's estimate n M^(-1/2) w has w "
        "near a mean over the clean rewards, and has no such bias. The proof passes through (12) all the same, and pays alpha for it."
    ),
    charitable="'Close' means up to a fraction alpha, and the bound is true.",
    counterexample=(
        "n = 1000, every corrupted report removed, true parameter 1: the mean of (9) is 0.95 at alpha = 0.05 and 0.80 at alpha = 0.2; that "
        "of the algorithm's estimate is 1 within 2 10^-4 in 40,000 runs."
    ),
    refuted_by=("charisopoulos_2023.least_squares/coverage.good_sum_as_printed",),
    consequence="The term alpha in (14) and (44) and the terms alpha T of the regret, which other terms exceed: nothing in the rates.",
    stands="Proposition 2.1 as stated, and all that follows.",
    instead="Compare the estimate with n M^(-1/2) theta_G0 itself: no term alpha is left.",
)
