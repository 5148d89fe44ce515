# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmarks of OpenFOAM make of the figures that its scripts leave."""

import csv
import json
import re
from pathlib import Path

import pytest

from isthmus.bench import framework
from isthmus.bench.framework import Context
from isthmus.bench.measurement import newest
from isthmus.bench.solvers import (
    openfoam,
    openfoam_endurance,
    openfoam_instructions,
    openfoam_kinds,
    openfoam_messages,
    openfoam_pairs,
    openfoam_tutorials,
)
from isthmus.errors import IsthmusError
from isthmus.openfoam import runs
from isthmus.plot.benchmarks import draw

ROOT = Path(__file__).resolve().parents[3]
WAYS_OF_PAGE = {"original": "original", "`libPstream.so`": "libPstream.so",
                "the same and `predictedPCG`": "both, predictedPCG",
                "the same and `deflatedPCG`": "both, deflatedPCG",
                "the same and `isthmusInterFoam` alone": "libPstream.so and limiter",
                "the same and `libisthmusSchemes.so` alone": "libPstream.so and schemes",
                "all, with `predictedPCG`": "all, predictedPCG",
                "all, with `deflatedPCG`": "all, deflatedPCG"}
COLUMNS_OF_PAGE = ("messages", "reductions", "sums beside", "exchanges of sizes", "waits",
                   "messages with those of collectives")

TUTORIALS_OF_PAGE = {"`cavity`, `FOAM_FILEHANDLER=collated`": "cavity, collated files",
                     "`damBreak`, laminar, divided by Scotch": "damBreak, divided by Scotch",
                     "`damBreak`, RAS": "damBreak, RAS", "`pitzDaily`, slabs": "pitzDaily",
                     "`pitzDaily`, bricks, PCG": "pitzDaily, in bricks",
                     "`movingCone`": "movingCone, a moving mesh",
                     "`mixerVesselAMI2D`": "mixerVesselAMI2D, sliding",
                     "`parcelInBox`": "parcelInBox, particles"}


def series(folder, original, ours):
    """Files as series.py leaves them: milliseconds by ranks."""
    figures = {"prices 567": {}, "small system 4": [1, 2], "1 times, 2 ranks, original, PCG": {}}
    for way, points in (("original, PCG", original), ("both+limiter+schemes, deflatedPCG", ours)):
        for ranks, milliseconds in points.items():
            figures[f"2 times, {ranks} ranks, {way}"] = {
                "alone": 500 * milliseconds, "whole": 1000 * milliseconds, "work": 1.0, "cells": 9072 / ranks,
                "iterations": 30.0}
    (folder / "figures.json").write_text(json.dumps(figures))
    return openfoam.read(folder, "2")


def test_a_series_says_where_the_least_is(tmp_path):
    points = series(tmp_path, {16: 7.0, 2: 12.0, 4: 9.0, 64: 8.0}, {2: 11.0, 4: 8.0, 16: 4.0, 64: 3.5})
    assert [point.ranks for point in points] == [2, 2, 4, 4, 16, 16, 64, 64]
    found = list(openfoam.compared("damBreak", points))
    by_name = {(m.case, m.quantity): m for m in found}
    where = "damBreak, 9,072 cells"
    one = by_name[f"{where}, 64 simulated ranks, all, deflatedPCG", openfoam.TIME]
    assert (one.ours, one.reference) == pytest.approx((3.5e-3, 8e-3)) and one.kind == "simulated"
    assert by_name[f"{where}, 64 simulated ranks, original", openfoam.CALLS].reference is None
    best = by_name[f"{where}, all, deflatedPCG", "original's least simulated time over ours"]
    assert best.ours == pytest.approx(2) and not best.is_missed
    knee = by_name[f"{where}, all, deflatedPCG", "ranks of the least simulated time over the original's"]
    assert (knee.ours, knee.reference) == (4, 4) and not knee.is_missed
    fewer = openfoam.compared("damBreak", points[:-1])
    assert "original's least simulated time over ours" not in {m.quantity for m in fewer}
    assert all(path.is_file() for path in draw("openfoam", tmp_path, found))


