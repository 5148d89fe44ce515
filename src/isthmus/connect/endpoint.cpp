// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/endpoint.hpp"

#include "isthmus/connect/address.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace isthmus::connect {

namespace {

// Until one of the descriptors is ready, or it is time to look after the links of the hub.
void wait_for(std::vector<pollfd>& polls, const transport::Hub& hub) {
  ::poll(polls.data(), polls.size(), hub.size() == 0 ? 50 : 2);
}

constexpr int most_strangers = 256; // that have not shown yet that they know the token

constexpr double for_good = std::numeric_limits<double>::infinity();

} // namespace

Endpoint::Endpoint(RankIdentity self, NetworkSettings settings)
    : self_(std::move(self)), settings_(with_environment(std::move(settings))) {
  const int port = settings_.port == 0 ? 0 : settings_.port + self_.rank;
  check(port >= 0 && port < 65536, "port {} of rank {} is outside of 0 to 65535", port, self_.rank);
  address_ = own_address();
  address_.ip = interface_address(settings_.network);
  listener_ = transport::listen_at(address_.ip, static_cast<std::uint16_t>(port));
  address_.port = transport::local_port(listener_);
}

transport::LinkId Endpoint::connect(transport::Hub& hub, const Target& target, const Token& token,
                                    const Deadline& deadline) {
  return connect(hub, std::span(&target, 1), token, deadline).front();
}

std::vector<transport::LinkId> Endpoint::connect(transport::Hub& hub,
                                                 std::span<const Target> targets,
                                                 const Token& token, const Deadline& deadline) {
  Calls calls = begin_connect(targets, token, deadline);
  return *connect(hub, calls, for_good);
}

Calls Endpoint::begin_connect(std::span<const Target> targets, const Token& token,
                              const Deadline& deadline) const {
  Calls calls{deadline};
  for (const Target& target : targets) {
    calls.outgoing.emplace_back(target, hello_to(target), token, settings_);
  }
  calls.channels.resize(targets.size());
  return calls;
}

std::optional<std::vector<transport::LinkId>> Endpoint::connect(transport::Hub& hub, Calls& calls,
                                                                double moment_s) {
  const double end = now() + moment_s;
  std::vector<pollfd> polls;
  while (true) {
    polls.clear();
    const transport::Peer* missing = nullptr;
    std::size_t i = 0;
    for (OutgoingConnection& connection : calls.outgoing) {
      auto& channel = calls.channels[i++];
      channel = channel ? std::move(channel) : connection.advance();
      if (!channel) {
        polls.push_back(connection.poll());
        missing = &connection.peer();
      }
    }
    if (missing == nullptr) {
      break;
    }
    check(!calls.deadline.passed(), "{} did not accept our connection within {:g} s", *missing,
          calls.deadline.limit());
    if (now() > end) {
      return {};
    }
    hub.progress();
    wait_for(polls, hub);
  }
  std::vector<transport::LinkId> links;
  for (auto& channel : calls.channels) {
    links.push_back(hub.add(std::move(channel)));
  }
  return links;
}

Hello Endpoint::hello_to(const Target& target) const {
  Hello hello;
  hello.from = self_;
  hello.address = address_;
  hello.to_participant = target.participant;
  hello.to_rank = target.rank;
  hello.shm = settings_.transport != NetworkSettings::tcp;
  hello.ring_capacity = settings_.ring_capacity;
  return hello;
}

std::vector<transport::LinkId> Endpoint::accept(transport::Hub& hub, const std::string& participant,
                                                std::span<const int> ranks, const Token& token,
                                                const Deadline& deadline) {
  ExpectedRanks expected = begin_accept(participant, ranks, token, deadline);
  return *accept(hub, expected, for_good);
}

ExpectedRanks Endpoint::begin_accept(const std::string& participant, std::span<const int> ranks,
                                     const Token& token, const Deadline& deadline) {
  return {participant,
          ranks,
          token,
          deadline,
          std::vector<transport::LinkId>(ranks.size(), -1),
          std::vector<char>(ranks.size(), 0)};
}

std::optional<std::vector<transport::LinkId>> Endpoint::accept(transport::Hub& hub,
                                                               ExpectedRanks& expected,
                                                               double moment_s) {
  const double end = now() + moment_s;
  std::vector<pollfd> polls;
  while (true) {
    admit();
    admit_incoming(hub, expected);
    const auto missing = std::find(expected.links.begin(), expected.links.end(), -1);
    if (missing == expected.links.end()) {
      return expected.links;
    }
    check(!expected.deadline.passed(),
          "rank {} of participant \"{}\" did not connect within {:g} s",
          expected.ranks[static_cast<std::size_t>(missing - expected.links.begin())],
          expected.participant, expected.deadline.limit());
    if (now() > end) {
      return {};
    }
    hub.progress();
    polls.assign(1, {listener_.descriptor(), has_room() ? short{POLLIN} : short{0}, 0});
    for (const IncomingConnection& incoming : incoming_) {
      if (incoming.poll().events != 0) {
        polls.push_back(incoming.poll());
      }
    }
    wait_for(polls, hub);
  }
}

