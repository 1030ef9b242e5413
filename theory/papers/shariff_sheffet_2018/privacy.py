r"""Where the privacy of Shariff and Sheffet 2018 sits: one tree of noisy sums of v v^T (sections 4 and A).

Main statements
    NODES_SUMMED, NODES_CHANGED             A.2: nodes in a prefix, nodes that hold a row;  NODES_RELEASED the latter, exactly
    TREE_BUDGET                             A.2: the level of m nodes at epsilon/sqrt(8 m log(2/delta)) each, with its range
    GAUSSIAN_NOISE                          A.1: the variance of Gaussian noise, with its range
    ROW_SENSITIVITY                         how far replacing a row moves v v^T
    GAUSSIAN_CALIBRATION                    4.2: the noise of a node;  WISHART_CALIBRATION  4.1: the degrees of freedom of a node
    WISHART_PRIVACY, WISHART_PRIVACY_QUOTED Theorems 8 and 23;  WISHART_FLOOR what no epsilon can hide
Exact accounting of the Gaussian tree (ours)
    NODE_LEVEL, NODE_LEVEL_PLAIN            mu of one node, with the doubled variance of the diagonal and without
    TREE_LEVEL, PRINTED_LEVEL               mu of the whole tree; what the printed noise makes of it
    EXACT_CALIBRATION, WASTE                the least noise for (epsilon, delta), and the printed one over it

What is wrong in print: findings/privacy.py. A.1, A.2, Theorem 8 and the calibrations of section 4 name no range of epsilon; the ranges
    here are ours (findings gaussian_noise, tree_budget, wishart_privacy, gaussian_calibration, wishart_calibration).

Derivations
    NODES_RELEASED. The prefix of t rows adds the nodes of t's binary digits; row 1 is in the node of level j, rows 1 to 2^j, for each
    2^j <= n - 1 (action n sees n - 1 rows): 1 + floor(log2(n - 1)) = ceil(log2 n) = m - 1 nodes for n >= 2. No row is in more. Each release
    adds one node to known ones, so releases and nodes tell the same, except for padding.
    NODE_LEVEL. The log ratio of two Gaussian densities of one variance each is Gaussian: mu^2 = sum of squared changes over variances. The
    squared change is |v|^4 + |v'|^4 - 2 (v.v')^2 <= 2 L~^4, attained by orthogonal rows; (x, y) against (x, -y) with |x| = |y| attains it
    outside the corner, which is never used. Levels of nodes add in squares, also when later rows are chosen from earlier releases.
    GAUSSIAN_NOISE. With l = log(2/delta), mu = epsilon/sqrt(2 l) and z = sqrt(2 l) (1 - epsilon/(4 l)): delta is at most P(N > z), at most
    exp(-z^2/2)/2, at most delta exp(epsilon/2)/4. Above 4 log 2 the concentrated bound epsilon = rho + 2 sqrt(rho log(1/delta)).
    GAUSSIAN_CALIBRATION. With l = log(4/delta), mu = epsilon/(4 l) and z = 4 l - epsilon/(8 l) >= 3 l up to 8 l^2; then as before.
    TREE_BUDGET. The advanced composition with slack delta/2 where it fits into epsilon; m epsilon_0 always.
    WISHART_FLOOR. v = 0, v' = L~ e_1: the release of v minus v' v'^T is W - v' v'^T, not positive definite when e_1^T W^-1 e_1 > 1/L~^2,
    so when a chi-square variable with k - d degrees is below 1; that of v' always is. Its density is at least
    exp(-1/2) x^(nu/2 - 1)/(2^(nu/2) Gamma(nu/2)) on (0, 1), and the integral of that is stated. At nu = 2 the probability is 1 - exp(-1/2).
    WISHART_PRIVACY for larger epsilon or delta: what is private for less is private.

Not steps, because SymPy reduces them to themselves: sqrt(2 m log(2/delta)) epsilon_0 = epsilon/2, and k from Theorem 8 at
(epsilon_0, delta/(2 m)): 28 * 8 = 224.
"""

