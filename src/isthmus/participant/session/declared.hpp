// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/participant/call_names.hpp"

#include <string>
#include <string_view>

namespace isthmus::participant {

/// The meshes and data that the configuration declares for this participant, found by the names
/// that calls of the solver give. All errors name the call.
class Declared {
 public:
  /// The arguments must outlive the object.
  Declared(const config::Configuration& configuration, const config::Participant& self,
           const CallNames& calls)
      : configuration_(configuration), self_(self), calls_(calls) {}

  [[nodiscard]] const config::Participant& self() const { return self_; }
  [[nodiscard]] const CallNames& calls() const { return calls_; }

  /// Error: the participant neither provides nor receives the mesh.
  [[nodiscard]] const config::Mesh& mesh(std::string_view call, std::string_view mesh) const;
  /// Error: it does not receive the mesh, or without access for the solver.
  [[nodiscard]] const config::ReceiveMesh& accessible(std::string_view call,
                                                      std::string_view mesh) const;
  /// The mesh on which data lie. Error: no such mesh, or it has no such data.
  [[nodiscard]] const config::Mesh& mesh_with(std::string_view call, std::string_view mesh,
                                              std::string_view data) const;
  /// The same for data that the solver writes or reads. Error: it declares to do neither.
  [[nodiscard]] const config::Mesh& mesh_of_solver(std::string_view call, std::string_view mesh,
                                                   std::string_view data,
                                                   config::Direction direction) const;
  /// The mapping of a call that gives positions. Error: there is none.
  [[nodiscard]] const config::Mapping& just_in_time(std::string_view call, const config::Mesh& mesh,
                                                    config::Direction direction) const;
  /// A mesh that the participant provides or receives.
  [[nodiscard]] const config::Mesh& mesh(std::string_view name) const {
    return *configuration_.find_mesh(name);
  }
  /// Whether any participant needs edges, triangles or tetrahedra of a mesh.
  [[nodiscard]] bool connectivity_required(const std::string& mesh) const;
  /// Whether meshes may be reset.
  [[nodiscard]] bool allows_remeshing() const { return configuration_.run.allow_remeshing; }
  /// Whether this participant sends data before the first step of a new run.
  [[nodiscard]] bool sends_initial_data() const;

 private:
  const config::Configuration& configuration_;
  const config::Participant& self_;
  const CallNames& calls_;
};

} // namespace isthmus::participant