def test_of_few_ranks_nothing_is_the_least(tmp_path):
    found = openfoam.compared("damBreak", series(tmp_path, {2: 12.0, 4: 9.0}, {2: 11.0, 4: 8.0}))
    assert {m.quantity for m in found} == {openfoam.TIME, openfoam.CALLS, "iterations of a solution"}


def asked_for(monkeypatch, bench, context, answer):
    """What a benchmark asks its script for, which answers with such a file."""
    asked = []

    def record(_, script, *arguments):
        asked.append(" ".join((script, *arguments)))
        name, figures = answer
        (context.out / name).parent.mkdir(parents=True, exist_ok=True)
        (context.out / name).write_text(json.dumps(figures))
        return context.out

    monkeypatch.setattr(bench, "record", record)
    framework.run(bench.__name__.split(".")[-1], context)
    return asked


def cases_in(folder):
    with open(folder / "results.csv", newline="") as file:
        return {row["case"] for row in csv.DictReader(file)}


def test_only_the_rows_that_are_asked_for_are_measured(monkeypatch, tmp_path):
    point = {"alone": 1.0, "whole": 2.0, "work": 1.0, "cells": 567, "iterations": 30.0}
    figures = {f"4 times, 64 ranks, {way}": point for way in openfoam.WAYS}
    context = Context(tmp_path, only="36,288 cells, 64 simulated ranks, all, deflatedPCG")
    asked = asked_for(monkeypatch, openfoam, context, ("damBreak/figures.json", figures))
    assert asked == ["series.py damBreak --times 4 --ranks 64 --layers 4"]
    assert cases_in(tmp_path) == {f"damBreak, {context.only}"}

    figures = {f"5 times, 4 ranks, {way}": point | {"cells": 2500} for way in openfoam.WAYS}
    context = Context(tmp_path / "cavity", only="cavity, 10,000 cells, 4 simulated ranks, original")
    asked = asked_for(monkeypatch, openfoam, context, ("cavity/figures.json", figures))
    assert asked == ["series.py cavity --times 5 --ranks 4 --layers 0"]
    assert cases_in(context.out) == {context.only}

    row = {"ranks": 4, "steps": 3, "files": 20, "the same": 20, "the same log": True, "sizes": 8.0,
           "sizes with ours": 0.0}
    context = Context(tmp_path / "tutorials", only="damBreak, RAS")
    asked = asked_for(monkeypatch, openfoam_tutorials, context,
                      ("survey.json", {"damBreak, RAS": row, "hopper, particles": row}))
    assert asked == ["survey.py damBreak, RAS"] and cases_in(context.out) == {"damBreak, RAS, 4 ranks"}

    turn = {way: {"seconds": 1.0, "processor": 2.0} for way in ("original", "libPstream.so")}
    context = Context(tmp_path / "pairs", only="4 ranks, libPstream.so")
    asked = asked_for(monkeypatch, openfoam_pairs, context,
                      ("pairs.json", {f"2 times, {ranks} ranks, turn 0": turn for ranks in (1, 4)}))
    assert asked == ["pairs.py --ranks 4 --repeat 3"]
    assert cases_in(context.out) == {"damBreak, 4 ranks, libPstream.so"}

    with pytest.raises(IsthmusError, match="no row whose case has '5 ranks'"):
        asked_for(monkeypatch, openfoam_pairs, Context(tmp_path, only="5 ranks"), ("pairs.json", {}))


def kinds(**calls):
    every = dict.fromkeys(openfoam_kinds.WORDS, 0.0) | calls
    return {"calls": every | {"bytes": 800.0}, "microseconds": {kind: 2 * n for kind, n in every.items()}}


