"""Linear UCB with changing perturbations, private and not (Shariff and Sheffet 2018, Algorithm 1 with sections 4.1 and 4.2).

Round t: the arm with the largest <theta~_t, x> + beta_t |x| in the norm of V_t^-1, where V_t = G_t + H_t, u~_t = u_t + h_t, theta~_t =
V_t^-1 u~_t, G_t and u_t are the sums of x x' and y x over the rounds before, and H_t and h_t are the noise of a tree (`gram_noise`), the
same for all decision sets, plus a multiple of the identity (the shift).

Privacy. A round's row (x_t, y_t), projected on the ball of radius row_norm, enters the tree alone; from its releases and later decision
sets everything else follows (Claim 7). So arms other than the round's own are private: jointly, and not in the view of all arms.

Readings (the paper leaves them open).
- Without contexts the arms are the unit vectors of R^K.
- Constants are those of `planned`, the horizon of the plan; a run that stops earlier changes none. A release after row `planned`, which no
  action needs, is not made: the last one stays.
- Where V_t is not positive definite the first arm is played, and counted; `strict` raises instead. A negative radicand counts as 0.
- Rows that are not private are not projected. A row that is not finite raises ValueError.
- Where messages come in batches, a release follows each batch; the rows of a batch complete their nodes one after the other.

Numbers. G_t and u_t are kept with the rounding error of every addition (Knuth's TwoSum) and used with it. Not private, V_t^-1 is updated
row by row and inverted afresh every 32 rows: the largest relative difference that this ever removed is the `drift`; private, the drift is
what sums without the errors would be off by. A drift of 1e-8 raises FloatingPointError in strict mode.
"""

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypedDict, assert_never

import numpy as np

from banditproof import glossary, randomness
from banditproof.algorithms.mechanisms import gaussian_gram, gram_noise, wishart_gram
from banditproof.algorithms.mechanisms.gram_noise import Calibration, complete, gaussian_node, packed, restart, wishart_node
from banditproof.algorithms.mechanisms.wishart_gram import Padding
from banditproof.algorithms.policies import lin_ucb_law
from banditproof.algorithms.policies.ellipsoid import add_row, best_arm, invert, squared_norm, times
from banditproof.algorithms.policies.lin_ucb_law import Accuracy
from banditproof.guarantees import ApproximateDP, Relation, View, require
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled
from banditproof.play import Plan, interact
from banditproof.randomness import uniform


class Noise(Enum):
    """What perturbs the sums."""

    NONE = "none"  # H_t = rho I, h_t = 0: not private
    GAUSSIAN = "gaussian"
    WISHART = "wishart"
    WISHART_UNSHIFTED = "wishart_unshifted"
    GIVEN = "given"  # perturbations from outside


class Form(Enum):
    """Which form of Proposition 4's radius."""

    DETERMINANT = "determinant"
    UPPER = "upper"


class Rule(Enum):
    """How the arm is chosen."""

    OPTIMISTIC = "optimistic"
    GREEDY = "greedy"  # the radius counts as 0
    UNIFORM = "uniform"  # every arm alike, whatever was learned


class State(NamedTuple):
    """q = d (d + 1) / 2 + d numbers hold G and u (or V and u~), m levels the tree."""

    options: Ints  # (9,)
    numbers: Floats  # (9,)
    tallies: Ints  # (6,)
    found: Floats  # (4,): radius, ln det V, drift, whether theta* lies outside
    totals: Floats  # (4, q): sums, their errors, the row's own products, a node's noise
    release: Floats  # (q,)
    upper: Floats  # (m + 1, q)
    pads: Floats  # (m, q)
    given: Floats  # (n, q): the perturbations of each round, where they are given
    scratch: Floats  # (2, drawn and turns)
    inverse: Floats  # (3, d (d + 1) / 2): V^-1; the factor of V; V^-1 before it was inverted afresh
    gammas: Floats  # (2, d): constants of the Wishart noise
    vectors: Floats  # (4, d): theta~, a row, scratch, theta*
    features: Floats  # (d, K)
    parts: Floats  # (3, K)


