"""What was found about the statements of wishart.py."""

from banditproof.theory.findings import Finding, Grade, Reach

SHIFTED_PERTURBATION_CHAIN_AS_PRINTED = Finding(
    name="shifted_perturbation_chain_as_printed",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO shifted_perturbation_chain_as_printed",
    place="Proposition 9, gamma'",
    sentence="|h_t| in the norm of the inverse of H_t' ... '<= L~ (sqrt(m k) - a_8) sqrt(a_2)/(4 (m k)^(1/4)) <= gamma''",
    literal="TODO",
    charitable="TODO",
    counterexample="40.2 against 20.5; it asks for 4 a_2 <= a_8.",
    values=(("failure", "1/20"), ("horizon", "1000"), ("dimension", "5"), ("wishart_degrees", "1000000")),
    consequence="TODO",
    stands="gamma' of Proposition 9, and even half of it where c >= 0",
    instead="Repaired, with 2 for 4: chain.",
    step="chain_as_printed",
)

DEGREES_OF_SUM = Finding(
    name="degrees_of_sum",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO degrees_of_sum",
    place="section 4.1, 'the sum of m independent samples', and Proposition 9",
    sentence="TODO",
    literal="the release of round t adds the nodes of the binary digits of t - 1, at most m - 1 of them.",
    charitable="TODO",
    counterexample=(
        "before action 1 nothing is released, so H_1 = 0; rounds 2, 3 and 5 have one node each, round 8 the most, three of m = 4"
    ),
    values=(("horizon", "8"), ("wishart_degrees", "100")),
    consequence="TODO",
    stands=(
        "the privacy of section 4.1, which does not use it; and Proposition 9 with all that rests on it, where every release is padded to"
        " m Wishart matrices"
    ),
    instead="shariff_sheffet_2018.degrees_of_sum, as it stands here",
)
