# SPDX-License-Identifier: BSD-3-Clause
"""Participants of several ranks: whichever rank is hit, all ranks of all participants end. Rank 2 of
B has no vertices and so no partner."""

import os
import signal
import time
import unittest

from run import SHORT, FaultTest


class Ranks(FaultTest):
    def start_both(self, *fault):
        return self.start("A", *fault, ranks=2), self.start("B", ranks=3)

    def test_nobody_misbehaves(self):
        a, b = self.start_both()
        self.assert_ends(a, b)
        self.assert_succeeds(a, b)
        self.assertFalse(self.rendezvous.exists())

    def test_one_rank_is_killed(self):
        for point, rank in ("initialized", 0), ("before7", 1):
            with self.subTest(point=point, rank=rank):
                a, b = self.start_both(point, "kill", rank)
                self.assert_ends(a, b)
                self.assert_fails(b, rf'participant "A" \(rank {rank}, pid \d+.* ended without a word')

    def test_one_rank_is_killed_during_initialize(self):
        a, b = self.start_both("defined", "kill", 1, 8)
        self.assert_ends(a, b)
        self.assert_fails(b, 'participant "A"', "ended|did not appear")

    def test_one_rank_throws(self):
        for point, action, reason in [
            ("defined", "wrong-id", "vertex id 4711"),
            ("before7", "wrong-id", "vertex id 4711"),
            ("before7", "throw", "an error of its own"),
        ]:
            for rank in 0, 1:
                with self.subTest(point=point, action=action, rank=rank):
                    b = self.start("B", ranks=3)
                    self.wait_for_announcement("B")
                    a = self.start("A", point, action, rank, ranks=2)
                    self.assert_ends(a, b)
                    self.assert_fails(a, "vertex id 4711|diverged", ranks=[rank])
                    self.assert_fails(a, reason, ranks=[1 - rank])
                    self.assert_fails(b, 'participant "A"', reason)

    def test_one_rank_passes_a_wrong_size(self):
        said = r"write_data\(\): data .* 2 vertex ids need 2 values"
        for point, action, rank in [
            ("defined", "wrong-size", 1),
            ("defined", "kept-wrong-size", 0),  # MPI_Finalize() comes before the destructor
            ("before7", "wrong-size", 0),
            ("before7", "kept-wrong-size", 1),
        ]:
            with self.subTest(point=point, action=action, rank=rank):
                b = self.start("B", ranks=3)
                self.wait_for_announcement("B")
                a = self.start("A", point, action, rank, ranks=2)
                self.assert_ends(a, b)
                self.assert_fails(a, said, ranks=[rank])
                # which may hear of it first from a partner that it told
                self.assert_fails(a, rf"rank {rank}(, pid \d+ on host \S+\))?: {said}", ranks=[1 - rank])
                self.assert_fails(b, 'participant "A"', said)

    def test_one_rank_catches_its_errors_and_goes_on_as_it_should(self):
        for ranks in 2, 4:
            for rank in 0, ranks - 1:
                with self.subTest(ranks=ranks, rank=rank):
                    a, b = self.start("A", "before7", "err", rank, ranks=ranks), self.start("B", ranks=2)
                    self.assert_ends(a, b)
                    self.assert_succeeds(a, b)

    def test_one_rank_catches_its_errors_and_goes_on_with_them(self):
        self.configure([("A", "B")], exports=True)
        refused = r"advance\(\) was called with the negative time step size -1"
        for ranks, action, reason, rank in [
            (2, "insist-on-wrong-step", refused, 0),
            (2, "insist-without-memory", "bad_alloc", 1),
            (4, "insist-on-wrong-step", refused, 1),
            (4, "insist-on-wrong-step", refused, 3),  # has no partner: B may have all that it needs
            (4, "insist-without-memory", "bad_alloc", 0),
        ]:
            with self.subTest(ranks=ranks, action=action, rank=rank):
                a = self.start("A", "before7", action, rank, ranks=ranks)
                b = self.start("B", ranks=2)
                self.assert_ends(b)  # while the rank of A goes on
                others = [r for r in range(ranks) if r != rank]
                self.wait_until(lambda a=a, others=others: sorted(a.errors()) == others, "A has ended")
                for other in others:
                    self.assertRegex(a.errors()[other], reason)
                if rank < 2:
                    self.assert_fails(b, 'participant "A"', reason)
                a.end()

    def test_the_memory_of_one_rank_is_exhausted(self):
        self.configure([("A", "B")], exports=True)
        for point, after in [("start", 100), ("defined", 0), ("defined", 300), ("before7", 5)]:
            for rank in 0, 1:
                with self.subTest(point=point, after=after, rank=rank):
                    b = self.start("B", ranks=3)
                    self.wait_for_announcement("B")
                    a = self.start("A", point, "exhaust", rank, after, ranks=2)
                    self.assert_ends(a, b)
                    self.assert_fails(a, "bad_alloc")
                    self.assert_fails(b, 'participant "A".*bad_alloc')

    def test_the_memory_of_one_rank_is_exhausted_while_the_partner_waits_for_it(self):
        self.configure([("B", "A")])  # B accepts
        for after in 250, 350:
            for rank in 0, 1:
                with self.subTest(after=after, rank=rank):
                    b = self.start("B", ranks=3)
                    self.wait_for_announcement("B")
                    a = self.start("A", "defined", "exhaust", rank, after, ranks=2)
                    self.assert_ends(a, b)
                    self.assert_fails(a, "bad_alloc")
                    self.assert_fails(b, 'participant "A".*bad_alloc')

    def test_the_memory_of_one_rank_is_exhausted_before_the_ranks_have_met(self):
        for after in range(1, 12, 2):  # the first is of the solver
            with self.subTest(after=after):
                a = self.start("A", "start", "exhaust", 1, after, ranks=2, environment=SHORT)
                self.assert_ends(a)
                self.assert_fails(a, "bad_alloc|did not appear")

    def test_one_rank_gives_no_communicator(self):
        for rank in 0, 1:
            with self.subTest(rank=rank):
                a = self.start("A", "start", "no-communicator", rank, ranks=2,
                               environment={"ISTHMUS_PATIENCE": "3"})
                self.assert_ends(a)
                self.assert_fails(a, "the communicator is MPI_COMM_NULL", ranks=[rank])
                self.assert_fails(a, "waited 3 s for other ranks of its participant", ranks=[1 - rank])

    def test_one_rank_ends_before_the_others(self):
        for point, action in ("before3", "finalize"), ("before1", "finalize"):
            with self.subTest(point=point):
                # more windows than the others are through with before they notice
                self.configure([("A", "B")], windows=100_000, scheme="parallel-implicit")
                a = self.start("A", point, action, 2, ranks=3)  # has no partner that would notice
                b = self.start("B", ranks=2)
                self.assert_ends(a, b)
                self.assert_fails(a, r"rank \d has called finalize\(\)", ranks=[0, 1])
                self.assert_fails(b, 'participant "A" .*has called finalize')

    def test_mpirun_is_killed(self):
        a, b = self.start_both("before7", "sleep", -1)
        self.wait_until(lambda: "window 1 done" in b.text, "the first window")
        os.kill(a.process.pid, signal.SIGKILL)
        a.signal(signal.SIGKILL)
        self.assert_ends(a, b)
        self.assert_fails(b, 'participant "A"', "ended without a word")

    def test_everything_of_one_is_killed(self):
        a, b = self.start_both("before7", "sleep", -1)
        self.wait_until(lambda: "window 1 done" in b.text, "the first window")
        time.sleep(0.1)
        for pid in a.rank_processes():
            os.kill(pid, signal.SIGKILL)
        self.assert_ends(a, b)
        self.assert_fails(b, 'participant "A"', "ended without a word")

    def test_one_never_comes(self):
        b = self.start("B", ranks=3, environment=SHORT)
        self.assert_ends(b)
        self.assert_fails(b, 'participant "A" did not appear within 1 s')

    def test_a_chain_ends_from_its_end(self):
        self.configure([("A", "B"), ("B", "C")])
        for point, reason in ("initialized", "ended without a word"), ("before7", "ended without a word"):
            with self.subTest(point=point):
                a, b = self.start("A"), self.start("B", ranks=2)
                c = self.start("C", point, "kill")
                self.assert_ends(a, b, c)
                self.assert_fails(b, 'participant "C"', reason)
                self.assert_fails(a, r'participant "B" \(rank \d, pid \d+.*participant "C"', reason)

    def test_a_chain_whose_end_never_comes(self):
        self.configure([("A", "B"), ("B", "C")])
        a, b = self.start("A"), self.start("B", ranks=2, environment=SHORT)
        self.assert_ends(a, b)
        self.assert_fails(b, 'participant "C" did not appear')
        self.assert_fails(a, 'participant "B" .*participant "C" did not appear')


if __name__ == "__main__":
    unittest.main()
