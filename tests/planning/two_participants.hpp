// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/transport/hub.hpp"
#include "protocol/relations.hpp"

#include <mpi.h>

#include <numeric>
#include <string>
#include <vector>

/// Two participants in one job: the first ranks of MPI_COMM_WORLD are A and provide a mesh, the
/// rest are B and receive it.
struct TwoParticipants {
  isthmus::comm::Comm world{MPI_COMM_WORLD};
  int providers;
  bool provides;
  isthmus::comm::Comm mine;
  isthmus::partner::JointJob joint;
  isthmus::transport::Hub hub;
  isthmus::Log log;
  isthmus::Trace trace;
  isthmus::partner::Context context;
  isthmus::partner::Connection connection;

  explicit TwoParticipants(int provider_count)
      : providers(provider_count),
        provides(world.rank() < provider_count),
        mine(world.split(provides ? 0 : 1)),
        joint{isthmus::comm::Comm(MPI_COMM_WORLD),
              {{"A", ranks(0, providers)}, {"B", ranks(providers, world.size())}}},
        context{mine, hub, identity(), {}, nullptr, nullptr, &joint, log, trace, 60, 60},
        connection(watched(), m2n(), provides ? "B" : "A") {}

 private:
  static std::vector<int> ranks(int first, int last) {
    std::vector<int> all(static_cast<std::size_t>(last - first));
    std::iota(all.begin(), all.end(), first);
    return all;
  }
  [[nodiscard]] isthmus::connect::RankIdentity identity() const {
    isthmus::connect::RankIdentity self;
    self.participant = provides ? "A" : "B";
    self.rank = mine.rank();
    self.size = mine.size();
    return self;
  }
  /// Links are served while ranks wait for each other.
  isthmus::partner::Context& watched() {
    mine.set_watch([this] { hub.progress(); }, 60);
    return context;
  }
  static isthmus::config::M2N m2n() {
    isthmus::config::M2N settings;
    settings.kind = isthmus::config::M2NKind::sockets;
    settings.acceptor = "A";
    settings.connector = "B";
    return settings;
  }
};

/// Knows one kind.
class NearestNeighbors final : public isthmus::planning::MappingFactory {
 public:
  [[nodiscard]] std::unique_ptr<isthmus::mapping::Mapping> make(
      const isthmus::config::Mapping& /*settings*/,
      const isthmus::mesh::Mesh& searched) const override {
    return isthmus::mapping::make_nearest_neighbor(searched);
  }
};
