# SPDX-License-Identifier: BSD-3-Clause
"""Figures of others that ours stand beside, each with its source."""

from __future__ import annotations

from dataclasses import dataclass

PAPER = "Totounferoush et al. 2021, doi 10.3390/a14060166"
# These were measured on another day; what can be, is measured in the same run instead: see peer.py.
PEER = ("preCICE 3.4.1, release build, two cores of an AMD EPYC (Zen 5 class), TCP over loopback, "
        "quoted of 2026-11-21")
PEER_STEP = f"{PEER}; 80 us then, 50 to 60 us on other days, with cores awake"  # the source of PEER_LATENCY

# Table 2 of PAPER: ranks of B, A -> lost triangles of M4, of M6 under vertex-based partitioning
LOST_TRIANGLES = {
    (192, 576): (44_244, 90_195),
    (384, 1152): (62_003, 154_358),
    (768, 2304): (86_085, 246_937),
    (1536, 4608): (118_313, 376_108),
    (3072, 9216): (165_085, 552_797),
    (6144, 18432): (230_556, 797_042),
}

# Table 3 of PAPER: mesh -> ranks of B, ranks of A
WEAK_SCALING = {"M1": (26, 78), "M2": (192, 528), "M3": (336, 1008), "M4": (624, 1872), "M5": (1536, 4608),
                "M6": (3072, 9216)}


@dataclass(frozen=True)
class Peer:
    """One rank each, family B to family A, scalar and vector, consistent, parallel-explicit; quoted
    ones are minima."""

    initialize: float  # s, at A
    initialize_cpu: float  # s, at A
    initialize_b: float  # s, at B
    advance: float  # s, at A
    read: float  # s, at A
    memory_a: float  # MB, peak
    memory_b: float
    l2: float  # root of the mean square error of the scalar 0.78 + cos(10 (x + y + z)) at A
    max: float


NN, NP = "nearest-neighbor", "nearest-projection"
C6, SPLINES = "compact-polynomial-c6", "thin-plate-splines"
PEER_BLADE = {
    ("M1", NN): Peer(0.021, 0.017, 0.007, 0.388e-3, 0.079e-3, 51, 49, 0.00708, 0.0246),
    ("M1", NP): Peer(0.131, 0.084, 0.066, 0.536e-3, 0.077e-3, 65, 58, 0.000329, 0.0106),
    ("M2", NN): Peer(0.134, 0.121, 0.027, 4.794e-3, 0.574e-3, 103, 90, 0.00277, 0.0103),
    ("M2", NP): Peer(0.926, 0.595, 0.456, 5.088e-3, 0.578e-3, 193, 145, 6.94e-05, 0.00391),
    ("M3", NN): Peer(0.275, 0.254, 0.051, 10.374e-3, 1.199e-3, 164, 136, 0.00196, 0.00785),
    ("M3", NP): Peer(1.859, 1.199, 0.93, 11.028e-3, 1.193e-3, 343, 248, 4.03e-05, 0.00302),
    ("M4", NN): Peer(0.527, 0.488, 0.094, 21.833e-3, 2.367e-3, 274, 222, 0.00142, 0.00551),
    ("M4", NP): Peer(3.702, 2.448, 1.797, 21.372e-3, 2.280e-3, 615, 435, 2.39e-05, 0.00214),
    ("M5", NN): Peer(1.541, 1.431, 0.241, 51.396e-3, 5.900e-3, 653, 517, 0.000874, 0.00348),
    ("M5", NP): Peer(11.060, 7.584, 4.941, 56.616e-3, 5.993e-3, 1556, 1084, 1.11e-05, 0.00131),
    ("M6", NN): Peer(2.742, 2.555, 0.427, 92.829e-3, 10.731e-3, 1138, 893, 0.000653, 0.00252),
    ("M6", NP): Peer(20.935, 14.562, 9.616, 100.850e-3, 10.627e-3, 2740, 1858, 7.04e-06, 0.00097),
}

# partition of unity, clusters of 50 vertices, C6 with support 0.05 or splines; 0: not recorded
PEER_PUM = {
    ("M1", C6): Peer(0.184, 0, 0, 45.9e-3, 0, 159, 0, 6.93e-07, 1.23e-05),
    ("M1", SPLINES): Peer(0.256, 0, 0, 77.0e-3, 0, 164, 0, 4.78e-06, 7.32e-05),
    ("M2", C6): Peer(1.32, 0, 0, 255e-3, 0, 681, 0, 2.86e-08, 1.11e-06),
}

