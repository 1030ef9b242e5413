"""What was found about intervals and thresholds: line 9, (48) to (50), (55), (60), and what they need of Assumption A.1."""

from banditproof.theory.findings import Finding, Grade, Reach

NARROW_WIDTH = Finding(
    name="narrow_width",
    grade=Grade.PROOF_GAP,
    reach=Reach.ORDER,
    title="The threshold is narrower than the interval (50) by up to sqrt(d), and is no interval for this filter",
    place="Algorithm 1, line 9; B.1.4, 'recalling the width of the confidence interval'; Theorem 3.4, (19)",
    sentence=(
        "Now, recalling the width of the confidence interval gamma_i := sqrt(d) (sqrt(log(q^i/delta)) + log(q^i/delta)/eps_priv) "
        "(sqrt(alpha) + alpha sqrt(d)) + ..."
    ),
    literal=(
        "The interval (50) just above has d sqrt(alpha) in this place, from (48) and (49). sqrt(d alpha) + d alpha is smaller by the "
        "factor min(sqrt(d), 1/sqrt(alpha)), up to 2, and no line leads from one to the other."
    ),
    charitable=(
        "Line 9 is a choice, and a narrower interval might be true. It is not with the scale of the paper, even if it is computed from "
        "the clean reports: that scale is up to d times the covariance of good reports, and the adversary can use the room. But (19) does "
        "not need the interval: for B of the order log T it holds with the thresholds of line 9 by another argument (finding "
        "bound_without_filter)."
    ),
    counterexample=(
        "d unit vectors with n/d plays each, reports N(0, 1), corrupted ones sqrt(d/alpha): u is about (1 + d)/n, below 4 lambda = 4d/n, "
        "so nothing is removed, and the estimate at (1, ..., 1)/sqrt(d) is off by d sqrt(alpha). Drawn: 0.309, 0.390, 0.511 at (d, alpha) "
        "= (16, 4e-4), (64, 4e-5), (256, 4e-6), where sqrt(alpha d) + alpha d is 0.086, 0.053, 0.033. Fact 1 in a long batch: add the "
        "arms +-(1, ..., 1)/sqrt(d), theta* along the negative one with length beta < 1/4, alpha = 1/(16 d^2), sqrt(T) plays, d = (log "
        "T)^2, delta = 1/T^3, so that Assumption A.1 holds for large T: the two estimates are beta - 1/4 and 1/4 - beta, and the better "
        "arm is eliminated once 2 gamma_1 < 1/2 - 2 beta; gamma_1 goes to 0. With B = 2 the regret is at least beta (T - sqrt(T)), and "
        "the corruption term of (19) over T is 0.033 and 0.0033 at T = 10^100 and 10^10000; with B of the order log T, which is what the "
        "paper claims (19) for, the arms of large gap are gone before a batch has enough corrupted reports."
    ),
    values=(("dimension", "1000000"), ("corruption", "1/100000000"), ("corruption_constant", "10")),
    consequence=(
        "An order in d of the width, for alpha < 1/d: the proof gives T d sqrt(alpha), which is above the rate quoted from Bogunovic et "
        "al. at C = alpha T by 1/sqrt(alpha d) for alpha d < 1. Measured at K = 50, d = 5, T = 10^5, B = 12, reports of size 50 against "
        "theta*, no privacy, constants 1 and the range rule for lambda: line 9 loses the best arm in 5 of 5 runs, at alpha = 0.05 and at "
        "0.1, with 1.45 and 1.59 times the regret of uniform play; with (50) no arm is eliminated, and the regret is 1.3 times that."
    ),
    stands="(50), for a scale as in finding observed_scale; (19) itself for log T <= B <= 2 log T (finding bound_without_filter).",
    instead=(
        "gamma_i of (50) (threshold_first_interval). Or lambda = 2 R^2/((1 - alpha) n) with a bound R for the reports: the good points' "
        "second moment is at most R^2/|G_0| without mu, since the sum of a_i a_i^T over G_0 is at most M_n; then the error is of the "
        "order R sqrt(d alpha)."
    ),
    step="interval_gives_the_width",
    refuted_by=(
        "charisopoulos_2023.regret_m1/step.interval_gives_the_width",
        "charisopoulos_2023.regret_m1/growth.width_in_d_as_printed",
    ),
)

