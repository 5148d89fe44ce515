# SPDX-License-Identifier: BSD-3-Clause
from isthmus.bench.coupler import scale
from isthmus.bench.measurement import Measurement


def test_whole_runs_stand_beside_the_faster_other_way():
    case = "weak, {}, 64 simulated ranks"
    found = [Measurement(case.format(way), quantity, "", ours) for way, time, memory in (
        ("rendezvous", 3.0, 30), ("two-level", 2.0, 20), ("one-level", 4.0, 10))
        for quantity, ours in ((scale.TIME, time), (scale.MEMORY, memory), ("finalize, messages", 1))]
    ours = [(m.reference, m.source.split(",")[0]) for m in scale.beside(found) if "rendezvous" in m.case]
    assert ours == [(2.0, "two-level"), (20, "two-level"), (None, "")]
    assert not any(m.source for m in scale.beside(found) if "rendezvous" not in m.case)
    assert scale.beside(found[:3]) == found[:3]
