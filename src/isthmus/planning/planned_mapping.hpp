// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/halo.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mapping/rows.hpp"
#include "isthmus/planning/contributions.hpp"
#include "isthmus/planning/route.hpp"
#include "isthmus/planning/search/late_system.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::planning {

/// Values at the vertices that a rank maps go to the ranks that hold these vertices.
struct Handover {
  exchange::Halo halo; // to others
  mapping::Rows rows;  // of what is mapped here, then of what comes from others
  std::vector<double> values = {};
};

/// Rows whose weights take long. What they read or write is known, and was sent to the provider.
struct LateRows {
  std::unique_ptr<mapping::LateInterpolation> interpolation; // null: nothing takes long here
  std::vector<LocalIndex> ghosts{}; // where they read: by received vertex its ghost, or -1
  std::optional<Contributions> contributions{}; // where they write
};

/// What a mapping still lacks when its provider has received all that it waits for.
struct Late {
  std::optional<LateRows> rows;
  std::optional<LateSystem> system;
};

/// One mapping, ready to be applied to every sample.
struct PlannedMapping {
  const protocol::MappingUse* use = nullptr;
  mapping::Rows rows; // columns of a write mapping: own vertices, then ghosts
  // where a system is solved: the rows pick what it takes, or deal what it gives
  std::unique_ptr<mapping::DistributedMapping> solver;
  exchange::Halo halo;              // of those ghosts; empty where this rank needs none
  std::optional<Handover> handover; // of the results; none: they stay where they are
  std::vector<Route> routes;        // write mappings: the results, by partner
  std::vector<LocalIndex>
      vertices; // write mappings: of the transferred mesh, by result; until planned
  Late late;    // until complete()
  // scaled mappings: what each input and each output contributes to the integrals of all ranks
  std::vector<double> from_measures;
  std::vector<double> to_measures;

  /// Whether what was received is mapped by all ranks together.
  [[nodiscard]] bool is_collective() const {
    return use->solves() || use->scaled() || (use->searches_nearby() && !use->writes);
  }

  /// Vertices that get values.
  [[nodiscard]] LocalIndex num_results() const {
    return handover ? handover->rows.num_rows() : rows.num_rows();
  }

  /// out = rows * in, `components` interleaved values per vertex; then, where the mapping is
  /// scaled, times the factor with which the integral of each component is that of the input; then
  /// handed over. Collective where it is scaled, has a halo, solves a system or hands over.
  void apply(const comm::Comm& comm, int components, std::span<const double> in,
             std::span<double> out);

 private:
  void map(const comm::Comm& comm, int components, std::span<const double> in,
           std::span<double> out);
  void scale(const comm::Comm& comm, int components, std::span<const double> in,
             std::span<double> out) const;

  void apply_solver(int components, std::span<const double> in, std::span<double> out);

  std::vector<double> with_halo_; // input with ghosts
  std::vector<double> solved_;    // what the system takes or gives
};

} // namespace isthmus::planning
