"""What was found about Corollaries 10 and 12: what plugging Propositions 9 and 11 into Theorems 5 and 6 gives, and for which parameters."""

from banditproof.theory.findings import Finding, Grade, Reach

COROLLARY_TEN_RATE = Finding(
    name="corollary_ten_rate",
    grade=Grade.PROOF_GAP,
    reach=Reach.ORDER,
    title="Plugging Proposition 9 into Theorems 5 and 6 gives a larger order in n than Corollary 10 has",
    place="Section 4.1, after Proposition 9, and Corollary 10, both bounds",
    sentence=(
        "Plugging these into Theorems 5 and 6 gives us the following upper bounds on pseudo-regret. ... S L~ sqrt(d) log(n)^(3/4) "
        "(d^(1/4) + eps^(-1/2) log(1/delta)^(1/4)) (d^(1/4) + log(n/alpha)^(1/4))"
    ),
    literal=(
        "(m k)^(1/4) is of the order of log(n)^(1/2) eps^(-1/2) (log(log(n)/delta) log(1/delta))^(1/4), because k contains m itself. So "
        "the term with epsilon has log(n) (log(log(n)/delta) log(1/delta))^(1/4), where the corollary has log(n)^(3/4) "
        "log(1/delta)^(1/4). What is plugged in exceeds the corollary by the factor (log n)^(1/4) (log(log(n)/delta))^(1/4), without "
        "bound as n grows; for delta = 1/n by the factor log(n)^(1/2)."
    ),
    charitable="None: the corollary writes every power of a logarithm, and its O hides no such power.",
    counterexample=(
        "Exact limits of what is plugged in over the printed order: log(n)^(1/4) log(log n)^(1/4) as n grows, all else fixed, and "
        "log(1/delta)^(1/4) log(log(1/delta))^(1/4) as delta falls with n = log(1/delta)^4; with a gap the squares of both. As numbers "
        "(d = 5, epsilon = 1, delta = 1/10, alpha = 1/n, L~^2 = 2, S = L = 1, constants included) the private term (S sqrt(rho_max') + "
        "gamma') E, E = sqrt(d log(1 + n L^2/(d rho_min'))), over the printed term with S L~ is 6.2, 19.9, 53.7 and 113 at n = 10^6, "
        "10^12, 10^100 and 10^1000"
    ),
    consequence=(
        "The general bound is larger by (log n)^(1/4) and more, the bound with a gap by the square of that. Whether Corollary 10 is true "
        "is left open: another proof may give its rates. In delta alone, n being fixed, there is no contradiction."
    ),
    stands="The dependence on d, epsilon, B and n up to logarithms.",
    instead=(
        "S L~ sqrt(d) log(n)^(3/4) (d^(1/4) + eps^(-1/2) (log(n) log(log(n)/delta) log(1/delta))^(1/4)) (d^(1/4) + "
        "log(n/alpha)^(1/4)), with S + 1 for S (see [corollaries_factor_s](#corollaries_factor_s)). In the toolkit: "
        "regret_wishart_plugged and regret_wishart_gap_plugged."
    ),
    refuted_by=(
        "shariff_sheffet_2018.regret_wishart/growth.horizon_high",
        "shariff_sheffet_2018.regret_wishart/growth.delta_low_long",
        "shariff_sheffet_2018.regret_wishart_gap/growth.horizon_high",
        "shariff_sheffet_2018.regret_wishart_gap/growth.delta_low_long",
    ),
)

COROLLARIES_FACTOR_S = Finding(
    name="corollaries_factor_s",
    grade=Grade.PROOF_GAP,
    reach=Reach.ORDER,
    title="The factor S on all that privacy costs does not come out of Propositions 9 and 11",
    place="Corollaries 10 and 12, all four bounds",
    sentence="S L~ log(n) sqrt(d (sqrt(d) + ln(n/alpha)) ln(1/delta)/eps)",
    literal=(
        "The private term of (2) and (3) is (S sqrt(rho_max) + gamma) E, and gamma has no factor S: plugging in gives S + 1 for S, up to "
        "constants. As S falls the term that is plugged in stays, and the printed one vanishes."
    ),
    charitable="For S of at least a constant the two agree, and S is 1 in the experiments.",
    counterexample=(
        "With S = sigma = 1/x and x growing, the printed bounds fall like 1/x (1/x^2 with a gap), and what is plugged in stays. At "
        "Appendix D.2 (n = 5 x 10^7, d = 5, epsilon = 1, delta = 1/10, alpha = 1/n, L~^2 = 2) with Gaussian noise (S sqrt(rho_max) + "
        "gamma)/S is 552, 807, 3352 and 28,804 at S = 1, 1/10, 1/100 and 1/1000"
    ),
    consequence=(
        "The order in S only, as S falls to 0, where the printed bounds are too small by up to gamma/(S sqrt(rho_max)). Nothing for S >= 1."
    ),
    stands="Both corollaries' dependence on S for S of at least a constant.",
    instead="S + 1 for S in the private terms.",
    refuted_by=(
        "shariff_sheffet_2018.regret_wishart/growth.short_parameter",
        "shariff_sheffet_2018.regret_wishart_gap/growth.short_parameter",
        "shariff_sheffet_2018.regret_gaussian/growth.short_parameter",
        "shariff_sheffet_2018.regret_gaussian_gap/growth.short_parameter",
    ),
)

COROLLARIES_RANGE = Finding(
    name="corollaries_range",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Corollaries 10 and 12 are orders for n >= 2, delta <= 1/2 and bounded epsilon, with probability 1 - alpha",
    place="Corollaries 10 and 12",
    sentence="we get a regret bound of O(B sqrt(n) (sigma (d log(n) + log(1/alpha)) + S L~ log(n) sqrt(...)))",
    literal=(
        "No range and no probability is stated; alpha stands in the formula only, and the 'regret' of Corollary 12 is pseudo-regret. "
        "Read for every n, epsilon and delta the printed orders would fail at the ends: as epsilon grows and sigma falls Corollary 12 "
        "goes to 0, and for n = 1 its private term is 0, while the first round can cost 2 B. Nor does it follow as delta goes to 1, "
        "where ln(1/delta) goes to 0 and the noise has ln(4/delta) > 1.38, or as epsilon grows with sigma fixed, where "
        "log(rho_max/rho_min + n L^2/(d rho_min)) grows like log(epsilon)."
    ),
    charitable=(
        "O is read for n to infinity, small delta and bounded epsilon, and 'plugging these into Theorems 5 and 6' puts the corollaries "
        "on the event of those theorems, of probability 1 - alpha. Then nothing is missing."
    ),
    counterexample=(
        "d = 1, theta* = -1, actions 1 and -999/1000, Gaussian noise without a node in round 1 (h_1 = 0): the first round costs 1.999 "
        "with certainty for every epsilon and sigma. With sigma = 1/epsilon Corollary 12 falls like epsilon^(-1/2) as epsilon grows. Of "
        "Corollary 12's first term, n = 1000, d = 5, alpha = 1/n: what is plugged in over what is printed is 0.50, 0.69, 1.49 and 3.16 "
        "at epsilon = 1, 10^3, 10^6 and 10^12; at delta = 0.999 ln(4/delta)/ln(1/delta) is 1387"
    ),
    consequence="None in the range of use.",
    stands=(
        "Corollary 12 follows from (2), (3) and Proposition 11 for n >= 2, delta <= 1/2, epsilon at most a power of n, S at least a "
        "constant and B at most L~ S."
    ),
    instead="State that range and the probability 1 - alpha; ln(4/delta) for ln(1/delta).",
)
