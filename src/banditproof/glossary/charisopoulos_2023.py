"""The letters that only Charisopoulos, Esfandiari and Mirrokni 2023 needs."""

from banditproof.glossary.core import COUNT, NON_NEGATIVE, POSITIVE, REAL, UNIT_OPEN, Domain, Quantity

_UNIT = Domain(0.0, 1.0, low_open=False, high_open=False)
_COUNT_FROM_NOUGHT = Domain(0, low_open=False, integer=True)

# --- the setting --------------------------------------------------------------------------------------------------------------------
CORRUPTION = Quantity(
    "corruption",
    r"\alpha",
    Domain(0.0, 0.25, low_open=False),
    "probability with which a report is replaced by an arbitrary number",
    "",
    (0.05, 0.2, 0.01, 0.0),
)
TOTAL_CORRUPTION = Quantity("total_corruption", "C", NON_NEGATIVE, "bound on the total corruption in budget models", "reward", (100.0, 1.0))
BATCHES = Quantity("batches", "B", Domain(2, low_open=False, integer=True), "largest number of batches", "batches", (12, 5, 3))
BATCH_INDEX = Quantity("batch_index", "i", COUNT, "index of a batch, from 1", "batches", (1, 3, 5))
GROWTH = Quantity("growth", "q", Domain(1.0), "factor by which batches grow", "", (2.0, 2.718281828, 10.0))
SIZE = Quantity(
    "size", "m", Domain(1.0, low_open=False), "size parameter of a batch: the growth factor to the batch's index", "", (1000.0, 100.0)
)
ARM_GAP = Quantity(
    "arm_gap",
    r"\Delta_a",
    Domain(0.0, 2.0, low_open=False, high_open=False),
    "mean reward of the best action less that of an action",
    "reward",
    (0.5, 2.0),
)

# --- designs and coresets -----------------------------------------------------------------------------------------------------------
SUPPORT = Quantity("support", "k", COUNT, "number of actions with positive weight in a design", "actions", (10, 5, 20))
WEIGHT = Quantity("weight", r"\pi(a)", _UNIT, "weight of an action in a design", "", (0.1, 0.5, 0.0))
TRUNCATION_PARAMETER = Quantity(
    "truncation_parameter",
    r"\nu",
    Domain(0.0, 1.0, high_open=False),
    "least weight of an action in the counts of model M2",
    "",
    (0.1, 0.02),
)
ACTIVE_WEIGHT = Quantity(
    "active_weight", r"\pi(a)", Domain(0.0, 1.0, high_open=False), "weight, above 0, of an action in a design", "", (0.1, 0.5)
)
DESIGN_STEP = Quantity("design_step", "s", REAL, "weight that an iteration moves to an action, negative for a step away from it")
DETERMINANT_RATIO = Quantity(
    "determinant_ratio", "D", POSITIVE, "factor by which an iteration multiplies the determinant of the moment matrix"
)
DESIGN_OPERATIONS = Quantity("design_operations", "O", POSITIVE, "arithmetic operations that find a design")
WHOLE_PLAYS = Quantity("whole_plays", "w", COUNT, "least whole number of plays that the weight asks for", "plays")
ARM_PLAYS = Quantity("arm_plays", "n_a", COUNT, "plays of one action of the coreset in a batch", "plays", (100, 10, 1000))
BATCH_PLAYS = Quantity("batch_plays", "N", COUNT, "plays of all actions of the coreset in a batch", "plays", (1000, 100))
LEVERAGE = Quantity(
    "leverage", r"\mu", POSITIVE, "largest squared norm of an action in the inverse Gram matrix of the batch", "", (0.01, 0.1, 1.0)
)
DESIGN_LEVERAGE = Quantity(
    "design_leverage",
    "g",
    POSITIVE,
    "largest squared norm of an action in the inverse moment matrix of a design",
    "",
    (10.0, 5.0),
)
ARM_NORM = Quantity(
    "arm_norm", r"\lVert a\rVert_{M^{-1}}", NON_NEGATIVE, "norm of an action in the inverse Gram matrix of the batch", "", (0.1, 1.0)
)
LARGEST_COEFFICIENT = Quantity(
    "largest_coefficient",
    r"\lVert b\rVert_\infty",
    NON_NEGATIVE,
    "largest absolute coefficient <a, M^-1 a_j> of a report in the estimate at an action",
    "",
    (0.01, 0.1),
)

