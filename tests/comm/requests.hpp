// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Requests that this rank started and did not complete, counted between the library and MPI.
[[nodiscard]] int open_requests();

/// Windows and communicators that exist, counted in the same way.
[[nodiscard]] int open_handles();
