// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "call_names.hpp" // of the drop-in

#include <mpi.h>
#include <isthmus/isthmus.hpp>

#include <array>
#include <span>
#include <string_view>

namespace walks {

/// The native interface with the names of the drop-in's, also in texts.
class Native {
 public:
  Native(std::string_view name, std::string_view file, int rank, int size, const void* communicator)
      : own_(name, file,
             {rank, size, communicator == nullptr ? &nothing_ : communicator, nullptr,
              &precice::impl::call_names}) {}

  void initialize() { own_.initialize(); }
  void advance(double dt) { own_.advance(dt); }
  void finalize() { own_.finalize(); }

  int getMeshDimensions(std::string_view mesh) const { return own_.mesh_dimensions(mesh); }
  int getDataDimensions(std::string_view mesh, std::string_view data) const {
    return own_.data_dimensions(mesh, data);
  }
  int getMeshVertexSize(std::string_view mesh) const { return own_.mesh_vertex_size(mesh); }
  bool isCouplingOngoing() const { return own_.is_coupling_ongoing(); }
  bool isTimeWindowComplete() const { return own_.is_time_window_complete(); }
  double getMaxTimeStepSize() const { return own_.max_time_step_size(); }
  bool requiresInitialData() { return own_.requires_initial_data(); }
  bool requiresWritingCheckpoint() { return own_.requires_writing_checkpoint(); }
  bool requiresReadingCheckpoint() { return own_.requires_reading_checkpoint(); }
  bool requiresMeshConnectivityFor(std::string_view mesh) const {
    return own_.requires_mesh_connectivity_for(mesh);
  }
  bool requiresGradientDataFor(std::string_view mesh, std::string_view data) const {
    return own_.requires_gradient_data_for(mesh, data);
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

  void startProfilingSection(std::string_view name) { own_.start_profiling_section(name); }
  void stopLastProfilingSection() { own_.stop_last_profiling_section(); }

 private:
  const MPI_Comm nothing_ = MPI_COMM_NULL;
  isthmus::Participant own_;
};

} // namespace walks
