# SPDX-License-Identifier: BSD-3-Clause
import itertools
import json
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from test_plot import is_picture

from isthmus.cli import main
from isthmus.graph import plan
from isthmus.plot.graph import graph_picture

DESCRIBED = json.loads((Path(__file__).parents[1] / "data" / "described.json").read_text())


def coupled(*pairs: tuple[str, str]) -> dict:
    """A description in which the second of each pair receives the mesh of the first and maps both ways."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    participants = []
    for name in names:
        partners = [first for first, second in pairs if second == name]
        maps = [{"kind": "nearest-neighbor", "direction": way, "constraint": "consistent", "data": ["D", "E"],
                 "from": origin, "to": target}
                for p in partners for way, origin, target in (("read", p, name), ("write", name, p))]
        participants.append({"name": name, "provides": [name], "writes": [], "reads": [], "mappings": maps,
                             "receives": [{"name": p, "from": p, "api-access": False} for p in partners],
                             "actions": [], "exports": ["vtu"]})
    schemes = [{"kind": "serial-explicit", "participants": [a, b], "controller": None, "max-time": 1.0,
                "time-window-size": None, "max-time-windows": None, "max-iterations": None, "measures": [],
                "acceleration": None,
                "exchanges": [{"data": "D", "mesh": a, "from": a, "to": b, "initialize": True},
                              {"data": "E", "mesh": a, "from": b, "to": a, "initialize": False}]}
               for a, b in pairs]
    return {"participants": participants, "meshes": [{"name": name} for name in names], "schemes": schemes}


CASES = {"two": [("A", "B")], "chain": [("A", "B"), ("B", "C")],
         "triangle": [("A", "B"), ("B", "C"), ("A", "C")],
         "star": [("A", "S"), ("B", "S"), ("C", "S")],
         "ring": [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")],
         "six": [(name, "S") for name in "ABCDE"]}


@pytest.mark.parametrize("pairs", CASES.values(), ids=CASES)
def test_boxes_do_not_overlap_and_arrows_cross_none(pairs):
    found = plan(coupled(*pairs))
    assert sorted(found.rows.values()) == list(range(len(found.rows)))
    for one, other in itertools.combinations(found.boxes.values(), 2):
        if one.column == other.column:
            assert one.rows[-1] < other.rows[0] or other.rows[-1] < one.rows[0]
    assert len(found.arrows) == 2 * len(pairs)
    for arrow in found.arrows:
        row = found.rows[arrow.mesh]
        ends = [found.boxes[name] for name in (arrow.sender, arrow.receiver)]
        assert all(row in box.rows for box in ends)
        low, high = sorted(box.column for box in ends)
        assert low < high
        assert not [box for box in found.boxes.values()
                    if low < box.column < high and box.rows[0] <= row <= box.rows[-1]]


def test_the_star_shares_columns():
    assert {box.column for box in plan(coupled(*CASES["star"])).boxes.values()} == {0, 1}


def test_arrows_bring_together_what_goes_the_same_way():
    arrows = {(a.sender, a.receiver): a.data for a in plan(DESCRIBED).arrows}
    assert arrows == {("B", "A"): ("S", "V"), ("A", "B"): ("F",)}


def test_what_the_picture_says(tmp_path):
    graph_picture(tmp_path / "star.png", coupled(*CASES["star"]), "star")
    assert is_picture(tmp_path / "star.png")
    with mpl.rc_context({"svg.fonttype": "none"}):
        graph_picture(tmp_path / "graph.svg", DESCRIBED, "config.xml")
    root = ElementTree.parse(tmp_path / "graph.svg")
    words = " | ".join("".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text"))
    for expected in ("config.xml", "A-Mesh", "S, V", "rbf-pum-direct", "conservative, write", "from B",
                     "parallel-implicit: ", "IQN-ILS of V, F", "at most 20 iterations"):
        assert expected in words, expected


def test_command(fake_programs, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "case.xml"
    config.write_text("<precice-configuration/>")
    assert main(["graph", str(config)]) == 0
    assert (tmp_path / "case.svg").read_text().startswith("<?xml")
    assert main(["graph", str(config), "-o", "a.png", "-o", "b.svg"]) == 0
    assert is_picture(tmp_path / "a.png") and (tmp_path / "b.svg").is_file()
    assert main(["graph", str(config), "-o", "a.txt"]) == 2
    assert ".svg, .png, .pdf" in capsys.readouterr().err
    config.write_text("wrong")
    assert main(["graph", str(config)]) == 1
    assert "case.xml:3" in capsys.readouterr().err
