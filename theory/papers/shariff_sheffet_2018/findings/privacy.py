"""What was found about the statements of privacy.py."""

from banditproof.theory.findings import Finding, Grade, Reach

WISHART_PRIVACY = Finding(
    name="wishart_privacy",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO wishart_privacy",
    place="Theorem 8; for epsilon >= 1 or delta >= 1/e from Theorem 23 at smaller ones",
    sentence="TODO",
    literal=(
        "'Fix positive epsilon_0 and delta_0', for Theorem 23's epsilon in (0, 1) and delta in (0, 1/e): few degrees of freedom show the "
        "row whatever epsilon is."
    ),
    charitable="TODO",
    counterexample=(
        "7 degrees of freedom satisfy it; with probability P(chi-square_6 < 1) = 0.0144 > 1/100 the release for a row 0 is none that a "
        "full row can have"
    ),
    values=(("dimension", "1"), ("epsilon", "6"), ("delta", "1/100")),
    consequence="TODO",
    stands=(
        "the theorem for epsilon_0 < 1 and delta_0 < 1/e, as Theorem 23 has it; the paper uses it there, at epsilon/sqrt(8 m "
        "log(2/delta)), which is below 1 for every epsilon up to 3 (n >= 2), and up to 25 in section D.2"
    ),
    instead="shariff_sheffet_2018.wishart_privacy, as it stands here",
)
