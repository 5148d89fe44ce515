// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/data_message.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>

namespace isthmus::fields {

namespace {

constexpr std::size_t word = sizeof(double);
const planning::Route* route_on(const Item& item, transport::LinkId link) {
  const auto found =
      std::find_if(item.routes->begin(), item.routes->end(),
                   [link](const planning::Route& route) { return route.link == link; });
  return found != item.routes->end() && found->count > 0 ? &*found : nullptr;
}

} // namespace

void OutgoingMessage::prepare(std::span<const Item> items, const Extract& extract,
                              const transfer::Changes* changes) {
  header_.begin(changes, false);
  blocks_.clear();
  words_ = 0;
  for (const Item& item : items) {
    const planning::Route* route = route_on(item, link_);
    if (route == nullptr) {
      continue;
    }
    const time::Waveform& wave = item.field->wave();
    const bool all = item.all_samples || wave.empty();
    const std::size_t first = all ? wave.first_after(extract.after) : extract.single(wave);
    const std::size_t end = all ? wave.num_samples() : first + 1;
    header_.add_count(end - first);
    const auto width = static_cast<std::size_t>(item.field->width());
    for (std::size_t s = first; s < end; ++s) {
      header_.add_time(wave.time(all ? s : wave.num_samples() - 1));
      const std::size_t words = static_cast<std::size_t>(route->count) * width;
      blocks_.add({wave.values(s).data(), route, width, words});
      words_ += words;
    }
  }
  header_.end();
  words_ += header_.size();
}

void OutgoingMessage::prepare_notice(const transfer::Changes& changes) {
  header_.begin(&changes, true);
  header_.end();
  blocks_.clear();
  words_ = header_.size();
}

transport::Outgoing OutgoingMessage::request() {
  return {link_, kind_, words_ * word, this, &OutgoingMessage::fill};
}

void OutgoingMessage::fill(void* context, std::size_t /*offset*/, std::span<std::byte> chunk) {
  static_cast<OutgoingMessage*>(context)->pack(
      {reinterpret_cast<double*>(chunk.data()), chunk.size() / word});
}

void OutgoingMessage::pack(std::span<double> words) {
  static_cast<void>(blocks_.move(header_.fill(words), gather));
}

void IncomingMessage::prepare(std::span<const Item> items, std::span<char> opened, bool discard) {
  items_ = items;
  opened_ = opened;
  discard_ = discard;
  awaited_ = true;
  come_ = false;
}

transport::Incoming IncomingMessage::request() {
  return {link_, kind_, this, &IncomingMessage::begin, &IncomingMessage::drain};
}

void IncomingMessage::begin(void* context, std::size_t bytes) {
  auto& self = *static_cast<IncomingMessage*>(context);
  self.awaited_ = false;
  self.come_ = true;
  self.words_ = bytes / word;
  self.header_.begin(self.words_);
  self.received_changes_ = {self.link_, {}};
  self.blocks_.clear();
}

void IncomingMessage::drain(void* context, std::size_t /*offset*/,
                            std::span<const std::byte> chunk) {
  static_cast<IncomingMessage*>(context)->unpack(
      {reinterpret_cast<const double*>(chunk.data()), chunk.size() / word});
}

void IncomingMessage::unpack(std::span<const double> words) {
  if (!header_.is_complete()) {
    words = header_.take(words);
    if (header_.is_complete()) {
      read_header();
    }
  }
  if (!discard_) {
    words = blocks_.move(words, scatter);
    check(words.empty(), "a data message is longer than its header says");
  }
}

void IncomingMessage::read_header() {
  received_changes_.changes = header_.changes();
  if (discard_ || header_.is_notice()) {
    check(discard_ || words_ == header_.size(), "a notice of a reset mesh has {} words", words_);
    return;
  }
  std::size_t expected = header_.size();
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    const planning::Route* route = route_on(item, link_);
    if (route == nullptr) {
      continue;
    }
    check(!header_.is_read(), "a data message lacks data \"{}\"", item.field->data());
    const std::span<const double> times = header_.next_times();
    const auto first = std::find_if(items_.begin(), items_.end(), [&item](const Item& other) {
      return other.field == item.field;
    });
    open_samples(item, opened_[static_cast<std::size_t>(first - items_.begin())], times);
    time::Waveform& wave = item.field->wave();
    const auto width = static_cast<std::size_t>(item.field->width());
    const std::size_t words = static_cast<std::size_t>(route->count) * width;
    for (std::size_t s = wave.num_samples() - times.size(); s < wave.num_samples(); ++s) {
      blocks_.add({wave.values(s).data(), route, width, words, item.adds});
      expected += words;
    }
  }
  check(header_.is_read() && words_ == expected,
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
