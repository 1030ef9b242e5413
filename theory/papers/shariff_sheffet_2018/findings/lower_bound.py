"""What was found about the statements of lower_bound.py."""

from banditproof.theory.findings import Finding, Grade, Reach

CONTEXT_REGRET_CHOICES_AS_PRINTED = Finding(
    name="context_regret_choices_as_printed",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO context_regret_choices_as_printed",
    place="Claim 13; constant in its proof, Appendix C",
    sentence=("(1 - P[a_t = a^1 | S]) + exp(-epsilon) (P[a_t = a^1 | S] - delta) = 1 + (exp(-epsilon) - 1) P[a_t = a^2 | S] - delta"),
    literal="TODO",
    charitable="TODO",
    counterexample="0.585 against 0.861.",
    values=(("epsilon", "1/2"), ("delta", "1/10"), ("choice", "9/10")),
    consequence="TODO",
    stands="Claim 13 with its n/4, and even with n/2",
    instead="Repaired, with the other arm and >=: choices.",
    step="choices_as_printed",
)

COUPLING = Finding(
    name="coupling",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="TODO coupling",
    place="Proof of Claim 14, quoting Lemma 6.1 of Karwa and Vadhan",
    sentence="TODO",
    literal="exp(epsilon) - 1 is at most 6 epsilon for epsilon <= 14/5 alone.",
    charitable="TODO",
    counterexample=(
        "means 0.98 and 1: the reward -1 has probability 1/100 or 0, and the policy gives the arm up with probability exp(4) c after it, "
        "else with c: the ratio is 1.536, and printed 1.271. For N rewards both are taken to the power N"
    ),
    values=(("epsilon", "4"), ("total_variation", "1/100"), ("samples", "1")),
    consequence="TODO",
    stands="Claim 14 and Corollary 15 for epsilon <= 14/5; beyond, their proof stops and nothing here says that they are false",
    instead="shariff_sheffet_2018.coupling, as it stands here",
)

COUPLING_SIX_AS_PRINTED = Finding(
    name="coupling_six_as_printed",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="TODO coupling_six_as_printed",
    place="Proof of Claim 14, quoting Lemma 6.1 of Karwa and Vadhan",
    sentence="P_P[E] <= 'exp(6 epsilon Delta_a t_a)' P_Q[E], for 'any epsilon-differentially private algorithm'",
    literal="TODO",
    charitable="TODO",
    counterexample="53.6 against 24.",
    values=(("epsilon", "4"),),
    consequence="TODO",
    stands="Claim 14 and Corollary 15 for epsilon <= 14/5; beyond, their proof stops and nothing here says that they are false",
    instead="Repaired, for epsilon <= 14/5: six_for_small_epsilon.",
    step="six_as_printed",
)
