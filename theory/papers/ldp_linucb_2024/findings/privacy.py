"""What was found about the statements of privacy.py: Theorem 3.2."""

from banditproof.theory.findings import Finding, Grade, Reach

WHOLE_MESSAGE = Finding(
    name="whole_message",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="A message of two parts that spend the whole budget each is not (epsilon, delta)-private",
    place="Theorem 3.2, and its proof",
    sentence=(
        "Algorithm 1 guarantees (epsilon, delta)-LDP. ... the outputs x~_t and y~_t of the local mechanism M_t satisfy (epsilon, "
        "delta)-LDP for all t. ... each local mechanism M_t is (epsilon, delta)-LDP."
    ),
    literal=(
        "The noise is calibrated twice with the whole epsilon and delta, once to the action (sensitivity 2) and once to the reward "
        "(sensitivity 2), and both are sent. The pair is one Gaussian mechanism of sensitivity sqrt(2^2 + 2^2) = 2 sqrt(2), with the "
        "noise of one of sensitivity 2. The classic noise has room to spare, which hides this for larger delta: at epsilon = 1 the "
        "message keeps its delta at 1e-3 and breaks it at 1e-4. Restricting epsilon to (0, 1) does not help: at epsilon = 1/2 it breaks "
        "at 1e-5."
    ),
    charitable=(
        "Read of each part alone, the theorem is true for epsilon below 5.7 at delta up to 0.1 (see classic_range); by composition the "
        "message is (2 epsilon, 2 delta)-private then. On the data of section 5, where two actions differ by at most sqrt(2) and two "
        "rewards by 1, the pair has sensitivity sqrt(3) < 2, and the message keeps (epsilon, delta) wherever each part alone does."
    ),
    counterexample=(
        "x' = -x, y' = -y, |x| = |y| = 1, no injected noise (lambda_min above the threshold). epsilon = 1/2, delta = 1e-5: delta(1/2) = "
        "1.465e-5. epsilon = 1: 3.74e-5. epsilon = 10 (panel c): 0.0133, 1326 times what is claimed; at delta = 0.1: 0.916."
    ),
    values=(("epsilon", "1/2"), ("delta", "1/100000")),
    consequence=(
        "The noise must be larger by the factor sqrt(2), or each part be given a part of the budget. No order of a regret bound changes: "
        "sigma stays of the order sqrt(log(1/delta))/epsilon. Algorithm 2 sends the same pair and inherits it."
    ),
    stands=(
        "Each part alone where classic_range allows it; (2 epsilon, 2 delta) for the pair there; Theorem 3.2 at the printed noise for "
        "(epsilon, delta) such as (1, 1e-3), (1, 0.1) and (0.2, 1e-5); on the experiment's data the panels epsilon = 0.2 and 1. That the "
        "gradient is post-processing."
    ),
    instead=(
        "sigma = 2 sqrt(2) sqrt(2 log(1.25/delta))/epsilon for epsilon < 1, as one mechanism of sensitivity 2 sqrt(2); exactly, sigma = 2 "
        "sqrt(2)/m with Phi(m/2 - epsilon/m) - e^epsilon Phi(-m/2 - epsilon/m) = delta (message_calibration)."
    ),
    refuted_by=(
        "ldp_linucb_2024.privacy/points.exact_calibration_as_printed",
        "ldp_linucb_2024.privacy/points.exact_profile_as_printed",
        "ldp_linucb_2024.privacy/privacy.whole_printed_eps10_delta0.1",
        "ldp_linucb_2024.privacy/privacy.whole_printed_eps10_delta0.001",
    ),
)

CLASSIC_RANGE = Finding(
    name="classic_range",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.CONSTANT,
    title="The classic Gaussian noise is too small for large epsilon, such as the experiment's 10",
    place="Theorem 3.2, proof; Remark 3.7, 'having no restriction on epsilon'; section 5, panel (c)",
    sentence=(
        "Thus, by the classic Gaussian Mechanism ..., the outputs x~_t and y~_t of the local mechanism M_t satisfy (epsilon, delta)-LDP "
        "for all t; ... while also providing stronger privacy guarantee and having no restriction on epsilon (Remark 3.7)"
    ),
    literal=(
        "The classic calibration sigma = S sqrt(2 log(1.25/delta))/epsilon is a theorem for epsilon < 1. It is enough for somewhat larger "
        "epsilon, up to 5.7 at delta = 0.1 and 8.4 at 1e-5, and fails for every delta once epsilon is large: there m = S/sigma exceeds "
        "sqrt(2 epsilon), so that delta(epsilon) is above 1/2 - o(1)."
    ),
    charitable="For epsilon < 1, as the mechanism's own theorem says, each part alone is private.",
    counterexample=(
        "epsilon = 10, the paper's panel (c): delta(10) = 0.406 for delta = 0.1 (the value of the public script whose setting the paper "
        "takes over), 2.27e-5 for delta = 1e-5, one part alone. On the experiment's own data the pair has delta(10) = 0.184 for delta = "
        "0.1, and keeps its delta for 0.01 and less."
    ),
    values=(("epsilon", "10"), ("delta", "1/10")),
    consequence=(
        "In the panel epsilon = 10 the algorithm adds less noise than (10, delta)-privacy needs. 'No restriction on epsilon' is true of "
        "the algorithm with a calibration for that epsilon, not of the printed one."
    ),
    stands="Each part alone for epsilon < 1 (proved), and up to 5.7 at any delta up to 0.1.",
    instead=(
        "'for epsilon < 1'; beyond, the exact calibration (Balle and Wang 2018), or sigma = 2 (sqrt(log(1/delta) + epsilon) + "
        "sqrt(log(1/delta)))/(sqrt(2) epsilon)."
    ),
    refuted_by=(
        "ldp_linucb_2024.part_privacy/points.exact_calibration_as_printed",
        "ldp_linucb_2024.part_privacy/privacy.features_printed_eps10_delta0.1",
        "ldp_linucb_2024.part_privacy/privacy.response_printed_eps10_delta0.1",
        "ldp_linucb_2024.experiment_profile/points.panel_c_as_printed",
    ),
)

CLASSIC_SOURCE = Finding(
    name="classic_source",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The classic Gaussian mechanism is not in the work on continual observation that is cited for it",
    place="Theorem 3.2, proof",
    sentence="by the classic Gaussian Mechanism in (Dwork et al., 2010)",
    literal="The entry of that name and year is 'Differential privacy under continual observation', which has counters, not this "
    "mechanism.",
    charitable="Dwork and Roth 2014, Theorem A.1, cited for Definition 1.1, has the mechanism, with its condition epsilon < 1.",
    consequence="None by itself; the condition epsilon < 1 stands in the right source (see classic_range).",
    stands="The mechanism.",
    instead="Dwork and Roth 2014, Theorem A.1.",
)

CURRENT_ROUND = Finding(
    name="current_round",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The gradient of round t is computed from the noisy pair of round t as well",
    place="Theorem 3.2, proof, 'Further, since'",
    sentence="theta_t and g_t^clip are computed using a sequence of private parameters x~_1, y~_1, ..., x~_{t-1}, y~_{t-1}",
    literal="g_t = 2 x~_t (<x~_t, theta_t> - y~_t) - 2 Sigma theta_t uses x~_t and y~_t, which the list leaves out.",
    charitable="The list ends at t for g_t^clip; post-processing then applies.",
    consequence="None.",
    stands="Post-processing of the noisy pair.",
    instead="x~_1, y~_1, ..., x~_t, y~_t for the gradient.",
)
