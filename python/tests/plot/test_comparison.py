# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of figures beside others': what is drawn, with which words and colours."""

import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import ALLOWED, TARGET
from isthmus.plot.comparison import BAD, GOOD, LIMITS, OTHERS, OURS, SAME, comparison_picture


@pytest.fixture
def drawn(monkeypatch):
    """The figures that would be written, by name of the file."""
    figures: dict[str, Figure] = {}
    monkeypatch.setattr(Figure, "savefig", lambda figure, path: figures.update({path.name: figure}))
    return figures


def panels_of(figure: Figure) -> dict[str, Axes]:
    return {axes.get_title(loc="left"): axes for axes in figure.axes}


def words_of(axes: Axes) -> dict[str, str]:
    """Words at the right with their colour."""
    return {text.get_text(): text.get_color() for text in axes.texts}


def dots_of(axes: Axes) -> list[tuple[float, str, str]]:
    """Place, face and edge of all."""
    return [(float(place[0]), to_hex(face), to_hex(edge)) for dots in axes.collections
            if isinstance(dots, PathCollection) for place, face, edge in
            zip(dots.get_offsets(), dots.get_facecolor(), dots.get_edgecolor(), strict=False)]


def test_zeros_of_others_have_a_place(drawn, tmp_path):
    rows = [Measurement("lost", "files", "", 12, 0, "the original"),
            Measurement("won", "files", "", 0, 3, "the original"),
            Measurement("none", "files", "", 0, 0, "the original")]
    comparison_picture(tmp_path / "a.png", "a", "", rows)
    axes = panels_of(drawn["a.png"])["files (measured)"]
    assert words_of(axes) == {"12 | 0 [1]": BAD, "0 | 3 [1]": GOOD, "0 | 0 [1]": SAME}
    white = "#ffffff"
    assert dots_of(axes)[:6] == [(1.0, white, OTHERS), (3.0, OTHERS, OTHERS), (1.0, white, OTHERS),
                                 (12.0, OURS, OURS), (1.0, white, OURS), (1.0, white, OURS)]


def test_zeros_alone_are_drawn(drawn, tmp_path):
    comparison_picture(tmp_path / "a.png", "a", "", [Measurement("none", "files", "", 0, 0, "the original")])
    assert len(dots_of(panels_of(drawn["a.png"])["files (measured)"])) >= 2


def test_missed_targets_stand_beside_rivals_and_kept_ones_do_not(drawn, tmp_path):
    rival = Measurement("case", "time", "s", 1.0, 2.0, "another program")
    targets = [Measurement("missed", "bytes", "", 30, 20, TARGET),
               Measurement("kept", "bytes", "", 10, 20, TARGET)]
    comparison_picture(tmp_path / "a.png", "a", "", [rival, *targets])
    figure = drawn["a.png"]
    axes = panels_of(figure)["bytes (measured)"]
    assert words_of(axes) == {"30 | 20 [2]  missed": BAD}
    assert (20.0, LIMITS, LIMITS) in dots_of(axes)
    assert [text.get_text() for text in figure.legends[0].texts] == [
        "Isthmus", "what it stands beside", "a target or a limit"]
    comparison_picture(tmp_path / "a.png", "a", "", targets)
    assert list(words_of(panels_of(drawn["a.png"])["bytes (measured)"])) == [
        "30 | 20 [1]  missed", "10 | 20 [1]  kept"]


def test_limits_are_kept_or_missed_without_a_factor(drawn, tmp_path):
    rows = [Measurement("kept", "heat lost", "", 1e-9, 1e-4, f"{ALLOWED} a steady flow loses none"),
            Measurement("missed", "heat lost", "", 1e-3, 1e-4, f"{ALLOWED} a steady flow loses none"),
            Measurement("near", "heat lost", "", 1.0204, 1.02, f"{TARGET}: a little more than one")]
    comparison_picture(tmp_path / "a.png", "natural convection", "", rows)
    assert words_of(panels_of(drawn["a.png"])["heat lost (measured)"]) == {
        "1.00e-09 | 1.00e-04 [1]  kept": GOOD, "1.00e-03 | 1.00e-04 [1]  missed": BAD,
        "1.0204 | 1.02 [2]  missed": BAD}


def test_what_the_tolerance_hides_is_grey(drawn, tmp_path):
    rows = [Measurement(f"{ours}", "time", "s", ours, 1.0, "another", tolerance=0.01)
            for ours in (0.98, 0.995, 1.0, 1.004, 1.02)]
    comparison_picture(tmp_path / "a.png", "a", "", rows)
    assert list(words_of(panels_of(drawn["a.png"])["time (measured)"]).values()) == [GOOD, *[SAME] * 3, BAD]
