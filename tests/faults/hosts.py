# SPDX-License-Identifier: BSD-3-Clause
"""Hosts with networks and names of their own, which are namespaces of this one, and wires between them."""

import subprocess

NAMES = "isthmus-one", "isthmus-two"
IPV4, IPV6, LINK = "IPv4", "IPv6", "IPv6 of the link"
ENTER = ["nsenter", "--net", "--uts", "--target"]


def call(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


class Host:
    """It is there until it is closed, or this process has ended."""

    def __init__(self, name: str):
        lives = f"hostname {name}; echo; cat"
        self.keeper = subprocess.Popen(["unshare", "--net", "--uts", "sh", "-c", lives],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.keeper.stdout
        if not self.keeper.stdout.readline():
            raise OSError("no namespaces")
        self.within = [*ENTER, str(self.keeper.pid)]
        self.ip("link", "set", "lo", "up")

    def ip(self, *words: str) -> None:
        call(*self.within, "ip", *words)

    def close(self) -> None:
        self.keeper.communicate()


def join(hosts: list[Host], wire: str, kind: str, number: int = 1) -> None:
    """A wire between both, whose two ends have the same name."""
    one, two = hosts
    one.ip("link", "add", wire, "type", "veth", "peer", "name", wire, "netns", str(two.keeper.pid))
    for end, host in enumerate(hosts, 1):
        host.ip("link", "set", wire, "addrgenmode", "none")
        if kind == IPV4:
            host.ip("address", "add", f"10.77.{number}.{end}/24", "dev", wire)
        else:
            network = f"fd77:{number}::" if kind == IPV6 else "fe80::"
            host.ip("address", "add", f"{network}{end}/64", "dev", wire, "nodad")
        host.ip("link", "set", wire, "up")


def possible() -> bool:
    try:
        Host("isthmus-try").close()
    except (OSError, subprocess.CalledProcessError):
        return False
    return True
