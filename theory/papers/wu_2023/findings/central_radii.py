"""What was found about the statements of central_radii.py and of the histogram in central.py."""

from banditproof.theory.findings import Finding, Grade, Reach

INITIAL_DISTANCE = Finding(
    name="initial_distance",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="the winning bin may be anywhere if the rewards are always D",
    place="Proof of Theorem 6.5, step 1, its last sentence, Appendix E; Algorithm 3, line 3",
    sentence="which implies that with probability at least 1 - delta/2, |J - mu| <= 2r",
    literal=(
        "The line of the proof behind concentration_clean_at_an_end (the same fault, no further one). The bins [j, j + r), j "
        "from -D to D - r, end at D. For a mean closer than r to an end, the three bins around the mean's do not all exist; at "
        "mu = D not even j* does. So the proof's line P(A) >= P((mu - r, mu + r)), and P(A) >= 1 - C_2 after it, fail there. "
        "Rewards that are always D lie in no bin, and the winner is uniform. (To close the last bin does not help: rewards just "
        "above D with a rare low value have mean D too.)"
    ),
    charitable=(
        "With bins that continue beyond [-D, D] the line holds, but 'for this j' there may be no frequency p~_j, since line 5 takes the "
        "largest over "
        "the j of line 3."
    ),
    counterexample=(
        "rewards that are always D = 20 lie in none of the 10 bins of width 4, and 6 C_1 + 4 C_2 = 0.33 < 1: the winner is uniform, and "
        "only the bins "
        "that begin at 12 and 16 are within 8 of 20. The printed bound fails with probability 4/5 > 1/20"
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
    consequence=(
        "Corollaries 6.6 and 6.8 and Theorems 6.10 and 6.12 fail with it: concentration_clean_at_an_end, "
        "concentration_contaminated_at_an_end, regret_clean_at_an_end, regret_contaminated_at_an_end."
    ),
    stands=(
        "The distance for means that lie r inside [-D, D] (for delta <= 1/2 and a number of bins that is whole or rounded up), "
        "and for all means with one bin more on each side. Also, at mu = D, for distributions that put more than C_2 + 2 C_1 into [D - "
        "r, D): at most C_2 lies outside (mu - r, mu + r), so every bin that does not meet this interval has p~ <= C_2 + C_1, "
        "and the last bin has more."
    ),
    instead=(
        "j in {-D - r, -D, ..., D - r, D}: neighbourhood_covered_by_one_bin_more, with padded_bin_error for C_1. Or mu in [-D + "
        "r, D - r]: neighbourhood_inside. For the other means the repaired formula has the trivial distance 2D."
    ),
    refuted_by=("wu_2023.initial_distance/points.printed_at_end", "wu_2023.initial_distance/coverage.unpadded_at_end"),
)

WHOLE_BINS = Finding(
    name="whole_bins",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="the grid of bins exists only if 2D is a multiple of r",
    place="Algorithm 3, line 3; its size in the proof of Theorem 6.5, step 1",
    sentence="B_j = [j, j + r), j in J = {-D, -D + r, ..., D - r}",
    literal=(
        "r = 10^(1/k) or iota^(1/k) is irrational for most k, so that D - r is on the grid for few D only. Rounded down, the bins leave a "
        "part of the "
        "interior uncovered: D = 10, k = 2, six bins from -10 end at 8.97, and rewards that are always 9.5 lie in none. The union over "
        "2D/r <= "
        "2D bins needs r >= 1, which both corollaries have."
    ),
    charitable="Rounded up, or with D enlarged to a multiple of r/2: D is a bound on the means, so a larger one is as good.",
    consequence="None when rounded up; the proof's 16D pays for the bin more (one_bin_more of bin_error).",
    stands="The statements here, which round the number of bins up.",
    instead="ceil(2D/r) bins.",
)

INDEX_OF_A_BIN = Finding(
    name="index_of_a_bin",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="j is the left end of a bin and its index at once",
    place="Proof of Theorem 6.5, step 1, Appendix E, against Algorithm 3, line 3; section 6.2, second paragraph",
    sentence="Let j* is the index of the bin ... P(B_(j*-1)) + P(B_j*) + P(B_(j*+1))",
    literal=(
        "In Algorithm 3 j is the left end, so that B_(j*-1) = [j* - 1, j* - 1 + r) overlaps B_j* for r > 1. Section 6.2 takes the bin "
        "with 'the largest "
        "empirical mass' where line 5 takes the largest noisy one."
    ),
    charitable="The neighbouring bins are meant, and the largest noisy frequency.",
    consequence="None.",
    stands="Everything else in the step.",
    instead="B_(j*-r) and B_(j*+r).",
)
