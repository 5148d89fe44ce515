# SPDX-License-Identifier: BSD-3-Clause
"""Shared memory of the library by name, for tests which ask what was left there."""

import time
from pathlib import Path


def segments():
    """Files of the library in /dev/shm; folders of tests, which may lie there too, are none."""
    return {entry.name for entry in Path("/dev/shm").glob("isthmus-*") if entry.is_file()}


def left_since(before, seconds):
    """What is there and was not before. Programs that run beside a test have something there for a moment."""
    left, end = segments() - before, time.monotonic() + seconds
    while left and time.monotonic() < end:
        time.sleep(0.1)
        left &= segments()
    return left
