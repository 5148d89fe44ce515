// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What this program holds of MPI, counted between the library and MPI.
struct Handles {
  int requests = 0; // of messages
  int communicators = 0;
  int windows = 0;
  friend bool operator==(const Handles&, const Handles&) = default;
};

[[nodiscard]] Handles open_handles();
/// Calls of operator new; 0 in simulations.
[[nodiscard]] long num_allocations();
