# SPDX-License-Identifier: BSD-3-Clause
"""Participants on two hosts: namespaces of this one with networks and names of their own, joined by wires
that can be cut. Their names are known to nobody. Needs root; else it ends with code 77, skipped."""

import sys
import unittest

from hosts import IPV4, IPV6, LINK, NAMES, Host, join, possible
from run import SHORT, FaultTest


class Network(FaultTest):
    def setUp(self) -> None:
        super().setUp()
        self.hosts = [Host(name) for name in NAMES]
        for host in self.hosts:
            self.addCleanup(host.close)

    def join(self, wire: str, kind: str, number: int = 1) -> None:
        join(self.hosts, wire, kind, number)

    def on(self, host: int, *arguments, **options):
        return self.start(*arguments, within=self.hosts[host].within, **options)

    def test_two_hosts(self):
        for number, kind in enumerate((IPV4, IPV6, LINK)):
            with self.subTest(kind=kind):
                self.join(f"wire{number}", kind, number)
                self.configure([("A", "B")], networks={("A", "B"): f"wire{number}"})
                a, b = self.on(0, "A"), self.on(1, "B")
                self.assert_ends(a, b)
                self.assert_succeeds(a, b)
                self.assertIn(f"on host {NAMES[1]}) by tcp", a.text)

    def test_parallel_participants(self):
        self.join("wire", IPV6)
        self.configure([("A", "B")], networks={("A", "B"): "wire"})
        a, b = self.on(0, "A", ranks=2), self.on(1, "B", ranks=2)
        self.assert_ends(a, b)
        self.assert_succeeds(a, b)

    def test_one_partner_here_and_one_elsewhere(self):
        self.join("other", IPV4, 1)
        self.join("wire", IPV4, 2)
        for pairs in [("A", "B"), ("B", "C")], [("B", "C"), ("A", "B")]:
            self.configure(pairs, networks={("B", "C"): "wire"})
            with self.subTest(pairs=pairs):
                jobs = [self.on(0, "A"), self.on(0, "B"), self.on(1, "C")]
                self.assert_ends(*jobs)
                self.assert_succeeds(*jobs)

    def test_the_network_is_not_named(self):
        """Nobody can reach `lo` of another host. The first one sees the other one come, so that it runs."""
        self.join("wire", IPV4)
        a = self.on(0, "A", environment=SHORT | {"ISTHMUS_TIMEOUT": "20"})
        self.wait_for_announcement("A")
        b = self.on(1, "B", environment=SHORT)
        self.assert_ends(a, b)
        said = r'does not answer at 127\.0\.0\.1 port \d+: only its own host reaches that; set network="…"'
        self.assert_fails(a, f'participant "B" .*{NAMES[1]}', said)
        self.assert_fails(b, 'participant "A"', f"{said}|did not appear within 1 s: .*{NAMES[0]}")

    def test_an_interface_that_is_not_there(self):
        self.configure([("A", "B")], networks={("A", "B"): "wire"})
        a = self.on(0, "A")
        self.assert_ends(a)
        self.assert_fails(a, 'no network interface "wire" that is up and has an address.*one of: lo')

    def test_a_wire_is_cut(self):
        for number, kind in enumerate((IPV4, IPV6)):
            with self.subTest(kind=kind):
                wire = f"wire{number}"
                self.join(wire, kind, number)
                self.configure([("A", "B")], windows=100_000_000, networks={("A", "B"): wire})
                a, b = self.on(0, "A"), self.on(1, "B")
                self.wait_until(lambda a=a, b=b: "window 1 done" in a.text and "window 1 done" in b.text,
                                "the first window")
                self.hosts[1].ip("link", "set", wire, "down")
                self.assert_ends(a, b)
                self.assert_fails(a, f'participant "B" .*on host {NAMES[1]}', "does not answer")
                self.assert_fails(b, f'participant "A" .*on host {NAMES[0]}', "does not answer")

    def test_a_wire_is_cut_while_one_computes(self):
        self.join("wire", IPV4)
        self.configure([("A", "B")], networks={("A", "B"): "wire"})
        a, b = self.on(0, "A"), self.on(1, "B", "before7", "sleep")
        self.wait_until(lambda: "window 6 done" in b.text, "six windows")
        self.hosts[0].ip("link", "set", "wire", "down")
        self.assert_ends(a)
        self.assert_fails(a, f'participant "B" .*on host {NAMES[1]}', "does not answer")

    def test_a_wire_is_cut_before_they_are_connected(self):
        self.join("wire", IPV4)
        self.configure([("A", "B")], networks={("A", "B"): "wire"})
        b = self.on(1, "B", "defined", "sleep")
        self.wait_for_announcement("B")
        a = self.on(0, "A")
        self.wait_until(lambda: "but is not in initialize() yet" in a.text, "A waits")
        self.hosts[1].ip("link", "set", "wire", "down")
        self.assert_ends(a)
        self.assert_fails(a, f'participant "B" .*on host {NAMES[1]}', "does not answer|no answer|timed out")
        b.end()


if __name__ == "__main__":
    if not possible():
        print("not tested: this user may not make network namespaces")
        sys.exit(77)
    unittest.main()
