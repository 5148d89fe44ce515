// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mesh/own_meshes.hpp"
#include "isthmus/participant/session/call_order.hpp"
#include "isthmus/participant/session/coupled_run.hpp"
#include "isthmus/participant/session/declared.hpp"
#include "isthmus/participant/vertex_id.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace isthmus::participant {

/// The meshes that the solver defines: before initialize(), and anew between two time windows.
class ProvidedMeshes {
 public:
  /// The arguments must outlive the object.
  ProvidedMeshes(const Declared& declared, const CallOrder& call_order, CoupledRun& run);

  [[nodiscard]] bool has(std::string_view mesh) const { return meshes_.count(mesh) != 0; }
  /// For names that the configuration was checked for.
  [[nodiscard]] const mesh::Mesh& at(std::string_view mesh) const {
    return meshes_.find(mesh)->second.mesh;
  }
  /// All of them, which stay where they are.
  [[nodiscard]] mesh::OwnMeshes all() const;
  /// Whether the solver may define the mesh now; other meshes are open before initialize().
  [[nodiscard]] bool is_open(std::string_view mesh) const;
  /// Their vertices stay as they are. Where meshes may change, elements are needed again.
  void close();

  // Calls of the solver
  /// Of received meshes, too.
  [[nodiscard]] bool requires_connectivity(std::string_view mesh) const;
  VertexId set_vertex(std::string_view mesh, std::span<const double> position);
  void set_vertices(std::string_view mesh, std::span<const double> positions,
                    std::span<VertexId> ids);
  /// Adds elements unless nobody needs them.
  using AddElements = void (mesh::Mesh::*)(std::span<const LocalIndex>);
  void set_elements(Call call, std::string_view mesh, std::span<const VertexId> ids,
                    AddElements add);
  void reset(std::string_view mesh);

  /// Collective where a mesh may have been reset. Ranks that have done so notify the others, whose
  /// parts stay as they are. False, and nothing is changed, if a step does not end the window then.
  [[nodiscard]] bool join_resets(const comm::Comm& comm, double dt);
  /// Error if join_resets() said false.
  void check_ends_windows(bool all_end, double dt) const;

 private:
  struct Provided {
    mesh::Mesh mesh;
    bool connectivity = false; // is needed by some mapping
    bool is_reset = false;     // since the last advance()
  };

  [[nodiscard]] const Provided& provided(std::string_view call, std::string_view mesh) const;
  [[nodiscard]] Provided& open_mesh(std::string_view call, std::string_view mesh);
  [[nodiscard]] bool may_change() const { return declared_.allows_remeshing(); }

  const Declared& declared_;
  const CallOrder& call_order_;
  CoupledRun& run_;
  std::map<std::string, Provided, std::less<>> meshes_;
};

} // namespace isthmus::participant
