# SPDX-License-Identifier: BSD-3-Clause
"""What can be wrong where participants meet: files, directories, configurations, strangers."""

import os
import resource
import signal
import socket
import struct
import unittest

from run import SHORT, FaultTest, Job, configuration, stat


class Meeting(FaultTest):
    def assert_pair_works(self):
        a, b = self.start("A"), self.start("B")
        self.assert_ends(a, b)
        self.assert_succeeds(a, b)

    def edit(self, name, key, value):
        """Replaces a line of an announcement, and returns what was there."""
        path = self.rendezvous / f"{name}.isthmus"
        self.wait_until(path.exists, f"{name} is announced")
        lines = path.read_text().splitlines()
        index = next(i for i, line in enumerate(lines) if line.startswith(key + " "))
        before, lines[index] = lines[index].partition(" ")[2], f"{key} {value}"
        path.write_text("\n".join(lines) + "\n")
        return before

    def leave_announcement(self, name):
        """That of a participant that was killed."""
        job = self.start(name, "defined", "sleep")
        path = self.wait_for_announcement(name)
        job.signal(signal.SIGKILL)
        job.process.wait()
        return path

    def test_announcements_of_a_killed_run(self):
        self.leave_announcement("A")
        self.leave_announcement("B")
        self.assert_pair_works()
        self.assertFalse(self.rendezvous.exists())

    def test_announcements_of_a_failed_run(self):
        a, b = self.start("A", "defined", "wrong-id"), self.start("B", "defined", "wrong-id")
        self.assert_ends(a, b)
        self.assert_pair_works()

    def test_announcements_with_a_pid_in_use(self):
        self.leave_announcement("A")
        self.edit("A", "pid", os.getpid())
        self.assert_pair_works()

    def test_rubbish_instead_of_announcements(self):
        self.rendezvous.mkdir()
        (self.rendezvous / "A.isthmus").write_bytes(bytes(range(256)))
        (self.rendezvous / "B.isthmus").write_text("")
        (self.rendezvous / "B.isthmus.1234").write_text("half of a fi")
        self.assert_pair_works()

    def test_no_directory_can_be_made(self):
        self.rendezvous.write_text("a file in the way")
        a = self.start("A")
        self.assert_ends(a)
        self.assert_fails(a, "cannot write .*precice-run/A.isthmus.*check exchange-directory")

    def test_no_file_can_be_written(self):
        def fill_disk():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

        reader, writer = os.pipe()  # its log would be a file
        self.addCleanup(os.close, reader)
        job = Job("A", ["A", "config.xml", "B"], self.folder, preexec_fn=fill_disk, restore_signals=False,
                  stdout=writer)
        os.close(writer)
        self.assert_ends(job)
        self.assertRegex(os.read(reader, 65536).decode(), "A:0 error: cannot write .*File too large")
        self.assertNotEqual(job.process.returncode, 0)
        self.assert_pair_works()

    def test_started_twice(self):
        a = self.start("A")
        self.wait_for_announcement("A")
        again = self.start("A")
        self.assert_ends(again)
        self.assert_fails(again, f'"A" already runs .pid {a.process.pid} .*started twice')
        b = self.start("B")
        self.assert_ends(a, b)
        self.assert_succeeds(a, b)

    def test_one_that_comes_late_is_waited_for_without_a_limit(self):
        a = self.start("A", environment={"ISTHMUS_TIMEOUT": None})
        self.wait_until(lambda: "waiting for" in a.text, "a word about the wait")
        self.assertRegex(a.text, r'waiting for participant "B" since \d\d:\d\d:\d\d \(\d+ s\): '
                         r'there is no file in '
                         rf'{self.rendezvous}\. .*exchange-directory="{self.folder}"')
        b = self.start("B")
        self.assert_ends(a, b)
        self.assert_succeeds(a, b)

    def test_one_that_gave_up_before_the_other_came(self):
        a = self.start("A", environment=SHORT)
        self.assert_ends(a)
        self.assert_fails(a, 'participant "B" did not appear within 1 s')
        b = self.start("B", environment={"ISTHMUS_TIMEOUT": None})
        self.assert_ends(b)
        self.assert_fails(b, r'participant "A" \(rank 0, pid \d+ on host .*\) '
                          r'waited for participant "B" in vain')
        self.assertNotRegex(b.errors()[0], "did not appear")

    def test_one_that_failed_while_the_other_prepared_itself(self):
        b = self.start("B", "start", "freeze", environment={"ISTHMUS_TIMEOUT": None})
        self.wait_until(lambda: stat(b.process.pid)[:1] == ["T"], "B stands still")
        a = self.start("A", "defined", "wrong-id")
        self.assert_ends(a)
        b.signal(signal.SIGCONT)
        self.assert_ends(b)
        self.assert_fails(b, r'participant "A" .*ended before participant "B" was ready: .*vertex id 4711')

    def test_both_are_started_again_after_one_gave_up(self):
        a = self.start("A", environment=SHORT)
        self.assert_ends(a)
        b = self.start("B", environment={"ISTHMUS_TIMEOUT": None})
        a = self.start("A")
        self.assert_ends(a, b)
        self.assert_succeeds(a, b)

    def test_another_configuration(self):
        (self.folder / "other.xml").write_text(configuration(self.pairs, windows=49))
        a, b = self.start("A"), self.start("B", config="other.xml")
        self.assert_ends(a, b)
        for job in a, b:
            self.assert_fails(job, "different configurations", "coupling-scheme:parallel-explicit")

    def test_a_wrong_token(self):
        a = self.start("A", "defined", "freeze")
        self.edit("A", "token", "00" * 16)
        b = self.start("B")
        self.wait_for_announcement("B")
        a.signal(signal.SIGCONT)
        self.assert_ends(a, b)
        self.assert_fails(a, 'participant "B" .*token is wrong')
        self.assert_fails(b, 'cannot connect to participant "A"', "it refused", "token is wrong")

    def test_another_protocol(self):
        b = self.start("B", "defined", "freeze")
        self.wait_for_announcement("B")
        a = self.start("A")
        self.wait_for_announcement("A")
        with self.connect("A") as stranger:
            stranger.sendall(header(version=99))
            answer = stranger.recv(4096)
            self.assertIn(b"version 99 of the protocol meets version", answer)
            self.assertEqual(stranger.recv(4096), b"")  # and hung up: who it was nobody knows
        b.signal(signal.SIGCONT)
        self.assert_ends(a, b)
        self.assert_succeeds(a, b)

    def test_only_the_owner_reads_where_a_participant_is_found(self):
        a = self.start("A")
        path = self.wait_for_announcement("A")
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertEqual(path.parent.stat().st_mode & 0o777, 0o700)
        self.assert_ends(a, self.start("B"))

    @unittest.skipIf(os.geteuid() != 0, "only root can give a file to somebody else")
    def test_a_file_of_another_user_is_no_partner(self):
        self.start("A", "defined", "freeze")
        path = self.wait_for_announcement("A")
        kept = path.read_bytes()
        path.unlink()
        path.write_bytes(kept)
        os.chown(path, 12345, 12345)
        b = self.start("B", environment=SHORT)
        self.assert_ends(b)
        self.assert_fails(b, 'participant "A" did not appear', "there is a file of another user")

    def test_strangers_disturb_nobody(self):
        b = self.start("B", "defined", "freeze")
        self.wait_for_announcement("B")
        a = self.start("A")
        self.wait_for_announcement("A")
        strangers = [self.connect("A") for _ in range(20)]
        for number, stranger in enumerate(strangers):
            self.addCleanup(stranger.close)
            if number % 4 == 0:
                stranger.sendall(b"GET / HTTP/1.1\r\n\r\n" * 10)
            elif number % 4 == 1:
                stranger.sendall(os.urandom(1000))
            elif number % 4 == 2:
                stranger.sendall(header(version=1)[:20])
                stranger.close()
        b.signal(signal.SIGCONT)
        self.assert_ends(a, b)
        self.assert_succeeds(a, b)

    def connect(self, name):
        """To the door of a participant."""
        text = self.wait_for_announcement(name).read_text()
        lines = dict(line.partition(" ")[::2] for line in text.splitlines()[1:])
        return socket.create_connection((lines["ip"], int(lines["port"])), timeout=60)


def header(version):
    """Of a hello, as another version would send it."""
    return b"Isth" + struct.pack("<HHHHIQII", 0x1234, version, 2, 1, 0, 0, 0, 0)


if __name__ == "__main__":
    unittest.main()