from sympy import And, E, Expr, Ge, Gt, Integer, Le, Lt, Or, Rational, exp, gamma, log, sqrt

from banditproof.glossary import (
    DELTA,
    DIMENSION,
    EPSILON,
    HORIZON,
    LEVELS,
    MU,
    OTHER_UNIT_RATIO,
    RATIO,
    REQUIRED_SIGMA,
    ROW_NORM,
    SENSITIVITY,
    TERMS,
    THRESHOLD,
    TOTAL_EPSILON,
    UNIT_RATIO,
)
from banditproof.glossary.shariff_sheffet_2018 import NODE_SIGMA, NODES, REQUIRED_DEGREES, SQUARED_COSINE, WISHART_DEGREES
from banditproof.theory.hypotheses import (
    each_private_whatever_came_before,
    fresh_gaussian_noise,
    l2_sensitivity,
    one_draw_per_node,
    real_arithmetic,
)
from banditproof.theory.language import Bound, Case, Checked, Hypothesis, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.balle_wang_2018 import exact_mu
from banditproof.theory.papers.shariff_sheffet_2018.findings import privacy as findings
from banditproof.theory.papers.shariff_sheffet_2018.setting import nodes_of, replaced_row, source

_n, _m, _d, _k = symbol(HORIZON), symbol(NODES), symbol(DIMENSION), symbol(WISHART_DEGREES)
_epsilon, _delta, _row, _sigma = symbol(EPSILON), symbol(DELTA), symbol(ROW_NORM), symbol(NODE_SIGMA)
_mu, _sensitivity, _x, _g = symbol(MU), symbol(SENSITIVITY), symbol(RATIO), symbol(THRESHOLD)
_u, _v, _q = symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO), symbol(SQUARED_COSINE)
_l, _l2, _l4 = log(1 / _delta), log(2 / _delta), log(4 / _delta)

two_rounds = Hypothesis(
    "two_rounds", "n >= 2: before the second action nothing is released", Checked.BY_VALUE, Ge(_n, 2), added="two_rounds"
)
more_degrees_than_features = Hypothesis("more_degrees_than_features", "k > d", Checked.BY_VALUE, Gt(_k, _d))
level_below_one = Hypothesis("level_below_one", "epsilon < 1", Checked.BY_VALUE, Lt(_epsilon, 1))
delta_below_inverse_e = Hypothesis("delta_below_inverse_e", "delta < 1/e", Checked.BY_VALUE, Lt(_delta, 1 / E))
symmetric_gaussian_nodes = Hypothesis(
    "symmetric_gaussian_nodes",
    "a node's noise is symmetric, independent on and above the diagonal, of variance sigma^2 above and 2 sigma^2 on it",
    Checked.ASSUMED,
)
equal_gaussian_nodes = Hypothesis(
    "equal_gaussian_nodes",
    "a node's noise is symmetric, independent on and above the diagonal, of variance sigma^2 above and on it",
    Checked.ASSUMED,
)
wishart_nodes = Hypothesis("wishart_nodes", "a node's noise is a Wishart matrix with scale L~^2 I, one for each node", Checked.ASSUMED)

# --- the tree ---------------------------------------------------------------------------------------------------------------------

NODES_SUMMED = Theorem(
    id="shariff_sheffet_2018.nodes_summed",
    statement="The nodes that one prefix adds.",
    source=source("Appendix A.2, 'at most m nodes'"),
    bound=Bound(of=TERMS, sense=Sense.AT_MOST, cases=always(_m), given=(HORIZON,), where=(nodes_of(),)),
    findings=(findings.NODES_OF_A_PREFIX,),
)

NODES_CHANGED = Theorem(
    id="shariff_sheffet_2018.nodes_changed",
    statement="The nodes that hold one row.",
    source=source("Appendix A.2, 'no more than m nodes'"),
    bound=Bound(of=LEVELS, sense=Sense.AT_MOST, cases=always(_m), given=(HORIZON,), where=(nodes_of(),)),
    findings=(findings.RELEASED_NODES,),
)

