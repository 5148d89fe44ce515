// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// What this program holds of MPI, counted between the library and MPI. It fails at MPI_Finalize()
/// if anything is left then.
struct Handles {
  int requests = 0; // of messages
  int communicators = 0;
  int windows = 0;
  friend bool operator==(const Handles&, const Handles&) = default;
};

[[nodiscard]] Handles open_handles();
/// With how many different tags messages have been sent so far.
[[nodiscard]] std::size_t num_tags();

/// What a test of failures leaves behind is no leak; the first variable of such a test.
struct MayLeak {
  ~MayLeak();
};
