# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for the C++ program bench_step: advance() takes 500 µs, the raw transport 100 µs."""

import sys

transport, vertices, largest = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
print("transport,case,vertices,windows,raw_us,raw_median_us,advance_us,advance_median_us,window_us,allocations")
while vertices <= largest:
    for case in ("ping-pong", "iteration", "one-way", "two-way"):
        print(f"{transport},{case},{vertices},20,100,110,500,510,600,{0 if transport == 'tcp' else 3}")
    vertices *= 10
