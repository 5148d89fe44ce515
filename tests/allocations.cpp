// SPDX-License-Identifier: BSD-3-Clause
#include "allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

extern "C" std::size_t malloc_usable_size(
    void* memory); // malloc.h is one with the simulator's macros

namespace {

thread_local long allocations = 0;
std::atomic<long> held = 0; // bytes

} // namespace

long num_allocations() {
  return allocations;
}

long bytes_allocated() {
  return held;
}

#ifndef ISTHMUS_SIMULATED // there, operator new is the simulator's, too
namespace {

void* allocate(std::size_t size) {
  ++allocations;
  void* const memory = std::malloc(size);
  held.fetch_add(static_cast<long>(malloc_usable_size(memory)), std::memory_order_relaxed);
  return memory;
}

void release(void* memory) {
  held.fetch_sub(static_cast<long>(malloc_usable_size(memory)), std::memory_order_relaxed);
  std::free(memory);
}

} // namespace

void* operator new(std::size_t size) {
  if (void* const memory = allocate(size)) {
    return memory;
  }
  throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(size);
}

void operator delete(void* memory) noexcept {
  release(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
#endif
