"""What was found about the statements of central_radii.py."""

from banditproof.theory.findings import Finding, Grade, Reach

INITIAL_DISTANCE = Finding(
    name="initial_distance",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO initial_distance",
    place="Proof of Theorem 6.5, step 1, its last sentence, Appendix E",
    sentence="TODO",
    literal=(
        "a mean closer than r to an end of [-D, D] has no bin beyond it, so the three bins around it need not hold mass 1 - C_2. One bin "
        "more on each side, as in padded_bin_error, makes it true for every mean."
    ),
    charitable="TODO",
    counterexample=(
        "rewards that are always D = 20 lie in none of the 10 bins: the winner is uniform, and only 12 and 16 are within 8 of 20. It "
        "fails with probability 4/5"
    ),
    values=(
        ("range", "20"),
        ("bin_width", "4"),
        ("mean_size", "20"),
        ("moment", "2"),
        ("true_contamination", "0"),
        ("failure", "1/20"),
        ("epsilon", "1"),
        ("fold_samples", "100000"),
    ),
    consequence="TODO",
    stands=(
        "the distance for means that lie r inside [-D, D], so Theorem 6.5 and Corollaries 6.6 and 6.8 for them (shown here for failures "
        "up to 1/2), and for all means with one bin more on each side"
    ),
    instead="wu_2023.initial_distance, as it stands here",
)

INITIAL_DISTANCE_NEIGHBOURHOOD_COVERED = Finding(
    name="initial_distance_neighbourhood_covered",
    grade=Grade.PROOF_GAP,
    reach=Reach.CONSTANT,
    title="TODO initial_distance_neighbourhood_covered",
    place="Proof of Theorem 6.5, step 1, Appendix E",
    sentence="P(A) = P(B_(j*-1)) + P(B_j*) + P(B_(j*+1)) >= P((mu - r, mu + r))",
    literal="j* is the bin of the mean, the bins being those of line 3 of Algorithm 3, which end at D: TODO",
    charitable="With bins continued beyond [-D, D] this holds, and the next sentence fails: 'for this j' there may be no p_j",
    counterexample="the neighbourhood of a mean at D reaches to D + r = 24",
    values=(("range", "20"), ("bin_width", "4"), ("mean_size", "20")),
    consequence="TODO",
    stands="the winning bin's distance for means r inside [-D, D], and for all with one bin more on each side",
    instead="neighbourhood_inside, for means r inside the range, and neighbourhood_covered_by_one_bin_more for all.",
    step="neighbourhood_covered",
)
