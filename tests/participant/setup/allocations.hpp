// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace couple {

/// Calls of operator new by this thread.
[[nodiscard]] long num_allocations();

} // namespace couple
