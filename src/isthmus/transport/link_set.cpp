// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/link_set.hpp"

#include "isthmus/base/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace isthmus::transport {

namespace {

/// For reasons that are on their way: longer than ranks of one participant take to learn of each
/// other's (comm::check_alarm).
constexpr double moment_s = 1;

} // namespace

LinkId LinkSet::add(std::unique_ptr<Channel> channel, bool checked) {
  links_.push_back(std::make_unique<Link>(std::move(channel), checked));
  return size() - 1;
}

void LinkSet::clear() {
  trouble_ = false;
  trouble_since_ = 0;
  last_moved_ = nullptr;
  links_.clear();
}

bool LinkSet::pump(Link& link, bool greedy) {
  const bool moved = link.pump(greedy);
  last_moved_ = moved ? &link : last_moved_;
  trouble_ |= link.state() != Link::State::open;
  return moved;
}

bool LinkSet::sweep() {
  bool moved = false;
  for (const auto& link : links_) {
    moved |= pump(*link, true);
  }
  return moved;
}

bool LinkSet::hold(std::size_t limit) {
  std::size_t held = 0;
  for (const auto& link : links_) {
    held += link->channel().held();
  }
  bool moved = false;
  for (const auto& link : links_) {
    if (link->state() == Link::State::open && !link->is_held() && held < limit) {
      const std::size_t before = link->channel().held();
      moved |= link->hold(limit - held);
      trouble_ |= link->state() != Link::State::open;
      held = held - before + link->channel().held();
    }
  }
  most_held_ = std::max(most_held_, held);
  return moved;
}

std::size_t LinkSet::left() const {
  std::size_t bytes = 0;
  for (const auto& link : links_) {
    bytes += link->state() == Link::State::open ? link->outbox().left() : 0;
  }
  return bytes;
}

void LinkSet::throw_unless_open(LinkId link, Kind kind) const {
  if (at(link).state() != Link::State::open) {
    throw PeerLost(fmt::format("{} (while waiting for {})", at(link).epitaph(), kind));
  }
}

void LinkSet::throw_if_hopeless(LinkId link, Kind kind) {
  if (at(link).is_lost()) {
    for (LinkId other = 0; other < size(); ++other) {
      const bool says_why = at(other).state() == Link::State::broken && !at(other).is_lost();
      if (says_why && at(other).peer().participant == at(link).peer().participant) {
        throw_unless_open(other, kind);
      }
    }
    if (since_trouble() < moment_s) {
      return;
    }
  }
  throw_unless_open(link, kind);
}

void LinkSet::throw_if_broken(Kind kind) {
  if (!trouble_) {
    return;
  }
  const Link* worst = nullptr;
  for (const auto& link : links_) {
    const bool is_worse = worst == nullptr || (worst->is_lost() && !link->is_lost());
    if (link->state() == Link::State::broken && !link->inbox().has_unexpected() && is_worse) {
      worst = link.get();
    }
  }
  if (worst != nullptr && since_trouble() > moment_s) {
    throw PeerLost(fmt::format("{} (while waiting for {})", worst->epitaph(), kind));
  }
}

double LinkSet::since_trouble() {
  trouble_since_ = trouble_since_ == 0 ? now() : trouble_since_;
  return now() - trouble_since_;
}

} // namespace isthmus::transport
