// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/hub.hpp"

#include "isthmus/base/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace isthmus::transport {

namespace {

constexpr double slice = 0.1; // seconds of sleep after which a sleeper looks around

bool checksums_wanted() {
  const char* text = std::getenv("ISTHMUS_CHECKSUM");
  return text != nullptr && std::string_view(text) == "1";
}

} // namespace

Hub::Hub(comm::SpinPolicy policy) : policy_(policy) {}

LinkId Hub::add(std::unique_ptr<Channel> channel) {
  links_.push_back(std::make_unique<Link>(std::move(channel), checksums_wanted()));
  active_.reserve(links_.size());
  polls_.reserve(links_.size());
  return static_cast<LinkId>(links_.size()) - 1;
}

Link& Hub::at(LinkId link) {
  return *links_.at(static_cast<std::size_t>(link));
}
const Link& Hub::at(LinkId link) const {
  return *links_.at(static_cast<std::size_t>(link));
}

void Hub::send(LinkId link, Kind kind, std::vector<std::byte> payload) {
  if (!at(link).has_unexpected()) { // else its last words come first
    throw_unless_open(link, kind);
  }
  at(link).send(kind, std::move(payload));
  pump(at(link), false);
}

std::vector<std::byte> Hub::receive(LinkId link, Kind kind, double timeout_s) {
  return receive_any(std::span(&link, 1), kind, timeout_s).second;
}

std::pair<LinkId, std::vector<std::byte>> Hub::receive_any(std::span<const LinkId> links, Kind kind,
                                                           double timeout_s) {
  std::pair<LinkId, std::vector<std::byte>> result{-1, {}};
  const auto arrived = [this, links, kind, &result]() {
    for (const LinkId link : links) {
      if (auto payload = at(link).take(kind)) {
        result = {link, std::move(*payload)};
        return true;
      }
    }
    if (trouble_) {
      const bool hope = std::any_of(links.begin(), links.end(), [this](LinkId link) {
        return at(link).state() == Link::State::open;
      });
      if (!hope) {
        throw_if_hopeless(links.front(), kind);
      }
      throw_if_broken(kind);
    }
    return false;
  };
  check(!links.empty(), "no link to receive a message of kind {} from", kind);
  wait(
      timeout_s, arrived, [this]() { return sweep(); },
      [this, links, kind](double limit_s) { throw_late(links.front(), kind, limit_s); });
  return result;
}

void Hub::exchange(std::span<Outgoing> outgoing, std::span<Incoming> incoming, double timeout_s) {
  try {
    post(outgoing, incoming);
    run_posted(timeout_s);
  } catch (...) {
    for (const LinkId link : active_) {
      at(link).withdraw();
      at(link).is_active = false;
    }
    active_.clear();
    throw;
  }
}

void Hub::post(std::span<Outgoing> outgoing, std::span<Incoming> incoming) {
  for (Outgoing& message : outgoing) {
    awaited_ = message.kind;
    at(message.link).post(message);
    activate(message.link);
  }
  for (Incoming& message : incoming) {
    awaited_ = message.kind;
    at(message.link).post(message);
    activate(message.link);
  }
}

void Hub::activate(LinkId link) {
  if (!at(link).is_active) {
    at(link).is_active = true;
    active_.push_back(link);
  }
}

void Hub::run_posted(double timeout_s) {
  const auto finished = [this]() {
    if (trouble_) {
      drop_done(); // what a peer sent before it left is enough
      for (const LinkId link : active_) {
        throw_if_hopeless(link, awaited_);
      }
      if (!active_.empty()) {
        throw_if_broken(awaited_);
      }
    }
    return active_.empty();
  };
  wait(
      timeout_s, finished, [this]() { return pump_active(); },
      [this](double limit_s) { throw_late(active_.front(), awaited_, limit_s); });
}

// Pumps the links of the exchange and drops those that are done.
bool Hub::pump_active() {
  bool moved = false;
  for (const LinkId link : active_) {
    moved |= pump(at(link), false);
  }
  return drop_done() || moved;
}

bool Hub::drop_done() {
  return std::erase_if(active_, [this](LinkId id) {
           Link& link = at(id);
           link.is_active = !link.is_done();
           return !link.is_active;
         }) > 0;
}

void Hub::clear() {
  active_.clear();
  last_moved_ = nullptr;
  links_.clear();
}

void Hub::flush(double timeout_s) {
  settle(
      timeout_s, [](const Link& link) { return link.is_done(); }, "sending");
}

void Hub::progress() {
  sweep();
  throw_if_broken(Kind::control);
  look();
}

void Hub::close(double timeout_s) {
  for (const auto& link : links_) {
    link->say_goodbye("");
  }
  settle(
      timeout_s, [](const Link& link) { return link.is_delivered(); }, "saying goodbye");
}

void Hub::await_goodbyes(double timeout_s) {
  const auto all_gone = [this] {
    return std::none_of(links_.begin(), links_.end(),
                        [](const auto& link) { return link->state() == Link::State::open; });
  };
  wait(
      timeout_s, all_gone, [this]() { return sweep(); },
      [this](double limit_s) {
        const auto late = std::find_if(links_.begin(), links_.end(), [](const auto& link) {
          return link->state() == Link::State::open;
        });
        fail("{} has not ended within {} s, and wait-in-finalize waits for it", (*late)->peer(),
             limit_s);
      });
}

void Hub::part_from_mpi() noexcept {
  try_to_settle([](const Link& link) { return link.channel().kind() != "mpi"; }, 5);
}

