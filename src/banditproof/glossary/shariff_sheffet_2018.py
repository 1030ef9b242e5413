"""The letters that only Shariff and Sheffet 2018 needs."""

from banditproof.glossary.core import COUNT, NON_NEGATIVE, POSITIVE, REAL, Domain, Quantity

MEAN_BOUND = Quantity("mean_bound", "B", Domain(low=1.0, low_open=False), "bound on the absolute mean rewards", "reward", (1.0, 20.0))
NODE_SIGMA = Quantity(
    "node_sigma",
    r"\sigma_{\mathrm{noise}}",
    POSITIVE,
    "standard deviation of the Gaussian noise of a node, off the diagonal",
    "",
    (10.0, 1.0),
)
NODES = Quantity("nodes", "m", COUNT, "1 + log2 of the horizon, rounded up: the paper's count of tree nodes", "nodes", (7, 1, 18))
WISHART_DEGREES = Quantity("wishart_degrees", "k", COUNT, "degrees of freedom of the Wishart noise of a node", "", (100_000, 3_000, 3))
REQUIRED_DEGREES = Quantity("required_degrees", r"k_{\min}", POSITIVE, "degrees of freedom from which Wishart noise is private")
SUMMED_DEGREES = Quantity("summed_degrees", "k_t", NON_NEGATIVE, "degrees of freedom of the Wishart noise in one round's release")
SHIFT = Quantity("shift", "c", NON_NEGATIVE, "eigenvalue shift: the scalar c in H_t - c I", "", (0.5, 0.25))
SIGNED_SHIFT = Quantity("signed_shift", "c", REAL, "eigenvalue shift of either sign: the scalar c in H_t - c I")
UPSILON = Quantity("upsilon", r"\Upsilon", POSITIVE, "bound on the operator norm of the Gaussian noise; half of its shift")
CONFIDENCE_RADIUS = Quantity(
    "confidence_radius",
    r"\beta_t",
    NON_NEGATIVE,
    "radius of the confidence ellipsoid, in the norm of the regularised Gram matrix",
    "",
    (2.0, 5.0),
)
MINIMUM_GAP = Quantity("minimum_gap", r"\Delta", POSITIVE, "minimum gap: the best mean minus the second best", "reward", (0.5, 0.1, 1.0))
POTENTIAL = Quantity(
    "potential",
    r"\textstyle\sum_t \min\{1, \lVert x_t\rVert^2\}",
    NON_NEGATIVE,
    "elliptical potential: the sum over rounds of min(1, squared norm of the action)",
    "",
    (3.0,),
)
START_TRACE = Quantity("start_trace", r"\mathrm{tr}\,U_1", POSITIVE, "trace of the first matrix of an elliptical potential", "", (5.0,))
START_DETERMINANT = Quantity("start_determinant", r"\det U_1", POSITIVE, "determinant of that matrix", "", (1.0,))
SQUARED_COSINE = Quantity(
    "squared_cosine",
    r"\cos^2",
    Domain(0.0, 1.0, low_open=False, high_open=False),
    "squared cosine of the angle between two rows",
    "",
    (0.0, 0.5),
)
SINGULAR_VALUE = Quantity("singular_value", "s_j", NON_NEGATIVE, "a singular value of a Gaussian matrix, or an eigenvalue of a Wishart one")
MATRIX_ROWS = Quantity("matrix_rows", "N", COUNT, "rows of a Gaussian matrix", "", (1000, 50, 2))
CHOICE = Quantity(
    "choice", "q", Domain(0.0, 1.0, low_open=False, high_open=False), "probability with which a policy chooses one of two arms", "", (0.5,)
)
LENGTH = Quantity("length", r"\lVert g\rVert", NON_NEGATIVE, "Euclidean length of a Gaussian vector")
