// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/exchange/bricks.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::exchange {

/// Particles of one rank: a number that is unique among all ranks, a position and any attributes,
/// each in a column of its own. The owned ones come first, ascending by number; behind them ghosts,
/// ghosts of what others own, ascending by owner, then number.
class Particles {
 public:
  Particles() = default;

  /// Adds an attribute of `components` values of T per particle, 0 so far, and returns its number.
  /// All ranks add the same in the same order.
  template <Plain T>
  int add(int components = 1) {
    return add_column(sizeof(T) * static_cast<std::size_t>(components));
  }
  /// Adds an owned particle, attributes 0, and returns its row. Ghosts are lost; the order is made
  /// by the next migration.
  LocalIndex insert(GlobalIndex id, const Position& at);
  /// Removes the owned particles whose rows are named, ascending. Ghosts are lost.
  void erase(std::span<const LocalIndex> rows);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t num_owned() const { return num_owned_; }
  [[nodiscard]] std::size_t num_ghosts() const { return size_ - num_owned_; }
  [[nodiscard]] std::span<const GlobalIndex> ids() const { return ids_; }
  [[nodiscard]] std::span<const int> owners() const { return owners_; }
  [[nodiscard]] std::span<const Position> positions() const { return positions_; }
  [[nodiscard]] std::span<Position> positions() { return positions_; }
  /// Values of an attribute, particle by particle, ghosts included. T as when it was added.
  template <Plain T>
  [[nodiscard]] std::span<T> values(int attribute) {
    Column& column = columns_[static_cast<std::size_t>(attribute)];
    check(column.width % sizeof(T) == 0, "attribute {} has {} bytes per particle, which are no {}",
          attribute, column.width, "values of that type");
    return {reinterpret_cast<T*>(column.bytes.data()), column.bytes.size() / sizeof(T)};
  }
  /// Bytes of all that belongs to one particle.
  [[nodiscard]] std::size_t record_size() const;

 private:
  friend class Migration;
  struct Column {
    std::size_t width; // bytes per particle
    std::vector<std::byte> bytes;
    std::vector<std::byte> scratch;
  };
  /// Where a row of the next state is now.
  struct Row {
    GlobalIndex id;
    int owner;
    LocalIndex from;
  };

  int add_column(std::size_t width);
  void resize(std::size_t size);
  /// Copies a row into a record, which names `owner`.
  void pack(std::size_t row, int owner, std::span<std::byte> record) const;
  /// Appends a row from a record.
  void unpack(std::span<const std::byte> record);
  /// Makes these the rows, in this order.
  void arrange(std::span<const Row> owned, std::span<const Row> ghosts);

  std::size_t size_ = 0;
  std::size_t num_owned_ = 0;
  std::vector<GlobalIndex> ids_;
  std::vector<int> owners_;
  std::vector<Position> positions_;
  std::vector<Position> position_scratch_;
  std::vector<Column> columns_;
};

} // namespace isthmus::exchange