# --- reports, the filter and its estimate -------------------------------------------------------------------------------------------
OUTLIERS = Quantity("outliers", r"(n - |G_0|)", _COUNT_FROM_NOUGHT, "number of corrupted reports", "reports", (50, 5, 0))
INLIERS = Quantity("inliers", "|G_0|", COUNT, "number of uncorrupted reports", "reports", (950, 95))
REPORT_NORM = Quantity(
    "report_norm", r"\lVert y\rVert", NON_NEGATIVE, "Euclidean length of the vector of uncorrupted reports", "reward", (30.0, 10.0, 1.0)
)
GOOD_REPORT_NORM = Quantity(
    "good_report_norm",
    r"\lVert y_{G_0}\rVert",
    NON_NEGATIVE,
    "Euclidean length of the reports that stay uncorrupted",
    "reward",
    (30.0, 10.0),
)
OBSERVED_NORM = Quantity(
    "observed_norm", r"\lVert r\rVert", NON_NEGATIVE, "Euclidean length of the vector of collected reports", "reward", (30.0, 100.0)
)
LARGEST_NOISE = Quantity(
    "largest_noise", r"\lVert e\rVert_\infty", NON_NEGATIVE, "largest absolute noise of one kind in the uncorrupted reports", "reward"
)
LARGEST_REPORT = Quantity("largest_report", r"\lVert y\rVert_\infty", NON_NEGATIVE, "largest absolute uncorrupted report", "reward", (5.0,))
REQUIRED_REPORTS = Quantity("required_reports", r"n_{\min}", POSITIVE, "reports of a batch from which a condition can hold", "reports")
STOP_LEVEL = Quantity("stop_level", r"u_{\max}", POSITIVE, "largest eigenvalue at which the filter stops", "")
FILTER_SCALE = Quantity("filter_scale", r"\lambda", POSITIVE, "bound on the covariance that the filter is given", "", (0.1, 1.0))
GOOD_COVARIANCE = Quantity(
    "good_covariance",
    r"\lVert\Sigma_{G_0}\rVert",
    NON_NEGATIVE,
    "largest eigenvalue of the covariance of the uncorrupted points",
    "",
    (0.1, 1.0),
)
FILTER_ERROR = Quantity(
    "filter_error", r"\lVert \hat w - \theta_{G_0}\rVert", NON_NEGATIVE, "distance of the filter's mean from that of the uncorrupted points"
)
REMOVALS = Quantity("removals", "r", NON_NEGATIVE, "number of points that the filter removes", "points")
OUTLIER_FRACTION = Quantity("outlier_fraction", r"1 - |G_0|/n", _UNIT, "fraction of corrupted reports", "", (0.05, 0.1))
INLIER_DEVIATION = Quantity(
    "inlier_deviation",
    r"\left||G_0|/n - (1 - \alpha)\right|",
    NON_NEGATIVE,
    "distance of the fraction of uncorrupted reports from its mean",
)
MEAN_SHIFT = Quantity(
    "mean_shift", "s", NON_NEGATIVE, "distance of the mean of the uncorrupted points from the scaled mean of all points before corruption"
)
ESTIMATE_ERROR = Quantity(
    "estimate_error",
    r"|\langle a, \tilde\theta - \theta^*\rangle|",
    NON_NEGATIVE,
    "error of the robust estimate of an action's mean reward",
    "reward",
    (0.1, 1.0),
)
NOISE_SUM = Quantity(
    "noise_sum",
    r"\left|\textstyle\sum_i e_i \langle a, M^{-1} a_i\rangle\right|",
    NON_NEGATIVE,
    "error of least squares without corruption",
    "reward",
    (0.1, 1.0),
)
ELIMINATION_THRESHOLD = Quantity(
    "elimination_threshold",
    r"\gamma_i",
    POSITIVE,
    "half of the distance below the best estimate at which an arm is eliminated",
    "reward",
    (0.1, 1.0),
)
REPORT_SCALE = Quantity("report_scale", "b", POSITIVE, "scale of the Laplace noise of a client's report", "reward", (4.0, 0.4))

