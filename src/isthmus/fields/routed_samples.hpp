// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/planning/route.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::fields {

/// One sample of a field, as far as a route carries it in a message.
template <typename Value>
struct RoutedSample {
  Value* values; // of the whole sample
  const planning::Route* route;
  std::size_t components; // values of a vertex
  std::size_t words;      // of the route
  bool adds = false;      // to what is there
};

/// Copies words of the block from `position` on to a message.
void gather(const RoutedSample<const double>& block, std::size_t position, std::span<double> to);
/// Copies or adds words of a message to the block from `position` on.
void scatter(const RoutedSample<double>& block, std::size_t position, std::span<const double> from);

/// The blocks of a message one after the other, and how far they have been moved.
template <typename Value>
class RoutedSamples {
 public:
  void clear() {
    blocks_.clear();
    block_ = 0;
    position_ = 0;
  }
  void add(const RoutedSample<Value>& block) { blocks_.push_back(block); }

  /// Calls move(block, position, piece) for the pieces of the next `words`. Returns those behind
  /// the last block.
  template <typename Word, typename Move>
  std::span<Word> move(std::span<Word> words, Move move_piece) {
    while (!words.empty() && block_ < blocks_.size()) {
      const RoutedSample<Value>& block = blocks_[block_];
      const std::size_t run = std::min(words.size(), block.words - position_);
      move_piece(block, position_, words.first(run));
      words = words.subspan(run);
      position_ += run;
      if (position_ == block.words) {
        ++block_;
        position_ = 0;
      }
    }
    return words;
  }

 private:
  std::vector<RoutedSample<Value>> blocks_;
  std::size_t block_ = 0;    // the current one
  std::size_t position_ = 0; // words done of it
};

} // namespace isthmus::fields
