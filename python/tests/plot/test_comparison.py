# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of figures beside others': what is drawn, with which words and colours; those of the kept rows."""

from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from isthmus.bench.measurement import Measurement, newest
from isthmus.bench.reference import ALLOWED, TARGET
from isthmus.plot.benchmarks import PICTURES, comparable, draw_all, file_names, to_draw
from isthmus.plot.comparison import BAD, GOOD, LIMITS, OTHERS, OURS, SAME, comparison_picture

RESULTS = Path(__file__).parents[3] / "bench/results.csv"


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


def shows_something(axes: Axes) -> bool:
    bars = [bar for bar in axes.patches if bar.get_width() and bar.get_height()]
    curves = [line for line in axes.lines if len(line.get_xdata()) > 0]
    dots = [dots for dots in axes.collections if isinstance(dots, PathCollection) and len(dots.get_offsets())]
    return bool(bars or curves or dots or axes.images)


def test_no_panel_of_a_picture_of_the_kept_rows_is_empty(drawn, tmp_path):
    draw_all(RESULTS, tmp_path)
    kept = newest(RESULTS)
    assert {f"{PICTURES[name][0]}.png" for name in kept if name in PICTURES} <= drawn.keys()
    assert drawn.keys() <= file_names(RESULTS)
    for name, figure in drawn.items():
        assert figure.axes, name
        assert [title for title, axes in panels_of(figure).items() if not shows_something(axes)] == [], name


def test_the_picture_of_files_shows_where_ours_loses(drawn, tmp_path):
    draw_all(RESULTS, tmp_path)
    words = words_of(panels_of(drawn["files.png"])["onto the disk (measured)"])
    assert len(words) == 2 and set(words.values()) == {BAD}


def test_what_stood_beside_one_way_of_metis_is_superseded():
    rows = to_draw("flow_blocks", newest(RESULTS)["flow_blocks"])
    largest = [row for row in rows if row["quantity"].startswith("largest over mean")]
    assert len(largest) > 20 and all(row["case"].startswith("dealt to ") for row in largest)
    assert any(row["case"].startswith("2 ranks, ") for row in rows)  # busy times have the older name alone


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


def test_a_panel_mixes_no_days_no_commits_and_no_times_of_few_runs():
    columns = ("case", "quantity", "date", "commit", "kind", "unit", "runs")
    rows = [dict(zip(columns, row, strict=True)) for row in (
        ("old", "time", "2026-11-21T10", "a", "measured", "s", "30"),
        ("one", "time", "2026-11-26T10", "b", "measured", "s", "30"),
        ("another", "time", "2026-11-26T10", "b", "measured", "s", "30"),
        ("few", "time", "2026-11-26T10", "b", "measured", "s", "18"),
        ("best", "time", "2026-11-26T10", "b", "measured", "s", ""),
        ("count", "calls", "2026-11-26T10", "b", "counted", "", ""),
        ("other", "time", "2026-11-26T11", "c", "measured", "s", "30"))]
    assert [row["case"] for row in comparable(rows)] == ["one", "another", "count"]
    assert [row["case"] for row in comparable(rows[4:6])] == ["best", "count"]


def test_a_day_does_not_hide_panels_and_cases_that_were_measured_before():
    def of_day(day: str, quantity: str, cases: str) -> list[dict[str, str]]:
        return [{"case": case, "quantity": quantity, "date": f"2026-11-{day}T10", "commit": "a",
                 "kind": "measured", "unit": "s", "runs": "30"} for case in cases]

    rows = [*of_day("26", "onto the disk", "abcd"), *of_day("29", "hold-up", "a")]
    assert comparable(rows) == rows
    later = of_day("29", "onto the disk", "e")
    assert comparable(rows + later) == rows
    half = of_day("29", "onto the disk", "ef")
    assert comparable(rows + half) == rows[4:] + half