NODES_RELEASED = Theorem(
    id="shariff_sheffet_2018.nodes_released",
    statement="The nodes that hold the first row and are ever released: the most for any row.",
    source=source(
        "[assembled] Appendix A.2, counting the prefixes of the first n - 1 rows; derived in theory/papers/shariff_sheffet_2018/privacy.py"
    ),
    bound=Bound(of=LEVELS, sense=Sense.EQUALS, cases=always(_m - 1), given=(HORIZON,), where=(nodes_of(),)),
)

_node = _epsilon / sqrt(8 * _m * _l2)
_drift = _m * _node * (exp(_node) - 1)
_basic = Or(Le(_m, 8 * _l2), Le(_drift, _epsilon / 2))

TREE_BUDGET = Theorem(
    id="shariff_sheffet_2018.tree_budget",
    statement="m mechanisms, each private at epsilon/sqrt(8 m log(2/delta)) with delta/(2 m), chosen adaptively, are together "
    "(`total_epsilon`, delta)-differentially private.",
    source=source("Appendix A.2, 'it suffices to set', and section 4"),
    hypotheses=(each_private_whatever_came_before,),
    bound=Bound(
        of=TOTAL_EPSILON,
        sense=Sense.AT_MOST,
        cases=(
            Case(_basic, _epsilon),
            Case(And(Gt(_m, 8 * _l2), Gt(_drift, _epsilon / 2)), _m * _node, added="tree_budget"),
        ),
        given=(NODES, EPSILON, DELTA),
    ),
    published=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(_epsilon), given=(NODES, EPSILON, DELTA)),
    findings=(findings.TREE_BUDGET,),
    steps=(
        Step(
            id="drift_up_to_one",
            sense=Sense.AT_MOST,
            left=_drift,
            right=_epsilon / 2,
            draw_order=(EPSILON, DELTA, NODES),
            domain=(Le(_epsilon, 1),),
            reason="the range of epsilon in which the composition needs no second look",
            ours=True,
        ),
    ),
)

# --- Gaussian noise -----------------------------------------------------------------------------------------------------------------


def _concentrated(change: Expr) -> Expr:
    """The standard deviation at which rho + 2 sqrt(rho log(1/delta)) is epsilon, rho = change^2/(2 sigma^2)."""
    return change * (sqrt(_l + _epsilon) + sqrt(_l)) / (sqrt(2) * _epsilon)


_a1 = _sensitivity * sqrt(2 * _l2) / _epsilon
_A1_GIVEN = (EPSILON, DELTA, SENSITIVITY)

GAUSSIAN_NOISE = Theorem(
    id="shariff_sheffet_2018.gaussian_noise",
    statement="Gaussian noise of standard deviation `required_sigma` on a query of L2 sensitivity s is enough for (epsilon, "
    "delta)-differential "
    "privacy.",
    source=source("Appendix A.1"),
    hypotheses=(l2_sensitivity, fresh_gaussian_noise, real_arithmetic),
    bound=Bound(
        of=REQUIRED_SIGMA,
        sense=Sense.AT_MOST,
        cases=(Case(Le(_epsilon, 4 * log(2)), _a1), Case(Gt(_epsilon, 4 * log(2)), _concentrated(_sensitivity), added="gaussian_noise")),
        given=_A1_GIVEN,
    ),
    findings=(findings.GAUSSIAN_NOISE,),
    steps=(
        Step(
            id="exponent",
            sense=Sense.AT_LEAST,
            left=_l2 * (1 - _epsilon / (4 * _l2)) ** 2,
            right=_l2 - _epsilon / 2,
            draw_order=(EPSILON, DELTA),
            ours=True,
        ),
        Step(
            id="threshold",
            sense=Sense.AT_MOST,
            left=_epsilon,
            right=4 * _l2,
            draw_order=(EPSILON, DELTA),
            domain=(Le(_epsilon, 4 * log(2)),),
            reason="the range of epsilon in which the variance is enough",
            ours=True,
            note="the tail starts above 0",
        ),
        Step(
            id="tail",
            sense=Sense.AT_MOST,
            left=_delta * exp(_epsilon / 2) / 4,
            right=_delta,
            draw_order=(EPSILON, DELTA),
            domain=(Le(_epsilon, 4 * log(2)),),
            reason="the range of epsilon in which the variance is enough",
            ours=True,
        ),
    ),
)

