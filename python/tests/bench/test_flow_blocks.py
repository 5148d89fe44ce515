# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmarks of blocks and files of the flow solver make of its figures."""

import pytest

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Median
from isthmus.bench.solvers import flow_blocks, flow_files, flow_fluxes
from isthmus.bench.solvers.flow_blocks import Outcome


def test_the_two_sets_of_blocks_have_the_same_cells():
    for lengths in (flow_blocks.UNEQUAL, flow_blocks.EQUAL):
        assert [len(along) for along in lengths] == [16, 16]
        assert [sum(along) for along in lengths] == [541, 181]
    largest, smallest = (pick(flow_blocks.UNEQUAL[0]) * pick(flow_blocks.UNEQUAL[1]) for pick in (max, min))
    assert largest / smallest == 7


def test_ours_stands_beside_metis_and_the_target():
    of_ways = ([3.0, 1.0], [2.6, 1.4], [2.4, 1.6], [2.2, 1.8], [2.0, 2.0])
    busy = dict(zip(flow_blocks.WAYS, of_ways, strict=True))
    runs = {way: [Outcome(of_ranks, 2.5)] for way, of_ranks in busy.items()}
    rows = list(flow_blocks.compare(2, runs, [Outcome([2.0, 2.0], 2.5)]))
    even = {row.case: row for row in rows if row.quantity == flow_blocks.EVEN}
    assert even["2 ranks, equal numbers of blocks"].ours == 1.5
    assert even["2 ranks, equal numbers of blocks"].reference is None
    assert even["2 ranks, measured work"].ours == pytest.approx(1.1)
    assert even["2 ranks, METIS with measured work"].reference is None
    assert even["2 ranks, measured work"].reference == pytest.approx(1.2)  # METIS with the same work
    assert even["2 ranks, measured work, blocks cut, target"].reference == 1.05
    twice = [row.ours for row in rows if row.quantity == flow_blocks.TWICE]
    assert twice == pytest.approx([1.5, 1.3, 1.2, 1.1, 1.0])


def test_the_busiest_rank_is_compared_with_that_of_its_turn():
    runs = {way: [Outcome([busy, busy], 2.5) for busy in (2.0, 4.0, 9.0)] for way in flow_blocks.WAYS}
    balanced = [Outcome([busy, busy], 2.5) for busy in (4.0, 1.0, 3.0)]
    rows = [row for row in flow_blocks.compare(2, runs, balanced) if row.quantity == flow_blocks.TWICE]
    assert {(row.ours, row.ours.runs) for row in rows} == {(3.0, 3)}  # medians alone: 4 over 3


def test_ways_take_turns_on_the_ranks_that_are_asked_for(tmp_path, monkeypatch):
    ran = []

    def run(_context, way, _lengths, _words, ranks):
        ran.append((ranks, way))
        return Outcome([1.0] * ranks, 0.1)

    monkeypatch.setattr(flow_blocks, "_run", run)
    monkeypatch.setattr(flow_blocks.programs, "find", lambda _: tmp_path)
    monkeypatch.setattr(flow_blocks.programs, "output", lambda *_: "")
    flow_blocks.measure(Context(tmp_path, repeat=3, only="dealt to"))
    assert not ran
    rows = flow_blocks.measure(Context(tmp_path, repeat=3, only="4 ranks, 2 ranks"))
    turn = [flow_blocks.BALANCED, *flow_blocks.WAYS]
    assert ran == [(ranks, way) for ranks in (4, 2) for way in (*turn, *turn[::-1], *turn)]
    assert {row.case.partition(",")[0] for row in rows} == {"2 ranks", "4 ranks"}
    assert all(row.ours.runs == 3 for row in rows if row.quantity == flow_blocks.BUSY)


def test_counted_cells_stand_beside_metis_and_the_targets():
    text = ("64,count,3.5,1.1,256\n64,metis,1.4,1.1,256\n64,halves,1.2,1.1,400\n"
            "64,whole,1.13,1.1,256\n64,cut,1.04,1.1,300\n")
    rows = {(row.case, row.quantity): row for row in flow_blocks.counted(text)}
    assert all(row.kind == "counted" for row in rows.values())
    assert rows["dealt to 64 ranks, METIS with cells, best of 12", flow_blocks.CELLS].reference is None
    whole = rows["dealt to 64 ranks, whole blocks, changed", flow_blocks.CELLS]
    assert (whole.ours, whole.reference) == (1.13, 1.4)
    assert rows["dealt to 64 ranks, whole blocks, changed, target", flow_blocks.CELLS].is_missed  # 1.122
    assert not rows["dealt to 64 ranks, blocks cut, target", flow_blocks.CELLS].is_missed
    cut = rows["dealt to 64 ranks, blocks cut", flow_blocks.CELLS]
    assert cut.reference == 1.2
    assert cut.source == "METIS with cells, best of 12, blocks halved, in the same run"
    assert rows["dealt to 64 ranks, blocks cut", "pieces"].ours == 300
    assert rows["dealt to 64 ranks, METIS with cells, best of 12, blocks halved", "pieces"].ours == 400


def test_the_hold_up_is_that_of_files_in_the_background_over_writing_them_at_once():
    seconds = {way: (Median.of([0.4]), 1.0) for way in flow_files.WAYS}
    seconds |= {"collective": (Median.of([0.2]), 1.0), "background": (Median.of([0.03]), 1.0)}
    rows = list(flow_files.compare(seconds))
    assert rows[-1].ours == pytest.approx(0.15)
    assert rows[-1].reference == 0.1
    assert rows[-1].is_missed
    ours = next(row for row in rows if row.case == flow_files.OURS["collective"] and row.reference)
    assert (ours.ours, ours.reference) == (0.2, 0.4)


def test_fluxes_stand_beside_what_the_bandwidth_allows():
    text = "plane, limited,1000,160,19,20,22,30,40,41\nplane, in caches,100,160,18,19,20,30,40,41\n"
    rows = list(flow_fluxes.figures(flow_fluxes.lines_of(text, 30)))
    share = next(row for row in rows if row.quantity == flow_fluxes.SHARE)
    assert share.case == "fluxes, plane, limited, 1,000 cells"
    assert share.ours == pytest.approx(160 / 40 / 20)  # bytes by GB/s are ns
    assert share.is_missed and share.reference == 0.5
    assert sum(row.quantity == flow_fluxes.SHARE for row in rows) == 1  # memory says nothing of caches
    assert rows[0].ours == pytest.approx(20e-9) and rows[0].ours.runs == 30