ASSUMPTION_IN_FIRST_BATCH = Finding(
    name="assumption_in_first_batch",
    grade=Grade.PROOF_GAP,
    reach=Reach.CONCLUSION,
    title="Assumption A.1 fails in the first batches for B >= log T, and without corruption in all of them",
    place="B.1.4, 'Using Proposition 2.1 ... and Assumption A.1', with 'when B >= log(T)'; conclusion, 'In the absence of corruption'",
    sentence="The corruption probability alpha satisfies alpha >~ log(1/delta)/n. ... when B >= log(T) we have ... q = T^{1/B} <= e",
    literal=(
        "The proof uses the proposition in every batch, so alpha q^i must be of the order log(1/delta) at least, for i = 1 too. But q <= "
        "e and alpha < 1/4 give alpha q < 0.68, while log(1/delta) grows with T, as delta is of the order 1/(K T^2). At alpha = 0, which "
        "the setting admits and the conclusion names, the assumption holds in no batch. The assumption stands in appendix A alone."
    ),
    charitable=(
        "alpha is an upper bound, and may be replaced by max(alpha, log(1/delta)/q^i) in batch i. Then (50) gains d "
        "sqrt(log(1/delta)/q^i), and the regret d sqrt(T) in place of sqrt(dT), up to logarithms. With alpha = 0 nothing is corrupted, "
        "and the estimate is that of least squares as long as the filter removes nothing; the proof does not say that."
    ),
    counterexample=(
        "K = 50, T = 10^5, delta' = 0.05: log(1/delta) = 29.9, so the first batch would need alpha >= 11, and for alpha = 0.2 all "
        "batches of fewer than 150 plays are outside."
    ),
    values=(("corruption", "1/5"), ("failure", "1/100"), ("assumption_constant", "1")),
    consequence=(
        "For B of the order log T, the paper's choice, the proof of Theorem 3.4 holds for no alpha; Proposition 2.1 alone stands, in long "
        "batches."
    ),
    stands=(
        "(50) in the batches with alpha q^i of the order log(1/delta) or more; alpha = 0, and (19) for every alpha, by a direct argument "
        "(finding bound_without_filter)."
    ),
    instead="Begin with a batch of log(1/delta)/alpha plays, or keep log(1/delta)/n inside the root of (14), as (34) has it.",
    step="assumption_in_the_first_batch",
)

BOUND_WITHOUT_FILTER = Finding(
    name="bound_without_filter",
    grade=Grade.LOOSE,
    reach=Reach.CONCLUSION,
    title="The bound of Theorem 3.4 holds for plain least squares, which section 2 calls not robust",
    place="Section 2, first paragraph; Theorem 3.4, (19)",
    sentence=(
        "While the vanilla arm elimination algorithm is neither robust nor differentially private, we develop a variant that "
        "simultaneously ensures both these properties."
    ),
    literal=(
        "Let J be the first batch with a corrupted report, and replace the filter by the mean of all reports. Before J nothing is "
        "corrupted, so the intervals hold, and what is played from J on, whatever the adversary does, has a gap of at most 4 gamma_(J-1). "
        "Batch j is J with probability alpha q^j at most, up to the ceilings, and the sum of min(1, alpha q^j) q^(-(j-1)/2) where alpha "
        "q^j <= 1 is at most sqrt(alpha) q/(sqrt(q) - 1); later q^(-(j-1)/2) is at most sqrt(alpha q). So the noise part of gamma_(J-1) "
        "adds at most T times 30 sqrt(2 alpha d log(1/delta)) (1 + sqrt(log(1/delta))/epsilon) for log T <= B <= 2 log T, up to the "
        "constants of Lemma 3.1, which is the corruption term of (19). The part of gamma_(J-1) with alpha is that of (19) too, or 0 if "
        "line 9 leaves it out."
    ),
    charitable=(
        "The theorem is about the expected regret, and true. With a scale as in finding observed_scale the filter gives an interval in "
        "every long batch, so that the best arm is kept there and the order T sqrt(alpha d) holds with high probability; least squares "
        "loses the best arm in the first long batch that the adversary corrupts. In that sense it is not robust."
    ),
    counterexample=(
        "Drawn, without any filter: K = d unit vectors, d = 2 and 16, T = 10^6 to 10^15, alpha = 10^-2 to 10^-8, B = log T rounded up, "
        "the worst arm left being played to the end after the first corrupted report. The mean regret of 400 runs is at most 6.0 times "
        "(19) with constant 1, with line 9's thresholds and with their noise part alone; with B = 2 it is up to 128 times (19)."
    ),
    consequence=(
        "Theorem 3.4 says nothing for the filter: (19) is as true where it never removes a report. It is due to random positions and "
        "batches that grow by a constant factor."
    ),
    stands="Theorem 3.4 for log T <= B <= 2 log T, with line 10 over A_(i-1) and delta of the proof, for every alpha below 1/4.",
    instead="A bound with high probability, or for few batches, which least squares has not; or one below T sqrt(alpha d).",
)

