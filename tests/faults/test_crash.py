# SPDX-License-Identifier: BSD-3-Clause
"""A participant that dies or leaves at some point: the other one ends, and says who and why."""

import signal
import time
import unittest

from run import FaultTest

POINTS_OF_LIFE = ["initialized", "before1", "before7", "after7"]


class Crash(FaultTest):
    def test_nobody_misbehaves(self):
        a, b = self.start("A"), self.start("B")
        self.assert_ends(a, b)
        self.assert_succeeds(a, b)
        self.assertFalse(self.rendezvous.exists())

    def test_one_never_comes(self):
        for alone in "A", "B":
            job = self.start(alone)
            self.assert_ends(job)
            self.assert_fails(job, 'participant "[AB]" did not appear within 2 s: there is no file')

    def test_killed_before_it_is_announced(self):
        a, b = self.start("A"), self.start("B", "start", "kill")
        self.assert_ends(a, b)
        self.assert_fails(a, 'participant "B" did not appear')

    def test_killed_before_initialize(self):
        for victim, other in ("B", "A"), ("A", "B"):
            with self.subTest(victim=victim):
                job = self.start(victim, "initialize", "sleep")
                self.wait_for_announcement(victim)
                survivor = self.start(other)
                self.wait_for_announcement(other)
                time.sleep(0.2)
                job.signal(signal.SIGKILL)
                self.assert_ends(job, survivor)
                self.assert_fails(survivor, f'participant "{victim}" .* ended before it')

    def test_killed_afterwards(self):
        for victim, other in ("B", "A"), ("A", "B"):
            for point in POINTS_OF_LIFE:
                with self.subTest(victim=victim, point=point):
                    jobs = [self.start(victim, point, "kill"), self.start(other)]
                    self.assert_ends(*jobs)
                    self.assert_fails(jobs[1], rf'participant "{victim}" \(rank 0, pid \d+',
                                      "ended without a word")


if __name__ == "__main__":
    unittest.main()
