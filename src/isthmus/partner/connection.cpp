// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partner/connection.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/connect/joint.hpp"
#include "isthmus/rendezvous/proxies.hpp"
#include "isthmus/transport/channels/mpi_channel.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <memory>
#include <numeric>

namespace isthmus::partner {

namespace {

std::vector<std::byte> encode(const connect::Address& address) {
  Writer writer;
  connect::put(writer, address);
  return writer.take();
}

std::string time_of_day() {
  const std::time_t seconds = std::time(nullptr);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 16> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%H:%M:%S", &local);
  return {text.data(), size};
}

/// Says at growing intervals for whom we wait, and why.
class WaitReport {
 public:
  WaitReport(const Log& log, const std::string& partner) : log_(log), partner_(partner) {}

  /// It is not there.
  void say(const std::string& obstacle, const std::string& directory) {
    if (is_due()) {
      log_.warning(
          "waiting for participant \"{}\" since {} ({:.0f} s): {}. Start it in the same directory; "
          "if it runs in another one, write exchange-directory=\"{}\" into <m2n:…>",
          partner_, since_, waited_.elapsed(), obstacle,
          (std::filesystem::absolute(directory) / "file")
              .lexically_normal()
              .parent_path()
              .string());
    }
  }
  /// It is there, but does not come nearer.
  void say(const connect::Address& address) {
    if (is_due()) {
      log_.warning(
          "waiting for participant \"{}\" since {} ({:.0f} s): it runs (pid {} on host {}), but is "
          "not in initialize() yet",
          partner_, since_, waited_.elapsed(), address.pid, address.host);
    }
  }

 private:
  bool is_due() {
    constexpr double shortest_s = 5;
    constexpr double longest_s = 30;
    const double waited = waited_.elapsed();
    if (waited < next_) {
      return false;
    }
    next_ = waited + std::clamp(waited, shortest_s, longest_s);
    return true;
  }