bool Endpoint::has_room() const {
  return std::count_if(incoming_.begin(), incoming_.end(), [](const IncomingConnection& one) {
           return one.is_strange();
         }) < most_strangers;
}

/// Who belongs to us greets at once; of the others the first one goes, of those that say nothing
/// first. Returns whether one has gone.
bool Endpoint::drop_stranger(double silent_s, double strange_s) {
  auto chosen =
      std::find_if(incoming_.begin(), incoming_.end(), [silent_s](const IncomingConnection& one) {
        return one.is_silent() && one.age() > silent_s;
      });
  if (chosen == incoming_.end()) {
    chosen = std::find_if(incoming_.begin(), incoming_.end(),
                          [strange_s](const IncomingConnection& one) {
                            return one.is_strange() && one.age() > strange_s;
                          });
  }
  if (chosen == incoming_.end()) {
    return false;
  }
  incoming_.erase(chosen);
  return true;
}

/// Where there is no room, the others wait in the kernel.
void Endpoint::admit() {
  constexpr double silent_s = 2; // one may wait for a processor
  constexpr double strange_s = 5;
  try {
    while (has_room() || drop_stranger(silent_s, strange_s)) {
      auto socket = transport::accept_at(listener_);
      if (!socket) {
        return;
      }
      incoming_.emplace_back(std::move(*socket));
    }
  } catch (const transport::TooManyFiles&) {
    if (!drop_stranger(0, 0)) {
      throw;
    }
  }
}

void Endpoint::admit_incoming(transport::Hub& hub, ExpectedRanks& expected) {
  for (auto incoming = incoming_.begin(); incoming != incoming_.end();) {
    if (incoming->stage() < IncomingConnection::Stage::known) {
      incoming->listen(expected.token);
    }
    if (incoming->stage() == IncomingConnection::Stage::known) {
      judge(*incoming, expected);
    }
    bool leaves = incoming->stage() == IncomingConnection::Stage::dropped;
    if (incoming->stage() == IncomingConnection::Stage::welcomed) {
      if (auto channel = incoming->conclude()) {
        const auto rank =
            std::find(expected.ranks.begin(), expected.ranks.end(), incoming->hello().from.rank);
        expected.links[static_cast<std::size_t>(rank - expected.ranks.begin())] =
            hub.add(std::move(channel));
        leaves = true;
      }
    }
    incoming = leaves ? incoming_.erase(incoming) : std::next(incoming);
  }
}

void Endpoint::judge(IncomingConnection& incoming, ExpectedRanks& expected) {
  const std::string reason = objection(self_, incoming.hello());
  if (!reason.empty()) {
    turn_away(incoming, reason);
  }
  admit(incoming, expected);
}

void Endpoint::admit(IncomingConnection& incoming, ExpectedRanks& expected) {
  const Hello& hello = incoming.hello();
  const auto rank = std::find(expected.ranks.begin(), expected.ranks.end(), hello.from.rank);
  if (hello.from.participant != expected.participant || rank == expected.ranks.end()) {
    return; // kept for later
  }
  char& welcomed = expected.welcomed[static_cast<std::size_t>(rank - expected.ranks.begin())];
  if (welcomed != 0) {
    turn_away(incoming, fmt::format("rank {} of \"{}\" is connected already; is it started twice?",
                                    hello.from.rank, hello.from.participant));
  }
  const bool share = can_share(hello);
  if (settings_.transport == NetworkSettings::shm && !share) {
    turn_away(incoming,
              "shared memory is demanded (ISTHMUS_TRANSPORT=shm), but it is on another host");
  }
  welcomed = 1;
  incoming.welcome(share, settings_);
}

void Endpoint::turn_away(IncomingConnection& incoming, const std::string& reason) const {
  const std::string who = transport::describe(peer_of(incoming.hello()));
  incoming.refuse(reason);
  fail("refused the connection of {}: {}", who, reason);
}

bool Endpoint::can_share(const Hello& hello) const {
  return settings_.transport != NetworkSettings::tcp && hello.shm &&
         hello.address.host_id == address_.host_id;
}

} // namespace isthmus::connect
