// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/data_message.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

namespace isthmus::fields {

namespace {

constexpr std::size_t word = sizeof(double);
constexpr std::uint64_t notice_mark = std::uint64_t{1} << 63;
constexpr std::uint64_t changes_mark = std::uint64_t{1} << 62;
constexpr std::size_t changes_words = sizeof(transfer::Changes) / word;
static_assert(sizeof(transfer::Changes) % word == 0 &&
              std::is_trivially_copyable_v<transfer::Changes>);

const planning::Route* route_on(const Item& item, transport::LinkId link) {
  const auto found =
      std::find_if(item.routes->begin(), item.routes->end(),
                   [link](const planning::Route& route) { return route.link == link; });
  return found != item.routes->end() && found->count > 0 ? &*found : nullptr;
}

double as_word(std::size_t count) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(count));
}

std::size_t as_count(double value) {
  return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(value));
}

template <std::size_t Components, typename Move>
void move_vertices(std::span<const LocalIndex> vertices, std::size_t to, Move move) {
  for (const LocalIndex vertex : vertices) {
    for (std::size_t c = 0; c < Components; ++c) {
      move(static_cast<std::size_t>(vertex) * Components + c, to++);
    }
  }
}

/// Calls move(entry of the field, word of the chunk) for `count` words of a route that lists its
/// vertices, from word `position` on. A chunk may begin and end within a vertex.
template <typename Move>
void move_listed(const planning::Route& route, std::size_t components, std::size_t position,
                 std::size_t count, Move move) {
  std::size_t done = 0;
  const auto single = [&](std::size_t end) {
    for (; done < end; ++done) {
      const std::size_t at = position + done;
      move(static_cast<std::size_t>(route.vertices[at / components]) * components + at % components,
           done);
    }
  };
  single(std::min((components - position % components) % components, count));
  const std::size_t whole = (count - done) / components;
  const auto vertices = std::span(route.vertices).subspan((position + done) / components, whole);
  switch (components) {
    case 1:
      move_vertices<1>(vertices, done, move);
      break;
    case 2:
      move_vertices<2>(vertices, done, move);
      break;
    case 3:
      move_vertices<3>(vertices, done, move);
      break;
    default: // with gradients
      return single(count);
  }
  done += whole * components;
  single(count);
}

void gather(const planning::Route& route, std::size_t components, std::size_t position,
            const double* values, std::span<double> to) {
  if (route.vertices.empty()) {
    const std::size_t first = static_cast<std::size_t>(route.first) * components + position;
    std::copy_n(values + first, to.size(), to.begin());
    return;
  }
  double* const out = to.data();
  move_listed(route, components, position, to.size(),
              [values, out](std::size_t entry, std::size_t i) { out[i] = values[entry]; });
}

void scatter_add(const planning::Route& route, std::size_t components, std::size_t position,
                 std::span<const double> from, double* values) {
  if (route.vertices.empty()) {
    double* const to = values + static_cast<std::size_t>(route.first) * components + position;
    std::transform(from.begin(), from.end(), to, to, std::plus<>());
    return;
  }
  const double* const in = from.data();
  move_listed(route, components, position, from.size(),
              [values, in](std::size_t entry, std::size_t i) { values[entry] += in[i]; });
}

void scatter(const planning::Route& route, std::size_t components, std::size_t position,
             std::span<const double> from, double* values) {
  if (route.vertices.empty()) {
    const std::size_t first = static_cast<std::size_t>(route.first) * components + position;
    std::copy(from.begin(), from.end(), values + first);
    return;
  }
  const double* const in = from.data();
  move_listed(route, components, position, from.size(),
              [values, in](std::size_t entry, std::size_t i) { values[entry] = in[i]; });
}

} // namespace

/// The first word is to be completed.
void OutgoingMessage::begin_header(const transfer::Changes* changes, std::uint64_t marks) {
  header_.assign(1, 0.0);
  if (changes != nullptr) {
    marks |= changes_mark;
    header_.resize(1 + changes_words);
    std::memcpy(&header_[1], changes, sizeof *changes);
  }
  header_[0] = std::bit_cast<double>(marks);
  blocks_.clear();
  block_ = 0;
  position_ = 0;
  words_ = 0;
}

void OutgoingMessage::end_header() {
  header_[0] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(header_[0]) | header_.size());
  words_ += header_.size();
}

void OutgoingMessage::prepare(std::span<const Item> items, const Extract& extract,
                              const transfer::Changes* changes) {
  begin_header(changes, 0);
  for (const Item& item : items) {
    const planning::Route* route = route_on(item, link_);
    if (route == nullptr) {
      continue;
    }
    const time::Waveform& wave = item.field->wave();
    const bool all = item.all_samples || wave.empty();
    const std::size_t first = all ? wave.first_after(extract.after) : extract.single(wave);
    const std::size_t end = all ? wave.num_samples() : first + 1;
    header_.push_back(as_word(end - first));
    const auto width = static_cast<std::size_t>(item.field->width());
    for (std::size_t s = first; s < end; ++s) {
      header_.push_back(wave.time(all ? s : wave.num_samples() - 1));
      blocks_.push_back(
          {wave.values(s).data(), route, width, static_cast<std::size_t>(route->count) * width});
      words_ += blocks_.back().words;
    }
  }
  end_header();
}

void OutgoingMessage::prepare_notice(const transfer::Changes& changes) {
  begin_header(&changes, notice_mark);
  end_header();
}

transport::Outgoing OutgoingMessage::request() {
  return {link_, kind_, words_ * word, this, &OutgoingMessage::fill};
}

