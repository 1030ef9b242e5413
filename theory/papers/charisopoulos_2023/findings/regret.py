"""What was found about the regret theorems 3.4 and 3.9 and their proofs, beside the thresholds."""

from banditproof.theory.findings import Finding, Grade, Reach

TWO_SIDED_REGRET = Finding(
    name="two_sided_regret",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Theorems 3.4 and 3.9 say 'is equal to' and 'scales as' for upper bounds",
    place="Theorem 3.4, before (19); Theorem 3.9, first line",
    sentence="the expected regret of Algorithm 1 is equal to (19) up to a dimension-independent multiplicative constant",
    literal="A lower bound as well, which is false: with a single action the regret is 0 and (19) is positive.",
    charitable="The proof ends with '<~' and Theorem 1.3 has O: an upper bound is meant.",
    counterexample=(
        "One action, d = 1, T = 100, delta = 0.1: regret 0, and (19) without corruption and privacy is sqrt(100 log 1000) = 26.3."
    ),
    consequence="None.",
    stands="The upper bound is what is stated, used and audited here.",
    instead="'is at most'.",
)

DELTA_OF_THE_THEOREM = Finding(
    name="delta_of_the_theorem",
    grade=Grade.READING,
    reach=Reach.CONCLUSION,
    title="The delta of Theorem 3.4 is that of the proof, of the order delta'/(K T^2)",
    place="Theorem 3.4; Algorithm 1, input 'failure prob. delta'; appendix B.1.4, 'we relabel delta in this manner below'",
    sentence="Input: action space A, T, B, failure prob. delta",
    literal=(
        "The statement of the theorem puts no condition on delta. For a fixed delta the best action is lost in the first batch, of a few "
        "plays, with a probability that does not fall with T, so that the expected regret is linear in T, and (19) is not. Without "
        "corruption and privacy, with two actions and theta* = 0.2 a_1: at delta = 0.5 the probability is 0.05."
    ),
    charitable=(
        "The proof says that delta is proportional to delta'/(K T^2), and relabels it. Then the event that anything fails costs nothing "
        "in the order, for delta' of the order 1/T or with the slack of T^2."
    ),
    consequence="Who runs the algorithm with delta = 0.05 has no guarantee. log(1/delta) contains log K and 2 log T.",
    stands="The theorem with the proof's delta, which our statements have as a hypothesis (plays_m1, plays_m2).",
    instead="State delta = delta'/(K T^2), with K and delta' in the bound.",
)

FACTOR_OF_THE_LAST_TERMS = Finding(
    name="factor_of_the_last_terms",
    grade=Grade.PROOF_GAP,
    reach=Reach.ORDER,
    title="Theorem 3.9 loses the factor 1 + nu k on two of its terms",
    place="Appendix B.2.4, from (59) and (61) to (63); Theorem 3.9, second line",
    sentence=(
        "2 d (sqrt(alpha d log log d) + sqrt(alpha log(1/delta))) (T + sqrt(T d log log d/nu) + log(d log log d/delta) log T/(nu epsilon))"
    ),
    literal=(
        "(59) multiplies everything by 1 + nu k. In (61) only the first summand is divided by it, so that the other two keep it in the "
        "product; (63) and the theorem have it on the first line alone."
    ),
    charitable=(
        "For nu at most 1/k, from which the rates of Theorem 1.4 come, it is at most 2. For larger nu it changes the second summand only "
        "where T is below (1 + nu k)^2 log(k/delta)/nu; but the third at every T, if epsilon is small enough."
    ),
    counterexample=(
        "T = 10^4, k = 200, nu = 1, delta = 10^-12: (61) times 1 + nu k is 1.25 10^5, ten times the bracket of (63) is 1.06 10^5. No "
        "constant is large enough for all k."
    ),
    values=(("horizon", "10000"), ("support", "200"), ("failure", "1/1000000000000"), ("truncation_parameter", "1")),
    step="factor_of_the_bracket",
    consequence="A factor 1 + nu k on two terms that are of a lower order in T.",
    stands="The theorem for nu of the order 1/k, which is the step factor_of_the_bracket_at_small_nu.",
    instead="1 + nu k on the last two terms of the bracket as well, as in the statement regret_m2_by_support.",
)

NUMBER_OF_TERMS = Finding(
    name="number_of_terms",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="(60) and (61) count B - 1 terms in sums of B",
    place="Appendix B.2.4, (60) and (61), the factor B - 1",
    sentence="sqrt(log(1/delta)) (B - 1)/(epsilon sqrt(nu))",
    literal=(
        "The sums run over i = 0, ..., B - 1, so that a summand that does not depend on i is taken B times. The line is barely legible."
    ),
    charitable="Theorem 3.9 has log T for it, and B is of that order.",
    counterexample="B = 2, epsilon = nu = d = 1, delta = 1/3, q = 2: the sides differ by one term, log(1/delta) = 1.10.",
    values=(
        ("dimension", "1"),
        ("failure", "1/3"),
        ("epsilon", "1"),
        ("truncation_parameter", "1"),
        ("growth", "2"),
        ("batches", "2"),
    ),
    step="noise_terms",
    consequence="None.",
    stands="Theorem 3.9's log T.",
    instead="B in place of B - 1.",
)

FACTOR_OF_TWO = Finding(
    name="factor_of_two",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Theorem 3.9 has a factor 2 where its proof has 2 d",
    place="Theorem 3.9, second line, against (55), (63) and Theorem 1.4",
    sentence="+ 2 (sqrt(alpha d log log d) + sqrt(alpha log(1/delta))) (T + ...)",
    literal="As the scan shows it, the term is smaller by the factor d than in the last line of its proof.",
    charitable=(
        "(55) and (63) have 2 d, and Theorem 1.4 has d^(3/2) sqrt(alpha), which needs it: a letter is lost, in print or in the scan."
    ),
    counterexample="d = 20, alpha = 0.001: the two forms of the term differ by the factor 20.",
    consequence="None if 2 d is read, as our statement regret_m2 does; regret_m2_factor has the other form.",
    stands="(63).",
    instead="2 d.",
)
