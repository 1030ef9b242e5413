"""Algorithm 2 of Charisopoulos et al. 2023 in NumPy, twice: on all points in each pass, and from sums per line that are kept up to date."""

import numpy as np


def by_points(points: np.ndarray, variance_bound: float, rng: np.random.Generator) -> int:
    """Returns how many points were removed."""
    removed = 0
    while True:
        centred = points - points.mean(axis=0)
        values, vectors = np.linalg.eigh(centred.T @ centred / len(points))
        if values[-1] <= 4.0 * variance_bound:
            return removed
        sums = np.cumsum((centred @ vectors[:, -1]) ** 2)
        points = np.delete(points, np.searchsorted(sums, rng.random() * sums[-1], side="right"), axis=0)
        removed += 1


def by_lines(directions: np.ndarray, lines: list[np.ndarray], variance_bound: float, rng: np.random.Generator) -> int:
    """Returns how many of the reports `lines[a]` of each line were removed. The sums drift, and a report is found by walking its line."""
    removed = 0
    counts = np.array([float(line.size) for line in lines])
    sums, squares = (np.array([(line**power).sum() for line in lines]) for power in (1, 2))
    while True:
        remaining = counts.sum()
        mean = sums @ directions / remaining
        values, vectors = np.linalg.eigh((directions.T * squares) @ directions / remaining - np.outer(mean, mean))
        if values[-1] <= 4.0 * variance_bound:
            return removed
        slopes, centre = directions @ vectors[:, -1], mean @ vectors[:, -1]
        masses = np.cumsum(slopes**2 * squares - 2.0 * centre * slopes * sums + centre**2 * counts)
        chosen = int(np.searchsorted(masses, rng.random() * masses[-1], side="right"))
        within = np.cumsum((lines[chosen] * slopes[chosen] - centre) ** 2)
        place = int(np.searchsorted(within, rng.random() * within[-1], side="right"))
        report = lines[chosen][place]
        lines[chosen] = np.delete(lines[chosen], place)
        counts[chosen], sums[chosen], squares[chosen] = counts[chosen] - 1.0, sums[chosen] - report, squares[chosen] - report**2
        removed += 1