# (mesh, mapping, initialization) -> ranks of B, A -> seconds of A's initialize, recursive bisection, all
# ranks on two cores
PEER_RANKS = {
    ("M3", NP, "one-level"): {(1, 1): 1.9, (2, 6): 3.9, (4, 12): 5.0, (8, 24): 9.1},
    ("M3", NP, "two-level"): {(2, 6): 2.9, (4, 12): 3.1, (8, 24): 3.6},
    ("M4", NN, "one-level"): {(1, 1): 0.53, (2, 6): 1.06, (4, 12): 0.96, (8, 24): 1.15},
    ("M4", NN, "two-level"): {(2, 6): 0.68, (4, 12): 0.65, (8, 24): 0.76},
    ("M4", NP, "one-level"): {(1, 1): 3.7, (2, 6): 7.3, (4, 12): 11.4, (8, 24): 17.1},
    ("M4", NP, "two-level"): {(2, 6): 5.3, (4, 12): 5.7, (8, 24): 7.0},
}

PEER_LATENCY = 50e-6  # s, advance of one vertex, serial-explicit, on its best day
PEER_STEP_100K = 2.4e-3  # s, advance of 100,000 vertices, explicit, nearest neighbour, best
PEER_STEP_BYTES_PER_S = 0.5e9  # of those 100,000 values each way
PEER_MILLION = (2.7, 375.0, 150.0)  # nearest neighbour both ways: s to initialize, B per vertex of A, of B
PEER_QUASI_NEWTON = {(7, 2): 98}  # columns, ranks -> reductions of one advance with two measures
PEER_NEWTON_STEP = {0: 36e-3, 5: 104e-3}  # reused windows -> s, advance of 100,000 vertices, median
PEER_STRIP_PARTNERS = 17  # of 32 ranks, strips against strips

TARGET = "target of this project"
ALLOWED = "limit:"  # sources of what is allowed, which nobody has reached, begin with this or with TARGET
TARGET_ROUND_TRIP = 1.25  # advance of one value over the raw round trip
TARGET_ITERATION = 2  # advance of one value, implicit, over the raw round trip
TARGET_NEWTON_STEP = 1 / 3  # of the peer's
TARGET_STEP_BYTES_PER_S = 2e9  # of 100,000 values each way
TARGET_MILLION = (0.35, 100.0)  # nearest neighbour both ways: s, B per vertex
TARGET_PUM_SETUP = 1 / 2  # of the peer's, partition of unity
TARGET_PUM_STEP = 1 / 10
TARGET_SENT = 64  # messages sent by any rank to find 8 partners among 4,096 ranks
TARGET_STRIP_BYTES = 1.3  # over the payload

EDGECFD = "Elias, Camata, Aveleda, Coutinho 2009"
NUSSELT_LIMIT = 3.088  # of the finite differences of the kit on finer and finer grids
TARGET_HALO = {8: 1.05, 100_000: 1.0}  # values -> time over the same exchange by hand
LAYERED = "Lin and others, damBreak, original over optMULES + PiPePCG"
LAYERED_BEST = 24.16 / 14.94  # least times
LAYERED_KNEE = 768 / 192  # where they are
MARTIN = ("Martin and Moyce (1952), doi:10.1098/rsta.1952.0006, table 2: 2.25 inches wide, twice as high, "
          "as quoted by Ocellaris")
# widths of the column over time sqrt(width / (2 gravity)), which for this column is theirs
MARTIN_FRONT = ((0.41, 1.11), (0.84, 1.22), (1.19, 1.44), (1.43, 1.67), (1.63, 1.89), (1.83, 2.11),
                (1.98, 2.33), (2.20, 2.56), (2.32, 2.78), (2.51, 3.00), (2.65, 3.22), (2.83, 3.44),
                (2.98, 3.67), (3.11, 3.89), (3.33, 4.11))
MARTIN_SLOPE = 1.6 / (2.934 - 1.730)  # from 2 to 3.6 widths, between the lines of the table
