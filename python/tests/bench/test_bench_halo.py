# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmark of the exchange with neighbours makes of its rounds."""

import pytest

from isthmus.bench.kit import halo


def test_the_ratio_is_the_median_of_those_of_the_rounds():
    rows = [{"ranks": "2", "values": "8", "messages": "1", "halo_us": ours, "by_hand_us": theirs}
            for ours, theirs in (("2.2", "2"), ("9", "3"), ("1.2", "1"))]
    ratio, time = halo.halo_times(rows)
    assert (ratio.case, ratio.ours, ratio.ours.runs) == ("2 ranks, 8 values", pytest.approx(1.2), 3)
    assert ratio.ours.high == pytest.approx(2.1) and ratio.is_missed
    assert time.ours == pytest.approx(2.2e-6) and time.ours.low == pytest.approx(1.7e-6)
