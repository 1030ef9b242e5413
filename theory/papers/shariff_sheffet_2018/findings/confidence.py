"""What was found about the statements of confidence.py."""

from banditproof.theory.findings import Finding, Grade, Reach

RADIUS_GRAM_AS_PRINTED = Finding(
    name="radius_gram_as_printed",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO radius_gram_as_printed",
    place="Proposition 4, first form",
    sentence=("|z_t| in the norm of V_t^-1 + ... '= |z_t| in the norm of (G_t + rho_min I)^-1' + ..., 'since V_t >= G_t + rho_min I'"),
    literal="TODO",
    charitable="TODO",
    counterexample="1/2 against 1, where H is above rho_min.",
    values=(("rho_min", "1"), ("ratio", "2"), ("threshold", "0")),
    consequence="TODO",
    stands="Proposition 4: '<=' is what the printed reason gives, and all that is needed",
    instead="Repaired, with <=: gram.",
    step="gram_as_printed",
)
