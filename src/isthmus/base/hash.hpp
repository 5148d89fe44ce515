// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace isthmus {

/// A number of which every bit depends on each bit of `value`: the last steps of SplitMix64
/// (Steele, Lea, Flood 2014, doi 10.1145/2660193.2660195).
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

/// In [-1, 1): says nothing about the numbers beside it, and is the same wherever it is asked.
[[nodiscard]] constexpr double noise_of(std::uint64_t number) {
  return static_cast<double>(mixed(number * 0x9E3779B97F4A7C15U) >> 11U) * 0x1p-52 - 1;
}

/// Local. A hash of a list of 64-bit numbers (a cell, a place), the same wherever it is asked.
/// Places that are equal have the same: -0 is 0.
template <typename Number>
[[nodiscard]] std::uint64_t list_hash(std::span<const Number> numbers) {
  static_assert(sizeof(Number) == sizeof(std::uint64_t));
  std::uint64_t hash = 0;
  for (const Number number : numbers) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(number + Number{})) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

/// Local. Which of so many ranks a list is dealt to by list_hash(): about as many lists to each.
template <typename Number>
[[nodiscard]] int dealt_rank(std::span<const Number> numbers, int ranks) {
  return static_cast<int>(list_hash(numbers) % static_cast<std::uint64_t>(ranks));
}

/// The hash of Fowler, Noll and Vo (FNV-1a, doi 10.17487/RFC9923) of what was added, in its order.
class FowlerNollVo {
 public:
  void add(std::uint64_t number) { value_ = (value_ ^ number) * 1099511628211U; }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037U;
};

} // namespace isthmus
