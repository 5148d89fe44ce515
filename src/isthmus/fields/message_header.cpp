// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/message_header.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace isthmus::fields {

namespace {

constexpr std::uint64_t notice_mark = std::uint64_t{1} << 63;
constexpr std::uint64_t changes_mark = std::uint64_t{1} << 62;
constexpr std::size_t changes_words = sizeof(transfer::Changes) / sizeof(double);
static_assert(sizeof(transfer::Changes) % sizeof(double) == 0 &&
              std::is_trivially_copyable_v<transfer::Changes>);

} // namespace

/// The first word is to be completed.
void OutgoingHeader::begin(const transfer::Changes* changes, bool is_notice) {
  std::uint64_t marks = is_notice ? notice_mark : 0;
  words_.assign(1, 0.0);
  if (changes != nullptr) {
    marks |= changes_mark;
    words_.resize(1 + changes_words);
    std::memcpy(&words_[1], changes, sizeof *changes);
  }
  words_[0] = std::bit_cast<double>(marks);
  sent_ = 0;
}

void OutgoingHeader::add_count(std::size_t num_samples) {
  words_.push_back(std::bit_cast<double>(static_cast<std::uint64_t>(num_samples)));
}

void OutgoingHeader::end() {
  words_[0] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(words_[0]) | words_.size());
}

std::span<double> OutgoingHeader::fill(std::span<double> words) {
  const std::size_t run = std::min(words.size(), words_.size() - sent_);
  std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(sent_), run, words.begin());
  sent_ += run;
  return words.subspan(run);
}

void IncomingHeader::begin(std::size_t message_words) {
  words_.clear();
  message_words_ = message_words;
  size_ = 0;
}

std::span<const double> IncomingHeader::take(std::span<const double> words) {
  if (size_ == 0 && !words.empty()) {
    const auto first = std::bit_cast<std::uint64_t>(words[0]);
    is_notice_ = (first & notice_mark) != 0;
    has_changes_ = (first & changes_mark) != 0;
    at_ = has_changes_ ? 1 + changes_words : 1;
    size_ = static_cast<std::size_t>(first & ~(notice_mark | changes_mark));
    check(size_ >= at_ && size_ <= message_words_, "a data message has a broken header");
  }
  const std::size_t run = std::min(words.size(), size_ - words_.size());
  words_.insert(words_.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(run));
  return words.subspan(run);
}

std::optional<transfer::Changes> IncomingHeader::changes() const {
  if (!has_changes_) {
    return std::nullopt;
  }
  std::optional<transfer::Changes> changes(std::in_place);
  std::memcpy(static_cast<void*>(&*changes), &words_[1], sizeof *changes);
  check(changes->num_boxes <= transfer::Changes::max_boxes, "a data message has a broken header");
  return changes;
}

std::span<const double> IncomingHeader::next_times() {
  const auto samples = static_cast<std::size_t>(std::bit_cast<std::uint64_t>(words_[at_++]));
  check(samples <= size_ - at_, "a data message has a broken header");
  const auto times = std::span<const double>(words_).subspan(at_, samples);
  at_ += samples;
  return times;
}

} // namespace isthmus::fields
