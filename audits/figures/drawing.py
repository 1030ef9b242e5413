"""Draws a reproduction's pictures: panels of cumulative regret, with means, their error bars, and medians."""

from pathlib import Path

import numpy as np

from banditproof.audits.figures.experiment import Picture, summary

BARS = 5  # error bars a curve
FORMATS = ("svg", "png")
# Okabe and Ito's colours, which the colour-blind tell apart; each algorithm has a marker too.
_STYLES = (("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#000000", "v"))


def draw(picture: Picture, folder: Path) -> list[Path]:
    """Writes the picture as SVG and PNG into an existing folder; returns the files. The same picture gives the same SVG.

    A full line is the mean with Student's interval at a few rounds, a dashed one the median with the interval of order statistics.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows, columns = len(picture.panels), len(picture.panels[0])
    with rc_context({"svg.hashsalt": picture.name}):
        figure = Figure(figsize=(4.0 * columns, 3.0 * rows), layout="constrained")
        FigureCanvasAgg(figure)
        axes = np.atleast_2d(figure.subplots(rows, columns, sharex=True, squeeze=False))
        for row, panels in enumerate(picture.panels):
            for column, (title, lines) in enumerate(panels):
                axis = axes[row, column]
                axis.set_title(title, fontsize=9)
                for place, line in enumerate(lines):
                    _curve(axis, line.checkpoints, line.regrets, line.name, place)
        for axis in axes[-1]:
            axis.set_xlabel("rounds")
        for axis in axes[:, 0]:
            axis.set_ylabel("cumulative regret")
        axes[0, 0].legend(fontsize=8)
        figure.suptitle(f"{picture.title} (full: mean, dashed: median, bars: 95 % intervals)", fontsize=10)
        files = [folder / f"{picture.name}.{kind}" for kind in FORMATS]
        for file in files:
            figure.savefig(file, dpi=110, metadata={"Date": None} if file.suffix == ".svg" else {"Software": None})
    return files


def _curve(axis, checkpoints, regrets, name: str, place: int) -> None:  # type: ignore[no-untyped-def]
    colour, marker = _STYLES[place % len(_STYLES)]
    rounds = np.array(checkpoints)
    axis.plot(rounds, regrets.mean(axis=0), color=colour, label=name, linewidth=1.2)
    axis.plot(rounds, np.median(regrets, axis=0), color=colour, linestyle="--", linewidth=0.8)
    at = np.unique(np.linspace(0, rounds.size - 1, BARS + 1).astype(int)[1:])
    known = [summary(regrets[:, each]) for each in at]
    bars = (
        ("mean", "mean_low", "mean_high", 0.0),
        ("median", "median_low", "median_high", 0.01 * float(rounds[-1])),  # beside the mean's
    )
    for centre, low, high, shift in bars:
        middle = np.array([getattr(each, centre) for each in known])
        ends = np.array([[getattr(each, centre) - getattr(each, low), getattr(each, high) - getattr(each, centre)] for each in known]).T
        axis.errorbar(rounds[at] + shift, middle, yerr=ends, fmt=marker, color=colour, markersize=2.5, linewidth=0.7, capsize=1.5)
