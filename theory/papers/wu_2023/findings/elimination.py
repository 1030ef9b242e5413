"""What was found about the statements of elimination.py."""

from banditproof.theory.findings import Finding, Grade, Reach

CLEAN_EPOCH_RADIUS = Finding(
    name="clean_epoch_radius",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO clean_epoch_radius",
    place="Remark 6.3, from Theorem 6.1",
    sentence="TODO",
    literal=("Remark 6.3 prints no radius; this is clean_radius as printed, at the failure of one estimate: too small for large epsilon."),
    charitable="TODO",
    counterexample=(
        "one estimate of 2 rewards may fail with probability 1/20. The law with 6 at probability 1/36, else 0, has second moment 1 and "
        "mean 1/6; M = 6.756 keeps the 6; one 6 puts the estimate 2.833 away, the radius is 2.389, the noise has scale 0.017: it fails "
        "with probability 0.0547"
    ),
    values=(("active", "2"), ("epoch", "1"), ("epsilon", "400"), ("moment", "2"), ("failure", "1/5")),
    consequence="TODO",
    stands="the radius where epsilon <= 3/2",
    instead="wu_2023.clean_epoch_radius, as it stands here",
)

ELIMINATION_BATCH = Finding(
    name="elimination_batch",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO elimination_batch",
    place="Proof of Theorem 6.2, group 1, 'Hence, we have', Appendix D",
    sentence="TODO",
    literal="from Delta <= x + y the proof takes Delta <= max(x, y).",
    charitable="TODO",
    counterexample=(
        "the batch of epoch 16 is 65536, and 4 beta = 0.955 there even with the printed logarithm: an arm with a gap of 0.9 may survive "
        "it on the good event"
    ),
    values=(
        ("active", "2"),
        ("epoch", "16"),
        ("failure", "1/1000000"),
        ("epsilon", "1/2"),
        ("contamination", "1/2800"),
        ("moment", "2"),
        ("moment_gap", "9/10"),
    ),
    consequence="TODO",
    stands=(
        "the bound with 512 and 32 for 128 and 16 (and the logarithm of an epoch's radius, with 32 for 16), so the order of the regret of"
        " Theorem 6.2"
    ),
    instead="wu_2023.elimination_batch, as it stands here",
)

ELIMINATION_BATCH_INVERSION = Finding(
    name="elimination_batch_inversion",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO elimination_batch_inversion",
    place="Proof of Theorem 6.2, group 1, 'Hence, we have', Appendix D",
    sentence="from the display that bounds Delta_a by two terms in B, 'Hence, we have' B at most the largest of three entries",
    literal="TODO",
    charitable="TODO",
    counterexample="the left side is 3/2. A sum is at most twice its larger term",
    values=(("moment", "2"), ("share", "9/16"), ("other_share", "9/16")),
    consequence="TODO",
    stands="the bound with other constants, so the order of the regret",
    instead="repaired, with 512 and 32 in place of 128 and 16: inversion_of_halves.",
    step="inversion",
)

ELIMINATION_PULLS = Finding(
    name="elimination_pulls",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO elimination_pulls",
    place="Proof of Theorem 6.2, 'Since the batch size doubles', Appendix D",
    sentence="TODO",
    literal=(
        "tau(a) is the last epoch that the arm survives, so the batch of the epoch in which it goes, twice as large, is missing. (Were it"
        " the epoch in which the arm goes, Delta_a <= 4 beta of that epoch, which the same sentence uses, would not follow.)"
    ),
    charitable="TODO",
    counterexample=(
        "K = 2, T = 10^4 and alpha_1 = 0.4999 force the epochs 1 to 4; an arm that survives epoch 5 and goes in epoch 6 has 32 + 64 = 96 "
        "pulls besides the forced ones"
    ),
    values=(("batch", "32"),),
    consequence="TODO",
    stands="4 B for 2 B, so the order of the regret",
    instead="wu_2023.elimination_pulls, as it stands here",
)

ELIMINATION_PULLS_BATCHES_DOUBLE = Finding(
    name="elimination_pulls_batches_double",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO elimination_pulls_batches_double",
    place="Proof of Theorem 6.2, 'Since the batch size doubles', Appendix D",
    sentence="'Since the batch size doubles, we have N_a(T) <= 2 B_tau(a)', tau(a) being the last epoch that the arm survives",
    literal="TODO",
    charitable="TODO",
    counterexample="32 pulls in epoch 5 and 64 in epoch 6 are 96, not at most 64.",
    values=(("last_forced", "4"), ("epoch", "5")),
    consequence="TODO",
    stands="4 B for 2 B, so the order of the regret",
    instead="Repaired: all_batches.",
    step="batches_double",
)

REGRET_RAW_CHAIN_OF_MOMENTS = Finding(
    name="regret_raw_chain_of_moments",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO regret_raw_chain_of_moments",
    place="Theorem 6.2",
    sentence="E|r| <= E|r|^k <= 1, for the last term of the last inequality of the proof",
    literal="TODO",
    charitable="TODO",
    counterexample="a constant reward 1/2 has E|r| = 1/2 and E|r|^2 = 1/4.",
    values=(("moment", "2"), ("ratio", "1/2")),
    consequence="TODO",
    stands="the mean is at most 1 by Jensen, E|r| <= (E|r|^k)^(1/k), which is all that the proof uses",
    instead="Repaired, on laws with one value beside 0: chain_of_norms.",
    step="chain_of_moments",
)

REGRET_RAW_CUT_BELOW_ONE = Finding(
    name="regret_raw_cut_below_one",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO regret_raw_cut_below_one",
    place="Theorem 6.2",
    sentence="'eta in (0, 1)', with the eta that is chosen for the regret",
    literal="TODO",
    charitable="TODO",
    counterexample="the cut is 8.3. It is at most 1 when T epsilon >= K log T: cut_below_one_later.",
    values=(("arms", "2"), ("epsilon", "1/100"), ("moment", "2"), ("horizon", "2")),
    consequence="TODO",
    stands="the regret bound: the condition is not needed, since a cut above 1 bounds the regret by more than T",
    instead="TODO",
    step="cut_below_one",
)

REGRET_RAW_CUT_BELOW_ONE_BY_VARIANCE = Finding(
    name="regret_raw_cut_below_one_by_variance",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO regret_raw_cut_below_one_by_variance",
    place="Theorem 6.2",
    sentence="'eta in (0, 1)', with the eta that is chosen for the regret, a maximum of two entries: the first",
    literal="TODO",
    charitable="TODO",
    counterexample="the first entry is 1.55, whatever epsilon is. It is at most 1 when T >= K log T: cut_below_one_by_variance_later.",
    values=(("arms", "11"), ("horizon", "11")),
    consequence="TODO",
    stands="the regret bound: the condition is not needed, since a cut above 1 bounds the regret by more than T",
    instead="TODO",
    step="cut_below_one_by_variance",
)
