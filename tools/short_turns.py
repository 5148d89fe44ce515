#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""short_turns.py COMMAND…: runs a command whose processes ask for short turns on the processor.

Ranks that share a processor wait for each other. A rank that asks for a tenth of a millisecond is preferred
to a compiler that computes for whole turns (Linux, 6.12 or newer: sched_setattr(2), "custom time slice"). It
does not get more of the processor. On another kernel the command runs as it is."""

import ctypes
import os
import platform
import struct
import sys

ATTRIBUTES = "IIQiIQQQ"  # size, policy, flags, nice, priority, runtime in ns, deadline, period
SET, GET = {"x86_64": (314, 315), "aarch64": (274, 275)}.get(platform.machine(), (None, None))
TURN = 100_000  # ns


def ask_for(turn_in_ns: int) -> None:
    if SET is None or os.sched_getscheduler(0) != os.SCHED_OTHER:
        return
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    wish = struct.pack(ATTRIBUTES, struct.calcsize(ATTRIBUTES), os.SCHED_OTHER, 0, nice, 0, turn_in_ns, 0, 0)
    ctypes.CDLL(None).syscall(SET, 0, wish, 0)


def turn() -> int | None:
    """The turn of this process in ns, where the kernel says it."""
    if GET is None:
        return None
    size = struct.calcsize(ATTRIBUTES)
    said = ctypes.create_string_buffer(size)
    if ctypes.CDLL(None).syscall(GET, 0, said, size, 0):
        return None
    return struct.unpack(ATTRIBUTES, said.raw)[5] or None


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ask_for(TURN)
    os.execvp(sys.argv[1], sys.argv[1:])
