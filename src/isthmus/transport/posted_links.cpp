// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/posted_links.hpp"

#include <algorithm>

namespace isthmus::transport {

void PostedLinks::post(std::span<Outgoing> outgoing, std::span<Incoming> incoming) {
  const auto each = [this](auto& messages) {
    for (auto& message : messages) {
      awaited_ = message.kind;
      links_.at(message.link).post(message);
      activate(message.link);
    }
  };
  each(outgoing);
  each(incoming);
}

void PostedLinks::activate(LinkId link) {
  if (!links_.at(link).is_active) {
    links_.at(link).is_active = true;
    active_.push_back(link);
  }
}

bool PostedLinks::pump() {
  bool moved = false;
  for (const LinkId link : active_) {
    moved |= links_.pump(links_.at(link), false);
  }
  return drop_done() || moved;
}

template <typename Over>
bool PostedLinks::drop(Over over) {
  return std::erase_if(active_, [this, over](LinkId id) {
           Link& link = links_.at(id);
           link.is_active = !over(link);
           return !link.is_active;
         }) > 0;
}

bool PostedLinks::drop_done() {
  return drop([](const Link& link) { return link.is_done(); });
}

bool PostedLinks::drop_held() {
  return drop([](const Link& link) { return link.is_held(); });
}

bool PostedLinks::is_awaiting() const {
  return std::any_of(active_.begin(), active_.end(),
                     [this](LinkId id) { return !links_.at(id).inbox().is_done(); });
}

bool PostedLinks::is_done() {
  if (links_.has_trouble()) {
    drop_done(); // what a peer sent before it left is enough
    for (const LinkId link : active_) {
      links_.throw_if_hopeless(link, awaited_);
    }
    if (!active_.empty()) {
      links_.throw_if_broken(awaited_);
    }
  }
  return active_.empty();
}

void PostedLinks::withdraw_awaited() {
  for (const LinkId link : active_) {
    links_.at(link).withdraw_awaited();
  }
}

void PostedLinks::withdraw() {
  for (const LinkId link : active_) {
    links_.at(link).withdraw();
    links_.at(link).is_active = false;
  }
  active_.clear();
}

} // namespace isthmus::transport
