// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/hub.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace isthmus::transport {

LinkId Hub::add(std::unique_ptr<Channel> channel) {
  const LinkId link = links_.add(std::move(channel), checksums_);
  posted_.reserve(size());
  waiter_.reserve(size());
  return link;
}

void Hub::send(LinkId link, Kind kind, std::vector<std::byte> payload) {
  Link& one = links_.at(link);
  if (!one.has_unexpected()) { // else its last words come first
    links_.throw_unless_open(link, kind);
  }
  one.send(kind, std::move(payload));
  links_.pump(one, false);
}

std::vector<std::byte> Hub::receive(LinkId link, Kind kind, double timeout_s) {
  const Expected expected{link, kind};
  static_cast<void>(await_any(std::span(&expected, 1), timeout_s));
  return std::move(*links_.at(link).take(kind));
}

std::size_t Hub::await_any(std::span<const Expected> messages, double timeout_s) {
  auto found = messages.end();
  const auto arrived = [this, messages, &found]() {
    found = std::find_if(messages.begin(), messages.end(),
                         [this](const Expected& one) { return links_.at(one.link).has(one.kind); });
    if (found != messages.end()) {
      return true;
    }
    if (links_.has_trouble()) {
      const bool hope = std::any_of(messages.begin(), messages.end(), [this](const Expected& one) {
        return links_.at(one.link).state() == Link::State::open;
      });
      if (!hope) {
        links_.throw_if_hopeless(messages.front().link, messages.front().kind);
      }
      links_.throw_if_broken(messages.front().kind);
    }
    return false;
  };
  check(!messages.empty(), "no message to wait for");
  waiter_.wait(
      timeout_s, arrived, [this]() { return links_.sweep(); },
      [this, messages](double limit_s) {
        throw_late(messages.front().link, messages.front().kind, limit_s);
      });
  return static_cast<std::size_t>(found - messages.begin());
}

void Hub::exchange(std::span<Outgoing> outgoing, std::span<Incoming> incoming, double timeout_s,
                   const std::function<bool()>& enough) {
  const auto wait_until = [this, timeout_s](const auto& over) {
    waiter_.wait(
        timeout_s, over, [this]() { return posted_.pump(); },
        [this](double limit_s) { throw_late(posted_.first(), posted_.awaited(), limit_s); });
  };
  const auto done = [this]() { return posted_.is_done(); };
  try {
    posted_.post(outgoing, incoming);
    if (enough) {
      wait_until([&done, &enough]() { return done() || enough(); });
      posted_.withdraw_awaited();
    }
    wait_until(done);
  } catch (...) {
    posted_.withdraw();
    throw;
  }
}

void Hub::clear() {
  posted_.clear();
  links_.clear();
}

void Hub::flush(double timeout_s) {
  settle(
      timeout_s, [](const Link& link) { return link.is_done(); }, "sending");
}

void Hub::progress() {
  links_.sweep();
  links_.throw_if_broken(Kind::control);
  waiter_.look();
}

void Hub::close(double timeout_s) {
  for (const auto& link : links_.all()) {
    link->say_goodbye("");
  }
  settle(
      timeout_s, [](const Link& link) { return link.is_delivered(); }, "saying goodbye");
}

void Hub::await_goodbyes(double timeout_s) {
  const auto all_gone = [this] {
    return std::none_of(links_.all().begin(), links_.all().end(),
                        [](const auto& link) { return link->state() == Link::State::open; });
  };
  waiter_.wait(
      timeout_s, all_gone, [this]() { return links_.sweep(); },
      [this](double limit_s) {
        const auto late =
            std::find_if(links_.all().begin(), links_.all().end(),
                         [](const auto& link) { return link->state() == Link::State::open; });
        fail("{} has not ended within {} s, and wait-in-finalize waits for it", (*late)->peer(),
             limit_s);
      });
}

void Hub::part_from_mpi() noexcept {
  try_to_settle([](const Link& link) { return link.channel().kind() != "mpi"; }, 5);
}

void Hub::abort(std::string_view reason) noexcept {
  waiter_.set_watch(nullptr); // nothing keeps us from telling
  for (const auto& link : links_.all()) {
    link->withdraw();
  }
  try_to_settle([](const Link& link) { return link.has_sent(); }, 1);
  try {
    for (const auto& link : links_.all()) {
      link->clear();
      link->say_goodbye(reason.empty() ? "stopped without giving a reason" : reason);
    }
  } catch (const std::exception&) {
    // Whoever could not be told will see the connection end.
  }
  try_to_settle([](const Link& link) { return link.is_delivered(); }, 1);
}

void Hub::try_to_settle(bool (*settled)(const Link&), double limit_s) noexcept {
  try {
    settle(limit_s, settled, "saying goodbye");
  } catch (const std::exception&) {
    // The same.
  }
}

LinkTraffic Hub::traffic() const {
  LinkTraffic total;
  for (const auto& link : links_.all()) {
    total += link->traffic();
  }
  return total;
}

// Until `settled` holds for all links that are open.
void Hub::settle(double timeout_s, bool (*settled)(const Link&), std::string_view purpose) {
  const Link* missing = nullptr;
  const auto all_settled = [this, settled, &missing]() {
    const auto found =
        std::find_if(links_.all().begin(), links_.all().end(), [settled](const auto& link) {
          return link->state() == Link::State::open && !settled(*link);
        });
    missing = found == links_.all().end() ? nullptr : found->get();
    return missing == nullptr;
  };
  waiter_.wait(
      timeout_s, all_settled, [this]() { return links_.sweep(); },
      [&missing, purpose](double limit_s) {
        fail("{} to {} did not end within {} s: it takes nothing", purpose, missing->peer(),
             limit_s);
      });
}

void Hub::throw_late(LinkId link, Kind kind, double limit_s) const {
  fail("{} is still there, but nothing of kind {} could be exchanged with it for {} s",
       links_.at(link).peer(), kind, limit_s);
}

} // namespace isthmus::transport