# --- constants that the paper does not print ----------------------------------------------------------------------------------------
DESIGN_CONSTANT = Quantity("design_constant", r"C_{\mathrm{des}}", POSITIVE, "universal constant of the support of a design", "", (1.0,))
CORRUPTION_CONSTANT = Quantity(
    "corruption_constant", r"C_{\gamma 1}", POSITIVE, "constant of the threshold's corruption term, not printed", "", (1.0,)
)
NOISE_CONSTANT = Quantity("noise_constant", r"C_{\gamma 2}", POSITIVE, "constant of the threshold's noise term, not printed", "", (1.0,))
CONFIDENCE_CONSTANT = Quantity("confidence_constant", "C_P", POSITIVE, "constant of Proposition 2.1, not printed", "", (1.0,))
ASSUMPTION_CONSTANT = Quantity("assumption_constant", "C_A", POSITIVE, "constant of Assumption A.1, not printed", "", (1.0,))
CHERNOFF_CONSTANT = Quantity("chernoff_constant", "C_B", POSITIVE, "constant of the sample size in Lemma A.3, not printed", "", (1.0,))
VECTOR_CONSTANT = Quantity("vector_constant", "C_V", POSITIVE, "constant of Lemma A.4, not printed", "", (1.0,))
FILTER_LIMIT = Quantity(
    "filter_limit", r"c_{\mathrm{filt}}", POSITIVE, "largest corruption that Theorem A.2 allows, not printed", "", (1.0,)
)
FILTER_CONSTANT = Quantity("filter_constant", r"C_{\mathrm{filt}}", POSITIVE, "constant of Theorem A.2, not printed", "", (1.0,))
REWARD_CONSTANT = Quantity(
    "reward_constant", "c_1", POSITIVE, "constant of the rewards' noise in Lemmas 3.1 and 3.6, not printed", "", (1.0,)
)
LAPLACE_CONSTANT = Quantity(
    "laplace_constant", "c_2", POSITIVE, "constant of the privacy noise in Lemmas 3.1 and 3.6, not printed", "", (1.0,)
)
MAXIMUM_CONSTANT = Quantity(
    "maximum_constant", r"c_{\max}", POSITIVE, "constant of the largest noise in Lemmas 3.3 and 3.8, not printed", "", (1.0,)
)
REWARD_CHANGE = Quantity("reward_change", "D", NON_NEGATIVE, "largest change of one reward between neighbours", "reward", (2.0, 6.0))
SMALL = Quantity("small", "z", UNIT_OPEN, "a term of the proof below 1; the note at the line says which", "", (0.5,))
ROUND_FAILURE = Quantity("round_failure", r"\delta_{a,i}", UNIT_OPEN, "failure probability of a statement for one arm and round")
ESTIMATED_GAP = Quantity("estimated_gap", r"\hat\Delta", REAL, "estimate of one action less that of another", "reward")

# --- lines of proofs, in one dimension ----------------------------------------------------------------------------------------------
ACTION = Quantity("action", "a", REAL, "an action, of one dimension")
FIRST_ACTION = Quantity("first_action", "a_1", POSITIVE, "first action of a batch of two, of one dimension")
SECOND_ACTION = Quantity("second_action", "a_2", POSITIVE, "second action of a batch of two, of one dimension")
FIRST_REPORT = Quantity("first_report", "y_1", REAL, "report for the first action", "reward")
SECOND_REPORT = Quantity("second_report", "y_2", REAL, "report for the second action", "reward")
TRUE_PARAMETER = Quantity("true_parameter", r"\theta^*", REAL, "the unknown parameter, of one dimension")
GOOD_MEAN = Quantity("good_mean", r"\theta_{G_0}", REAL, "mean of the uncorrupted points, in one direction")
CLEAN_MEAN = Quantity("clean_mean", r"\bar\theta_n", REAL, "mean of all points before corruption, in one direction")
FILTER_MEAN = Quantity("filter_mean", r"\hat w", REAL, "mean that the filter returns, in one direction")
ARM_REWARD = Quantity("arm_reward", r"\langle a, \theta^*\rangle", REAL, "mean reward of an action", "reward")
BEST_REWARD = Quantity("best_reward", r"\langle a^*, \theta^*\rangle", REAL, "mean reward of the best action", "reward")
ESTIMATE_SHIFT = Quantity("estimate_shift", "x_a", REAL, "error of the estimate at an action", "reward")
BEST_SHIFT = Quantity("best_shift", "x_{a^*}", REAL, "error of the estimate at the best action", "reward")

# --- regret, budget and comparisons (part 2) ----------------------------------------------------------------------------------------
BATCH_SUM = Quantity("batch_sum", r"\textstyle\sum_i q^i", POSITIVE, "sum of the size parameters of batches", "plays", (1000.0,))
ROOT_SUM = Quantity(
    "root_sum",
    r"\textstyle\sum_i q^i/\sqrt{q^{i-1}}",
    POSITIVE,
    "sum over batches of the size parameter over the root of the one before",
    "",
    (1000.0,),
)
OVERSPENT_BATCH = Quantity(
    "overspent_batch", "j", COUNT, "least index of a batch with which the plays exceed the horizon", "batches", (3, 5)
)
FITTING_BATCHES = Quantity("fitting_batches", "b", NON_NEGATIVE, "batches that fit into the horizon, exploitation left out", "batches")
M1_REGRET_CONSTANT = Quantity("m1_regret_constant", "C_{34}", POSITIVE, "constant of Theorem 3.4, not printed", "", (1.0,))
M2_REGRET_CONSTANT = Quantity("m2_regret_constant", "C_{39}", POSITIVE, "constant of Theorem 3.9, not printed", "", (1.0,))
GAIN = Quantity("gain", r"\mathrm{gain}", POSITIVE, "corruption term of the earlier work over that of this paper")
