"""What was found about the statements of lower_bound.py."""

from banditproof.theory.findings import Finding, Grade, Reach

LOWER_BOUND_PRIVATE = Finding(
    name="lower_bound_private",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO lower_bound_private",
    place="[assembled] Proof of Theorem 4.1, case 1, Appendix C; the larger of the two regrets is half of their sum",
    sentence="TODO",
    literal=(
        "printed is Omega((K/epsilon)^(1-1/k) T^(1/k)) on no condition on T; shown here with the constant of the proof, and no other "
        "constant serves for all T, K and epsilon. The choice of gamma needs T epsilon >= K - 1."
    ),
    charitable="TODO",
    counterexample="means of the raw moment class lie in [-1, 1], so one round costs at most 2; the bound is 22.7",
    values=(("horizon", "1"), ("arms", "2"), ("epsilon", "1/100000000"), ("moment", "2")),
    consequence="TODO",
    stands="the bound for T epsilon >= K - 1, that is for all large T at fixed K and epsilon",
    instead="wu_2023.lower_bound_private, as it stands here",
)

LOWER_BOUND_PRIVATE_RARITY_AT_MOST_ONE = Finding(
    name="lower_bound_private_rarity_at_most_one",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO lower_bound_private_rarity_at_most_one",
    place="[assembled] Proof of Theorem 4.1, case 1, Appendix C; the larger of the two regrets is half of their sum",
    sentence="gamma in (0, 1], and then the choice gamma = ((K - 1)/(T epsilon))^(1/k), without a condition on T",
    literal="TODO",
    charitable="TODO",
    counterexample="gamma = 2, and 1/2 gamma^k is no probability.",
    values=(("arms", "5"), ("epsilon", "1/10"), ("moment", "2"), ("horizon", "10")),
    consequence="TODO",
    stands="the bound for T epsilon >= K - 1, that is for all large T",
    instead="Repaired, with the missing condition: rarity_with_enough_rounds.",
    step="rarity_at_most_one",
)

LOWER_BOUND_GAUSSIAN_EVERY_MEAN = Finding(
    name="lower_bound_gaussian_every_mean",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO lower_bound_gaussian_every_mean",
    place="Proof of Theorem 4.1, first display, after Theorem 15.2 of Lattimore and Szepesvari, Appendix C",
    sentence="the Gaussian laws N(mu_i, sigma_k^2) with mu in R^K belong to the raw class: each has E|X|^k <= 1",
    literal="TODO",
    charitable="TODO",
    counterexample="a mean of 2 has a k-th raw moment of at least 2^k.",
    values=(("ratio", "2"),),
    consequence="TODO",
    stands="the bound for T of the order of K or more, since the hard problems of Theorem 15.2 have small means",
    instead="Repaired, with means that the deviation leaves room for: means_with_room.",
    step="every_mean",
)
