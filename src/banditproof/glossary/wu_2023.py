"""The letters that only Wu et al. 2023 needs."""

from banditproof.glossary.core import COUNT, NON_NEGATIVE, POSITIVE, UNIT_OPEN, Domain, Quantity

GAP_UP_TO_TWO = Quantity(
    "gap_up_to_two",
    r"\Delta_a",
    Domain(low=0.0, high=2.0, high_open=False),
    "suboptimality gap where the rewards have unit raw moments: at most 2",
    "reward",
    (0.5, 0.1, 1.0),
)
LAST_FORCED = Quantity("last_forced", r"\tau_0", COUNT, "last epoch whose batch is below the threshold", "epochs", (3, 6))
FIRST_TESTED = Quantity("first_tested", r"\tau_1", COUNT, "first epoch whose batch is not below the threshold", "epochs", (1, 5))
FIRST_NARROW = Quantity("first_narrow", r"\tau_\Delta", COUNT, "first tested epoch with four radii of at most the largest gap", "epochs")
LAST_REACHED = Quantity("last_reached", r"\tau_T", COUNT, "epoch in which the horizon ends if no arm is eliminated", "epochs")
BATCH = Quantity("batch", r"B_\tau", COUNT, "pulls of one arm in one epoch", "pulls", (64, 512, 4096))
THRESHOLD_BATCH = Quantity("threshold_batch", r"\mathcal{T}_\tau", POSITIVE, "batch size below which exploration is forced", "pulls")
REQUIRED_SAMPLES = Quantity("required_samples", r"n_{\min}", POSITIVE, "number of draws from which a radius holds", "draws")
ESTIMATE_FAILURE = Quantity("estimate_failure", r"\delta_\tau", UNIT_OPEN, "failure probability of one estimate in one epoch")
ACCURACY = Quantity("accuracy", r"\eta", UNIT_OPEN, "wanted distance of an estimate from its target", "reward", (0.1, 0.5))
RARITY = Quantity(
    "rarity",
    r"\gamma",
    Domain(low=0.0, high=1.0, high_open=False),
    "gamma of the two-point distribution with value 1/gamma with probability c gamma^moment, else 0",
    "",
    (0.5, 0.1, 1.0),
)
BIN_ERROR = Quantity("bin_error", "C_1", NON_NEGATIVE, "largest error of a private bin frequency", "")
INVERSE_MASS = Quantity("inverse_mass", r"\iota", POSITIVE, "k-th power of the bin width under contamination", "")
MEAN_SIZE = Quantity("mean_size", r"|\mu|", NON_NEGATIVE, "absolute value of the inliers' mean", "reward", (0.5, 5.0, 20.0))
BIN_DISTANCE = Quantity("bin_distance", r"|J - \mu|", NON_NEGATIVE, "distance of the winning bin's left end from the mean", "reward")
UNBOUNDED_GAP = Quantity(
    "unbounded_gap",
    r"\Delta_a",
    POSITIVE,
    "suboptimality gap where the means lie anywhere in a range: any positive number",
    "reward",
    (1.0, 10.0),
)
EXPECTED_PULLS = Quantity("expected_pulls", r"\mathbb{E} N_a", NON_NEGATIVE, "expected pulls of one arm", "pulls", (10.0, 100.0))
ARM_INDEX = Quantity("arm_index", "a", COUNT, "number of an arm in the experiments, 1 for the best", "", (1, 2, 11))
ARM_MEAN = Quantity(
    "arm_mean",
    r"\mu_a",
    Domain(low=0.0, high=100.0, low_open=False, high_open=False),
    "mean of an arm in the experiments",
    "reward",
    (100.0, 90.0),
)
REWARD_MEAN = Quantity("reward_mean", r"\mathbb{E} r_a", POSITIVE, "mean of the rewards that an arm of the experiments gives", "reward")
SHAPE = Quantity("shape", "s", Domain(low=2.0), "shape of a Pareto distribution", "", (3.0,))
LEAST_VALUE = Quantity("least_value", "x_m", POSITIVE, "scale of a Pareto distribution, its least value", "reward", (40.0,))
TAIL_DEGREES = Quantity("tail_degrees", r"\nu", Domain(low=2.0), "degrees of freedom of Student's distribution", "", (2.0017,))
SECOND_CENTRAL_MOMENT = Quantity(
    "second_central_moment", r"\mathbb{E}(r_a - \mu_a)^2", POSITIVE, "variance of an arm's rewards", "reward^2"
)
REWARD_DEVIATION = Quantity(
    "reward_deviation", r"\sigma", POSITIVE, "standard deviation of an arm's rewards in the experiments", "reward", (34.64, 34.31)
)
