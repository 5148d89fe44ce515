# SPDX-License-Identifier: BSD-3-Clause
"""A participant dies or leaves at some point: the other one ends, and says who and why."""

import signal
import time
import unittest

from run import SHORT, FaultTest

BOTH = [("A", "B"), ("B", "A")]  # who accepts and who connects take different ways


class Crash(FaultTest):
    def test_nobody_misbehaves(self):
        a, b = self.start("A"), self.start("B")
        self.assert_ends(a, b)
        self.assert_succeeds(a, b)
        self.assertFalse(self.rendezvous.exists())

    def test_one_never_comes(self):
        a = self.start("A", environment=SHORT)
        self.assert_ends(a)
        self.assert_fails(a, 'participant "B" did not appear within 1 s: there is no file')

    def test_killed_before_it_is_announced(self):
        b, a = self.start("B", environment=SHORT), self.start("A", "start", "kill")
        self.assert_ends(a, b)
        self.assert_fails(b, 'participant "A" did not appear')

    def test_killed_before_initialize(self):
        for victim, other in BOTH:
            with self.subTest(victim=victim):
                job = self.start(victim, "defined", "sleep")
                self.wait_for_announcement(victim)
                survivor = self.start(other)
                self.wait_for_announcement(other)
                time.sleep(0.2)
                job.signal(signal.SIGKILL)
                self.assert_ends(job, survivor)
                self.assert_fails(survivor, f'participant "{victim}" .* ended before it')

    def test_killed_during_initialize(self):
        self.configure([("A", "B")], windows=1_000_000)  # more than it will see
        for milliseconds in 1, 2, 3, 5, 8, 12:
            with self.subTest(milliseconds=milliseconds):
                jobs = [self.start("A", "constructed", "kill", 0, milliseconds),
                        self.start("B", environment=SHORT)]
                self.assert_ends(*jobs)
                self.assert_fails(jobs[1], 'participant "A"', "ended|did not appear")

    def test_killed_in_the_steps(self):
        for victim, other in BOTH:
            for point in "initialized", "before1", "before7", "after7":
                with self.subTest(victim=victim, point=point):
                    jobs = [self.start(victim, point, "kill"), self.start(other)]
                    self.assert_ends(*jobs)
                    self.assert_fails(jobs[1], rf'participant "{victim}" \(rank 0, pid \d+',
                                      "ended without a word")

    def test_other_ways_to_vanish(self):
        for action in "exit", "abort":
            with self.subTest(action=action):
                jobs = [self.start("A", "before3", action), self.start("B")]
                self.assert_ends(*jobs)
                self.assert_fails(jobs[1], 'participant "A"', "ended without a word")

    def test_one_that_throws_says_why(self):
        for point, action, reason in [
            ("defined", "wrong-id", r"write_data\(\): vertex id 4711"),
            ("before3", "wrong-id", r"write_data\(\): vertex id 4711"),
            ("defined", "throw", "an error of its own"),
            ("before3", "throw", "an error of its own"),
            ("defined", "leave", r"it ended before initialize\(\)"),
            ("before3", "leave", "has left the coupling"),
            ("before3", "finalize", "has left the coupling"),
        ]:
            with self.subTest(point=point, action=action):
                survivor = self.start("B")
                self.wait_for_announcement("B")
                job = self.start("A", point, action)
                self.assert_ends(job, survivor)
                self.assert_fails(survivor, f'participant "A" .*{reason}')

    def test_in_an_iteration(self):
        for scheme in "serial-implicit", "parallel-implicit":
            self.configure([("A", "B")], windows=2, scheme=scheme)
            for victim, other in BOTH:
                for action, reason in [("kill", "ended without a word"), ("throw", "an error of its own"),
                                       ("finalize", "has left the coupling")]:
                    with self.subTest(scheme=scheme, victim=victim, action=action):
                        jobs = [self.start(victim, "before7", action), self.start(other)]
                        self.assert_ends(*jobs)
                        self.assert_fails(jobs[1], f'participant "{victim}" .*{reason}')

    def test_one_that_stays_but_does_nothing(self):
        limited = {"ISTHMUS_PATIENCE": "1"}
        for victim, other in BOTH:
            for point, silence in ("defined", "connect|accept"), ("before3", "nothing of kind data"):
                with self.subTest(victim=victim, point=point):
                    job = self.start(victim, point, "freeze", environment=SHORT)
                    self.wait_for_announcement(victim)
                    survivor = self.start(other, environment=limited)
                    self.assert_ends(survivor)
                    self.assert_fails(survivor, f'participant "{victim}"', silence, "1 s")
                    job.signal(signal.SIGCONT)
                    self.assert_ends(job)
                    self.assert_fails(job, f'participant "{other}"')


if __name__ == "__main__":
    unittest.main()