void OutgoingMessage::fill(void* context, std::size_t /*offset*/, std::span<std::byte> chunk) {
  static_cast<OutgoingMessage*>(context)->pack(
      {reinterpret_cast<double*>(chunk.data()), chunk.size() / word});
}

void OutgoingMessage::pack(std::span<double> words) {
  if (block_ == 0 && position_ < header_.size()) {
    const std::size_t run = std::min(words.size(), header_.size() - position_);
    std::copy_n(header_.begin() + static_cast<std::ptrdiff_t>(position_), run, words.begin());
    position_ += run;
    words = words.subspan(run);
    if (position_ < header_.size()) {
      return;
    }
    block_ = 1;
    position_ = 0;
  }
  while (!words.empty()) {
    const Block& block = blocks_[block_ - 1];
    const std::size_t run = std::min(words.size(), block.words - position_);
    gather(*block.route, block.components, position_, block.values, words.first(run));
    words = words.subspan(run);
    position_ += run;
    if (position_ == block.words) {
      ++block_;
      position_ = 0;
    }
  }
}

void IncomingMessage::prepare(std::span<const Item> items, std::span<char> opened, bool discard) {
  items_ = items;
  opened_ = opened;
  discard_ = discard;
}

transport::Incoming IncomingMessage::request() {
  return {link_, kind_, this, &IncomingMessage::begin, &IncomingMessage::drain};
}

void IncomingMessage::begin(void* context, std::size_t bytes) {
  auto& self = *static_cast<IncomingMessage*>(context);
  self.header_.clear();
  self.received_changes_ = {self.link_, {}};
  self.blocks_.clear();
  self.header_words_ = 0;
  self.words_ = bytes / word;
  self.block_ = 0;
  self.position_ = 0;
}

void IncomingMessage::drain(void* context, std::size_t /*offset*/,
                            std::span<const std::byte> chunk) {
  static_cast<IncomingMessage*>(context)->unpack(
      {reinterpret_cast<const double*>(chunk.data()), chunk.size() / word});
}

void IncomingMessage::unpack(std::span<const double> words) {
  if (header_.empty() && !words.empty()) {
    const auto first = std::bit_cast<std::uint64_t>(words[0]);
    is_notice_ = (first & notice_mark) != 0;
    has_changes_ = (first & changes_mark) != 0;
    header_words_ = static_cast<std::size_t>(first & ~(notice_mark | changes_mark));
    check(header_words_ >= (has_changes_ ? 1 + changes_words : 1) && header_words_ <= words_,
          "a data message has a broken header");
  }
  if (header_.size() < header_words_) {
    const std::size_t run = std::min(words.size(), header_words_ - header_.size());
    header_.insert(header_.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(run));
    words = words.subspan(run);
    if (header_.size() == header_words_) {
      read_header();
    }
  }
  while (!words.empty() && !discard_) {
    check(block_ < blocks_.size(), "a data message is longer than its header says");
    const Block& block = blocks_[block_];
    const std::size_t run = std::min(words.size(), block.words - position_);
    const auto place = block.adds ? scatter_add : scatter;
    place(*block.route, block.components, position_, words.first(run), block.values);
    words = words.subspan(run);
    position_ += run;
    if (position_ == block.words) {
      ++block_;
      position_ = 0;
    }
  }
}

void IncomingMessage::read_header() {
  std::size_t at = 1;
  if (has_changes_) {
    transfer::Changes& changes = received_changes_.changes.emplace();
    std::memcpy(static_cast<void*>(&changes), &header_[at], sizeof changes);
    check(changes.num_boxes <= transfer::Changes::max_boxes, "a data message has a broken header");
    at += changes_words;
  }
  if (discard_ || is_notice_) {
    check(discard_ || words_ == header_words_, "a notice of a reset mesh has {} words", words_);
    return;
  }
  std::size_t expected = header_words_;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    const planning::Route* route = route_on(item, link_);
    if (route == nullptr) {
      continue;
    }
    check(at < header_words_, "a data message lacks data \"{}\"", item.field->data());
    const std::size_t samples = as_count(header_[at++]);
    check(samples <= header_words_ - at, "a data message has a broken header");
    const auto first = std::find_if(items_.begin(), items_.end(), [&item](const Item& other) {
      return other.field == item.field;
    });
    open_samples(item, opened_[static_cast<std::size_t>(first - items_.begin())],
                 std::span<const double>(header_).subspan(at, samples));
    at += samples;
    expected += samples * static_cast<std::size_t>(route->count * item.field->width());
    time::Waveform& wave = item.field->wave();
    const auto width = static_cast<std::size_t>(item.field->width());
    for (std::size_t s = wave.num_samples() - samples; s < wave.num_samples(); ++s) {
      blocks_.push_back({wave.values(s).data(), route, width,
                         static_cast<std::size_t>(route->count) * width, item.adds});
    }
  }
  check(at == header_words_ && words_ == expected,
        "a data message has {} words where {} should be; do both participants read the same "
        "configuration?",
        words_, expected);
}

void IncomingMessage::open_samples(const Item& item, char& opened, std::span<const double> times) {
  time::Waveform& wave = item.field->wave();
  if (opened == 0) {
    for (double time : times) {
      const std::span<double> values = wave.append(time);
      if (!item.covered) {
        std::fill(values.begin(), values.end(), 0.0);
      }
    }
    opened = 1;
    return;
  }
  bool same = times.size() <= wave.num_samples();
  for (std::size_t s = 0; same && s < times.size(); ++s) {
    same = wave.time(wave.num_samples() - times.size() + s) == times[s];
  }
  check(same,
        "data \"{}\": ranks of the sender took different time steps; all ranks must call "
        "advance() with the same step sizes",
        item.field->data());
}

} // namespace isthmus::fields