ROW_SENSITIVITY = Theorem(
    id="shariff_sheffet_2018.row_sensitivity",
    statement="Replacing a row changes the Gram matrix by at most `sensitivity`, in the Frobenius norm of the difference.",
    source=source("[assembled] section 4.2, for the norm of the difference; the printed L~^2 is for the difference of the norms"),
    hypotheses=(replaced_row,),
    bound=Bound(of=SENSITIVITY, sense=Sense.AT_MOST, cases=always(sqrt(2) * _row**2), given=(ROW_NORM,)),
    steps=(
        Step(
            id="change",
            sense=Sense.AT_MOST,
            left=_u**2 + _v**2 - 2 * _u * _v * _q,
            right=Integer(2),
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO, SQUARED_COSINE),
            ours=True,
            note="both sides over L~^4, rows of squared lengths u L~^2 and v L~^2",
        ),
        Step(
            id="norm_of_the_sum",
            sense=Sense.AT_MOST,
            left=_x**2 + 2 * _u * _x * _g + _g**2,
            right=(_x + _g) ** 2,
            draw_order=(RATIO, THRESHOLD, UNIT_RATIO),
            ours=True,
            note="the printed sentence: |M + v v^T|^2 <= (|M| + |v v^T|)^2, norms x and g, cosine u >= 0 as both are positive",
        ),
        Step(
            id="norm_of_the_past",
            sense=Sense.AT_LEAST,
            left=_x**2 + 2 * _u * _x * _g + _g**2,
            right=_x**2,
            draw_order=(RATIO, THRESHOLD, UNIT_RATIO),
            ours=True,
            note="and |M|^2 <= |M + v' v'^T|^2, so that the two norms lie within L~^2",
        ),
    ),
)

_NODE_GIVEN = (ROW_NORM, NODE_SIGMA)

NODE_LEVEL = Theorem(
    id="shariff_sheffet_2018.node_level",
    statement="The Gaussian privacy of one node with the symmetrised noise, exactly: the diagonal has twice the variance.",
    source=source("[assembled] section 4.2; derived in theory/papers/shariff_sheffet_2018/privacy.py"),
    hypotheses=(replaced_row, symmetric_gaussian_nodes, real_arithmetic),
    bound=Bound(of=MU, sense=Sense.EQUALS, cases=always(_row**2 / _sigma), given=_NODE_GIVEN),
    steps=(
        Step(
            id="diagonal_needed",
            sense=Sense.AT_MOST,
            left=2 / _x,
            right=Integer(1),
            draw_order=(RATIO,),
            domain=(Ge(_x, 2),),
            reason="for the level L~^2/sigma; the printed noise is private with less, as footnote 4 says",
            ours=True,
            note="e_1 against e_2, the diagonal's variance x sigma^2: mu^2 over (L~^2/sigma)^2",
        ),
    ),
)