CONSTANT_FRACTION = Finding(
    name="constant_fraction",
    grade=Grade.LOOSE,
    reach=Reach.CONCLUSION,
    title="For a constant fraction of corrupted rewards the regret bound exceeds 2 T and no arm has to be eliminated",
    place="Abstract, 'a constant fraction of the observed rewards'; Theorem 3.4; Algorithm 1, line 9",
    sentence="we assume an adversary randomly chooses a constant fraction of the observed rewards in each batch",
    literal=(
        "For fixed alpha the second term of (19) over T is at least sqrt(alpha d log(T/delta)), which grows without bound in T. Every "
        "regret is at most 2 T. An arm of gap 2 is sure to be eliminated only if gamma_i < 1/2."
    ),
    charitable="For alpha d log(T/delta) well below 1 the bound and the thresholds say something.",
    counterexample=(
        "K = 50, d = 5, T = 10^5, B = 12, delta' = 0.05, without privacy, constants 1: the corruption terms of gamma_i are at least 6.81, "
        "4.22, 1.53, 0.42 in all batches at alpha = 0.1, 0.05, 0.01, 0.001, and the second term of (19) is 4.55 T, 3.22 T, 1.44 T, 0.455 T."
    ),
    consequence=(
        "At alpha = 0.01 and above here the algorithm may play all arms equally often to the end. It can be worse: with corrupted reports "
        "of size 50 against theta* it loses the best arm in 5 of 5 runs at alpha = 0.05 and at 0.1, and has 1.46 and 1.62 times the "
        "regret of uniform play with lambda as printed, 1.45 and 1.59 times with lambda by the range rule."
    ),
    stands="Theorem 3.4's form as an upper bound where it is below 2 T.",
    instead=(
        "alpha below about 1/(16 d log(T/delta)). With ||y|| <= C sqrt(n) (1 + 1/epsilon) for long batches in place of Lemma 3.3, a sum of "
        "squares in place of a maximum, the logarithm goes."
    ),
    refuted_by=("charisopoulos_2023.regret_m1/vacuity.constant_fraction_as_printed",),
)

ROOT_OF_THE_OWNERS = Finding(
    name="root_of_the_owners",
    grade=Grade.PROOF_GAP,
    reach=Reach.ORDER,
    title="(55) is smaller by the root of the number of owners than what Proposition 2.1 gives",
    place="B.2.4, (55); line 9 of Algorithm 1, Model (M2); Theorem 3.9",
    sentence="2d (1 + sqrt(log(k/delta)/(nu m)) + log(k/delta)/(nu m eps_priv)) (sqrt(k alpha) + sqrt(alpha log(1/delta)))",
    literal=(
        "Proposition 2.1 with n = k reports, mu <= 2d (Lemma 3.7) and ||y|| <= sqrt(k) (1 + ...) (Lemma 3.8) gives 2d (1 + ...) sqrt(k) "
        "(sqrt(k alpha) + sqrt(alpha log(1/delta))). The line has not the factor sqrt(k), as if Lemma 3.8 bounded ||y|| itself."
    ),
    charitable=(
        "The interval may still hold: for k = d unit vectors mu is 1 and not 2d, and what the filter tolerates there is below (55). No "
        "line says that for other designs."
    ),
    counterexample="k = 100, alpha = 0.1, delta = 0.01: 38.4 from the proposition against 3.84, both times 2d (1 + ...).",
    values=(("support", "100"), ("corruption", "1/10"), ("failure", "1/100"), ("corruption_constant", "1")),
    consequence=(
        "A factor sqrt(k), about sqrt(d log log d), in the corruption terms of Theorems 1.4 and 3.9: d^2 sqrt(alpha) T in place of d^(3/2) "
        "sqrt(alpha) T, up to log log d."
    ),
    stands=(
        "(55) with sqrt(k) before its last bracket, where Proposition 2.1 holds. In Theorem 3.9 the corruption term itself, where reports "
        "are corrupted: any report of the run is with probability B k alpha at most, and 2 d (sqrt(k alpha) + sqrt(alpha log(1/delta))) "
        "is at least twice the lesser of 1 and that for k <= d^2 and B <= log(1/delta)."
    ),
    instead="2d sqrt(k) (1 + ...) (sqrt(k alpha) + sqrt(alpha log(1/delta))).",
    step="substituted",
)

