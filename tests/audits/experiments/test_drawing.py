"""Pictures: axes, dotted lines, fitted lines, and what is cut off, looked at on the axes themselves."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from banditproof.audits.experiments.drawing import _legend, _panel, draw
from banditproof.audits.experiments.experiment import Line, Panel, Picture
from banditproof.audits.experiments.summaries import summary

RNG = np.random.default_rng(3)
VALUES = np.cumsum(RNG.uniform(1.0, 2.0, (10, 20)), axis=1)
CURVE = Line("curve", tuple(range(1, 21)), VALUES)
POINTS = Line("points", (4.0, 8.0, 16.0), np.exp(RNG.normal(0.0, 0.1, (10, 3))) * np.array([32.0, 128.0, 512.0]), 2.0, np.log(2.0))


def drawn(panel, picture):
    axis = Figure().subplots()
    _panel(axis, panel, picture)
    return axis


def test_a_curve_is_its_means_with_intervals():
    """Would catch medians for means, and an interval of other values."""
    axis = drawn(Panel("", (CURVE,)), Picture("p", "", ()))
    mean, median = axis.lines[:2]
    assert (axis.get_xscale(), axis.get_yscale()) == ("linear", "linear")
    assert mean.get_ydata() == pytest.approx(VALUES.mean(axis=0)) and median.get_ydata() == pytest.approx(np.median(VALUES, axis=0))
    ends = axis.containers[0].lines[2][0].get_segments()
    assert len(ends) == 5 and ends[-1][:, 1] == pytest.approx([summary(VALUES[:, -1]).mean_low, summary(VALUES[:, -1]).mean_high])


def test_mean_and_median_have_different_markers_also_in_the_legend():
    """Would catch bars of two kinds at one place, and a legend of lines alone."""
    axis = drawn(Panel("", (CURVE,)), Picture("p", "", ()))
    assert len(axis.containers) == 1  # the mean's bars
    hollow = [line for line in axis.lines if line.get_markerfacecolor() == "white"]
    assert len(hollow) == 1 and len(hollow[0].get_xdata()) == 5
    (handle,), (name,) = axis.get_legend_handles_labels()
    assert name == "curve" and handle.get_marker() == "o" and handle.get_linestyle() == "-"


def test_intervals_of_regret_are_not_below_zero_and_curves_begin_at_it():
    """Would catch an interval that says regret may be negative, and a curve that starts in mid-air."""
    rare = np.where(np.arange(30)[:, None] == 0, 1e6, 10.0) * np.ones((30, 20))
    axis = drawn(Panel("", (Line("rare", tuple(range(1, 21)), rare),)), Picture("p", "", (), origin=True))
    assert summary(rare[:, 0]).mean_low < 0.0
    assert min(end[:, 1].min() for end in axis.containers[0].lines[2][0].get_segments()) == 0.0
    assert all((line.get_xdata()[0], line.get_ydata()[0]) == (0.0, 0.0) for line in axis.lines[:2])


def test_points_beyond_a_limit_are_ringed():
    """Would catch a point that its reader takes for one of the others."""
    points = Line("points", (4.0, 8.0, 16.0), POINTS.values)
    axis = drawn(Panel("", (points,), limit=(10.0, "no shift")), Picture("p", "", (), log_across=True))
    (ring,) = [line for line in axis.lines if line.get_markersize() == 9]
    assert ring.get_xdata().tolist() == [16.0] and ring.get_markerfacecolor() == "none"
    assert [text.get_text() for text in axis.texts] == ["no shift"]


def test_panels_that_are_compared_have_one_scale(tmp_path, monkeypatch):
    """Would catch panels with a scale each."""
    seen = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: seen.append([axis.get_ylim() for axis in figure.axes]))
    panels = ((Panel("one", (CURVE,)), Panel("two", (Line("ten", CURVE.places, 10.0 * VALUES),))),)
    draw(Picture("p", "", panels, common=True), tmp_path)
    draw(Picture("p", "", panels), tmp_path)
    assert seen[0][0] == seen[0][1] and seen[-1][0] != seen[-1][1]


def test_titles_are_not_cut_off(tmp_path, monkeypatch):
    """Would catch a title with all its parameters that is wider than a figure of one panel."""
    seen = []

    def measured(figure, *_, **__):
        figure.draw_without_rendering()
        seen.append((figure.texts[0].get_window_extent(), figure.bbox))

    monkeypatch.setattr(Figure, "savefig", measured)
    title = "Regret after 100,000 rounds against the shift: K = d^2, gap 0.1, 30 runs, seed 17, epsilon = 1, delta = 0.1"
    draw(Picture("p", title, ((Panel("", (CURVE,)),),)), tmp_path)
    extent, box = seen[0]
    assert box.x0 <= extent.x0 and extent.x1 <= box.x1


def test_a_curve_ends_where_the_picture_does():
    """Would catch a picture that shows more than it is asked for."""
    axis = drawn(Panel("", (CURVE,)), Picture("p", "", (), until=7.0))
    assert axis.lines[0].get_xdata().tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    assert axis.lines[0].get_ydata() == pytest.approx(VALUES.mean(axis=0)[:7])


def test_a_fitted_line_is_a_power_and_has_its_points():
    """Would catch another base of the logarithm: 2 d^2 through 4, 8, 16, all three with an error bar; and axes that are not logarithmic."""
    picture = Picture("p", "", (), log_across=True, log_up=True, ticks=(4.0, 8.0, 16.0))
    axis = drawn(Panel("", (POINTS,), (5.0, 9.0)), picture)
    assert (axis.get_xscale(), axis.get_yscale()) == ("log", "log")
    assert axis.lines[0].get_ydata() == pytest.approx([32.0, 128.0, 512.0])
    assert len(axis.containers) == 1 and len(axis.containers[0].lines[2][0].get_segments()) == 3
    dotted = [line for line in axis.lines if line.get_linestyle() == ":"]
    assert [line.get_xdata()[0] for line in dotted] == [5.0, 9.0]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["4", "8", "16"]


def test_files_are_the_same_each_time(tmp_path):
    """Would catch a date or a random name in the SVG."""
    panels = ((Panel("one", (CURVE,)), Panel("two", (CURVE,), (3.0,))),)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        files = draw(Picture("picture", "A title", panels), tmp_path / folder)
        assert [file.name for file in files] == ["picture.svg", "picture.png"]
    for name in ("picture.svg", "picture.png"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize(("length", "columns"), [(3, 4), (10, 3), (20, 2), (34, 1)])
def test_names_are_not_cut_off(length, columns):
    """Would catch a legend that is wider than its figure, and one that stands a name a line for no reason."""
    figure = Figure(figsize=(4.0, 3.0), layout="constrained")
    FigureCanvasAgg(figure)
    axis = figure.subplots()
    for curve in range(4):
        axis.plot([0.0, 1.0], [0.0, curve], label=str(curve) * length)
    legend = _legend(figure, axis)
    assert figure.legends == [legend] and legend._ncols == columns
    extent = legend.get_window_extent()
    assert figure.bbox.x0 <= extent.x0 and extent.x1 <= figure.bbox.x1