NODE_LEVEL_PLAIN = Theorem(
    id="shariff_sheffet_2018.node_level_plain",
    statement="The Gaussian privacy of one node if every entry had the same variance, exactly.",
    source=source("[assembled] section 4.2 and footnote 4; derived in theory/papers/shariff_sheffet_2018/privacy.py"),
    hypotheses=(replaced_row, equal_gaussian_nodes, real_arithmetic),
    bound=Bound(of=MU, sense=Sense.EQUALS, cases=always(sqrt(2) * _row**2 / _sigma), given=_NODE_GIVEN),
    steps=(
        Step(
            id="footnote_threshold",
            sense=Sense.AT_LEAST,
            left=2 * sqrt(2) * _l4 - _epsilon / (4 * sqrt(2) * _l4),
            right=sqrt(2) * _l4,
            draw_order=(EPSILON, DELTA),
            domain=(Le(_epsilon, 8 * _l4**2),),
            reason="the range of epsilon in which the printed noise is enough",
            ours=True,
            note="footnote 4: m nodes at the printed deviation have mu = epsilon/(2 sqrt(2) l); epsilon/mu - mu/2 is the tail's threshold",
        ),
        Step(
            id="footnote_tail",
            sense=Sense.AT_MOST,
            left=exp(-(_l4**2)) / 2,
            right=_delta,
            draw_order=(DELTA,),
            ours=True,
        ),
    ),
)

TREE_LEVEL = Theorem(
    id="shariff_sheffet_2018.tree_level",
    statement="The Gaussian privacy of everything that the tree releases, exactly, for the first row, whose level is the largest.",
    source=source("[assembled] sections 4.2 and A.2; derived in theory/papers/shariff_sheffet_2018/privacy.py"),
    hypotheses=(replaced_row, symmetric_gaussian_nodes, one_draw_per_node, real_arithmetic),
    bound=Bound(
        of=MU,
        sense=Sense.EQUALS,
        cases=always(sqrt(_m - 1) * _row**2 / _sigma),
        given=(HORIZON, *_NODE_GIVEN),
        where=(nodes_of(),),
    ),
)

PRINTED_LEVEL = Theorem(
    id="shariff_sheffet_2018.printed_level",
    statement="The Gaussian privacy of m nodes that hold one row, with the printed noise.",
    source=source("[assembled] sections 4.2 and A.2"),
    hypotheses=(replaced_row, symmetric_gaussian_nodes, one_draw_per_node, real_arithmetic),
    bound=Bound(of=MU, sense=Sense.EQUALS, cases=always(_epsilon / (4 * _l4)), given=(EPSILON, DELTA)),
)


def gaussian_deviation() -> Expr:
    """sigma_noise, printed: 4 sqrt(m) L~^2 log(4/delta)/epsilon."""
    return 4 * sqrt(_m) * _row**2 * _l4 / _epsilon


_TREE_GIVEN = (HORIZON, EPSILON, DELTA, ROW_NORM)

GAUSSIAN_CALIBRATION = Theorem(
    id="shariff_sheffet_2018.gaussian_calibration",
    statement="Noise of standard deviation `required_sigma` on every node makes the tree (epsilon, delta)-private.",
    source=source("section 4.2, sigma_noise"),
    hypotheses=(replaced_row, symmetric_gaussian_nodes, one_draw_per_node, real_arithmetic),
    bound=Bound(
        of=REQUIRED_SIGMA,
        sense=Sense.AT_MOST,
        cases=(
            Case(Le(_epsilon, 8 * _l4**2), gaussian_deviation()),
            Case(Gt(_epsilon, 8 * _l4**2), _concentrated(sqrt(_m) * _row**2), added="gaussian_calibration"),
        ),
        given=_TREE_GIVEN,
        where=(nodes_of(),),
    ),
    published=Bound(of=REQUIRED_SIGMA, sense=Sense.AT_MOST, cases=always(gaussian_deviation()), given=_TREE_GIVEN, where=(nodes_of(),)),
    findings=(
        findings.GAUSSIAN_CALIBRATION,
        findings.SENSITIVITY,
        findings.NOISE_IS_LARGE,
        findings.FOOTNOTE_FOUR,
        findings.NODE_DELTA,
    ),
    steps=(
        Step(  # |v v^T - v' v'^T|^2 over L~^4, rows of squared lengths u L~^2 and v L~^2: the norm of the change, as A.1 needs it
            id="sensitivity_as_printed",
            sense=Sense.AT_MOST,
            left=_u**2 + _v**2 - 2 * _u * _v * _q,
            right=Integer(1),
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO, SQUARED_COSINE),
            note="the squared change over L~^4: unit_ratio is |v|^2/L~^2, other_unit_ratio |v'|^2/L~^2",
        ),
        Step(  # A.1 at epsilon_0 and delta/2 for L~^2, against the printed square
            id="logarithms",
            sense=Sense.AT_MOST,
            left=2 * _row**4 * log(2 / (_delta / 2)) / _node**2,
            right=16 * _m * _row**4 * _l4**2 / _epsilon**2,
            draw_order=(EPSILON, DELTA, ROW_NORM, NODES),
            note="A.1 at epsilon_0 and delta/2 for L~^2, against the printed square",
        ),
        Step(
            id="threshold",
            sense=Sense.AT_LEAST,
            left=4 * _l4 - _epsilon / (8 * _l4),
            right=3 * _l4,
            draw_order=(EPSILON, DELTA),
            domain=(Le(_epsilon, 8 * _l4**2),),
            reason="the range of epsilon in which the noise is enough",
            ours=True,
        ),
        Step(
            id="tail",
            sense=Sense.AT_MOST,
            left=exp(-((3 * _l4) ** 2) / 2) / 2,
            right=_delta,
            draw_order=(DELTA,),
            ours=True,
        ),
    ),
)

