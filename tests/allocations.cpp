// SPDX-License-Identifier: BSD-3-Clause
#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local long allocations = 0;

} // namespace

long num_allocations() {
  return allocations;
}

#ifndef ISTHMUS_SIMULATED // there, operator new is the simulator's, too
void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size)) {
    return memory;
  }
  throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++allocations;
  return std::malloc(size);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif
