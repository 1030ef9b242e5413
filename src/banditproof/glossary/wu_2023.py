"""The letters that only Wu et al. 2023 needs."""

from banditproof.glossary.core import COUNT, NON_NEGATIVE, POSITIVE, UNIT_OPEN, Domain, Quantity

MOMENT_GAP = Quantity(
    "moment_gap",
    r"\Delta_a",
    Domain(low=0.0, high=2.0, high_open=False),
    "difference of the best mean and an arm's mean, rewards of unit moment",
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
    "inverse of the large value of a two-point law that takes it with probability c rarity^moment",
    "",
    (0.5, 0.1, 1.0),
)
BIN_ERROR = Quantity("bin_error", "C_1", NON_NEGATIVE, "largest error of a private bin frequency", "")
INVERSE_MASS = Quantity("inverse_mass", r"\iota", POSITIVE, "k-th power of the bin width under contamination", "")
MEAN_SIZE = Quantity("mean_size", r"|\mu|", NON_NEGATIVE, "absolute value of the inliers' mean", "reward", (0.5, 5.0, 20.0))
BIN_DISTANCE = Quantity("bin_distance", r"|J - \mu|", NON_NEGATIVE, "distance of the winning bin's left end from the mean", "reward")
WIDE_GAP = Quantity(
    "wide_gap", r"\Delta_a", POSITIVE, "difference of the best mean and an arm's mean, means anywhere in a range", "reward", (1.0, 10.0)
)
EXPECTED_PULLS = Quantity("expected_pulls", r"\mathbb{E} N_a", NON_NEGATIVE, "expected pulls of one arm", "pulls", (10.0, 100.0))
