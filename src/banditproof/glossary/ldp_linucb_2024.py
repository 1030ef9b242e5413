"""The letters that only the locally private LinUCB paper of 2024 needs."""

from banditproof.glossary.core import COUNT, NON_NEGATIVE, POSITIVE, REAL, UNIT_OPEN, Domain, Quantity

# --- the algorithm ------------------------------------------------------------------------------------------------------------------
CURVATURE = Quantity(
    "curvature",
    r"\lambda_{\min}",
    NON_NEGATIVE,
    "lower bound on the eigenvalues of the conditional second moment of actions",
    "",
    (0.2, 0.0),
)
POSITIVE_CURVATURE = Quantity(
    "positive_curvature",
    r"\lambda_{\min}",
    POSITIVE,
    "lower bound, above 0, on the eigenvalues of the second moment of actions",
    "",
    (0.2,),
)
CURVATURE_THRESHOLD = Quantity(
    "curvature_threshold", r"\bar\lambda", POSITIVE, "largest curvature at which noise is added to the action", "", (0.1, 0.01)
)
INJECTED_SIGMA = Quantity(
    "injected_sigma", r"\Delta", NON_NEGATIVE, "standard deviation of the noise that is added to the action for curvature", "", (0.3, 0.0)
)
STRONG_CONVEXITY = Quantity("strong_convexity", r"\mu", POSITIVE, "strong convexity of the expected loss", "", (0.4, 0.02))
CLIPPING = Quantity("clipping", "G", POSITIVE, "largest Euclidean length of a gradient that is sent", "", (10.0, 1000.0))
CLIPPING_CONSTANT = Quantity("clipping_constant", "C", POSITIVE, "universal constant of the clipping length, not printed", "", (1.0,))
LEARNER_REGRET = Quantity("learner_regret", "M_T", NON_NEGATIVE, "known upper bound on the online learner's regret", "", (100.0,))
PATH = Quantity(
    "path", "S_N", NON_NEGATIVE, "sum over rounds of the squared distance of the learner's prediction from the parameter", "", (4.0,)
)
EXTRA_WIDTH = Quantity("extra_width", "K_N", NON_NEGATIVE, "what the squared width has beside the learner's regret", "", (100.0,))
SQUARED_WIDTH = Quantity("squared_width", "w_N^2", NON_NEGATIVE, "squared width of the confidence ellipsoid", "", (100.0,))
CURVATURE_TERM = Quantity(
    "curvature_term", "H", POSITIVE, "squared clipping length over the squared curvature, and its square root", "", (50.0,)
)
WIDTH_CONSTANT = Quantity("width_constant", r"\gamma", POSITIVE, "constant of the width, 'sufficiently large' and not printed", "", (1.0,))
LEARNER_CONSTANT = Quantity("learner_constant", "c_M", POSITIVE, "constant of the learner's regret, not printed", "", (1.0,))
PATH_CONSTANT = Quantity("path_constant", "c_S", POSITIVE, "constant of the path bound, not printed", "", (1.0,))
MINIMISER_RATIO = Quantity(
    "minimiser_ratio", r"\theta_{\min}/\theta^*", NON_NEGATIVE, "component of the expected loss's minimiser over the parameter's"
)
REQUIRED_ROUNDS = Quantity("required_rounds", r"T_{\min}", POSITIVE, "number of rounds from which a condition can hold", "rounds")

# --- one feature, in lines of proofs ------------------------------------------------------------------------------------------------
FEATURE = Quantity("feature", "x_t", REAL, "the action's feature, of one dimension")
NOISY_FEATURE = Quantity("noisy_feature", r"\tilde x_t", REAL, "the feature that is sent, of one dimension")
NOISY_REWARD = Quantity("noisy_reward", r"\tilde y_t", REAL, "the reward that is sent", "reward")
PREDICTION = Quantity("prediction", r"\theta_t", REAL, "the online learner's prediction, of one dimension")
PARAMETER = Quantity("parameter", r"\theta^*", REAL, "the unknown parameter, of one dimension")
FEATURE_NOISE = Quantity("feature_noise", r"\eta_{x,t}", REAL, "privacy noise of the feature")
INJECTED_NOISE = Quantity("injected_noise", r"\zeta_t", REAL, "noise that is added to the feature for curvature")
RESPONSE_NOISE = Quantity("response_noise", "z_t", REAL, "noise of the reward and its privacy noise together")

# --- the online learners ------------------------------------------------------------------------------------------------------------
LEARNING_RATE = Quantity("learning_rate", r"\eta", POSITIVE, "learning rate of an expert", "", (0.01,))
STEP_SIZE = Quantity("step_size", r"\alpha_t", POSITIVE, "length by which a gradient is multiplied", "", (0.1,))
EXPERT = Quantity("expert", "i", Domain(0, low_open=False, integer=True), "index of an expert of a curved family, from 0", "", (0, 3, 8))
LAST_EXPERT = Quantity(
    "last_expert", "n", Domain(0, low_open=False, integer=True), "index of the last expert of a curved family", "", (8, 3)
)
EXPERTS = Quantity("experts", "E", COUNT, "number of experts of Maler", "", (19,))
PRIOR = Quantity("prior", r"\pi_1", UNIT_OPEN, "initial weight of an expert")
PRIOR_LOGARITHM = Quantity("prior_logarithm", r"\ell_T", POSITIVE, "bound on the logarithm of 1 over an initial weight", "nats")
LINEAR_REGRET = Quantity(
    "linear_regret", r"\textstyle\sum_t \langle g_t, \theta_t - u\rangle", REAL, "linearised regret of an online learner"
)
REGRET_VARIANCE = Quantity(
    "regret_variance", "V", POSITIVE, "sum over rounds that a second-order regret bound depends on", "", (100.0, 10_000.0)
)
METRIC_SCALE = Quantity("metric_scale", "b", POSITIVE, "exp-concavity constant of a surrogate loss, in the Newton step")
LOSS_CURVATURE = Quantity("loss_curvature", r"\mu", POSITIVE, "strong convexity of every loss", "", (0.5, 2.0))

