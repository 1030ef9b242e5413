"""What was found about the statements of raw.py."""

from banditproof.theory.findings import Finding, Grade, Reach

RAW_RADIUS_MERGE = Finding(
    name="raw_radius_merge",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO raw_radius_merge",
    place="Theorem 6.1, contaminated case; last display of its proof, Appendix D",
    sentence="the Bernstein and Laplace terms are merged into 4 M l_16/(n epsilon), 'for epsilon > 0'",
    literal="TODO",
    charitable="TODO",
    counterexample="the Bernstein term alone is as large as the right side. It holds for epsilon <= 3/2",
    values=(("epsilon", "3"), ("failure", "1/2")),
    consequence="TODO",
    stands="the radius itself, for every epsilon: the slack of the outliers' term pays for what the merge drops",
    instead="repaired for every epsilon: outliers_and_bernstein with laplace_alone.",
    step="merge",
)

CLEAN_RADIUS = Finding(
    name="clean_radius",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO clean_radius",
    place="Theorem 6.1, uncontaminated case; last display of case 1 of its proof, Appendix D",
    sentence="TODO",
    literal=(
        "printed for every epsilon > 0: the Bernstein term 4 M l_4/(3 n) is dropped against the noise, which is smaller once epsilon is "
        "large. The truncation then lets values through that are rarer than the failure allows for."
    ),
    charitable="TODO",
    counterexample=(
        "the law with 4 at probability 1/16, else 0, has second moment 1 and mean 1/4; M = 4.137 keeps the 4; the estimate 4 is 3.75 from"
        " the mean, the radius 3.444, and the noise, of scale 0.0276, seldom helps: it fails with probability 0.0624 > 1/20. With more "
        "draws: 9.91 with probability 1/9.91^2, samples 64, epsilon 100, failure 1/100000 fails five times too often"
    ),
    values=(("samples", "1"), ("epsilon", "300"), ("moment", "2"), ("failure", "1/20")),
    consequence="TODO",
    stands="the radius where epsilon <= 3/2, which is where the proof stops and not where the claim first fails",
    instead="wu_2023.clean_radius, as it stands here",
)

CLEAN_RADIUS_MERGE = Finding(
    name="clean_radius_merge",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO clean_radius_merge",
    place="Theorem 6.1, uncontaminated case; last display of case 1 of its proof, Appendix D",
    sentence="the middle terms are merged into 4 M l_4/(n epsilon), 'for epsilon > 0 and delta in (0, 1)'",
    literal="TODO",
    charitable="TODO",
    counterexample="the Bernstein term alone is as large as the right side. It holds for epsilon <= 3/2",
    values=(("epsilon", "3"), ("failure", "1/2")),
    consequence="TODO",
    stands="the radius where epsilon <= 3/2; beyond, see clean_radius",
    instead="repaired: merge_up_to_three_halves, merge_beyond_three_halves.",
    step="merge",
)