  const Log& log_;
  const std::string& partner_;
  std::string since_ = time_of_day();
  Deadline waited_{0};
  double next_ = 3; // seconds
};

} // namespace

Connection::Connection(Context& context, const config::M2N& m2n, std::string partner)
    : context_(context), accepts_(m2n.connector == partner), partner_(std::move(partner)) {
  if (context_.joint != nullptr) {
    const auto found = context_.joint->ranks.find(partner_);
    check(found != context_.joint->ranks.end(),
          "participant \"{}\" has no rank in the joint communicator", partner_);
    joint_ = &context_.joint->comm;
    joint_ranks_ = found->second;
  }
  bool mpi = false;
  comm::agree(context_.comm, [this, &m2n, &mpi] {
    if (!context_.comm.is_root()) {
      return;
    }
    if (joint_ != nullptr) {
      links_[0] = link_by_mpi(0);
      shake_hands(m2n);
    } else {
      meet_by_sockets(m2n);
    }
    mpi = use_mpi_;
  });
  remote_size_ = comm::bcast(context_.comm, remote_size_);
  token_ = comm::bcast(context_.comm, token_);
  if (comm::bcast(context_.comm, mpi)) {
    join_jobs();
  }
}

/// The first ranks find each other by their announcements.
void Connection::meet_by_sockets(const config::M2N& m2n) {
  links_[0] = find_partner(m2n);
  context_.met(partner_);
  shake_hands(m2n);
}

/// Links the first ranks. An announcement may turn out to be that of an earlier instance of the
/// partner, which another host shows for a while; then the search goes on.
transport::LinkId Connection::find_partner(const config::M2N& m2n) {
  constexpr double moment_s = 0.5;
  constexpr double longest_delay_s = 5; // of news from another host
  const std::string& self = context_.identity.participant;
  const std::string& directory = m2n.exchange_directory;
  WaitReport report(context_.log, partner_);
  const auto outdated = [&](const connect::Announcement& other, double limit_s) {
    return connect::is_outdated(directory, other, self, Deadline(limit_s));
  };
  while (true) {
    const connect::Announcement other = connect::find(
        directory, partner_, Deadline(context_.timeout),
        [this, &directory, &report](const std::string& obstacle) {
          context_.hub.progress();
          report.say(obstacle, directory);
        },
        self);
    connect::Watch watch(directory, other);
    try {
      return link_first(other, [&report, &watch, &other] {
        watch.look();
        report.say(other.address);
      });
    } catch (const transport::PeerLost&) {
      connect::throw_last_word(directory, other, Deadline(moment_s));
      if (accepts_ || !outdated(other, 0)) {
        throw;
      }
    } catch (const transport::Outdated&) {
      if (!outdated(other, longest_delay_s)) {
        throw;
      }
    }
  }
}

/// Links the first ranks; `look` throws if the partner gives up before it is connected.
transport::LinkId Connection::link_first(const connect::Announcement& other,
                                         const std::function<void()>& look) {
  const Deadline deadline(context_.progress_timeout);
  in_one_job_ = connect::in_one_job(context_.endpoint->address(), other.address);
  same_host_ = context_.endpoint->address().host_id == other.address.host_id;
  if (accepts_) {
    token_ = context_.token;
    const int first = 0;
    return context_.endpoint->accept(context_.hub, partner_, std::span(&first, 1), token_, deadline,
                                     look)[0];
  }
  token_ = other.token;
  return context_.endpoint->connect(context_.hub, other.address, partner_, 0, token_, deadline,
                                    look);
}

/// The first ranks tell each other what both sides must know, and that they run the same case.
void Connection::shake_hands(const config::M2N& m2n) {
  const bool mpi = joint_ == nullptr && wants_mpi(m2n);
  Writer writer;
  writer.put(context_.comm.size()).put(mpi).put_text(context_.identity.version);
  writer.put_text(context_.identity.fingerprint);
  context_.hub.send(links_[0], transport::Kind::control, writer.take());
  const auto bytes =
      context_.hub.receive(links_[0], transport::Kind::control, context_.progress_timeout);
  Reader reader(bytes);
  remote_size_ = reader.get<int>();
  use_mpi_ = reader.get<bool>() && mpi;
  const std::string version = reader.get_text();
  check(version == context_.identity.version,
        "participant \"{}\" uses version {} of the library, this one {}; use the same everywhere",
        partner_, version, context_.identity.version);
  const std::string fingerprint = reader.get_text();
  check(
      fingerprint == context_.identity.fingerprint,
      "participant \"{}\" runs with another configuration than participant \"{}\": they differ in "
      "{}; give both the same file",
      partner_, context_.identity.participant,
      connect::difference(context_.identity.fingerprint, fingerprint));
  const transport::Peer& peer = context_.hub.peer(links_[0]);
  context_.log.info(
      "connected with participant \"{}\" ({} rank{}, first rank pid {} on host {}) by {}", partner_,
      remote_size_, remote_size_ == 1 ? "" : "s", peer.pid, peer.host,
      use_mpi_ ? "mpi" : context_.hub.transport(links_[0]));
}

/// Between hosts of one MPI job, or where it is asked for, messages go through MPI.
bool Connection::wants_mpi(const config::M2N& m2n) const {
  const auto transport = context_.endpoint->settings().transport;
  const bool asked =
      transport == comm::NetworkSettings::mpi || m2n.kind != config::M2NKind::sockets;
  if (asked && !in_one_job_) {
    context_.log.info(
        "participants \"{}\" and \"{}\" run in separate MPI jobs: they talk by "
        "sockets and shared memory, not by MPI",
        context_.identity.participant, partner_);
  }
  const bool free = transport == comm::NetworkSettings::automatic;
  return in_one_job_ && (asked || (free && !same_host_));
}

/// What can fail on one rank alone comes before the ranks of both sides wait for each other in MPI,
/// where nothing ends a wait.
void Connection::join_jobs() {
  std::vector<int> own;
  std::vector<int> others;
  comm::agree(context_.comm, [this, &own] { own = connect::world_ranks(context_.comm); });
  Writer writer;
  writer.put_array(own);
  const auto bytes = swap(writer.take());
  comm::agree(context_.comm, [this, &own, &others, &bytes] {
    others = Reader(bytes).get_array<int>();
    joint_ranks_.resize(others.size());
    std::iota(joint_ranks_.begin(), joint_ranks_.end(),
              accepts_ ? static_cast<int>(own.size()) : 0);
  });
  static_cast<void>(swap({})); // all ranks of both sides have come so far
  const std::vector<int>& first = accepts_ ? own : others;
  const std::vector<int>& second = accepts_ ? others : own;
  own_joint_ = connect::join(first, second, first[0]);
  joint_ = &*own_joint_;
  if (context_.comm.is_root()) {
    links_[0] = link_by_mpi(0); // the first ranks' connection stays to notice a crash
  }
}

transport::LinkId Connection::link_by_mpi(int remote_rank) {
  const int joint_rank = joint_ranks_.at(static_cast<std::size_t>(remote_rank));
  return context_.hub.add(std::make_unique<transport::MpiChannel>(
      *joint_, joint_rank, transport::Peer{partner_, remote_rank, "of the same MPI job", 0}));
}

void Connection::link(std::span<const rendezvous::Partner> partners) {
  comm::agree(context_.comm, [this, partners] { link_here(partners); });
}

void Connection::link_here(std::span<const rendezvous::Partner> partners) {
  std::vector<int> ranks;
  std::vector<connect::Target> targets;
  for (const rendezvous::Partner& one : partners) {
    if (!links_.contains(one.rank)) {
      ranks.push_back(one.rank);
      if (joint_ == nullptr) {
        Reader reader(one.address);
        targets.push_back({connect::get_address(reader), partner_, one.rank});
      }
    }
  }
  if (joint_ != nullptr) {
    for (int rank : ranks) {
      links_[rank] = link_by_mpi(rank);
    }
    return;
  }
  if (ranks.empty()) {
    return;
  }
  const Deadline deadline(context_.progress_timeout);
  const std::vector<transport::LinkId> made =
      accepts_ ? context_.endpoint->accept(context_.hub, partner_, ranks, token_, deadline)
               : context_.endpoint->connect(context_.hub, targets, token_, deadline);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    links_[ranks[i]] = made[i];
  }
}