def test_calls_stand_beside_those_of_the_original(tmp_path):
    figures = {"kinds, 1 times, 16 ranks, original, PCG": kinds(send=500, allreduce=262, alltoall=10),
               "kinds, 1 times, 16 ranks, all, deflatedPCG": kinds(send=300, allreduce=65),
               "kinds, 1 times, 4 ranks, original, PCG": kinds(send=1), "2 times, 4 ranks, original, PCG": {}}
    found = list(openfoam_kinds.counted("damBreak", 16, figures))
    ours = {m.quantity: m for m in found if m.case == "damBreak, 16 ranks, all, deflatedPCG"}
    assert (ours["MPI_Alltoall of a step"].ours, ours["MPI_Alltoall of a step"].reference) == (0, 10)
    assert ours["sends of a step"].ratio == pytest.approx(500 / 300)
    assert ours["simulated time of a step in sends"].ours == pytest.approx(600e-6)
    assert "waits of a step" not in ours and len(found) == 2 * 7
    assert all(path.is_file() for path in draw("openfoam_kinds", tmp_path, found))


def test_ratios_are_those_of_runs_of_one_turn():
    def turn(original, ours):
        return {way: {"seconds": seconds, "processor": 2 * seconds, "load": 1.0}
                for way, seconds in (("original", original), ("libPstream.so", ours))}

    figures = {f"2 times, 16 ranks, turn {i}": turn(*pair)
               for i, pair in enumerate([(1, 2), (10, 11), (4, 4)])} | {"something else": {}}
    found = {(m.case, m.quantity): m for m in openfoam_pairs.compared(figures)}
    case = "damBreak, 16 ranks, libPstream.so"
    ratio = found[case, "time of a run over the original's"]
    assert (ratio.ours, ratio.ours.runs, ratio.reference) == (pytest.approx(1.1), 3, 1.03) and ratio.is_missed
    whole = found[case, "processor time of a run"]
    assert (whole.ours, whole.reference) == (8, 8) and not whole.is_missed
    assert found["damBreak, 16 ranks, original", "time of a run"].reference is None and len(found) == 6


def test_files_that_differ_stand_beside_those_of_another_run_of_the_original():
    same = {"ranks": 4, "steps": 3, "files": 20, "the same": 20, "the same log": True, "sizes": 8.0,
            "sizes with ours": 0.0}
    other = same | {"the same": 15, "the same in another run of the original": 17,
                    "difference with predictedPCG": 2e-9, "iterations": 30,
                    "iterations with predictedPCG": 30}
    figures = {"pitzDaily": same, "hopper": other}
    found = {(m.case, m.quantity): m for m in openfoam_tutorials.compared(figures)}
    files = "files that differ from the original's"
    assert (found["pitzDaily, 4 ranks", files].ours, found["pitzDaily, 4 ranks", files].reference) == (0, 0)
    assert (found["hopper, 4 ranks", files].ours, found["hopper, 4 ranks", files].reference) == (5, 3)
    assert found["hopper, 4 ranks", files].is_missed
    assert found["hopper, 4 ranks", "largest difference with predictedPCG"].ours == 2e-9
    assert found["pitzDaily, 4 ranks", "exchanges of sizes of a step"].kind == "counted"


@pytest.mark.parametrize("name", ["cavitatingBullet, 16 ranks, PCG", "cavity, 4 ranks, PCG"])
def test_layers_stand_beside_the_original(name):
    row = {"messages": 600.0, "iterations of alpha": 29.0, "difference to original": 0.0,
           "files unlike original": 0}
    layers = {"original": row, "asymmetric": row | {"messages": 580.0, "difference to original": 7e-5,
                                                    "files unlike original": 40}}
    figures = {name: layers, f"{name}, original and others": {"original to slabs": 3e-4}}
    found = {(m.case, m.quantity): m for m in openfoam_tutorials.compared(figures)}
    ours = found[f"{name}, asymmetric", "messages of a step"]
    assert (ours.ours, ours.reference) == (580, 600)
    assert found[f"{name}, asymmetric", "largest difference to original"].ours == 7e-5
    assert found[f"{name}, asymmetric", "files unlike original"].ours == 40
    assert (f"{name}, original", "largest difference to original") not in found
    assert found[f"{name}, original and others", "largest difference, original to slabs"].ours == 3e-4


