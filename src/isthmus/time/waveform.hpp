// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <span>
#include <vector>

namespace isthmus::time {

/// Two times are the same if rounding alone can have separated them. `scale`: a typical time.
[[nodiscard]] bool same_time(double a, double b, double scale);

/// The values of one data field within one time window: samples at ascending times, each of the
/// same length, interpolated by a B-spline of at most the given degree through all of them (lower
/// where there are too few samples), constant outside. Storage of dropped samples is used again: a
/// window with as many samples as the last one allocates nothing.
class Waveform {
 public:
  Waveform() = default;
  Waveform(std::size_t size, int degree) : size_(size), degree_(degree) {}

  /// Drops all samples; every sample has `size` values from now on.
  void reset(std::size_t size);
  /// A new last sample; its values are to be filled. `time` must be later than the last.
  [[nodiscard]] std::span<double> append(double time);
  /// The same with values at hand, without a copy.
  void append(double time, std::vector<double>&& values);
  /// Storage for the values of one sample, used before where possible; contents unspecified.
  [[nodiscard]] std::vector<double> take_storage();
  /// Drops all samples and keeps their storage.
  void clear();
  /// Keeps the last sample only: the start of the next window.
  void keep_last();
  /// Drops samples that are not later than `time`.
  void drop_until(double time);
  /// Drops samples earlier than `time`, but not the last one.
  void drop_before(double time);
  /// Drops samples later than `time`.
  void drop_after(double time);
  /// Corrects the time of the last sample (sums of steps differ in their last bits).
  void set_last_time(double time) { used_.back().time = time; }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] int degree() const { return degree_; }
  [[nodiscard]] std::size_t num_samples() const { return used_.size(); }
  [[nodiscard]] bool empty() const { return used_.empty(); }
  /// The first sample later than `time`, num_samples() if there is none.
  [[nodiscard]] std::size_t first_after(double time) const;
  /// The first sample that is not earlier than `time`, the last one if there is none.
  [[nodiscard]] std::size_t first_from(double time) const;
  [[nodiscard]] double time(std::size_t i) const { return used_[i].time; }
  [[nodiscard]] std::span<const double> values(std::size_t i) const { return used_[i].values; }
  [[nodiscard]] std::span<double> values(std::size_t i) { return used_[i].values; }

  /// Values at `time` of the entries `ids`, `components` values each, into `out`; empty ids: of all
  /// entries in order.
  void evaluate(double time, std::span<const LocalIndex> ids, int components,
                std::span<double> out) const;

 private:
  struct Sample {
    double time = 0;
    std::vector<double> values;
  };

  [[nodiscard]] std::vector<double> spline_weights(double time, int degree) const;

  std::size_t size_ = 0;
  int degree_ = 1;
  std::vector<Sample> used_;
  std::vector<Sample> spare_; // storage for later samples
};

} // namespace isthmus::time
