// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <precice/export.h>
#include <precice/Types.hpp>
#include <precice/span.hpp>

#include <memory>
#include <string>

namespace precice {

namespace impl {
class ParticipantImpl;
}

namespace testing {
struct WhiteboxAccessor;
}

/// One participant of a coupled run, as one of its ranks sees it. Every error is a precice::Error.
///
/// Coordinates and vector values are interleaved: x0 y0 z0 x1 …; ids are those that setMeshVertex
/// and setMeshVertices returned and refer to this rank.
class PRECICE_API Participant {
 public:
  /// Collective. Uses MPI_COMM_WORLD if MPI is initialized, or initializes MPI if size > 1.
  Participant(::precice::string_view participantName, ::precice::string_view configurationFileName,
              int solverProcessIndex, int solverProcessSize);

  /// Collective. `communicator` points to the MPI_Comm of this participant's ranks.
  Participant(::precice::string_view participantName, ::precice::string_view configurationFileName,
              int solverProcessIndex, int solverProcessSize, void* communicator);

  /// Collective. Finalizes unless finalize() was called.
  ~Participant();

  Participant(const Participant&) = delete;
  Participant(Participant&&) = delete;
  Participant& operator=(const Participant&) = delete;
  Participant& operator=(Participant&&) = delete;

  // Steering: collective

  void initialize();
  /// Advances by the time the solver computed, 0 < size <= getMaxTimeStepSize().
  void advance(double computedTimeStepSize);
  void finalize();

  // Implicit coupling: asking is promising to act

  bool requiresWritingCheckpoint();
  bool requiresReadingCheckpoint();

  // Status

  int getMeshDimensions(::precice::string_view meshName) const;
  int getDataDimensions(::precice::string_view meshName, ::precice::string_view dataName) const;
  bool isCouplingOngoing() const;
  bool isTimeWindowComplete() const;
  double getMaxTimeStepSize() const;

  // Meshes: local, before initialize() or after resetMesh()

  bool requiresMeshConnectivityFor(::precice::string_view meshName) const;
  void resetMesh(::precice::string_view meshName);
  VertexID setMeshVertex(::precice::string_view meshName, ::precice::span<const double> position);
  int getMeshVertexSize(::precice::string_view meshName) const;
  void setMeshVertices(::precice::string_view meshName, ::precice::span<const double> coordinates,
                       ::precice::span<VertexID> ids);
  void setMeshEdge(::precice::string_view meshName, VertexID first, VertexID second);
  void setMeshEdges(::precice::string_view meshName, ::precice::span<const VertexID> ids);
  void setMeshTriangle(::precice::string_view meshName, VertexID first, VertexID second,
                       VertexID third);
  void setMeshTriangles(::precice::string_view meshName, ::precice::span<const VertexID> ids);
  void setMeshQuad(::precice::string_view meshName, VertexID first, VertexID second, VertexID third,
                   VertexID fourth);
  void setMeshQuads(::precice::string_view meshName, ::precice::span<const VertexID> ids);
  void setMeshTetrahedron(::precice::string_view meshName, VertexID first, VertexID second,
                          VertexID third, VertexID fourth);
  void setMeshTetrahedra(::precice::string_view meshName, ::precice::span<const VertexID> ids);

  // Data: local

  bool requiresInitialData();
  void writeData(::precice::string_view meshName, ::precice::string_view dataName,
                 ::precice::span<const VertexID> ids, ::precice::span<const double> values);
  /// Values at `relativeReadTime` after the current time, 0 <= relativeReadTime <=
  /// getMaxTimeStepSize().
  void readData(::precice::string_view meshName, ::precice::string_view dataName,
                ::precice::span<const VertexID> ids, double relativeReadTime,
                ::precice::span<double> values) const;

  // Just-in-time mapping: local, needs an access region

  void writeAndMapData(::precice::string_view meshName, ::precice::string_view dataName,
                       ::precice::span<const double> coordinates,
                       ::precice::span<const double> values);
  void mapAndReadData(::precice::string_view meshName, ::precice::string_view dataName,
                      ::precice::span<const double> coordinates, double relativeReadTime,
                      ::precice::span<double> values) const;

  // Direct access to received meshes: local

  /// Box of this rank as min and max per axis: x0 x1 y0 y1 z0 z1.
  void setMeshAccessRegion(::precice::string_view meshName,
                           ::precice::span<const double> boundingBox) const;
  void getMeshVertexIDsAndCoordinates(::precice::string_view meshName,
                                      ::precice::span<VertexID> ids,
                                      ::precice::span<double> coordinates) const;

  // Gradients: local. Per vertex, per direction of derivation, all components.

  bool requiresGradientDataFor(::precice::string_view meshName,
                               ::precice::string_view dataName) const;
  void writeGradientData(::precice::string_view meshName, ::precice::string_view dataName,
                         ::precice::span<const VertexID> ids,
                         ::precice::span<const double> gradients);

  // Sections of the user's own in the profile

  void startProfilingSection(::precice::string_view sectionName);
  void stopLastProfilingSection();

 private:
  std::unique_ptr<impl::ParticipantImpl> _impl;

  friend struct testing::WhiteboxAccessor;
};

/// Version, revision and features, separated by semicolons.
PRECICE_API std::string getVersionInformation();

} // namespace precice
