// SPDX-License-Identifier: BSD-3-Clause
// Replaces the allocation of this program.
#include "exhaustion.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> left = -1; // allocations until one fails; negative: none does

} // namespace

void exhaust_memory(long after) {
  left = after;
}

void* operator new(std::size_t size) {
  if (left.load(std::memory_order_relaxed) >= 0 && left.fetch_sub(1) == 0) {
    throw std::bad_alloc();
  }
  if (void* const memory = std::malloc(size > 0 ? size : 1)) {
    return memory;
  }
  throw std::bad_alloc();
}

/// Never fails here: who asks like this does without, as sorting of the standard library does.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return std::malloc(size > 0 ? size : 1);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
