# SPDX-License-Identifier: BSD-3-Clause
"""64 ranks on both sides together: one of them fails in each phase, and all others say why."""

import unittest

from run import FaultTest

RANKS_A, RANKS_B = 16, 48
LIMIT = 120.0  # seconds; 64 processes share few cores


class Many(FaultTest):
    def start_both(self, *fault):
        b = self.start("B", ranks=RANKS_B)
        return self.start("A", *fault, ranks=RANKS_A), b

    def fails(self, point: str, rank: int) -> None:
        a, b = self.start_both(point, "throw", rank)
        self.assert_ends(a, b, limit=LIMIT)
        self.assert_fails(a, "the solver diverged", ranks=[rank])
        others = [r for r in range(RANKS_A) if r != rank]
        self.assert_fails(a, f"rank {rank}: .*an error of its own", ranks=others)
        self.assert_fails(b, 'participant "A"', "an error of its own")

    def test_one_rank_fails_in_each_phase(self):
        """Before there are plans also one without partners; and who comes afterwards finds nothing of it."""
        for point, rank in ("constructed", 1), ("defined", 11), ("initialized", 1), ("after3", 1):
            with self.subTest(point=point, rank=rank):
                self.fails(point, rank)
        a, b = self.start_both()
        self.assert_ends(a, b, limit=LIMIT)
        self.assert_succeeds(a, b)
        self.assertFalse(self.rendezvous.exists())


if __name__ == "__main__":
    unittest.main()
