# SPDX-License-Identifier: BSD-3-Clause
"""Short coupled runs with faults at random, while others go on beside:

    test_soak.py [--runs 1000] [--minutes 200] [--seed 1] [--beside 3] [--kinds open] [--only NUMBER]

Each is drawn from the seed and its number: participants, ranks, schemes, transports, who fails, when and how.
Nobody may wait beyond a limit, each one left says whose fault it is and what it was, the same case runs to
its end afterwards in the same folder, and then no file of the library is there, nor in /dev/shm. --kinds
privileged plays what needs root, and ends with code 77, skipped, where that is not given; --kinds open plays
the others; without it all are played that this user may play. --only plays a number again that has gone
wrong, with the same --kinds."""

import argparse
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hosts import IPV4, IPV6, NAMES, Host, join, possible
from run import FaultTest, Job

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "references"))
from segments import left_behind

ENDLESS = 100_000_000  # windows
SWEPT = 12  # seconds after which a process that starts removes what another one left
LIMIT = 90.0  # seconds until all have ended: some wait 20 s for one that never comes, and the machine is busy
EXPLICIT, IMPLICIT = ("serial-explicit", "parallel-explicit"), ("serial-implicit", "parallel-implicit")
FULL = ["unshare", "--mount", "sh", "-c",
        'mount -t tmpfs -o size=4k none exports && head -c 4096 /dev/zero > exports/other; exec "$@"', "sh"]
OPEN = ("nothing", "own_kill", "kill", "freeze", "throw", "leave", "garbage", "other_file", "leftovers")
PRIVILEGED = ("full_disk", "cut")
KINDS = {"open": OPEN, "privileged": PRIVILEGED, "possible": OPEN + PRIVILEGED}


class Run(FaultTest):
    """One of them; its `number` and `seed` say which."""

    def __init__(self, seed: int, number: int, kinds: tuple[str, ...]):
        super().__init__("play")
        self.draw = random.Random(f"{seed}-{number}")
        self.kind = kinds[number % len(kinds)]

    def play(self) -> None:
        draw = self.draw
        chain = self.kind != "cut" and draw.random() < 0.3
        self.chosen = [("A", "B"), ("B", "C")] if chain else [draw.choice([("A", "B"), ("B", "A")])]
        self.scheme = draw.choice(EXPLICIT if chain else EXPLICIT + IMPLICIT)
        self.names = sorted({name for pair in self.chosen for name in pair})
        self.ranks = {name: 2 if draw.random() < 0.1 else 1 for name in self.names}
        self.victim = draw.choice(self.names)
        self.others = [name for name in self.names if name != self.victim]
        self.transport = draw.choice(["automatic", "automatic", "tcp"])
        self.couple(50)
        getattr(self, self.kind)()
        self.couple(5, scheme="parallel-explicit")
        self.transport = "automatic"
        jobs = self.begin()
        self.end(jobs)
        self.assert_succeeds(*jobs.values())
        self.assertFalse(self.rendezvous.exists(),
                         self.rendezvous.exists() and [path.name for path in self.rendezvous.iterdir()])

    def couple(self, windows: int, **options) -> None:
        self.configure(self.chosen, windows, **{"scheme": self.scheme, **options})

    def begin(self, *fault: object, where: dict[str, list[str]] | None = None,
              configs: dict[str, str] | None = None) -> dict[str, Job]:
        """All, one after the other; `fault` is the victim's."""
        jobs = {}
        for name in self.draw.sample(self.names, len(self.names)):
            jobs[name] = self.start(name, *(fault if name == self.victim else ()), ranks=self.ranks[name],
                                    config=(configs or {}).get(name, "config.xml"),
                                    within=(where or {}).get(name, []),
                                    environment={"ISTHMUS_TRANSPORT": self.transport})
            time.sleep(self.draw.choice([0, 0, 0.05, 0.3]))
        return jobs

    def end(self, jobs: dict[str, Job]) -> None:
        self.assert_ends(*jobs.values(), limit=LIMIT)

    def assert_named(self, jobs: dict[str, Job], reason: str) -> None:
        """All others say whose fault it was."""
        self.end(jobs)
        for name in self.others:
            self.assert_fails(jobs[name], f'participant "{self.victim}"', reason)

    def point(self) -> str:
        steps = [f"{when}{self.draw.randint(1, 9)}" for when in ("before", "after", "before")]
        return self.draw.choice(["constructed", "defined", "initialized", *steps])

    def nothing(self) -> None:
        jobs = self.begin()
        self.end(jobs)
        self.assert_succeeds(*jobs.values())

    def own_kill(self) -> None:
        """At a place, or soon after it."""
        self.couple(ENDLESS)
        action = self.draw.choice(["kill", "kill", "abort", "exit"])
        delay = self.draw.choice([0, 0, 1, 3, 10, 100])
        rank = self.draw.randrange(self.ranks[self.victim])
        jobs = self.begin(self.draw.choice(["start", self.point()]), action, rank, delay)
        self.assert_named(jobs, "ended|did not appear|refused")

    def kill(self) -> None:
        """At any time."""
        self.couple(ENDLESS)
        jobs = self.begin()
        time.sleep(self.draw.random() ** 2)
        jobs[self.victim].signal(signal.SIGKILL)
        self.assert_named(jobs, "ended|did not appear|refused")

    def freeze(self) -> None:
        """It stands still for a while, then it dies."""
        self.couple(ENDLESS)
        jobs = self.begin()
        time.sleep(self.draw.random())
        jobs[self.victim].signal(signal.SIGSTOP)
        time.sleep(2 * self.draw.random())
        jobs[self.victim].signal(signal.SIGKILL)
        self.assert_named(jobs, "ended|did not appear|refused")

    def throw(self) -> None:
        jobs = self.begin(self.point(), "throw", self.draw.randrange(self.ranks[self.victim]))
        self.assert_named(jobs, "an error of its own|the solver diverged|ended early")

    def leave(self) -> None:
        jobs = self.begin(self.draw.choice(["defined", f"before{self.draw.randint(1, 9)}"]), "leave", -1)
        self.assert_named(jobs, "has left the coupling|ended before initialize")

    def garbage(self) -> None:
        """Half of the configuration, as of a copy that was cut off."""
        text = (self.folder / "config.xml").read_text()
        (self.folder / "cut.xml").write_text(text[:self.draw.randrange(len(text) - 1)])
        jobs = self.begin(configs={self.victim: "cut.xml"})
        self.end(jobs)
        self.assert_fails(jobs[self.victim], r"cut\.xml")
        self.assert_named(jobs, "did not appear|ended|cut")

    def other_file(self) -> None:
        (self.folder / "config.xml").rename(self.folder / "mine.xml")
        self.couple(51)
        jobs = self.begin(configs={self.victim: "mine.xml"})
        self.end(jobs)
        self.assert_fails(jobs[self.victim], "another configuration|different configurations")
        self.assert_named(jobs, "another configuration|different configurations")

    def leftovers(self) -> None:
        """Files of who knows whom where participants are announced."""
        self.rendezvous.mkdir()
        title = "isthmus-announcement 1\n"
        text = self.draw.choice(["", "nonsense", title, f"{title}pid x\n"])
        for name in self.draw.sample(self.names, self.draw.randint(1, len(self.names))):
            (self.rendezvous / f"{name}.isthmus").write_text(text)
        self.nothing()

    def full_disk(self) -> None:
        self.couple(50, exports=True)
        (self.folder / "exports").mkdir()
        jobs = self.begin(where={self.victim: FULL})
        self.end(jobs)
        self.assert_fails(jobs[self.victim], "No space left on device")
        self.assert_named(jobs, "No space left on device")

    def cut(self) -> None:
        """Of two hosts; each says of the other one that it does not answer."""
        hosts = [Host(name) for name in NAMES]
        for host in hosts:
            self.addCleanup(host.close)
        join(hosts, "wire", self.draw.choice([IPV4, IPV6]))
        self.couple(ENDLESS, networks={self.chosen[0]: "wire"})
        jobs = self.begin(where={name: host.within for name, host in zip(self.names, hosts, strict=True)})
        time.sleep(3 * self.draw.random())
        hosts[self.draw.randrange(2)].ip("link", "set", "wire", "down")
        self.end(jobs)
        for name in self.names:
            other = next(n for n in self.names if n != name)
            reasons = "does not answer|cannot connect|did not appear|ended before"
            self.assert_fails(jobs[name], f'participant "{other}".*({reasons})|no network interface "wire"')