EXACT_CALIBRATION = Theorem(
    id="shariff_sheffet_2018.exact_calibration",
    statement="The least standard deviation of the nodes' noise that makes what the tree releases (epsilon, delta)-private.",
    source=source("[assembled] sections 4.2 and A.2, from tree_level and the exact Gaussian profile"),
    hypotheses=(two_rounds, replaced_row, symmetric_gaussian_nodes, one_draw_per_node, real_arithmetic),
    bound=Bound(
        of=REQUIRED_SIGMA,
        sense=Sense.EQUALS,
        cases=always(sqrt(_m - 1) * _row**2 / _mu),
        given=_TREE_GIVEN,
        where=(nodes_of(), exact_mu),
    ),
)

WASTE = Theorem(
    id="shariff_sheffet_2018.waste",
    statement="The printed standard deviation of the nodes' noise over the least one.",
    source=source("[assembled] section 4.2, from exact_calibration"),
    hypotheses=(two_rounds,),
    bound=Bound(
        of=RATIO,
        sense=Sense.EQUALS,
        cases=always(sqrt(_m / (_m - 1)) * 4 * _l4 * _mu / _epsilon),
        given=(HORIZON, EPSILON, DELTA),
        where=(nodes_of(), exact_mu),
    ),
)

# --- Wishart noise ------------------------------------------------------------------------------------------------------------------


def _sheffet(level: Expr, delta: Expr) -> Expr:
    return _d + 1 + 28 * log(4 / delta) / level**2


_NODE_OF = (DIMENSION, EPSILON, DELTA)

WISHART_PRIVACY = Theorem(
    id="shariff_sheffet_2018.wishart_privacy",
    statement="Wishart noise with `required_degrees` degrees of freedom makes the Gram matrix of d + 1 columns (epsilon, delta)-private.",
    source=source("Theorem 8"),
    hypotheses=(replaced_row, wishart_nodes, real_arithmetic),
    bound=Bound(
        of=REQUIRED_DEGREES,
        sense=Sense.AT_MOST,
        cases=(
            Case(And(Lt(_epsilon, 1), Lt(_delta, 1 / E)), _sheffet(_epsilon, _delta)),
            Case(And(Lt(_epsilon, 1), Ge(_delta, 1 / E)), _sheffet(_epsilon, 1 / E), added="wishart_privacy"),
            Case(And(Ge(_epsilon, 1), Lt(_delta, 1 / E)), _sheffet(Integer(1), _delta), added="wishart_privacy"),
            Case(And(Ge(_epsilon, 1), Ge(_delta, 1 / E)), _sheffet(Integer(1), 1 / E), added="wishart_privacy"),
        ),
        given=_NODE_OF,
    ),
    published=Bound(of=REQUIRED_DEGREES, sense=Sense.AT_MOST, cases=always(_sheffet(_epsilon, _delta)), given=_NODE_OF),
    findings=(findings.WISHART_PRIVACY,),
)

