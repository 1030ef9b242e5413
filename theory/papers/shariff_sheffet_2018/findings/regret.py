"""What was found about the statements of regret.py."""

from banditproof.theory.findings import Finding, Grade, Reach

REGRET = Finding(
    name="regret",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO regret",
    place="Theorem 5, (2)",
    sentence="TODO",
    literal="Lemma 21 is used without its condition beta_n >= 1: a round may cost 2 B however small beta is.",
    charitable="TODO",
    counterexample=(
        "theta = -1, actions 1 and -999/1000, no noise, ridge 1/100: the estimate is 0, so the longer action is played, at a regret of "
        "1.999 with certainty; printed is 0.629"
    ),
    values=(
        ("horizon", "1"),
        ("dimension", "1"),
        ("mean_bound", "1"),
        ("context_norm", "1"),
        ("parameter_norm", "1"),
        ("reward_sigma", "1/1000"),
        ("rho_min", "1/100"),
        ("rho_max", "1/100"),
        ("perturbation", "0"),
        ("failure", "1/2"),
    ),
    consequence="TODO",
    stands=(
        "(2) where its bracket is at least E = sqrt(d log(1 + n L^2/(d rho_min))): for sigma >= 1, and for S sqrt(rho_max) + gamma >= 1, "
        "so at the noise of section 4 unless S is tiny; elsewhere B sqrt(8 n) E, of the same order in n"
    ),
    instead="shariff_sheffet_2018.regret, as it stands here",
)

REGRET_GAP = Finding(
    name="regret_gap",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO regret_gap",
    place="Theorem 6, (3)",
    sentence="TODO",
    literal=(
        "dividing by B (Remark 2) divides the gap too, so that the factor is B^2; here sigma is 1, and beta_n = 5.07 is above 1, as Lemma"
        " 21 asks, and below B. (For B = 1 it fails as Theorem 5 does.)"
    ),
    charitable="TODO",
    counterexample="theta = -1, actions 1000 and -999, ridge 1: the longer action is played, at a regret of 1999; printed is 1650",
    values=(
        ("horizon", "1"),
        ("dimension", "1"),
        ("mean_bound", "1000"),
        ("context_norm", "1000"),
        ("parameter_norm", "1"),
        ("reward_sigma", "1"),
        ("rho_min", "1"),
        ("rho_max", "1"),
        ("perturbation", "0"),
        ("failure", "1/2"),
        ("action_gap", "1999"),
    ),
    consequence="TODO",
    stands="(3) for B = 1 where (2) stands, and with B^2 for B there; as printed where its bracket is at least sqrt(B) E",
    instead="shariff_sheffet_2018.regret_gap, as it stands here",
)
