"""What was found about Lemma 3.3 and its proof."""

from banditproof.theory.findings import Finding, Grade, Reach

SQUARED_LENGTH_LEFT_OUT = Finding(
    name="squared_length_left_out",
    grade=Grade.PROOF_GAP,
    reach=Reach.LINE,
    title="The squared length of the parameter is missing from the width",
    place="Lemma 3.3, proof, last three displays, 'We can thus express the ellipsoid as'",
    sentence=(
        "sum_{t=1}^N (<x~_t, theta_t - theta*>)^2 <= M_N + K_N ... C^_{N-1} = {theta: (theta - theta^_N)^T V~ (theta - theta^_N) + "
        "||theta^_N||^2 + sum (<x~_t, theta_t - theta^_N>)^2 <= M_N + K_N} ... Thus, theta* lies in C_{N-1}"
    ),
    literal=(
        "By the ridge identity the left side of the set's condition at theta* is |theta*|^2 plus the sum of squared predictions. The line "
        "before bounds the sum alone. So theta* is in the set with M_N + K_N + D^2, and the printed inference leaves D^2 out."
    ),
    charitable=(
        "K_N has gamma D^2 log(1/delta) log(T/beta)/epsilon^2, and gamma is 'sufficiently large': wherever log(1/delta) log(T/beta) is "
        "at least epsilon^2/gamma, the missing D^2 is within it. The lemma defines V~ without I, and then needs no D^2, but has no "
        "inverse at N = 1; its proof and Algorithm 1 have I. The source (Abbasi-Yadkori et al. 2012, Theorem 1) has the term."
    ),
    counterexample=(
        "in the first round the sum is empty, the centre is 0, and the distance of theta* from it is |theta*| = D, whatever the sum was "
        "bounded by"
    ),
    values=(("parameter_norm", "1"), ("path", "1")),
    consequence="None for moderate epsilon. For very large epsilon, R = 0 and no injected noise, K_1 falls below D^2 and the first set "
    "misses theta*.",
    stands="Lemma 3.3 with D^2 added, and as printed for epsilon^2 <= gamma log(1/delta) log(T/beta).",
    instead="{theta: |theta - theta^_N|^2 <= D^2 + M_N + K_N}.",
    step="set_holds_the_parameter",
    refuted_by=("ldp_linucb_2024.confidence_set/tightness.quiet_as_printed",),
)

WEIGHT_OF_THE_LEARNER = Finding(
    name="weight_of_the_learner",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="Solving the root puts a factor on M_N, which the lemma prints without one",
    place="Lemma 3.3, proof, 'Now we can combine the bounds of all the terms'",
    sentence="Now we can combine the bounds of all the terms and use Proposition G.8 to get: sum (<x~_t, theta_t - theta*>)^2 <= M_N + K_N",
    literal=(
        "From x <= c + a sqrt(x) follows x <= 2 c + a^2, and no bound with c itself plus a multiple of a^2; and (a + b)^2 <= 2 a^2 + 2 "
        "b^2 goes from <x_t, .> to <x~_t, .>. So M_N gets a factor, 4 in this way, where gamma stands before K_N alone."
    ),
    charitable=(
        "M_N is used in O(...) later; and as |x_t| <= 1 the path is at least the sum that is solved for, so that the third term of K_N "
        "can absorb the difference unless sigma is small. Without privacy noise it cannot: with theta_t = 0, x = 1, theta* = 1/2 and "
        "rewards 0 or 1 the sum exceeds the learner's regret by a centred sum of order sqrt(N)."
    ),
    consequence="A constant of the width.",
    stands="The order of the width.",
    instead="gamma (M_N + K_N).",
)

NOISE_OF_THE_REWARD = Finding(
    name="noise_of_the_reward",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="The noise of the reward is counted as D sigma, which needs a D that is not small",
    place="Lemma 3.3, K_N, second term",
    sentence="gamma (R + D sqrt(log(1/delta))/epsilon + D Delta)^2 log(T/beta)",
    literal="A_t and B_t have z_t = r_t + eta_y, of scale sqrt(R^2 + sigma^2) without a factor D. The term covers it for D of order 1 or "
    "more.",
    charitable="D is a constant, and 1 in the experiment.",
    consequence="A constant for D of order 1.",
    stands="K_N for D >= 1.",
    instead="(R + (1 + D) sqrt(log(1/delta))/epsilon + D Delta)^2.",
)

