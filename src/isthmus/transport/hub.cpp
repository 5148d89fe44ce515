// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/hub.hpp"

#include "isthmus/base/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace isthmus::transport {

namespace {

[[noreturn]] void throw_late(const Peer& peer, Kind kind, double limit_s) {
  fail("{} is still there, but nothing of kind {} could be exchanged with it for {} s", peer, kind,
       limit_s);
}

/// Of last words: whom they do not reach will see the connection end.
template <typename Work>
void try_to(Work&& work) noexcept {
  try {
    work();
  } catch (const std::exception&) {
    // Nobody can be notified.
  }
}

// How long who only sends sleeps: since the first time, `since`, four times as long as holding what
// is left takes, copies to new memory and back. Then it is held. So a peer that is a little late,
// as after its initialization, costs no memory, and a wait at most five times the better way.
template <typename Hold>
double rest_or_hold(const LinkSet& links, double& since, Hold hold) {
  constexpr double bytes_per_s = 2.5e8;
  const double time = now();
  since = since == 0 ? time : since;
  const double left_s = static_cast<double>(links.left()) / bytes_per_s - (time - since);
  if (left_s > 0) {
    return std::min(left_s, Waiter::longest_rest_s);
  }
  return hold() ? 0 : Waiter::longest_rest_s;
}

} // namespace

void Hub::set_queue_limit([[maybe_unused]] std::size_t bytes) {
#ifndef ISTHMUS_SIMULATED // where messages are completed only by who waits for them
  queue_limit_ = bytes;
#endif
}

LinkId Hub::add(std::unique_ptr<Channel> channel) {
  const LinkId link = links_.add(std::move(channel), checksums_);
  posted_.reserve(size());
  waiter_.reserve(size());
  return link;
}

void Hub::send(LinkId link, Kind kind, std::vector<std::byte> payload) {
  Link& one = links_.at(link);
  if (!one.inbox().has_unexpected()) { // else its last words come first
    links_.throw_unless_open(link, kind);
  }
  one.send(kind, std::move(payload));
  links_.pump(one, false);
#ifdef ISTHMUS_SIMULATED // nobody moves the rest while this rank waits in MPI for others of its own
  for (bool moves = true; moves && one.outbox().has_queued();) {
    moves = one.hold(std::numeric_limits<std::size_t>::max());
  }
#endif
}

std::vector<std::byte> Hub::receive(LinkId link, Kind kind, double timeout_s) {
  const Expected expected{link, kind};
  static_cast<void>(await_any(std::span(&expected, 1), timeout_s));
  return std::move(*links_.at(link).take(kind));
}

std::size_t Hub::await_any(std::span<const Expected> messages, double timeout_s) {
  auto found = messages.end();
  const auto arrived = [this, messages, &found]() {
    found = std::find_if(messages.begin(), messages.end(), [this](const Expected& one) {
      return links_.at(one.link).inbox().has(one.kind);
    });
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
        throw_late(peer(messages.front().link), messages.front().kind, limit_s);
      });
  return static_cast<std::size_t>(found - messages.begin());
}

void Hub::exchange(std::span<Outgoing> outgoing, std::span<Incoming> incoming, double timeout_s,
                   const std::function<bool()>& enough) {
  const auto wait_until = [this, timeout_s](const auto& over, const auto& idle) {
    waiter_.wait(
        timeout_s, over, [this]() { return posted_.pump(); },
        [this](double limit_s) { throw_late(peer(posted_.first()), posted_.awaited(), limit_s); },
        idle);
  };
  const auto done = [this]() { return posted_.is_done(); };
  try {
    posted_.post(outgoing, incoming);
    if (enough) {
      wait_until([&done, &enough]() { return done() || enough(); }, []() { return false; });
      posted_.withdraw_awaited();
    }
    double since = 0; // they do not take it
    wait_until(done, [this, &since]() {
      const bool only_sends = posted_.awaited() >= Kind::data && !posted_.is_awaiting();
      if (!only_sends || queue_limit_ == 0) {
        return Waiter::longest_rest_s;
      }
      return rest_or_hold(links_, since,
                          [this]() { return links_.hold(queue_limit_) | posted_.drop_held(); });
    });
  } catch (...) {
    posted_.withdraw();
    throw;
  }
}

void Hub::clear() {
  posted_.clear();
  links_.clear();
}

void Hub::flush(double timeout_s, bool may_hold) {
  if (!may_hold || queue_limit_ == 0) {
    await_links(
        timeout_s, [](const Link& link) { return link.is_done(); }, "sending");
    return;
  }
  bool is_late = false; // somebody does not take what is there
  double since = 0;     // so it is
  const auto done = [&is_late](const auto& link) {
    return link->state() != Link::State::open || link->is_done() || (is_late && link->is_held());
  };
  waiter_.wait(
      timeout_s,
      [this, &done]() { return std::all_of(links_.all().begin(), links_.all().end(), done); },
      [this]() { return links_.sweep(); },
      [this, &done](double limit_s) {
        const auto& late = *std::find_if_not(links_.all().begin(), links_.all().end(), done);
        throw_late(late->peer(), posted_.awaited(), limit_s);
      },
      [this, &is_late, &since]() {
        return rest_or_hold(links_, since, [this, &is_late]() {
          return links_.hold(queue_limit_) | !std::exchange(is_late, true);
        });
      });
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
  await_links(
      timeout_s, [](const Link& link) { return link.is_delivered(); }, "saying goodbye", true);
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
  try_to([this] {
    await_links(
        5, [](const Link& link) { return !link.channel().ends_with_mpi(); }, "saying goodbye");
  });
}

void Hub::abort(std::string_view reason) noexcept {
  waiter_.set_watch(nullptr); // nothing keeps us from sending
  for (const auto& link : links_.all()) {
    link->withdraw();
  }
  const auto is_flushed = [](const Link& link) {
    return !link.outbox().has_queued() && link.channel().flushed();
  };
  try_to([this, is_flushed] { await_links(Waiter::last_wait_s, is_flushed, "sending"); });
  try_to([this, reason] {
    for (const auto& link : links_.all()) {
      link->clear();
      link->say_goodbye(reason.empty() ? "stopped without giving a reason" : reason);
      link->channel().abandon();
    }
    links_.hold(std::numeric_limits<std::size_t>::max());
  });
  const auto is_delivered = [](const Link& link) { return link.is_delivered(); };
  try_to(
      [this, is_delivered] { await_links(Waiter::last_wait_s, is_delivered, "saying goodbye"); });
}

LinkTraffic Hub::traffic() const {
  LinkTraffic total;
  for (const auto& link : links_.all()) {
    total += link->traffic();
  }
  return total;
}

// Until all links that are open are done.
void Hub::await_links(double timeout_s, bool (*done)(const Link&), std::string_view purpose,
                      bool may_hold) {
  const Link* missing = nullptr;
  const auto all_done = [this, done, &missing]() {
    const auto found = std::find_if(
        links_.all().begin(), links_.all().end(),
        [done](const auto& link) { return link->state() == Link::State::open && !done(*link); });
    missing = found == links_.all().end() ? nullptr : found->get();
    return missing == nullptr;
  };
  waiter_.wait(
      timeout_s, all_done, [this]() { return links_.sweep(); },
      [&missing, purpose](double limit_s) {
        fail("{} to {} did not end within {} s: it takes nothing", purpose, missing->peer(),
             limit_s);
      },
      [this, may_hold]() {
        return may_hold && queue_limit_ > 0 && links_.hold(queue_limit_) ? 0
                                                                         : Waiter::longest_rest_s;
      });
}

} // namespace isthmus::transport
