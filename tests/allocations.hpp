// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Calls of operator new by this thread; 0 in simulations.
[[nodiscard]] long num_allocations();
/// Bytes that are held by operator new, of all threads; 0 in simulations.
[[nodiscard]] long bytes_allocated();
