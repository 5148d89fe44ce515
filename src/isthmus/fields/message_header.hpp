// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transfer/changes.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::fields {

// A header holds 8-byte words: how many they are, what the participant has to say about meshes that
// it has reset, if that is so, and per item the number of samples and their times. A notice has
// nothing but changes.

/// The header of a message that leaves.
class OutgoingHeader {
 public:
  /// `changes`: to be sent, or null. `is_notice`: no data follow.
  void begin(const transfer::Changes* changes, bool is_notice);
  void add_count(std::size_t num_samples);
  void add_time(double time) { words_.push_back(time); }
  void end();

  [[nodiscard]] std::size_t size() const { return words_.size(); } ///< words
  /// Writes what is left of it to the front of `words`; returns what is left of those.
  [[nodiscard]] std::span<double> fill(std::span<double> words);

 private:
  std::vector<double> words_;
  std::size_t sent_ = 0;
};

/// The header of a message that arrives. Throws Error where it is broken.
class IncomingHeader {
 public:
  /// Of a message of so many words.
  void begin(std::size_t message_words);
  /// Takes what belongs to it off the front of `words`; returns the rest.
  [[nodiscard]] std::span<const double> take(std::span<const double> words);
  [[nodiscard]] bool is_complete() const { return size_ > 0 && words_.size() == size_; }

  // Of one that is complete:
  [[nodiscard]] std::size_t size() const { return size_; } ///< words
  [[nodiscard]] bool is_notice() const { return is_notice_; }
  [[nodiscard]] std::optional<transfer::Changes> changes() const;
  /// All items have been read.
  [[nodiscard]] bool is_read() const { return at_ == size_; }
  /// Reads the next item: the times of its samples.
  [[nodiscard]] std::span<const double> next_times();

 private:
  std::vector<double> words_;
  std::size_t message_words_ = 0;
  std::size_t size_ = 0; // 0: not known yet
  std::size_t at_ = 0;   // the next item
  bool has_changes_ = false;
  bool is_notice_ = false;
};

} // namespace isthmus::fields