# --- the combiner -------------------------------------------------------------------------------------------------------------------
LEARNERS = Quantity("learners", "M", COUNT, "number of base learners", "", (3, 2))
DOUBLINGS = Quantity("doublings", "J", Domain(0, low_open=False, integer=True), "doublings of the smallest guess until it is 1", "", (2,))
LEARNER = Quantity("learner", "i", Domain(2, low_open=False, integer=True), "index of a base learner other than the first", "", (2, 3))
GUESS = Quantity("guess", r"\lambda_i", POSITIVE, "curvature that a base learner is given", "", (0.5, 1.0))
RATE_EXPONENT = Quantity("rate_exponent", r"\alpha_i", UNIT_OPEN, "exponent of a base learner's putative regret", "", (0.5, 0.75))
PUTATIVE_CONSTANT = Quantity("putative_constant", "C_i", POSITIVE, "factor of a base learner's putative regret", "", (10.0,))
PUTATIVE_REGRET = Quantity("putative_regret", "R_i", POSITIVE, "target regret of a base learner in the combiner", "reward")
COMBINER_RATE = Quantity("combiner_rate", r"\eta_i", POSITIVE, "weight of a base learner in the combiner", "", (0.001, 0.01))
OTHER_RATES = Quantity(
    "other_rates", r"\textstyle\sum_{k\ne i} 1/\eta_k", NON_NEGATIVE, "sum of 1 over the weights of the other base learners", "", (1000.0,)
)
COEFFICIENT = Quantity("coefficient", "c", POSITIVE, "coefficient of the second term of a target regret")
FIRST_CONSTANT = Quantity("first_constant", "P", POSITIVE, "constant of the first base learner, not printed", "", (1.0,))
OTHER_CONSTANT = Quantity("other_constant", "P'", POSITIVE, "constant of the other base learners, not printed", "", (1.0,))
RADIUS_CONSTANT = Quantity("radius_constant", "p", POSITIVE, "constant of the combiner's radius, not printed", "", (8.485, 1.0))
OWN_ROUNDS = Quantity("own_rounds", "n", COUNT, "rounds in which one base learner was played", "rounds", (100, 3, 10_000))
NOISY_RADIUS = Quantity("noisy_radius", r"\mathrm{rad}(n)", POSITIVE, "radius of the sum of a base learner's noisy rewards", "reward")
EPOCHS = Quantity("epochs", "E", COUNT, "number of epochs of the doubling wrapper that a horizon allows", "epochs", (15,))
EPOCH_FAILURE = Quantity("epoch_failure", r"\beta_m", UNIT_OPEN, "failure probability of one epoch")
EPOCH_CONSTANT = Quantity("epoch_constant", "c", POSITIVE, "factor of the regret of one epoch", "", (1.0,))

# --- the baselines ------------------------------------------------------------------------------------------------------------------
BASELINE_SIGMA = Quantity("baseline_sigma", "s", POSITIVE, "standard deviation of a baseline's noise", "", (2.0, 100.0))
BASELINE_SCALE = Quantity("baseline_scale", r"\Gamma", POSITIVE, "scale of a baseline's regulariser in the public script", "", (100.0, 1.0))
NOISE_NORM = Quantity("noise_norm", r"\Upsilon_t", POSITIVE, "bound on the operator norm of a baseline's noise", "", (100.0,))
REGULARISER = Quantity("regulariser", r"\Lambda", POSITIVE, "multiple of the identity in a baseline's Gram matrix", "", (1.0,))
BASELINE_WIDTH = Quantity("baseline_width", "w", POSITIVE, "width of a baseline's confidence set")
BATCH_SIZE = Quantity("batch_size", "B", COUNT, "users whose messages are shuffled together", "users", (20, 400))
BALANCED_BATCH = Quantity("balanced_batch", "B", POSITIVE, "batch size that balances two terms of a regret bound, before rounding", "users")
RESOLUTION = Quantity("resolution", "g", POSITIVE, "steps into which the shuffled sum divides an entry", "", (8.944, 4.0))
BINOMIAL_TRIALS = Quantity("binomial_trials", "b", POSITIVE, "trials of the binomial noise of a message, before rounding")
WHOLE_LOGARITHM = Quantity(
    "whole_logarithm", "W", Domain(0, low_open=False, integer=True), "integer part of the logarithm of the horizon", "", (9,)
)
TRIALS_SCALE = Quantity("trials_scale", "c", POSITIVE, "factor of the number of binomial trials in the public script", "", (1.0, 10.0))

# --- privacy ------------------------------------------------------------------------------------------------------------------------
TRUE_DELTA = Quantity(
    "true_delta", r"\delta(\epsilon)", Domain(0.0, 1.0, low_open=False), "least delta that a message has at epsilon, exactly"
)

# --- regret -------------------------------------------------------------------------------------------------------------------------
POTENTIAL_SUM = Quantity(
    "potential_sum",
    r"\textstyle\sum_t \min\{1, \lVert x_t\rVert^2\}",
    NON_NEGATIVE,
    "sum over rounds of the action's squared norm in the inverse noisy Gram matrix, cut at 1",
    "",
    (10.0,),
)
