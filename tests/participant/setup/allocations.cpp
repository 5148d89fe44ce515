// SPDX-License-Identifier: BSD-3-Clause
#include "participant/setup/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local long allocations = 0;

} // namespace

long couple::num_allocations() {
  return allocations;
}

void* operator new(std::size_t n) {
  ++allocations;
  if (void* memory = std::malloc(n)) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
