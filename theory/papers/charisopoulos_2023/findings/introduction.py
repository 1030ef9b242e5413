"""What was found about the introduction and the conclusion: comparisons, the amount of corruption, case conditions."""

from banditproof.theory.findings import Finding, Grade, Reach

TOTAL_CORRUPTION = Finding(
    name="total_corruption",
    grade=Grade.FALSE,
    reach=Reach.LINE,
    title="The total corruption is not bounded by alpha T, neither in number nor in amount",
    place="Section 1.1, after Theorem 1.3; section 1.2, 'assuming that C scales as alpha T'",
    sentence="Note that the total amount of corruption injected by the adversary is upper bounded by C = alpha T.",
    literal=(
        "The number of corrupted rewards is binomial with mean alpha T, above which it is about half of the time, and T with the positive "
        "probability alpha^T. Their amount has no bound at all, since (3) replaces a reward by an arbitrary value."
    ),
    charitable="alpha T is the expected number of corrupted rewards, and the amount too if none is changed by more than 1.",
    counterexample="T = 10^5, alpha = 0.05: P(more than 5000 corrupted) = 0.496; one value of 10^6 exceeds alpha T = 5000 alone.",
    values=(("corruption", "1/10"), ("horizon", "100")),
    consequence=(
        "The comparison with Bogunovic et al. is between two problems: their adversary chooses the rounds within a budget of amounts, "
        "this one the size at random rounds. Neither bound transfers as it stands; theirs would need rewards that the learner clips, "
        "with C of the order alpha T times the clipping range."
    ),
    stands="The expected number, alpha T; with high probability it is below alpha T + O(sqrt(alpha T)).",
    instead="'the expected number of corrupted rewards is alpha T', and no comparison of rates as if C = alpha T were given.",
    step="every_report_at_once",
)

GAIN_OF_A_ROOT = Finding(
    name="gain_of_a_root",
    grade=Grade.FALSE,
    reach=Reach.ORDER,
    title="The gain over the best previous bound is at most sqrt(d), not at least, and a loss for alpha < 1/d^2",
    place="Section 1.1, after Theorem 1.3; conclusion, 'when no differential privacy is required'",
    sentence=(
        "Interestingly, our result shaves off a factor of at least sqrt(d) compared to the regret bound of the best previous work on "
        "robust stochastic linear bandits Bogunovic et al. [2021], which scales as O(sqrt(dT) + C d^{3/2})."
    ),
    literal=(
        "At C = alpha T the corruption terms are alpha d^(3/2) and max{sqrt(alpha d), alpha d}, times T. Their quotient is min{d "
        "sqrt(alpha), sqrt(d)}: at most sqrt(d), equal only for alpha d >= 1, and below 1 for alpha < 1/d^2."
    ),
    charitable=(
        "Section 1.2 has 'a sqrt(d) factor in certain regimes', which is true for alpha d >= 1, as for a constant alpha and large d. There "
        "the bound itself is above T, which no regret exceeds by more than the factor 2."
    ),
    counterexample=(
        "(alpha, d) = (1e-4, 16): 0.0064 against 0.04, a loss by 6.25. (0.01, 10): no gain. (0.1, 5): 1.58, where sqrt(d) = 2.24."
    ),
    values=(("dimension", "16"), ("corruption", "1/10000")),
    consequence=(
        "A comparison of the introduction and the conclusion. With what (50) proves, d sqrt(alpha), the gain is sqrt(alpha d), never "
        "above 1 where the bound says something."
    ),
    stands=(
        "A gain of d sqrt(alpha), between 1 and sqrt(d), for 1/d^2 < alpha < 1/d; T sqrt(alpha d) holds for B of the order log T (finding "
        "bound_without_filter)."
    ),
    instead="'a factor of min{d sqrt(alpha), sqrt(d)}', for C = alpha T (gain_over_budget).",
    step="root_in_the_first_case",
    refuted_by=("charisopoulos_2023.gain_always/step.root_in_the_first_case", "charisopoulos_2023.gain_at_least/points.gain_as_printed"),
)

ADDITIONAL_FACTOR = Finding(
    name="additional_factor",
    grade=Grade.FALSE,
    reach=Reach.LINE,
    title="The second model costs more than sqrt(d) in the corruption term",
    place="Section 1.1, after Theorem 1.4",
    sentence=(
        "Compared to Theorem 1.3, Theorem 1.4 yields an improved dependence on T in the 'private' part of the regret at the expense of an "
        "additional sqrt(d) factor in the non-private part."
    ),
    literal=(
        "The non-private parts are d sqrt(T) + d^(3/2) sqrt(alpha) T + alpha T and sqrt(dT) + T max{sqrt(alpha d), alpha d}. The first "
        "terms differ by sqrt(d), the corruption terms by d for alpha d <= 1, and by sqrt(d/alpha) for alpha d >= 1."
    ),
    charitable="The sentence is right without corruption, and against d sqrt(alpha), which (50) gives in place of the max.",
    counterexample="alpha = 0.001, d = 16: 2.02 against sqrt(16) times 0.126 = 0.506.",
    values=(("dimension", "16"), ("corruption", "1/1000")),
    consequence="The price of the second model is understated by sqrt(d) or more in its corruption term.",
    stands="sqrt(d) in the term sqrt(T).",
    instead="'an additional sqrt(d), and d in the corruption term' (factor_against_the_interval for what (50) gives).",
    step="factor_of_the_corruption_small",
)

CASES_OF_THE_MAX = Finding(
    name="cases_of_the_max",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The two cases of the max are separated at alpha = d instead of alpha = 1/d",
    place="Section 1.1, after Theorem 1.3",
    sentence="O(T sqrt(alpha d) + sqrt(dT)) when alpha <= d and O(T alpha d + sqrt(dT)) when alpha >= d",
    literal="alpha < 1/4 < d, so the second case never occurs, and the first formula is too small for alpha > 1/d.",
    charitable="The max of Theorem 1.3 switches at alpha = 1/d. The scan may have lost '1/', which it keeps elsewhere.",
    counterexample="alpha = 0.2, d = 20: the max is alpha d = 4; the first case has sqrt(alpha d) = 2.",
    values=(("dimension", "20"), ("corruption", "1/5")),
    consequence="None.",
    stands="Theorem 1.3's max as it is printed, with its cases at 1/d.",
    instead="alpha <= 1/d (where_the_max_switches) and alpha >= 1/d.",
    step="condition_of_the_first_case",
    refuted_by=("charisopoulos_2023.informal_m1_few/growth.dimension_high",),
)

BEST_PRIVATE_RATE = Finding(
    name="best_private_rate",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Which private rate is matched without corruption is not said: the local one is, the central one is not",
    place="Conclusion, 'In the absence of corruption'",
    sentence=(
        "In the absence of corruption (alpha = 0), our regret matches that of the best-known non-robust differentially private algorithm "
        "Hanna et al. [2022]."
    ),
    literal=(
        "Section 1.2 quotes two rates of that work: sqrt(T log T) + log(T)^2/epsilon in the central model and sqrt(T)/epsilon in the "
        "local one. sqrt(dT) (1 + 1/epsilon) matches the second, up to d and logarithms. The first is smaller by sqrt(T) in its part "
        "over epsilon; the second model has d sqrt(T) + d/epsilon, which matches the first up to d and logarithms."
    ),
    charitable="The sentence follows on 'a robust and eps_priv-LDP policy': a local rate is compared with a local rate.",
    counterexample="T = 10^8, epsilon = 0.01, d = 1: sqrt(T)/epsilon is 10^6, the central rate 7.7e4.",
    consequence="None under the charitable reading.",
    stands="The comparison in the local model, for epsilon up to 1 (local_model).",
    instead="'matches the best known locally private rate'.",
)