WISHART_PRIVACY_QUOTED = Theorem(
    id="shariff_sheffet_2018.wishart_privacy_quoted",
    statement="Wishart noise with `required_degrees` degrees of freedom makes the Gram matrix of d + 1 columns (epsilon, delta)-private.",
    source=source("Theorem 23, quoting Theorem 4.1 of Sheffet 2015, at d + 1 columns"),
    hypotheses=(level_below_one, delta_below_inverse_e, replaced_row, wishart_nodes, real_arithmetic),
    bound=Bound(of=REQUIRED_DEGREES, sense=Sense.AT_MOST, cases=always(_sheffet(_epsilon, _delta)), given=_NODE_OF),
    findings=(findings.WISHART_LETTERS, findings.WISHART_INTEGER_PART),
)

WISHART_FLOOR = Theorem(
    id="shariff_sheffet_2018.wishart_floor",
    statement="Whatever epsilon is, a Gram matrix of d + 1 columns with Wishart noise of k degrees of freedom is (epsilon, "
    "delta)-private for no delta below this one.",
    source=source("[assembled] Theorem 8; derived in theory/papers/shariff_sheffet_2018/privacy.py"),
    hypotheses=(more_degrees_than_features, replaced_row, wishart_nodes, real_arithmetic),
    bound=Bound(
        of=DELTA,
        sense=Sense.AT_LEAST,
        cases=always(exp(-Rational(1, 2)) / (2 ** ((_k - _d) / 2) * gamma((_k - _d) / 2 + 1))),
        given=(WISHART_DEGREES, DIMENSION),
    ),
    steps=(
        Step(
            id="density",
            sense=Sense.AT_LEAST,
            left=exp(-_u / 2),
            right=exp(-Rational(1, 2)),
            draw_order=(UNIT_RATIO,),
            ours=True,
            note="the density of chi-square on (0, 1), over its power of x",
        ),
    ),
)


def _of_tree(level: Expr) -> Expr:
    return _d + 1 + 224 * _m / level**2 * log(8 * _m / _delta) * _l2


_CALIBRATED = (HORIZON, DIMENSION, EPSILON, DELTA)

WISHART_CALIBRATION = Theorem(
    id="shariff_sheffet_2018.wishart_calibration",
    statement="Wishart noise makes the tree (epsilon, delta)-private if every node has at least the degrees of freedom on the right "
    "side; the paper's k is this bound rounded up.",
    source=source("section 4.1, k"),
    hypotheses=(two_rounds, replaced_row, wishart_nodes, one_draw_per_node, real_arithmetic),
    bound=Bound(
        of=REQUIRED_DEGREES,
        sense=Sense.AT_MOST,
        cases=(Case(Le(_epsilon, 1), _of_tree(_epsilon)), Case(Gt(_epsilon, 1), _of_tree(Integer(1)), added="wishart_calibration")),
        given=_CALIBRATED,
        where=(nodes_of(),),
    ),
    published=Bound(of=REQUIRED_DEGREES, sense=Sense.AT_MOST, cases=always(_of_tree(_epsilon)), given=_CALIBRATED, where=(nodes_of(),)),
    findings=(findings.WISHART_CALIBRATION, findings.TWO_ROUNDS),
    steps=(
        Step(
            id="level_of_a_node",
            sense=Sense.AT_MOST,
            left=_node,
            right=Rational(1, 2),
            draw_order=(EPSILON, DELTA, NODES),
            domain=(Le(_epsilon, 1),),
            reason="the range of epsilon in which k is enough",
            ours=True,
            note="where Theorem 23 applies",
        ),
        Step(
            id="delta_of_a_node",
            sense=Sense.AT_MOST,
            left=_delta / (2 * _m),
            right=1 / E,
            draw_order=(DELTA, NODES),
            domain=(Ge(_m, 2),),
            ours=True,
        ),
    ),
)