FEW_OWNERS = Finding(
    name="few_owners",
    grade=Grade.LOOSE,
    reach=Reach.CONCLUSION,
    title="In the second model Assumption A.1 leaves only cases in which the regret bound says nothing",
    place="Theorem 3.9; Theorem 1.4, 'robust to adversarial corruptions'; (55) with Assumption A.1",
    sentence="alpha >~ log(1/delta)/n. ... We receive |supp(pi)| distinct responses in each round.",
    literal=(
        "The filter has k = |supp(pi)| reports, so Assumption A.1 asks alpha k >= C log(1/delta). Then gamma_i is at least 2 d sqrt(k "
        "alpha) >= 2 d sqrt(C log(1/delta)), far above every gap, in every batch. No arm is ever sure to be eliminated."
    ),
    charitable=(
        "With small constants the interval could be short for alpha k far below 1. But where a direction has one owner, nothing averages: "
        "an owner's report of -3 in place of 1 moves the estimate of its action by -4 and is not removed, with probability alpha per batch."
    ),
    counterexample=(
        "K = 50, T = 10^5, delta' = 0.05, constant 1: log(1/delta) = 29.9 and A.1 asks alpha >= 12.6 at d = 5, 1.36 at d = 20; both are "
        "impossible. K = 1000, T = 10^6, d = 200, k = 333: alpha >= 0.113, and gamma_i >= 2450."
    ),
    consequence=(
        "Theorem 3.9 speaks only where hardly any batch of the run has a corrupted report; there it is the bound without corruption, and a "
        "run with a corrupted report may cost 2 T. As a theorem on robustness it is empty."
    ),
    stands="The part of Theorem 3.9 without corruption (alpha = 0), by a direct argument; the inequality itself is not refuted.",
    instead=(
        "Several owners for each direction, k of the order d/alpha or more; or single rewards are corrupted and owners report robust means."
    ),
)

POWER_OF_NU = Finding(
    name="power_of_nu",
    grade=Grade.PROOF_GAP,
    reach=Reach.ORDER,
    title="The privacy term of the second model loses a root of nu between (60) and (63)",
    place="B.2.4, (60) to (63); Theorem 3.9; Theorem 1.4, 'd/epsilon'",
    sentence=(
        "(1 + nu d log log d) (sqrt(dT log(1/delta)/nu) + log(1/delta) log(T) sqrt(d)/(eps_priv sqrt(nu))) [the scan, in Theorem 3.9 and "
        "in (63)]"
    ),
    literal=(
        "(55) times q^i has sqrt(d log(1/delta)/(nu q^i)) (1/eps) sqrt(log(1/delta)/(nu q^i)) q^i = sqrt(d) log(1/delta)/(nu eps), and "
        "(60) has the two roots of nu as factors of one term. (63) has one of them."
    ),
    charitable=(
        "A misprint for nu, or of the scan: then Theorem 3.9 follows. But Theorem 1.4, at nu of the order 1/(d log log d), has d/epsilon, "
        "which is the power 1/2; the power 1 gives d^(3/2)/epsilon."
    ),
    counterexample=(
        "Without corruption, line 9 with constants 1 keeps all of d = 64 unit vectors while gamma_i >= 1. At nu = 1e-6, epsilon = 1e-4, "
        "T = 10^14, B = 33, delta = 0.05/(64 T^2) that are 31 batches and 2.2e13 of regret, against 6.8e11 + 1.8e11 of the first two "
        "terms of Theorem 3.9, constants 1."
    ),
    values=(("dimension", "64"), ("failure", "1/100"), ("epsilon", "1"), ("truncation_parameter", "1/100")),
    consequence=(
        "A factor 1/sqrt(nu) in the term over epsilon, sqrt(d) at the nu of Theorem 1.4. 'Better dependence on epsilon' of M2 remains "
        "for T above d^2."
    ),
    stands=(
        "Theorem 3.9 with nu itself (regret_m2_power), as far as its other lines stand; Theorem 1.4's d/epsilon as a claim that some "
        "algorithm exists is not refuted."
    ),
    instead="log(1/delta) log(T) sqrt(d)/(nu epsilon) (regret_m2_power), and d^(3/2)/epsilon in Theorem 1.4 (informal_m2_power).",
    step="power_of_nu",
)

LAPLACE_CHOICE = Finding(
    name="laplace_choice",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="The choice of t for the largest Laplace noise needs log(n/delta) >= 1/2",
    place="B.1.3, 'Setting t', and B.2.3",
    sentence=(
        "Setting t := 4 log(n/delta)/eps_priv above yields max_i |xi_i| <= 4 log(n/delta)/eps_priv with probability at least 1 - delta."
    ),
    literal=(
        "The tail above is n exp(-min{eps^2 t^2/8, eps t/4}). With l = log(n/delta) the exponent is min(2 l^2, l), which is below l for "
        "l < 1/2, that is for one report and delta above 0.607."
    ),
    charitable=(
        "A failure probability is small, and batches have more than one report. The exact tail n exp(-eps t/2) gives the claim always."
    ),
    counterexample="n = 1, delta = 3/4: exp(-2 log(4/3)^2) = 0.847 > 3/4.",
    values=(("failure", "3/4"),),
    consequence="None.",
    stands="The bound on the maximum for all n and delta.",
    instead="P(|xi| >= t) = exp(-eps t/2), without a minimum.",
    step="choice_of_t",
    refuted_by=("charisopoulos_2023.largest_laplace_second/step.choice_of_t",),
)
