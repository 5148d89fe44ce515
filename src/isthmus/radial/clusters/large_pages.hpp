// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace isthmus::radial {

/// Asks the system for large pages in memory that was allocated and is still to be written: of many
/// megabytes, the first access to each small page takes as long as the work. Only a hint.
void use_large_pages(void* begin, std::size_t bytes);

} // namespace isthmus::radial
