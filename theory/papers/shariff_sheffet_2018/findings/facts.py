"""What was found about the statements of facts.py: Claims 16 to 20."""

from banditproof.theory.findings import Finding, Grade, Reach

CLAIM_20_CONDITION = Finding(
    name="claim_20_condition",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="Claim 20 needs c < rho, and its use in Proposition 9 needs c >= 0",
    place="Appendix A.3, Claim 20; used at the end of the proof of Proposition 9, Appendix C",
    sentence=(
        "For any matrix H >= rho I > 0, vector v, and constant c >= 0 satisfying H - c I > 0, |v|_{(H - cI)^-1} <= |v|_{H^-1} "
        "sqrt(rho/(rho - c))."
    ),
    literal=(
        "H >= rho I and H > c I allow c >= rho, where rho/(rho - c) is negative or infinite; the proof multiplies by (rho - c)/rho and "
        "then inverts, for which that number must be positive. And the proof of Proposition 9 applies the claim whatever the sign of c, "
        "which is negative for sqrt(m k) < (3 + 2 sqrt(2)) (sqrt(d) + sqrt(2 ln(8n/alpha)))."
    ),
    charitable=(
        "With rho for the least eigenvalue of H the condition H > c I gives c < rho. In its use rho_min - c = rho_min' > 0. Where c < "
        "0, gamma' holds without the claim: H' is above H, and gamma <= gamma'."
    ),
    counterexample="H = 3 I, rho = 1, c = 2: the factor is the square root of -1. Squared, the claim says 1 <= -1/3 for a unit vector.",
    values=(("rho_min", "1"), ("shift", "2"), ("ratio", "3")),
    consequence="Nothing beyond the claim: its use satisfies c < rho_min, and gamma' holds for both signs of c.",
    stands="Claim 20 for 0 <= c < rho, and Proposition 9.",
    instead="Add: c < rho (step shifted_norm_below).",
    step="shifted_norm_as_printed",
)

CLAIM_19_LETTER = Finding(
    name="claim_19_letter",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Claim 19 has sqrt(m) for sqrt(k)",
    place="Appendix A.3, Claim 19",
    sentence="let W ~ W_d(V, k) with sqrt(m) > sqrt(d) + sqrt(2 ln(2/alpha)) ... sigma_j(W) in (sqrt(m) +- (...))^2 sigma_j(V)",
    literal=(
        "m is the number of tree nodes. For d = 1, V = 1, k = 1000 and m = 9 the interval lies around m = 9, while W is about k = "
        "1000. ('j-t largest' is 'j-th largest'; alpha < 1/e is not needed.)"
    ),
    charitable="The degrees of freedom are called k in the same sentence, and Proposition 9 uses the claim with m k for them.",
    consequence="Nothing beyond the claim.",
    stands="The claim with k.",
    instead="sqrt(k), twice.",
)
