#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a cluster for SimGrid: simulated_platform.py RANKS DIRECTORY [--cores 48] [--latency 250]
[--bandwidth 12.3] [--flat]

DIRECTORY/platform.xml is a two-level fat tree with full bisection whose links have the bandwidth and
latency of an Omni-Path class network (12.3 GB/s, 1.0 to 1.6 us between nodes for 8 bytes), if not said;
DIRECTORY/hosts places RANKS ranks on nodes of `cores` cores. --flat: one switch for all nodes, 12.5 GB/s,
1 us to it, 0.5 us through it, 1 us from it. Plausible, not calibrated: compare algorithms with it, do not
predict machines.
"""

import argparse
import math
from pathlib import Path

LEAF = 24  # nodes per leaf switch, and links up from it

CLUSTER = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node-" suffix="" radical="0-{last}" speed="20Gf" core="{cores}"
           bw="{bandwidth}GBps" lat="{latency}ns" loopback_bw="40GBps" loopback_lat="150ns"
           topology="FAT_TREE" topo_parameters="2;{leaf},{leaves};1,{leaf};1,1"/>
</platform>
"""

FLAT = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node-" suffix="" radical="0-{last}" speed="20Gf" core="{cores}"
           bw="12.5GBps" lat="1us" loopback_bw="40GBps" loopback_lat="150ns"
           bb_bw="1e6GBps" bb_lat="500ns" bb_sharing_policy="FATPIPE"/>
</platform>
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ranks", type=int)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--cores", type=int, default=48, help="per node (default 48)")
    parser.add_argument("--latency", type=int, default=250, help="of a link, nanoseconds (default 250)")
    parser.add_argument("--bandwidth", type=float, default=12.3, help="of a link, GB/s (default 12.3)")
    parser.add_argument("--flat", action="store_true", help="one switch for all nodes")
    arguments = parser.parse_args()
    nodes = math.ceil(arguments.ranks / arguments.cores)
    leaves = math.ceil(nodes / LEAF)
    shape = FLAT if arguments.flat else CLUSTER
    cluster = shape.format(last=leaves * LEAF - 1, cores=arguments.cores, leaf=LEAF, leaves=leaves,
                           latency=arguments.latency, bandwidth=arguments.bandwidth)
    hosts = "".join(f"node-{node}:{arguments.cores}\n" for node in range(nodes))
    (arguments.directory / "platform.xml").write_text(cluster)
    (arguments.directory / "hosts").write_text(hosts)


if __name__ == "__main__":
    main()
