// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/trace.hpp"
#include "isthmus/participant/session/accessed_meshes.hpp"
#include "isthmus/participant/session/provided_meshes.hpp"

#include <span>
#include <string_view>

namespace isthmus::participant {

/// What the solver writes and reads: values at vertices of its own meshes and of those that it has
/// access to, and at positions that it gives.
class SolverData {
 public:
  /// The arguments must outlive the object.
  SolverData(const Declared& declared, const CallOrder& call_order, CoupledRun& run,
             const ProvidedMeshes& provided, AccessedMeshes& accessed, Trace& trace)
      : declared_(declared),
        call_order_(call_order),
        run_(run),
        provided_(provided),
        accessed_(accessed),
        trace_(trace) {}

  [[nodiscard]] int mesh_dimensions(std::string_view mesh) const;
  [[nodiscard]] int dimensions(std::string_view mesh, std::string_view data) const;
  [[nodiscard]] int num_vertices(std::string_view mesh) const;
  [[nodiscard]] bool requires_gradient(std::string_view mesh, std::string_view data) const;
  void write(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
             std::span<const double> values);
  void write_gradients(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                       std::span<const double> gradients);
  void read(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
            double relative_time, std::span<double> values) const;
  void write_and_map(std::string_view mesh, std::string_view data,
                     std::span<const double> positions, std::span<const double> values);
  void map_and_read(std::string_view mesh, std::string_view data, std::span<const double> positions,
                    double relative_time, std::span<double> values) const;

 private:
  /// Of a provided mesh, or of a received one in the region that the solver has access to.
  [[nodiscard]] LocalIndex num_vertices(std::string_view call, std::string_view mesh) const;
  /// Data of a mesh that the participant provides or receives, whether it uses them or not.
  [[nodiscard]] const fields::Field& field(std::string_view call, std::string_view mesh,
                                           std::string_view data) const;
  [[nodiscard]] fields::Field& field_of_solver(std::string_view call, std::string_view mesh,
                                               std::string_view data,
                                               config::Direction direction) const;
  /// The field of a mesh that the solver has access to, and the vertices and weights for positions.
  struct Located {
    fields::Field& field;
    mapping::Interpolation found;
  };
  [[nodiscard]] Located locate(std::string_view call, std::string_view mesh, std::string_view data,
                               config::Direction direction, std::span<const double> positions,
                               std::size_t num_values) const;
  void check_writing(std::string_view call) const;
  void check_not_mapped(std::string_view call, std::string_view mesh, std::string_view data) const;
  void check_reading(std::string_view call, double relative_time) const;

  const Declared& declared_;
  const CallOrder& call_order_;
  CoupledRun& run_;
  const ProvidedMeshes& provided_;
  AccessedMeshes& accessed_;
  Trace& trace_;
};

} // namespace isthmus::participant
