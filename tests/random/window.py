# SPDX-License-Identifier: BSD-3-Clause
"""A coupling scheme's time window as one participant sees it: when it ends, who leads, what comes next."""

import numpy as np

ENORMOUS = np.finfo(float).max


class Window:
    def __init__(self, number, scheme, name):
        self.number, self.scheme = number, scheme
        serial = scheme.kind.startswith("serial")
        self.second = serial and scheme.members[1] == name
        self.leads = scheme.implicit and scheme.leader == name
        self.count, self.start, self.ongoing = 0, 0.0, True
        self.dictates = scheme.dictated and not self.second
        self.size = None  # of a dictated window
        self.behind = 0.0  # of the clock by which single samples are picked, beside an implicit scheme

    @property
    def end(self):
        if self.scheme.dictated:
            end = ENORMOUS if self.size is None else self.start + self.size
        else:
            end = (self.count + 1) * self.scheme.window
        return min(end, self.scheme.max_time) if self.scheme.max_time else end

    def is_due(self, time):
        return self.ongoing and abs(self.end - time) < 1e-9

    def open_next(self):
        self.start = self.end
        self.count += 1
        self.size = None
        late = self.scheme.max_time and self.start > self.scheme.max_time - 1e-9
        self.ongoing = not (late or (self.scheme.windows and self.count >= self.scheme.windows))
