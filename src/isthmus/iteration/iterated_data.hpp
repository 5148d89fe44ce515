// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/iterated_field.hpp"
#include "isthmus/acceleration/unknowns.hpp"
#include "isthmus/base/twofold.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/fields/field.hpp"
#include "isthmus/iteration/sample_queue.hpp"
#include "isthmus/time/waveform.hpp"

#include <optional>
#include <span>
#include <vector>

namespace isthmus::iteration {

/// The fields of an implicit scheme as its iteration sees them: x_k, which the solvers were given,
/// and H(x_k), which they answered, both on one grid of times.
class IteratedData {
 public:
  struct Entry {
    fields::Field* field;
    bool all_samples;                   // of a window, or its last one only
    bool is_received;                   // or sent by the participant itself
    acceleration::IteratedField layout; // its sizes and what follows are found out by forget()
    acceleration::Unknowns unknowns{layout};
    std::vector<double> grid = {};  // times of the samples, of the window from 0 to 1
    time::Waveform previous = {};   // x_k
    std::vector<double> input = {}; // on the grid
    std::vector<double> output = {};
  };

  /// The position of a field, if it is known.
  [[nodiscard]] std::optional<std::size_t> find(const fields::Field& field) const;
  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& operator[](std::size_t i) const { return entries_[i]; }

  /// The fields have other vertices, or nothing was iterated yet: x_0 is zero.
  void forget(double time);
  /// After forget(): x_0 of what the participant itself sends is what the fields hold now.
  void start();
  /// The grid of the window that begins at `start`; if it is to stay, that of the first window.
  /// Whether it is another one than before.
  [[nodiscard]] bool lay_out(double start, bool stays);
  /// Evaluates x_k and H(x_k) on the grid.
  void gather(double start);
  /// As gather() left the first ones.
  void list_iterates(std::size_t count, std::vector<acceleration::Iterate>& iterates);
  /// Appends |H(x_k) - x_k|² and |H(x_k)|² of a field on this rank, after gather().
  void push_squares(std::size_t i, std::vector<double>& scratch, std::vector<Twofold>& sums);
  /// Replaces what the first fields hold by the outputs of the window that begins at `start`.
  void put_back(double start, std::size_t count);
  /// What the fields hold is x_k of the next iteration, or of the next window.
  void remember(double start, bool window_done);

  /// By field: samples of the grid on this rank.
  [[nodiscard]] std::vector<int> grid_sizes() const;
  /// Collective. The times of all grids, one after the other, of which the ranks have agreed on the
  /// sizes: those without values do not know them.
  [[nodiscard]] std::vector<double> agreed_grids(const comm::Comm& comm,
                                                 std::span<const int> sizes) const;
  /// Keeps x_k at the end of a window.
  void save(SampleQueue& kept) const;
  /// After start(): goes on at `time`.
  void restore(std::span<const int> sizes, std::span<const double> grids, double time,
               SampleQueue& kept);

 private:
  std::vector<Entry> entries_;
  bool is_start_ = true; // nothing has been remembered since x_0
  bool is_laid_out_ = false;
  std::vector<double> times_;
};

} // namespace isthmus::iteration