_MODE, _RULE, _UPPER_FORM, _STRICT, _DIAGNOSE, _PLANNED, _LEVELS, _DRAWN, _GIVEN = range(9)
_RIDGE, _GAUSSIAN, _WISHART, _LISTED = range(4)
_OPTIMISTIC, _GREEDY, _UNIFORM = range(3)
_SPREAD, _SCALE, _SHIFT, _ROW_NORM, _SIGMA, _BASE, _TAIL, _UPPER_LOG, _UPPER_SLOPE = range(9)  # spread: sigma_noise, or degrees
_ROWS, _DEFINITE, _CLAMPED, _INDEFINITE_ROUNDS, _CLAMPED_ROUNDS, _OUTSIDE_ROUNDS = range(6)
_RADIUS, _LOG_DETERMINANT, _DRIFT, _OUTSIDE = range(4)
_REFRESH, _CHECK, _WORST_DRIFT = 32, 4096, 1e-8  # rows, rows
DIAGNOSTICS = 5  # numbers behind the statistic, where they are asked for: see LinUCB.truth


def _prepare(state: State) -> None:
    """From the release to what the next choice needs: V^-1, ln det V, theta~, the radius; counts what the good event excludes."""
    options, numbers, tallies, found = state.options, state.numbers, state.tallies, state.found
    dimension = state.vectors.shape[1]
    block = state.inverse.shape[1]
    inverse, centre = state.inverse[0], state.vectors[0]
    if options[_MODE] != _RIDGE or tallies[_ROWS] % _REFRESH == 0:
        definite, logarithm = invert(state.release, state.inverse[1], inverse, dimension)
        tallies[_DEFINITE], found[_LOG_DETERMINANT] = definite, logarithm
    if tallies[_DEFINITE] == 0:
        if options[_STRICT] == 1:
            raise ValueError("the perturbed Gram matrix must be positive definite: outside the good event (strict)")
        return
    times(inverse, state.release[block:], centre)
    radicand = numbers[_BASE] + found[_LOG_DETERMINANT]
    if options[_UPPER_FORM] == 1:
        radicand = numbers[_BASE] + dimension * math.log(numbers[_UPPER_LOG] + numbers[_UPPER_SLOPE] * (tallies[_ROWS] + 1))
    tallies[_CLAMPED] = 1 if radicand < 0.0 else 0
    found[_RADIUS] = numbers[_SIGMA] * math.sqrt(max(radicand, 0.0)) + numbers[_TAIL]
    if options[_DIAGNOSE] == 1:
        distance = squared_norm(state.release, centre, state.vectors[3])
        found[_OUTSIDE] = 1.0 if distance > found[_RADIUS] * found[_RADIUS] else 0.0


