// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::la {

/// Vectors of this rank one behind the other, zero at first. Loops over many of them read several
/// at a time, and blocks of rows so short that those of all vectors stay in the cache for a next
/// loop.
class Basis {
 public:
  static constexpr std::size_t block_length = 256;

  Basis(std::size_t count, std::size_t length) : length_(length), values_(count * length) {}

  [[nodiscard]] std::span<double> operator[](std::size_t j) {
    return std::span(values_).subspan(j * length_, length_);
  }
  [[nodiscard]] std::size_t length() const { return length_; }

  /// w += sum of factors[j] times vector j, for the rows first…last-1.
  void add_to(std::span<double> w, std::span<const double> factors, std::size_t first,
              std::size_t last) const;
  /// sums[j] += product of vector j with w over these rows; as many as there are sums.
  void add_products(std::span<const double> w, std::span<double> sums, std::size_t first,
                    std::size_t last) const;
  /// The same with another vector at once; as many sums.
  void add_products(std::span<const double> w, std::span<double> sums,
                    std::span<const double> other, std::span<double> other_sums, std::size_t first,
                    std::size_t last) const;

  /// Calls work(first, last) for blocks of rows.
  template <typename Work>
  void in_blocks(Work&& work) const {
    for (std::size_t first = 0; first < length_; first += block_length) {
      work(first, std::min(length_, first + block_length));
    }
  }

 private:
  std::size_t length_;
  std::vector<double> values_;
};

} // namespace isthmus::la
