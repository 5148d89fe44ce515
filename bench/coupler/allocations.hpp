// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

/// Counts what a program of one source file allocates: it replaces operator new.
static std::atomic<long> allocations{0};

void* operator new(std::size_t n) {
  allocations.fetch_add(1, std::memory_order_relaxed);
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
