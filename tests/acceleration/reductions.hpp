// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Reductions that this rank started, counted between the library and MPI.
[[nodiscard]] int num_reductions();
