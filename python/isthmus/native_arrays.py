# SPDX-License-Identifier: BSD-3-Clause
"""The native module of the coupler, and arrays of the types that its calls take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from isthmus.native import load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Doubles = NDArray[np.float64]
    Ids = NDArray[np.int32]

coupler = load("_participant")


def to_doubles(values: ArrayLike) -> Doubles:
    import numpy as np

    return np.ascontiguousarray(values, dtype=np.float64)


def to_ids(values: ArrayLike) -> Ids:
    import numpy as np

    return np.ascontiguousarray(values, dtype=np.int32)
