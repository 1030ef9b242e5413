"""What was found about the statements of gaussian.py."""

from banditproof.theory.findings import Finding, Grade, Reach

GAUSSIAN_PERTURBATION_CLOSED = Finding(
    name="gaussian_perturbation_closed",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO gaussian_perturbation_closed",
    place="Proposition 11, gamma, second form",
    sentence="TODO",
    literal="gamma^2 is proportional to log(4/delta), and the closed form does not hold delta.",
    charitable="TODO",
    counterexample=(
        "in round 1024 ten nodes are summed: where H_t <= 3 Upsilon, which fails with probability below 1e-300, the norm exceeds the "
        "printed bound when a chi-square variable with 100 degrees exceeds 103.6, with probability 0.37 > 1/20"
    ),
    values=(("horizon", "1024"), ("dimension", "100"), ("epsilon", "1"), ("delta", "1/1000000"), ("row_norm", "1"), ("failure", "1/20")),
    consequence="TODO",
    stands="Proposition 11 with its first form of gamma, and Corollary 12, which has log(1/delta)",
    instead="shariff_sheffet_2018.gaussian_perturbation_closed, as it stands here",
)

GAUSSIAN_PERTURBATION_CLOSED_CLOSED_FORM_AS_PRINTED = Finding(
    name="gaussian_perturbation_closed_closed_form_as_printed",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO gaussian_perturbation_closed_closed_form_as_printed",
    place="Proposition 11, gamma, second form",
    sentence=(
        "gamma = sigma_noise sqrt(m/Upsilon) (sqrt(d) + sqrt(2 log(2 n/alpha))) '<= sqrt(m L~^2 (sqrt(d) + 2 log(2 n/alpha))/(sqrt(2) "
        "epsilon))'"
    ),
    literal="TODO",
    charitable="TODO",
    counterexample="91 against 22 (ratio = 10 is alpha = 0.09 at n = 1000).",
    values=(("delta", "1/1000000"), ("dimension", "4"), ("ratio", "10")),
    consequence="TODO",
    stands="Proposition 11 with its first form of gamma, and Corollary 12",
    instead="Repaired, with 3/2 log(4/delta): closed_form.",
    step="closed_form_as_printed",
)
