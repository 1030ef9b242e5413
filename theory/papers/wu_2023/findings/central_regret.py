"""What was found about the statements of central_regret.py."""

from banditproof.theory.findings import Finding, Grade, Reach

REGRET_CENTRAL_CLEAN_EXPLICIT_BATCHES_DOUBLE = Finding(
    name="regret_central_clean_explicit_batches_double",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO regret_central_clean_explicit_batches_double",
    place="[assembled] Theorem 6.10; derivation in the module",
    sentence=(
        "'let tau(a) be the last epoch that arm a is not eliminated' ... 'Since the batch size doubles, N_a(T) <= 2 B_tau(a)'. (Read as "
        "the epoch in which the arm goes, this holds, and Delta_a <= 4 beta_tau(a) before it does not follow)"
    ),
    literal="TODO",
    charitable="TODO",
    counterexample=(
        "16384 pulls in epoch 14 and 32768 in epoch 15 are 49152, not at most 32768, as for K = 2, D = 10, epsilon = 1, T = 10^6 and "
        "thresholds compared with n = B/2."
    ),
    values=(("last_forced", "13"), ("epoch", "14")),
    consequence="TODO",
    stands="4 B for 2 B, so the order of the regret",
    instead="Repaired: all_batches.",
    step="batches_double",
)