void Connection::link_proxies(rendezvous::Side side) {
  if (!linked_proxies_.insert(side).second) {
    return;
  }
  if (joint_ != nullptr) {
    link_proxies_by_mpi(side);
    return;
  }
  AcrossLinks across(*this, transport::Kind::addresses);
  static_cast<void>(
      rendezvous::link_proxies(context_.comm, side, remote_size_, own_address(), across));
}

/// In one MPI job every rank can be reached without looking for it.
void Connection::link_proxies_by_mpi(rendezvous::Side side) {
  std::vector<rendezvous::Partner> partners;
  const int own_size = context_.comm.size();
  if (side == rendezvous::Side::provider) {
    partners.push_back({rendezvous::proxy_rank(context_.comm.rank(), own_size, remote_size_), {}});
  } else {
    const rendezvous::RankRange range =
        rendezvous::proxy_clients(context_.comm.rank(), remote_size_, own_size);
    for (int rank = range.first; rank < range.last; ++rank) {
      partners.push_back({rank, {}});
    }
  }
  link_here(partners);
}

std::vector<std::byte> Connection::own_address() const {
  return joint_ == nullptr ? encode(context_.endpoint->address()) : std::vector<std::byte>();
}

std::vector<std::byte> Connection::swap(std::vector<std::byte> own) {
  std::vector<std::byte> other;
  comm::agree(context_.comm, [this, &own, &other] {
    if (context_.comm.is_root()) {
      context_.hub.send(links_.at(0), transport::Kind::control, std::move(own));
      other =
          context_.hub.receive(links_.at(0), transport::Kind::control, context_.progress_timeout);
    }
  });
  comm::bcast(context_.comm, other);
  return other;
}

void AcrossLinks::send(int remote_rank, std::vector<std::byte> bytes) {
  partner_.context().hub.send(partner_.link_to(remote_rank), kind_, std::move(bytes));
}

std::vector<std::byte> AcrossLinks::receive(int remote_rank) {
  Context& context = partner_.context();
  return context.hub.receive(partner_.link_to(remote_rank), kind_, context.progress_timeout);
}

} // namespace isthmus::partner