class Soak:
    def __init__(self, options: argparse.Namespace, kinds: tuple[str, ...]):
        self.options = options
        self.kinds = kinds
        self.end = time.monotonic() + 60 * options.minutes
        self.played: Counter[str] = Counter()
        self.wrong: dict[int, str] = {}
        self.lock = threading.Lock()

    def play(self, number: int) -> None:
        if time.monotonic() > self.end:
            return
        run, result = Run(self.options.seed, number, self.kinds), unittest.TestResult()
        run.run(result)
        with self.lock:
            self.played[run.kind] += 1
            self.note(number, run, result)
            if sum(self.played.values()) % 50 == 0:
                print(f"{sum(self.played.values())} runs, {len(self.wrong)} wrong", flush=True)

    def note(self, number: int, run: Run, result: unittest.TestResult) -> None:
        for _, text in result.failures + result.errors:
            self.wrong[number] = f"{run.kind}: {text}"
            print(f"--- {number}, {self.wrong[number]}", flush=True)

    def left(self) -> set[str]:
        """Shared memory of killed processes that a run does not remove which begins SWEPT seconds later."""
        left = left_behind()
        if left:
            time.sleep(SWEPT)
            run, result = Run(self.options.seed, 0, ("nothing",)), unittest.TestResult()
            run.run(result)
            self.note(-1, run, result)
        return left & left_behind()

    def run(self) -> int:
        numbers = [self.options.only] if self.options.only is not None else range(self.options.runs)
        with ThreadPoolExecutor(self.options.beside) as pool:
            list(pool.map(self.play, numbers))
        left = self.left()
        print(f"{sum(self.played.values())} runs, seed {self.options.seed}: "
              + ", ".join(f"{count} {kind}" for kind, count in sorted(self.played.items())))
        print(f"{len(self.wrong)} went wrong: {sorted(self.wrong)}; left in /dev/shm: {sorted(left)}")
        return 1 if self.wrong or left else 0


def may_mount() -> bool:
    """Whether a program may have mounts of its own; not where the root is no mount, as after chroot."""
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=22)
    parser.add_argument("--minutes", type=float, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--beside", type=int, default=os.cpu_count())
    parser.add_argument("--kinds", choices=KINDS, default="possible")
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    kinds = KINDS[options.kinds]
    if options.kinds != "open" and not (possible() and may_mount()):
        print(f"not tested: this user may not make namespaces here, which {' and '.join(PRIVILEGED)} need")
        if options.kinds == "privileged":
            return 77
        kinds = OPEN
    return Soak(options, kinds).run()


if __name__ == "__main__":
    sys.exit(main())
