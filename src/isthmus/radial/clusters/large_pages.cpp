// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/large_pages.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace isthmus::radial {

void use_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + page - 1) / page * page;
  const std::uintptr_t last = (address + bytes) / page * page;
  if (first < last) {
    (void)::madvise(static_cast<char*>(begin) + (first - address), last - first, MADV_HUGEPAGE);
  }
#endif
}

} // namespace isthmus::radial
