# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for the C++ program bench_files: ours takes 0.2 s, a row at a time 4 s, one header
0.1 s, the others 0.4 s."""

import sys

mode, blocks = sys.argv[1], int(sys.argv[2])
print("ranks,blocks,what,way,calls,bytes,seconds,low,high,runs")
if mode == "overlap":
    for way, time in (("synchronous", 0.2), ("copied", 0.05), ("lent", 0.001)):
        print(f"2,{blocks},overlap,{way},2,1000,{time},{time},{time},30")
    for way, share in (("copied", 0.25), ("lent", 0.005)):
        print(f"2,{blocks},share,{way},2,1000,{share},{share},{share},30")
else:
    for what in ("count",) if mode == "count" else ("cache", "disk"):
        for way, calls, time in (("gathered", blocks, 0.4), ("rows", 100 * blocks, 4),
                                 ("blocks", blocks, 0.4), ("restructured", blocks, 0.1),
                                 ("collective", 2, 0.2)):
            print(f"2,{blocks},{what},{way},{calls},{2000 if way in ('rows', 'blocks') else 1000},"
                  f"{time},{time},{time},30")
    print(f"2,{blocks},read,collective,2,1000,0.1,0.1,0.1,30")
