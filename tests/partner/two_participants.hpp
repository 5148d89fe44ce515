// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/collective.hpp"
#include "isthmus/connect/announce.hpp"
#include "isthmus/partner/connection.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Two participants, A and B, on the ranks of this program.
namespace isthmus::partner::testing {

constexpr double limit_s = 60; // reached only where a test fails

/// One rank of a participant, with all that its connections need.
struct Member {
  Member(comm::Comm ranks, const std::string& self, const JointJob* joint, double timeout = limit_s)
      : comm(std::move(ranks)),
        log(self, comm.rank()),
        context{comm,
                hub,
                {self, comm.rank(), comm.size(), "mesh M 1\n"},
                comm::bcast(comm, make_token()),
                nullptr,
                joint == nullptr ? &announcements : nullptr,
                joint,
                log,
                trace,
                timeout,
                limit_s} {
    log.add_sink([this](const LogRecord& record) { said.emplace_back(record.text); });
    if (joint == nullptr) {
      endpoint.emplace(context.identity, connect::NetworkSettings{});
      context.endpoint = &*endpoint;
    }
  }

  /// Collective. The first rank says where it is found.
  void announce(const std::filesystem::path& directory, const std::string& partner) {
    if (comm.is_root()) {
      connect::Announcement announcement;
      announcement.participant = context.identity.participant;
      announcement.address = endpoint->address();
      announcement.token = context.token;
      announcement.awaits = {partner};
      announcements.push_back(connect::announce(directory, std::move(announcement)));
    }
  }
  /// Both sides say goodbye.
  void close() {
    hub.close(limit_s);
    hub.part_from_mpi();
    hub.clear();
  }

  comm::Comm comm;
  transport::Hub hub;
  Log log;
  Trace trace{Detail::nothing};
  std::vector<std::string> said;
  std::optional<connect::Endpoint> endpoint;
  std::vector<connect::AnnouncementFile> announcements;
  Context context;
};

inline config::M2N m2n_in(const std::filesystem::path& directory,
                          config::M2NKind kind = config::M2NKind::sockets) {
  config::M2N m2n;
  m2n.kind = kind;
  m2n.acceptor = "A";
  m2n.connector = "B";
  m2n.exchange_directory = directory.string();
  return m2n;
}

/// How the messages of two participants go.
enum class Way { sockets, own_mpi, given_mpi };
constexpr Way all_ways[] = {Way::sockets, Way::own_mpi, Way::given_mpi};

/// A has the first `num_a` ranks of the program, B has the others, and they are connected.
class Couple {
 public:
  Couple(int num_a, Way way) : is_a_(world_.rank() < num_a) {
    if (way == Way::given_mpi) {
      std::vector<int> of_a;
      std::vector<int> of_b;
      for (int rank = 0; rank < world_.size(); ++rank) {
        (rank < num_a ? of_a : of_b).push_back(rank);
      }
      job_.emplace(JointJob{comm::Comm(MPI_COMM_WORLD), {{"A", of_a}, {"B", of_b}}});
    }
    member_.emplace(world_.split(is_a_ ? 0 : 1), self(), job_ ? &*job_ : nullptr);
    const std::filesystem::path directory = common_folder();
    if (way != Way::given_mpi) {
      member_->announce(directory, other());
    }
    connection_.emplace(
        member_->context,
        m2n_in(directory, way == Way::own_mpi ? config::M2NKind::mpi : config::M2NKind::sockets),
        other());
  }
  Couple(const Couple&) = delete;
  Couple& operator=(const Couple&) = delete;
  ~Couple() {
    member_->close();
    comm::barrier(world_);
    member_->announcements.clear();
    comm::barrier(world_);
    if (world_.is_root()) {
      std::filesystem::remove_all(folder_);
    }
  }

  [[nodiscard]] const comm::Comm& world() const { return world_; }
  [[nodiscard]] bool is_a() const { return is_a_; }
  [[nodiscard]] std::string self() const { return is_a_ ? "A" : "B"; }
  [[nodiscard]] std::string other() const { return is_a_ ? "B" : "A"; }
  [[nodiscard]] Member& member() { return *member_; }
  [[nodiscard]] Connection& connection() { return *connection_; }
  /// The rank in the program of a rank of the other one.
  [[nodiscard]] int world_rank(int remote_rank) const {
    return is_a_ ? member_->comm.size() + remote_rank : remote_rank;
  }

 private:
  /// A new folder that all ranks know.
  std::filesystem::path common_folder() {
    folder_ = (std::filesystem::temp_directory_path() / ("isthmus-test-" + to_hex(make_token())))
                  .string();
    comm::bcast(world_, folder_);
    std::filesystem::create_directories(folder_);
    return folder_;
  }

  comm::Comm world_{MPI_COMM_WORLD};
  bool is_a_;
  std::string folder_;
  std::optional<JointJob> job_;
  std::optional<Member> member_;
  std::optional<Connection> connection_;
};

} // namespace isthmus::partner::testing