void Hub::abort(std::string_view reason) noexcept {
  watch_ = nullptr; // nothing keeps us from telling
  for (const auto& link : links_) {
    link->withdraw();
  }
  try_to_settle([](const Link& link) { return link.has_sent(); }, 1);
  try {
    for (const auto& link : links_) {
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
  for (const auto& link : links_) {
    total += link->traffic();
  }
  return total;
}

bool Hub::pump(Link& link, bool greedy) {
  const bool moved = link.pump(greedy);
  last_moved_ = moved ? &link : last_moved_;
  trouble_ |= link.state() != Link::State::open;
  return moved;
}

bool Hub::sweep() {
  bool moved = false;
  for (const auto& link : links_) {
    moved |= pump(*link, true);
  }
  return moved;
}

// Moves with `move` until `done`; before it sleeps it looks at all links.
template <typename Done, typename Move, typename Late>
void Hub::wait(double timeout_s, Done done, Move move, Late late) {
  comm::Pause pause(policy_, timeout_s);
  while (!done()) {
    if (move()) {
      pause.reset();
    } else if (!pause.spin() && !sweep()) {
      const double left = pause.left();
      if (left < 0) {
        late(timeout_s);
      }
      look();
      sleep(std::clamp(left, 1e-3, slice));
      pause.left();
      pause.reset();
    }
  }
  pause.reset();
  note_wait(pause.idle_seconds());
}

void Hub::note_wait(double seconds) {
  wait_s_ += seconds;
  if (seconds > 0 && trace_ != nullptr && trace_->records(Detail::phases) &&
      last_moved_ != nullptr) {
    const double end = now();
    trace_->record("wait for " + last_moved_->peer().participant, end - seconds, end);
  }
}

void Hub::look() const {
  if (watch_) {
    watch_();
  }
}

// Until `settled` holds for all links that are open.
void Hub::settle(double timeout_s, bool (*settled)(const Link&), std::string_view purpose) {
  const Link* missing = nullptr;
  const auto all_settled = [this, settled, &missing]() {
    const auto found = std::find_if(links_.begin(), links_.end(), [settled](const auto& link) {
      return link->state() == Link::State::open && !settled(*link);
    });
    missing = found == links_.end() ? nullptr : found->get();
    return missing == nullptr;
  };
  wait(
      timeout_s, all_settled, [this]() { return sweep(); },
      [&missing, purpose](double limit_s) {
        fail("{} to {} did not end within {} s: it takes nothing", purpose, missing->peer(),
             limit_s);
      });
}

#ifdef ISTHMUS_SIMULATED
void Hub::sleep(double /*limit_s*/) { // the simulator knows when nothing can happen any more
  std::vector<MPI_Request> requests;
  std::vector<MPI_Request*> origins;
  for (const auto& link : links_) {
    for (MPI_Request& request : link->channel().requests()) {
      requests.push_back(request);
      origins.push_back(&request);
    }
  }
  int index = MPI_UNDEFINED;
  MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
  if (index != MPI_UNDEFINED) {
    *origins[static_cast<std::size_t>(index)] = requests[static_cast<std::size_t>(index)];
  }
}
#else
void Hub::sleep(double limit_s) {
  polls_.clear();
  bool sleepy = true;
  bool blind = false; // some channel cannot wake us
  for (const auto& link : links_) {
    if (link->state() == Link::State::open) {
      const short events = link->channel().arm();
      sleepy &= events != 0;
      blind |= link->channel().descriptor() < 0;
      polls_.push_back({link->channel().descriptor(), events, 0});
    }
  }
  if (sleepy) {
    ::poll(polls_.data(), polls_.size(), blind ? 0 : static_cast<int>(limit_s * 1e3));
    if (blind) {
      std::this_thread::yield();
    }
  }
  for (const auto& link : links_) {
    if (link->state() == Link::State::open) {
      link->channel().disarm();
    }
  }
}
#endif

// Of who is not waited for: others of our participant may still be receiving what it sent.
void Hub::throw_if_broken(Kind kind) {
  constexpr double moment_s = 1;
  if (!trouble_) {
    return;
  }
  const Link* worst = nullptr;
  for (const auto& link : links_) {
    const bool is_worse = worst == nullptr || (worst->is_lost() && !link->is_lost());
    if (link->state() == Link::State::broken && !link->has_unexpected() && is_worse) {
      worst = link.get();
    }
  }
  if (worst != nullptr && since_trouble() > moment_s) {
    throw PeerLost(fmt::format("{} (while waiting for {})", worst->epitaph(), kind));
  }
}

double Hub::since_trouble() {
  trouble_since_ = trouble_since_ == 0 ? now() : trouble_since_;
  return now() - trouble_since_;
}

/// A process is often ended because another one of its job failed, and that one says why: to
/// another link of this rank, or to another rank, which raises an alarm. So one that is lost is
/// given a moment.
void Hub::throw_if_hopeless(LinkId link, Kind kind) {
  constexpr double moment_s = 0.3;
  if (at(link).is_lost()) {
    for (LinkId other = 0; other < size(); ++other) {
      const bool says_why = at(other).state() == Link::State::broken && !at(other).is_lost();
      if (says_why && peer(other).participant == peer(link).participant) {
        throw_unless_open(other, kind);
      }
    }
    if (since_trouble() < moment_s) {
      return;
    }
  }
  throw_unless_open(link, kind);
}

void Hub::throw_unless_open(LinkId link, Kind kind) const {
  if (at(link).state() != Link::State::open) {
    throw PeerLost(fmt::format("{} (while waiting for {})", at(link).epitaph(), kind));
  }
}

void Hub::throw_late(LinkId link, Kind kind, double limit_s) const {
  fail("{} is still there, but nothing of kind {} could be exchanged with it for {} s",
       at(link).peer(), kind, limit_s);
}

} // namespace isthmus::transport
