"""The picture of a comparison: for each estimator the quantile of its error without corruption and under the worst one found."""

from pathlib import Path

from banditproof.audits.estimation.comparison import QUANTILE, Comparison, Summary
from banditproof.audits.running.files import write_figure

_CLEAN, _WORST = "#0072B2", "#D55E00"  # Okabe and Ito's blue and vermilion


def draw(comparison: Comparison, file: Path) -> None:
    """Writes the picture, PNG or SVG as the file's name ends. Bars are the intervals; the best is on top. The same comparison gives the
    same SVG."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows, setting = comparison.performances, comparison.setting
    with rc_context({"svg.hashsalt": "compare"}):
        figure = Figure(figsize=(7.5, 1.6 + 0.42 * len(rows)), layout="constrained")
        FigureCanvasAgg(figure)
        axis = figure.subplots()
        _side(axis, [each.clean for each in rows], 0.12, _CLEAN, "o", "without corruption")
        _side(axis, [each.worst for each in rows], -0.12, _WORST, "s", "worst corruption found")
        axis.axvline(comparison.zero, color="#555555", linestyle=":", linewidth=0.9, label="answer 0")
        axis.set_xscale("log")
        axis.set_yticks(range(len(rows)), labels=[f"{each.name}{' (grows)' if each.grows else ''}" for each in rows])
        axis.invert_yaxis()
        axis.set_xlabel(f"largest error over the arms, {QUANTILE:.0%} quantile of {comparison.runs} runs, reward units")
        axis.set_title(
            f"{setting.arms} arms, d = {setting.dimension}, n = {setting.samples:,}, epsilon = {setting.epsilon:g},"
            f" corruption {setting.corruption:g}, {setting.positions.value} positions",
            fontsize=9,
        )
        figure.legend(loc="outside lower center", ncols=3, fontsize=8)
        write_figure(figure, file)


def _side(axis, sides: list[Summary], shift: float, colour: str, marker: str, name: str) -> None:  # type: ignore[no-untyped-def]
    middle = [each.quantile for each in sides]
    bars = [[each.quantile - each.low for each in sides], [each.high - each.quantile for each in sides]]
    heights = [place - shift for place in range(len(sides))]
    axis.errorbar(middle, heights, xerr=bars, fmt=marker, color=colour, markersize=4.5, linewidth=0.9, capsize=2.5, label=name)