SQUARE_OF_C = Finding(
    name="square_of_c",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="C_t is printed without the square of its second term",
    place="Lemma 3.3, proof, (5)",
    sentence="-<zeta_t, theta_t>^2 + <zeta_t, theta*> (the term C_t)",
    literal="Without the square the expansion of the loss is not an identity: its two sides differ by <zeta, theta*>^2 - <zeta, theta*>.",
    charitable="The display on the sum of C_t and D_t has the square, and the scan of (5) is damaged and may have lost it.",
    consequence="None.",
    stands="(5) with the square.",
    instead="-<zeta_t, theta_t>^2 + <zeta_t, theta*>^2.",
)

NOISE_LETTER = Finding(
    name="noise_letter",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The noise of the reward stands where the noise of the action is meant",
    place="Lemma 3.3, proof, the sum of C_t and D_t; section 2 against the proof",
    sentence="2 theta_t^T zeta_t r_t^T (theta* - theta_t) + 2 (theta* - theta_t)^T zeta_t r_t^T theta_t",
    literal="r_t is the noise of the reward, a number; D_t has eta_{x,t} there. (Section 2 writes eta_t for r_t.)",
    charitable="With eta_{x,t} the display is an identity.",
    consequence="None.",
    stands="The display with eta_{x,t}.",
    instead="eta_{x,t} for r_t, twice.",
)

LAST_ROUND_OF_THE_SUM = Finding(
    name="last_round_of_the_sum",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="A sum ends in T where the others end in N",
    place="Lemma 3.3, proof, the bound on C_t + D_t, last root",
    sentence="O(D Delta sqrt(log(1/delta))/epsilon sqrt(log(T/beta) sum_{t=1}^T |theta_t - theta*|^2))",
    literal="K_N has the sum up to N; with T the set of round N would depend on later rounds.",
    charitable="N is meant, as in the first root of the same display.",
    consequence="None.",
    stands="K_N.",
    instead="The sum up to N.",
)

NO_APPENDIX = Finding(
    name="no_appendix",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="The good event, Algorithms 3 to 7 and the full proofs are in an appendix that was not available here",
    place="Section 3, 'let us define the good event as in Section A'; proofs of Lemmas 3.3 and 3.5",
    sentence="Roughly speaking, E is the event in which a small number of standard martingale concentration bounds hold simultaneously.",
    literal="Its definition and probability (Lemma A.1), and the results G.2 to G.15, are not in the text at hand.",
    charitable="Nothing here accuses the paper of what the appendix may contain.",
    consequence="Statements that are rebuilt are marked [assembled]; where they fail, our reconstruction is at fault.",
    stands="Everything that depends on the appendix alone.",
    instead="The appendix.",
)

WIDTH_NEEDS_THE_PARAMETER = Finding(
    name="width_needs_the_parameter",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="The width of Lemma 3.3 has theta* in it, so that the user cannot compute it",
    place="Algorithm 1, 'Construct the confidence set C_{t-1} using Lemma 3.3'; Lemma 3.3, K_N",
    sentence="Receive theta_t, V_{t-1}, u~_{t-1} from the server. Construct the confidence set C_{t-1} using Lemma 3.3.",
    literal=(
        "K_N has the sum of |theta_t - theta*|^2. And it has log(1/delta)/epsilon^2 for sigma^2 = 8 log(1.25/delta)/epsilon^2, which is "
        "more by 8.8 at delta = 0.1, and by any factor as delta goes to 1."
    ),
    charitable=(
        "The bound of Lemma 3.5 is inserted, as section 3.1 does for K_T, and section 4 says that lambda_min is needed for the width; "
        "delta is small, and gamma takes the factor."
    ),
    consequence="None; the statements here take the inserted bound.",
    stands="Lemma 3.3.",
    instead="K_N with the bound of Lemma 3.5, and sigma^2.",
)