def test_runs_under_the_sanitizer_have_to_last(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(runs, "libraries", lambda: tmp_path)
    (tmp_path / runs.PSTREAM).write_bytes(b"MPI_Init")
    assert openfoam_endurance.measure(Context(tmp_path)) == []
    assert "ISTHMUS_OPENFOAM" in capsys.readouterr().err
    (tmp_path / runs.PSTREAM).write_bytes(b"__asan_init")
    asked = asked_for(monkeypatch, openfoam_endurance, Context(tmp_path, full=True),
                      ("endure.json", {"minutes": 29.0, "whole": 20, "killed": 19, "longest end": 3.5}))
    assert asked == ["endure.py --minutes 30"]
    found = {m.quantity: m for m in openfoam_endurance.measure(Context(tmp_path))}
    assert found["time without a report"].ours == 1740 and found["time without a report"].is_missed
    assert (found["whole runs"].ours, found["killed runs"].ours) == (20, 19)
    context = Context(tmp_path, only="4 ranks, address sanitizer, 5 minutes")
    asked = asked_for(monkeypatch, openfoam_endurance, context, ("endure.json", {
        "minutes": 5.5, "whole": 20, "killed": 19, "longest end": 3.5}))
    assert asked == ["endure.py --minutes 5"] and f"damBreak, {context.only}" in cases_in(tmp_path)


def test_messages_have_targets_and_origins(monkeypatch, tmp_path):
    def found(scale, **other):
        return dict.fromkeys(openfoam_messages.WORDS, 90.0 * scale) | other

    figures = {"16 ranks, original": found(1), "16 ranks, all, deflatedPCG": found(0.5, waits=30.0),
               "16 ranks, all, deflatedPCG, origins": {"limits": 17.0, "others": 0.0},
               "4 ranks, original": found(3)}
    context = Context(tmp_path, only="16 ranks")
    asked = asked_for(monkeypatch, openfoam_messages, context, ("messages.json", figures))
    assert asked == ["messages.py --ranks 16"]
    assert cases_in(tmp_path) == {"damBreak, 16 ranks, original", "damBreak, 16 ranks, all, deflatedPCG"}
    rows = {(m.case, m.quantity): m for m in openfoam_messages.compared(figures)}
    ours = "damBreak, 16 ranks, all, deflatedPCG"
    assert (rows[ours, "messages of a step"].ours, rows[ours, "messages of a step"].reference) == (45, 90)
    share = rows[ours, "messages of a step over the original's"]
    assert share.ours == 0.5 and share.reference == pytest.approx(1 / 3) and share.is_missed
    assert not rows[ours, "waits of a step over the original's"].is_missed
    assert rows[ours, "messages of a step, limits"].ours == 17
    assert rows[ours, "messages of a step that could go with the one before"].ours == 45
    assert rows["damBreak, 16 ranks, original", "messages of a step"].reference is None
    assert {m.kind for m in rows.values()} == {"counted"}


def test_the_page_has_the_newest_messages():
    rows = {(row["case"], row["quantity"]): float(row["ours"])
            for row in newest(ROOT / "bench/results.csv")["openfoam_messages"]}
    page = (ROOT / "docs/solvers/openfoam.md").read_text()
    table = page[page.index("| `damBreak`, 16 ranks | messages |"):].split("\n\n")[0]
    found = dict(re.findall(r"^\| (.+?) \| (\d.*) \|$", table, re.MULTILINE))
    assert found.keys() == WAYS_OF_PAGE.keys()
    for label, way in WAYS_OF_PAGE.items():
        for what, value in zip(COLUMNS_OF_PAGE, found[label].split(" | "), strict=True):
            ours = rows[f"damBreak, 16 ranks, {way}", openfoam_messages.WORDS[what]]
            assert float(value) == pytest.approx(ours, abs=0.51), (way, what)
    table = page[page.index("| messages of a step | original |"):].split("\n\n")[0]
    origins = re.findall(r"^\| ([a-z ]+) \| ([\d.]+) \| ([\d.]+) \|", table, re.MULTILINE)
    assert len(origins) == 7
    for what, *values in origins:
        for way, value in zip(("original", "all, deflatedPCG"), values, strict=True):
            ours = rows[f"damBreak, 16 ranks, {way}", f"messages of a step, {what}"]
            assert float(value) == pytest.approx(ours, abs=0.051), (way, what)


def test_the_page_has_the_newest_tutorials():
    rows = {(row["case"], row["quantity"]): row
            for row in newest(ROOT / "bench/results.csv")["openfoam_tutorials"]}
    page = (ROOT / "docs/solvers/openfoam.md").read_text()
    table = page[page.index("| tutorial, 4 ranks |"):].split("\n\n")[0]
    found = dict(re.findall(r"^\| (.+?) \| [^|]+ \| (.+) \|$", table, re.MULTILINE))
    for label, name in TUTORIALS_OF_PAGE.items():
        files, before, after, distance = found[label].split(" | ")
        where = f"{name}, 4 ranks"
        assert float(rows[where, "files that differ from the original's"]["ours"]) == 0
        assert files == f"none of {rows[where, 'files that are compared']['ours']}", name
        sizes = rows[where, "exchanges of sizes of a step"]
        assert float(before) == pytest.approx(float(sizes["reference"]), abs=0.051), name
        assert float(after) == float(sizes["ours"]), name
        if distance[0].isdigit():
            far = float(rows[where, "largest difference with predictedPCG"]["ours"])
            assert float(distance) == pytest.approx(far, rel=0.05), name


def test_the_page_has_the_newest_times():
    rows = {(row["case"], row["quantity"]): row
            for row in newest(ROOT / "bench/results.csv")["openfoam_pairs"]}
    page = (ROOT / "docs/solvers/openfoam.md").read_text()
    table = page[page.index("| ranks | turns | original |"):].split("\n\n")[0]
    found = re.findall(r"^\| (\d+) \| (\d+) \| (.+) \|$", table, re.MULTILINE)
    assert [int(ranks) for ranks, *_ in found] == [1, 2, 4, 8]
    ratio = "time of a run over the original's"
    ways = {"original": "time of a run", "libPstream.so": ratio, "both, automaticPCG": ratio,
            "all, automaticPCG": ratio, "all, deflatedPCG": ratio}
    for ranks, turns, figures in found:
        for (way, quantity), cell in zip(ways.items(), figures.split(" | "), strict=True):
            row = rows[f"damBreak, {ranks} ranks, {way}", quantity]
            assert row["runs"] == turns and int(turns) >= 30
            stated = re.fullmatch(r"([\d.]+)(?: s)? \(([\d.]+) to ([\d.]+)\)", cell).groups()
            ours = [float(row[name]) for name in ("ours", "low", "high")]
            assert list(map(float, stated)) == pytest.approx(ours, abs=0.0051), (ranks, way)


def test_the_page_has_the_newest_fields():
    rows = {(row["case"], row["quantity"]): row["ours"]
            for row in newest(ROOT / "bench/results.csv")["openfoam_tutorials"]}
    page = (ROOT / "docs/solvers/openfoam.md").read_text()
    table = page[page.index("| 4 ranks, PCG |"):].split("\n\n")[0]
    found = re.findall(r"^\| (\w+).*? \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", table, re.MULTILINE)[1:]
    assert [layer for layer, *_ in found] == ["supporting", "numerical", "limiter", "schemes", "asymmetric",
                                              "smoothers", "all", "close"]
    for layer, *cells in found:
        for case, field, (far, iterations) in (("cavity", "p", cells[:2]), ("damBreak", "p_rgh", cells[2:])):
            where = f"{case}, 4 ranks, PCG, {layer}"
            if far == "–":
                assert (where, "files unlike original") not in rows
                continue
            assert (far == "none, byte by byte") == (rows[where, "files unlike original"] == "0"), where
            distance = 0.0 if far.startswith("none") else float(far)
            ours = float(rows[where, "largest difference to original"])
            assert distance == pytest.approx(ours, rel=0.03), where
            assert iterations.replace(",", "") == rows[where, f"iterations of {field}"], where


def test_the_page_has_the_newest_endurance():
    rows = {row["quantity"]: row for row in newest(ROOT / "bench/results.csv")["openfoam_endurance"]
            if row["case"].endswith(", 30 minutes")}
    text = " ".join((ROOT / "docs/solvers/openfoam.md").read_text().split())
    found = re.search(r"In 30 minutes beside much other work, (\d+) whole runs .*? In each of (\d+) other "
                      r"runs a rank was killed.*?The longest end took ([\d.]+) s", text)
    assert found is not None
    assert (rows["whole runs"]["ours"], rows["killed runs"]["ours"]) == found.group(1, 2)
    longest = float(rows["longest time from a death to the end"]["ours"])
    assert float(found[3]) == pytest.approx(longest, abs=0.051)


def test_instructions_stand_beside_the_original(monkeypatch, tmp_path):
    figures = {"1 ranks, original": 4.4e7, "1 ranks, all, automaticPCG": 3.8e7, "4 ranks, original": 1.7e7,
               "4 ranks, libPstream.so": 1.8e7}
    monkeypatch.setattr(openfoam_instructions.shutil, "which", lambda name: name)
    asked = asked_for(monkeypatch, openfoam_instructions, Context(tmp_path, only="4 ranks"),
                      ("instructions.json", figures))
    assert asked == ["instructions.py --ranks 4"]
    rows = {m.case: m for m in openfoam_instructions.compared(figures)}
    assert (rows["damBreak, 1 rank, all, automaticPCG"].ours, rows["damBreak, 1 rank, original"].ours) \
        == (3.8e7, 4.4e7)
    assert rows["damBreak, 4 ranks, libPstream.so"].is_missed
    assert rows["damBreak, 4 ranks, original"].reference is None


def test_the_page_has_the_newest_instructions():
    rows = {row["case"]: row for row in newest(ROOT / "bench/results.csv")["openfoam_instructions"]}
    page = (ROOT / "docs/solvers/openfoam.md").read_text()
    text = " ".join(page[page.index("What the layers add to the work"):].split("\n\n")[0].split())
    found = re.search(r"on one rank has ([\d.]+) million with the original, ([\d.]+) with `libPstream.so`, "
                      r"([\d.]+) with both `libPstream.so` and `automaticPCG`, and "
                      r"([\d.]+) with all layers", text)
    assert found is not None
    ways = ("original", "libPstream.so", "both, automaticPCG", "all, automaticPCG")
    for way, millions in zip(ways, found.groups(), strict=True):
        counted = float(rows[f"damBreak, 1 rank, {way}"]["ours"])
        assert float(millions) == pytest.approx(1e-6 * counted, abs=0.051), way


def test_without_openfoam_there_is_nothing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(runs, "libraries", lambda: tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    for bench in (openfoam, openfoam_instructions, openfoam_kinds, openfoam_messages, openfoam_pairs,
                  openfoam_tutorials):
        assert bench.measure(Context(tmp_path)) == []
    assert "openfoam/setup.sh" in capsys.readouterr().err
