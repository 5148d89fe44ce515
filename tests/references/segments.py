# SPDX-License-Identifier: BSD-3-Clause
"""Shared memory that killed processes have left, for tests which ask whether it goes."""

import fcntl
import time
from pathlib import Path


def left_behind():
    """Files of the library in /dev/shm which no process holds; a folder of a test is none."""
    return {entry.name for entry in Path("/dev/shm").glob("isthmus-*") if entry.is_file() and is_free(entry)}


def is_free(path):
    try:
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # it is locked, or has gone
        return False
    return True


def left_since(before, seconds):
    """What was left and was not before. That of other tests goes when the next of their runs begins."""
    left, end = left_behind() - before, time.monotonic() + seconds
    while left and time.monotonic() < end:
        time.sleep(0.1)
        left &= left_behind()
    return left
