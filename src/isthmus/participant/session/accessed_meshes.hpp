// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/participant/session/call_order.hpp"
#include "isthmus/participant/session/coupled_run.hpp"
#include "isthmus/participant/session/declared.hpp"
#include "isthmus/participant/vertex_id.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace isthmus::participant {

/// The received meshes to which the solver has access: their regions, their vertices, and the
/// mappings to positions that it gives.
class AccessedMeshes {
 public:
  /// The arguments must outlive the object.
  AccessedMeshes(const Declared& declared, const CallOrder& call_order, CoupledRun& run)
      : declared_(declared), call_order_(call_order), run_(run) {}

  /// Where the solver sets no region of a mesh that is mapped, a single rank has access to all of
  /// it, several have to none.
  void complete_regions(int num_ranks);
  [[nodiscard]] const planning::Regions& regions() const { return regions_; }
  /// In the region. Error: the mesh cannot be accessed, or not yet.
  [[nodiscard]] LocalIndex num_vertices(std::string_view call, std::string_view mesh) const;
  /// Of a mesh without access for the solver: how many this rank keeps for its mappings. Error: not
  /// yet.
  [[nodiscard]] LocalIndex num_kept(std::string_view call,
                                    const config::ReceiveMesh& received) const;
  /// The vertices with their weights for each position. Error: no such mapping, a position outside
  /// of the region, or a number of values that does not fit the field.
  [[nodiscard]] mapping::Interpolation interpolate(std::string_view call, const config::Mesh& mesh,
                                                   config::Direction direction,
                                                   const fields::Field& field,
                                                   std::span<const double> positions,
                                                   std::size_t num_values);
  /// Meshes have come anew.
  void forget_mappings() { just_in_time_.clear(); }

  // Calls of the solver
  void set_region(std::string_view mesh, std::span<const double> bounding_box);
  void ids_and_coordinates(std::string_view mesh, std::span<VertexId> ids,
                           std::span<double> positions) const;

 private:
  void check_positions(std::string_view call, const config::Mesh& mesh, const fields::Field& field,
                       std::span<const double> positions, std::size_t num_values) const;

  const Declared& declared_;
  const CallOrder& call_order_;
  CoupledRun& run_;
  planning::Regions regions_;
  using Key = std::pair<std::string, config::Direction>;
  std::map<Key, std::unique_ptr<mapping::Mapping>> just_in_time_; // made when first used
};

} // namespace isthmus::participant
