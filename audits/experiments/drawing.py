"""Draws a reproduction's pictures: panels of curves or points, with means, their error bars, and medians or fitted lines."""

import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from banditproof.audits.experiments.experiment import Line, Panel, Picture
from banditproof.audits.experiments.summaries import summary
from banditproof.audits.running.files import write_figure

BARS = 5  # error bars a curve
FEW = 12  # places of a curve at which it has an error bar each
FORMATS = ("svg", "png")
WIDE = 52  # letters of a title for each column of panels
# Okabe and Ito's colours, which the colour-blind distinguish; each curve has a marker too.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#56B4E9", "#E69F00", "#999999")
_MARKERS = ("o", "s", "^", "v", "D", "P", "X", "*")


def draw(picture: Picture, folder: Path) -> list[Path]:
    """Writes the picture as SVG and PNG into an existing folder; returns the files. The same picture gives the same SVG.

    A full line with filled markers is the mean, with Student's interval at a few places, which is cut at 0: regret is never less. A dashed
    line with hollow markers is the median, without one. Where a line was fitted the means are points, and the line is what was fitted.
    Dotted lines mark places; points beyond a panel's limit are ringed.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows, columns = len(picture.panels), len(picture.panels[0])
    with rc_context({"svg.hashsalt": picture.name}):
        figure = Figure(figsize=(4.0 * columns, 3.0 * rows), layout="constrained")
        FigureCanvasAgg(figure)
        axes = np.atleast_2d(figure.subplots(rows, columns, sharex=True, sharey=picture.common, squeeze=False))
        for row, panels in enumerate(picture.panels):
            for column, panel in enumerate(panels):
                _panel(axes[row, column], panel, picture)
        for axis in axes[-1]:
            axis.set_xlabel(picture.across)
        for axis in axes[:, 0]:
            axis.set_ylabel(picture.up)
        _legend(figure, axes[0, 0])
        how = "points: mean, line: fitted" if _fitted(picture) else "full line, filled marker: mean; dashed, hollow: median"
        lines = (picture.title, f"({how}; bars: 95 % intervals of the mean)")
        figure.suptitle("\n".join(textwrap.fill(line, WIDE * columns) for line in lines), fontsize=10)
        files = [folder / f"{picture.name}.{kind}" for kind in FORMATS]
        for file in files:
            write_figure(figure, file)
            figure.set_layout_engine("none")  # found once, which takes as long as a drawing; the places stay
    return files


def _legend(figure, axis) -> Any:  # type: ignore[no-untyped-def]
    """Below the panels, where no curve is, with as many names in a line as the figure is wide."""
    shown = axis.get_legend_handles_labels()
    for columns in (4, 3, 2):
        legend = figure.legend(*shown, loc="outside lower center", ncols=columns, fontsize=8)
        if legend.get_window_extent().width <= figure.bbox.width:
            return legend
        legend.remove()
    return figure.legend(*shown, loc="outside lower center", fontsize=8)


def _fitted(picture: Picture) -> bool:
    return any(line.slope is not None for panels in picture.panels for panel in panels for line in panel.lines)


def _panel(axis, panel: Panel, picture: Picture) -> None:  # type: ignore[no-untyped-def]
    axis.set_title(panel.title, fontsize=9)
    axis.set_xscale("log" if picture.log_across else "linear")
    axis.set_yscale("log" if picture.log_up else "linear")
    for order, line in enumerate(panel.lines):
        _curve(axis, line if picture.until is None else _cut(line, picture.until), order, picture)
    if picture.ticks:
        axis.set_xticks(picture.ticks, labels=[f"{tick:g}" for tick in picture.ticks])
        axis.minorticks_off()
    for mark in panel.dotted:
        axis.axvline(mark, color="#000000", linestyle=":", linewidth=0.8)
    if panel.limit is not None:
        place, name = panel.limit
        axis.axvline(place, color="#555555", linestyle="-.", linewidth=0.8)
        axis.annotate(name, (place, 0.98), xycoords=("data", "axes fraction"), rotation=90, va="top", ha="right", fontsize=6)
        for line in panel.lines:
            beyond = [each > place for each in line.places]
            across, up = np.array(line.places)[beyond], line.values.mean(axis=0)[beyond]
            axis.plot(across, up, linestyle="none", marker="o", markersize=9, markerfacecolor="none", markeredgecolor="#555555")


def _cut(line: Line, until: float) -> Line:
    shown = np.array(line.places) <= until
    return replace(line, places=tuple(np.array(line.places)[shown]), values=line.values[:, shown])


def _curve(axis, line: Line, order: int, picture: Picture) -> None:  # type: ignore[no-untyped-def]
    colour, marker = _COLOURS[order % len(_COLOURS)], _MARKERS[order % len(_MARKERS)]
    places, values = np.array(line.places, dtype=float), line.values
    few = places.size <= FEW
    at = np.arange(places.size) if few else np.unique(np.linspace(0, places.size - 1, BARS + 1).astype(int)[1:])
    known = [summary(values[:, each]) for each in at]
    if line.slope is None:
        start = (0.0,) if picture.origin else ()
        along = np.concatenate([start, places])
        for centre, style, width in ((values.mean(axis=0), "-", 1.2), (np.median(values, axis=0), "--", 0.8)):
            axis.plot(along, np.concatenate([start, centre]), color=colour, linestyle=style, linewidth=width)
        beside = 1.03 * places[at] if picture.log_across else places[at] + 0.01 * places[-1]
        hollow = {"linestyle": "none", "marker": marker, "markerfacecolor": "white", "markeredgecolor": colour, "markersize": 4.0}
        axis.plot(beside, [each.median for each in known], **hollow)
    else:
        axis.plot(places, np.exp(line.height) * places**line.slope, color=colour, linewidth=0.8)
    middle = np.array([each.mean for each in known])
    least = [max(each.mean_low, 0.0) if values.min() >= 0.0 else each.mean_low for each in known]
    ends = np.array([middle - least, [each.mean_high - each.mean for each in known]])
    axis.errorbar(places[at], middle, yerr=ends, fmt=marker, color=colour, markersize=4.0, linewidth=0.9, capsize=2.5)
    axis.plot([], [], color=colour, marker=marker, markersize=4.0, linewidth=1.2, label=line.name)  # the legend shows line and marker
