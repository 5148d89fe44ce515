// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/quasi_newton/gram.hpp"
#include "isthmus/acceleration/residual.hpp"
#include "isthmus/base/twofold.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::acceleration {

/// The columns of a quasi-Newton method, newest first: V, differences of residuals, and W, the
/// differences of outputs that belong to them. Keeps all products of columns: one new column costs
/// one pass over V.
class Secants {
 public:
  void initialize(std::vector<EquationRange> blocks, std::size_t rows, std::size_t output_rows);

  /// A new first column: v and w are to be filled before measure().
  struct Column {
    std::span<double> v;
    std::span<double> w;
  };
  [[nodiscard]] Column push();

  /// Appends the products of all columns with the residual, and with the first column if it is new.
  void measure(std::span<const double> residual, std::vector<Twofold>& sums);
  void absorb(std::span<const Twofold> sums);

  /// |v|² of the first column in a block.
  [[nodiscard]] double newest_square(std::size_t block) const {
    return gram_.between(block, order_.front(), order_.front()).value;
  }
  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Columns of the current window, which are the first.
  [[nodiscard]] std::size_t recent() const;
  [[nodiscard]] std::span<const double* const> v() const { return v_; }
  [[nodiscard]] std::span<const double* const> w() const { return w_; }
  [[nodiscard]] std::span<double> w(std::size_t column) { return slots_[order_[column]].w; }
  /// Copies the newest w, which is about to be changed.
  void remember_newest_w() {
    slots_[order_.front()].first_w = slots_[order_.front()].w;
    remembers_ = true;
  }
  [[nodiscard]] std::span<const double> first_w(std::size_t column) const {
    return slots_[order_[column]].first_w;
  }

  /// Weighted products of the first n columns, n × n, with each other; and with the residual.
  void weigh(std::span<const double> weights, std::size_t n, std::vector<Twofold>& gram,
             std::vector<Twofold>& rhs) const;

  /// Removes all columns but these (ascending); returns how many.
  int keep(std::span<const std::size_t> columns);
  void drop_newest();
  /// Removes all columns from this one on; returns how many.
  int truncate(std::size_t columns);
  /// Removes columns older than that many windows, of which only those with columns count; returns
  /// how many.
  int complete_window(int windows);

  struct Saved {
    std::vector<double> shared; // ages and products, the same on all ranks
    std::vector<double> v;      // columns, one after the other
    std::vector<double> w;
    std::vector<double> first_w; // of no column or of all
  };
  [[nodiscard]] Saved save() const;
  void restore(std::span<const double> shared, std::span<const double> v, std::span<const double> w,
               std::span<const double> first_w);
  /// Of the columns that save() gives as first_w.
  [[nodiscard]] std::size_t num_remembered() const { return remembers_ ? size() : 0; }

 private:
  struct Slot {
    std::vector<double> v;
    std::vector<double> w;
    std::vector<double> first_w; // where remembered
    int age = 0;                 // completed windows with columns since
  };

  [[nodiscard]] std::size_t take_slot();
  void list();
  std::vector<EquationRange> blocks_;
  std::size_t rows_ = 0;
  std::size_t output_rows_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::size_t> free_;  // slots
  std::vector<std::size_t> order_; // slots, newest first
  std::vector<const double*> v_;   // in order
  std::vector<const double*> w_;
  Gram gram_;
  bool fresh_ = false;     // the first column has no products yet
  bool remembers_ = false; // first_w of all columns
  std::size_t first_sum_ = 0;
};

} // namespace isthmus::acceleration
