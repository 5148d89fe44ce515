// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <span>
#include <vector>

namespace isthmus::mapping {

/// One weight of a mapping: output entry `row` takes `weight` of input entry `column`.
struct Entry {
  LocalIndex row;
  LocalIndex column;
  double weight;
};

/// A mapping as sparse rows: every output vertex is a weighted sum of input vertices. The order
/// within a row is kept as given, so that sums do not depend on how the meshes are distributed.
class Rows {
 public:
  Rows() = default;
  /// Row by row; `counts[i]` entries of row i.
  Rows(std::span<const LocalIndex> counts, std::vector<LocalIndex> columns,
       std::vector<double> weights);

  /// Entries in any order of rows; within a row they keep the order given here.
  [[nodiscard]] static Rows from_entries(LocalIndex num_rows, std::span<const Entry> entries);

  /// Sorts the entries of each row by the coordinates of their columns (interleaved, `dimensions`
  /// each), so that the sum over them does not depend on the numbering.
  void sort_by_place(int dimensions, std::span<const double> column_coordinates);

  /// For inputs of several parts per vertex, one behind the other: entry k of each row, of `parts`,
  /// takes part k of its vertex.
  void take_parts(int parts);

  /// out = rows * in, `components` interleaved values per vertex.
  void apply(int components, std::span<const double> in, std::span<double> out) const;

  [[nodiscard]] LocalIndex num_rows() const {
    return begins_.empty() ? 0 : static_cast<LocalIndex>(begins_.size() - 1);
  }
  [[nodiscard]] std::span<const LocalIndex> begins() const { return begins_; } // num_rows + 1
  [[nodiscard]] std::span<const LocalIndex> columns() const { return columns_; }
  [[nodiscard]] std::span<LocalIndex> columns() { return columns_; }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }

 private:
  void drop_unit_weights(); // where every row is one entry of weight one

  std::vector<LocalIndex> begins_;
  std::vector<LocalIndex> columns_;
  std::vector<double> weights_; // empty if every row is one entry of weight one
};

} // namespace isthmus::mapping
