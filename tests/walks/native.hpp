// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "call_names.hpp" // of the drop-in

#include <mpi.h>
#include <isthmus/isthmus.hpp>

#include <array>
#include <span>
#include <string_view>

namespace walks {

/// The native calls for meshes with the names of the drop-in's.
class NativeMeshes {
 public:
  explicit NativeMeshes(isthmus::MeshCalls& own) : own_(own) {}

  int getMeshDimensions(std::string_view mesh) const { return own_.mesh_dimensions(mesh); }
  int getMeshVertexSize(std::string_view mesh) const { return own_.mesh_vertex_size(mesh); }
  bool requiresMeshConnectivityFor(std::string_view mesh) const {
    return own_.requires_mesh_connectivity_for(mesh);
  }
  int setMeshVertex(std::string_view mesh, std::span<const double> position) {
    return own_.set_mesh_vertex(mesh, position);
  }
  void setMeshVertices(std::string_view mesh, std::span<const double> positions,
                       std::span<int> ids) {
    own_.set_mesh_vertices(mesh, positions, ids);
  }
  void setMeshEdge(std::string_view mesh, int a, int b) {
    own_.set_mesh_edges(mesh, std::array{a, b});
  }
  void setMeshTriangle(std::string_view mesh, int a, int b, int c) {
    own_.set_mesh_triangles(mesh, std::array{a, b, c});
  }
  void resetMesh(std::string_view mesh) { own_.reset_mesh(mesh); }
  void setMeshAccessRegion(std::string_view mesh, std::span<const double> box) {
    own_.set_mesh_access_region(mesh, box);
  }
  void getMeshVertexIDsAndCoordinates(std::string_view mesh, std::span<int> ids,
                                      std::span<double> positions) const {
    own_.mesh_vertex_ids_and_coordinates(mesh, ids, positions);
  }

 private:
  isthmus::MeshCalls& own_;
};

/// The native calls for data with the names of the drop-in's.
class NativeData {
 public:
  explicit NativeData(isthmus::DataCalls& own) : own_(own) {}

  int getDataDimensions(std::string_view mesh, std::string_view data) const {
    return own_.data_dimensions(mesh, data);
  }
  bool requiresGradientDataFor(std::string_view mesh, std::string_view data) const {
    return own_.requires_gradient_data_for(mesh, data);
  }
  void writeData(std::string_view mesh, std::string_view data, std::span<const int> ids,
                 std::span<const double> values) {
    own_.write_data(mesh, data, ids, values);
  }
  void writeGradientData(std::string_view mesh, std::string_view data, std::span<const int> ids,
                         std::span<const double> gradients) {
    own_.write_gradient_data(mesh, data, ids, gradients);
  }
  void writeAndMapData(std::string_view mesh, std::string_view data, std::span<const double> places,
                       std::span<const double> values) {
    own_.write_and_map_data(mesh, data, places, values);
  }
  void readData(std::string_view mesh, std::string_view data, std::span<const int> ids, double time,
                std::span<double> values) const {
    own_.read_data(mesh, data, ids, time, values);
  }
  void mapAndReadData(std::string_view mesh, std::string_view data, std::span<const double> places,
                      double time, std::span<double> values) const {
    own_.map_and_read_data(mesh, data, places, time, values);
  }

 private:
  isthmus::DataCalls& own_;
};

/// The native interface with the names of the drop-in's, also in texts.
class Native : private isthmus::Participant, public NativeMeshes, public NativeData {
 public:
  Native(std::string_view name, std::string_view file, int rank, int size, const void* communicator)
      : isthmus::Participant(name, file,
                             {rank, size, communicator == nullptr ? &nothing : communicator,
                              nullptr, &precice::impl::call_names}),
        NativeMeshes(static_cast<isthmus::MeshCalls&>(*this)),
        NativeData(static_cast<isthmus::DataCalls&>(*this)) {}

  using isthmus::Participant::advance;
  using isthmus::Participant::finalize;
  using isthmus::Participant::initialize;

  bool isCouplingOngoing() const { return is_coupling_ongoing(); }
  bool isTimeWindowComplete() const { return is_time_window_complete(); }
  double getMaxTimeStepSize() const { return max_time_step_size(); }
  bool requiresInitialData() { return requires_initial_data(); }
  bool requiresWritingCheckpoint() { return requires_writing_checkpoint(); }
  bool requiresReadingCheckpoint() { return requires_reading_checkpoint(); }

  void startProfilingSection(std::string_view name) { start_profiling_section(name); }
  void stopLastProfilingSection() { stop_last_profiling_section(); }

 private:
  static inline const MPI_Comm nothing = MPI_COMM_NULL;
};

} // namespace walks