def _publish(state: State) -> None:
    """The sums, with their rounding errors, and the noise of the prefix that is complete."""
    totals, release, shift = state.totals, state.release, state.numbers[_SHIFT]
    sums, errors = totals[0], totals[1]
    noise = state.upper[0]
    if state.options[_MODE] == _LISTED:
        noise = state.given[min(state.tallies[_ROWS], state.options[_GIVEN] - 1)]
    for column in range(release.shape[0]):
        release[column] = sums[column] + errors[column]
    for column in range(release.shape[0]):
        release[column] += noise[column]
    for row in range(state.vectors.shape[1]):
        release[row * (row + 1) // 2 + row] += shift


def _node(state: State, key: Words, node: int, fresh: Floats) -> None:
    """The noise of a node, or of a level's padding."""
    drawn, turns = state.scratch[0, : state.options[_DRAWN]], state.scratch[1]
    if state.options[_MODE] == _GAUSSIAN:
        gaussian_node(key, node, state.numbers[_SPREAD], fresh, drawn, turns)
    else:
        wishart_node(key, node, state.gammas, state.numbers[_SCALE], fresh, drawn, turns)


# Inlined: the state's arrays are a hundred arguments of a call.
prepare, publish, draw_node = compiled(_prepare, inline=True), compiled(_publish, inline=True), compiled(_node, inline=True)


_FIRST_PAD = gram_noise.pad_number(0)


def _start(state: State, key: Words) -> None:
    for row in range(state.totals.shape[0]):
        for column in range(state.totals.shape[1]):
            state.totals[row, column] = 0.0
    for tally in range(state.tallies.shape[0]):
        state.tallies[tally] = 0
    for number in range(state.found.shape[0]):
        state.found[number] = 0.0
    for level in range(state.options[_LEVELS]):
        draw_node(state, key, _FIRST_PAD + level, state.pads[level])
    restart(state.upper, state.pads)
    publish(state)
    prepare(state)


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    tallies, found, inverse, centre = state.tallies, state.found, state.inverse[0], state.vectors[0]
    arms: int = contexts.shape[0]
    if state.options[_RULE] == _UNIFORM:
        return int(uniform(key, randomness.CHOICES, round) * arms)
    if tallies[_DEFINITE] == 0:
        tallies[_INDEFINITE_ROUNDS] += 1
        return 0
    tallies[_CLAMPED_ROUNDS] += tallies[_CLAMPED]
    tallies[_OUTSIDE_ROUNDS] += int(found[_OUTSIDE])
    radius = 0.0 if state.options[_RULE] == _GREEDY else found[_RADIUS]
    if contexts.shape[1] > 0:
        return best_arm(inverse, centre, radius, contexts, state.features, state.parts)
    chosen, best = 0, -math.inf
    for arm in range(arms):  # unit vectors
        score = centre[arm] + radius * math.sqrt(max(inverse[arm * (arm + 1) // 2 + arm], 0.0))
        if score > best:
            chosen, best = arm, score
    return chosen


def _report(state: State, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    width = contexts.shape[1]
    for column in range(width):
        message[column] = contexts[arm, column]
    message[width] = reward


def _row(state: State, arm: int, message: Floats) -> float:
    """The row's features go to vectors[1], its reward is returned; both shortened to length row_norm if they are longer."""
    row, width = state.vectors[1], message.shape[0] - 1
    for column in range(row.shape[0]):
        row[column] = message[column] if width > 0 else 0.0
    if width == 0:
        row[arm] = 1.0
    reward = message[width]
    square = reward * reward
    for column in range(row.shape[0]):
        square += row[column] * row[column]
    if not square < math.inf:
        raise ValueError("a row of features and reward has no finite length: must be finite numbers, their squares too")
    if square > state.numbers[_ROW_NORM] * state.numbers[_ROW_NORM]:
        factor = state.numbers[_ROW_NORM] / math.sqrt(square)
        reward *= factor
        for column in range(row.shape[0]):
            row[column] *= factor
    return float(reward)


def _add(state: State, reward: float) -> None:
    """Adds the row in vectors[1] to the sums; the errors of the additions, exact each, add up beside them."""
    row, dimension, block = state.vectors[1], state.vectors.shape[1], state.inverse.shape[1]
    sums, errors, products = state.totals[0], state.totals[1], state.totals[2]
    for i in range(dimension):
        for j in range(i + 1):
            products[i * (i + 1) // 2 + j] = row[i] * row[j]
        products[block + i] = reward * row[i]
    for column in range(products.shape[0]):
        before, term = sums[column], products[column]
        total = before + term
        share = total - before
        errors[column] += (before - (total - share)) + (term - share)
        sums[column] = total


def _drift(before: Floats, after: Floats) -> float:
    """Largest difference relative to the largest entry."""
    apart, size = 0.0, 0.0
    for column in range(after.shape[0]):
        apart, size = max(apart, abs(before[column] - after[column])), max(size, abs(after[column]))
    return apart / size if size > 0.0 else 0.0


clipped_row, add, drift_of = compiled(_row, inline=True), compiled(_add, inline=True), compiled(_drift)


def _check(state: State) -> None:
    """Measures the drift: see the module's text."""
    options, tallies, found = state.options, state.tallies, state.found
    inverse, sums, errors = state.inverse, state.totals[0], state.totals[1]
    if options[_MODE] == _RIDGE:
        for column in range(inverse.shape[1]):
            inverse[2, column] = inverse[0, column]
        publish(state)
        prepare(state)
        found[_DRIFT] = max(found[_DRIFT], drift_of(inverse[2], inverse[0]))
    elif tallies[_ROWS] % _CHECK == 0:
        apart, size = 0.0, 0.0
        for column in range(sums.shape[0]):
            apart, size = max(apart, abs(errors[column])), max(size, abs(sums[column]))
        if size > 0.0:
            found[_DRIFT] = max(found[_DRIFT], apart / size)
    if options[_STRICT] == 1 and not found[_DRIFT] < _WORST_DRIFT:
        raise FloatingPointError("the matrices drifted by 1e-8 from their compensated sums (strict)")


check = compiled(_check, inline=True)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    options, tallies, found = state.options, state.tallies, state.found
    mode = options[_MODE]
    private = mode in (_GAUSSIAN, _WISHART)
    for position in range(arms.shape[0]):
        reward = clipped_row(state, arms[position], batch[position])
        add(state, reward)
        tallies[_ROWS] += 1
        if private and tallies[_ROWS] < options[_PLANNED]:
            draw_node(state, key, tallies[_ROWS], state.totals[3])
            complete(state.upper, state.pads, tallies[_ROWS], state.totals[3])
        if mode == _RIDGE and tallies[_DEFINITE] == 1:
            growth = add_row(state.inverse[0], state.vectors[1], state.vectors[2])
            found[_LOG_DETERMINANT] += growth
            tallies[_DEFINITE] = 1 if growth >= 0.0 else 0
        if tallies[_ROWS] % _REFRESH == 0:
            check(state)
    if not private or tallies[_ROWS] < options[_PLANNED]:
        publish(state)
        prepare(state)
    for column in range(state.release.shape[0]):
        statistic[column] = state.release[column]
    if options[_DIAGNOSE] == 1:
        place = state.release.shape[0]
        for tally in range(3):
            statistic[place + tally] = tallies[_INDEFINITE_ROUNDS + tally]
        statistic[place + 3], statistic[place + 4] = found[_DRIFT], found[_RADIUS]


start, choose = compiled(_start), compiled(_choose, inline=True)
report, learn = compiled(_report, inline=True), compiled(_learn, inline=True)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report, learn, state, plan)


KERNELS = Kernels(start, choose, report, learn, compiled(_run))


class Bounds(NamedTuple):
    """What the radius takes from the problem: S, L, the sub-Gaussian scale of a reward, and L~."""

    parameter_norm: float = 1.0
    context_norm: float = 1.0
    reward_sigma: float = 1.0
    row_norm: float = math.sqrt(2.0)


UNIT_BOUNDS = Bounds()  # unit vectors and rewards in [-1, 1]


class Given(NamedTuple):
    """Perturbations from outside: those of rounds 1, 2, ... as packed rows (H_t, then h_t), the last one for all later rounds."""

    rows: tuple[tuple[float, ...], ...]  # (n, q)
    accuracy: Accuracy


class _Plan(TypedDict):
    dimension: int
    horizon: int
    failure: float


class Constants(NamedTuple):
    """What a policy fixes before the first round."""

    accuracy: Accuracy
    failure: float
    planned: int
    spread: float = 0.0  # of a node's noise: sigma_noise, or the degrees of freedom
    shift: float = 0.0  # what is added to the diagonal


@dataclass(frozen=True)
class LinUCB:
    """The arm with the largest index; the lowest of equal ones. It releases V (packed) and u~, (d (d + 1) / 2 + d,), after each batch.

    `failure` is 1 / planned by default, `planned` the run's horizon. `rho_min` is rho where there is no noise, 1 by default; with noise it
    moves the shift (experiment D.3), which otherwise is the printed one. `given` goes with Noise.GIVEN and nothing else.

    `truth` is theta*, for diagnosis: then five numbers stand behind the statistic, the rounds so far in which V was not positive definite,
    in which the radicand was negative, and in which theta* lay outside the ellipsoid; the drift; and the radius. The policy does not look
    at them, but the last release is no longer private, so such a policy has no white-box view.

    Views are JOINT and WHITE_BOX: a round's own arm shows its decision set. Raises ValueError on other values.
    """

    noise: Noise = Noise.GAUSSIAN
    epsilon: float = 1.0
    delta: float = 0.1
    bounds: Bounds = UNIT_BOUNDS
    failure: float | None = None
    planned: int | None = None
    calibration: Calibration = Calibration.REPAIRED
    padding: Padding = Padding.FULL
    rho_min: float | None = None
    form: Form = Form.DETERMINANT
    rule: Rule = Rule.OPTIMISTIC
    strict: bool = False
    truth: tuple[float, ...] | None = None
    given: Given | None = None
    view: View = View.JOINT
    promises: tuple[str, ...] = field(default=("inequalities.post_processing",), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.DELTA.require(self.delta)
        for name, bound in self.bounds._asdict().items():
            require(0.0 < bound < math.inf, f"{name} = {bound}: must be > 0 and finite")
        if self.failure is not None:
            glossary.FAILURE.require(self.failure)
        if self.planned is not None:
            glossary.HORIZON.require(self.planned)
        if self.rho_min is not None:
            lin_ucb_law.ridge(self.rho_min)
        require((self.given is not None) == (self.noise is Noise.GIVEN), "given: must be there with noise = given, and only then")
        exact_wishart = self.calibration is Calibration.EXACT and self.noise in (Noise.WISHART, Noise.WISHART_UNSHIFTED)
        require(
            not exact_wishart, "calibration = exact: must be printed or repaired (no pair of rows is proved the worst for Wishart noise)"
        )
        fits = self.view is View.JOINT or (self.view is View.WHITE_BOX and self.truth is None)
        require(fits, f"view = {self.view.value}: must be joint, or white_box without truth (a round's own arm is not private)")

    def guarantee(self) -> ApproximateDP | None:
        """None without noise of its own."""
        if self.noise in (Noise.NONE, Noise.GIVEN):
            return None
        return ApproximateDP(self.epsilon, self.delta, Relation.REPLACE_ROUND, self.view)

    def constants(self, dimension: int, horizon: int) -> Constants:
        """All constants of a run in R^d; `horizon` is the run's. Raises ValueError where the paper's conditions exclude them."""
        planned = horizon if self.planned is None else self.planned
        failure = 1.0 / max(planned, 2) if self.failure is None else self.failure
        plan: _Plan = {"dimension": dimension, "horizon": planned, "failure": failure}
        row_norm, rho = self.bounds.row_norm, self.rho_min
        match self.noise:
            case Noise.NONE:
                accuracy = lin_ucb_law.ridge(1.0 if rho is None else rho)
                return Constants(accuracy, failure, planned, shift=accuracy.rho_min)
            case Noise.GIVEN if self.given is not None:
                return Constants(self.given.accuracy, failure, planned)
            case Noise.GAUSSIAN:
                sigma = gaussian_gram.calibrated(self.calibration, self.epsilon, self.delta, horizon=planned, row_norm=row_norm)
                upsilon = gaussian_gram.upsilon(sigma, **plan)
                if rho is None:
                    return Constants(lin_ucb_law.gaussian(sigma, **plan), failure, planned, sigma, 2.0 * upsilon)
                return Constants(lin_ucb_law.moved_gaussian(rho, sigma, **plan), failure, planned, sigma, upsilon + rho)
            case Noise.WISHART | Noise.WISHART_UNSHIFTED:
                degrees = wishart_gram.calibrated(self.calibration, self.epsilon, self.delta, dimension=dimension, horizon=planned)
                unshifted = lin_ucb_law.unshifted_wishart(degrees, row_norm=row_norm, **plan)
                if rho is not None:
                    accuracy, shift = lin_ucb_law.moved_wishart(rho, degrees, row_norm=row_norm, **plan), unshifted.rho_min - rho
                elif self.noise is Noise.WISHART:
                    accuracy = lin_ucb_law.shifted_wishart(degrees, row_norm=row_norm, **plan)
                    shift = wishart_gram.shift(degrees, row_norm=row_norm, **plan)
                else:
                    accuracy, shift = unshifted, 0.0
                return Constants(accuracy, failure, planned, float(degrees), -shift)
            case _:
                raise ValueError(f"noise = {self.noise.value}: must go with `given`")

    def state(self, arms: int, width: int, horizon: int) -> State:
        """Fresh arrays. Raises ValueError where `truth` or `given` have another dimension than the environment."""
        dimension = width if width > 0 else arms
        constants, block = self.constants(dimension, horizon), packed(dimension)
        numbers, given = block + dimension, np.array(self.given.rows if self.given else [[0.0] * (block + dimension)], dtype=float)
        require(given.ndim == 2 and given.shape[1] == numbers, f"given rows of shape {given.shape}: must be (n, {numbers})")
        truth = np.zeros(dimension) if self.truth is None else np.array(self.truth, dtype=float)
        require(truth.shape == (dimension,), f"truth of {truth.size} numbers: must have {dimension} (features)")
        noisy = self.noise not in (Noise.NONE, Noise.GIVEN)
        levels = gram_noise.nodes(constants.planned) if noisy else 1
        wishart = noisy and self.noise is not Noise.GAUSSIAN
        padded = wishart and self.padding is Padding.FULL
        drawn, turns = gram_noise.scratch_sizes(dimension)
        vectors = np.zeros((4, dimension))
        vectors[3] = truth
        flags = (self.form is Form.UPPER, self.strict, self.truth is not None)
        return State(
            options=np.array(
                [_modes(self.noise), _rules(self.rule), *flags, constants.planned, levels if padded else 0, drawn, len(given)],
                dtype=np.int64,
            ),
            numbers=np.array(_numbers(constants, self.bounds, dimension, noisy)),
            tallies=np.zeros(6, dtype=np.int64),
            found=np.zeros(4),
            totals=np.zeros((4, numbers)),
            release=np.zeros(numbers),
            upper=np.zeros((levels + 1, numbers)),
            pads=np.zeros((levels, numbers)),
            given=given,
            scratch=np.zeros((2, turns)),
            inverse=np.zeros((3, block)),
            gammas=gram_noise.gamma_constants(constants.spread, dimension) if wishart else np.zeros((2, dimension)),
            vectors=vectors,
            features=np.zeros((dimension, arms)),
            parts=np.zeros((3, arms)),
        )

    def message_width(self, width: int) -> int:
        return width + 1

    def statistic_width(self, arms: int, width: int) -> int:
        dimension = width if width > 0 else arms
        return packed(dimension) + dimension + (DIAGNOSTICS if self.truth is not None else 0)


def _numbers(constants: Constants, bounds: Bounds, dimension: int, private: bool) -> list[float]:
    """The kernels' constants, in the order of their names above."""
    accuracy = constants.accuracy
    return [
        constants.spread,
        bounds.row_norm**2,
        constants.shift,
        bounds.row_norm if private else math.inf,
        bounds.reward_sigma,
        lin_ucb_law.radicand_base(accuracy, dimension=dimension, failure=constants.failure),
        lin_ucb_law.radius_tail(accuracy, bounds.parameter_norm),
        accuracy.rho_max,
        bounds.context_norm**2 / dimension,
    ]


def _modes(noise: Noise) -> int:
    match noise:
        case Noise.NONE:
            return _RIDGE
        case Noise.GAUSSIAN:
            return _GAUSSIAN
        case Noise.WISHART | Noise.WISHART_UNSHIFTED:
            return _WISHART
        case Noise.GIVEN:
            return _LISTED
        case _:
            assert_never(noise)


def _rules(rule: Rule) -> int:
    match rule:
        case Rule.OPTIMISTIC:
            return _OPTIMISTIC
        case Rule.GREEDY:
            return _GREEDY
        case Rule.UNIFORM:
            return _UNIFORM
        case _:
            assert_never(rule)
