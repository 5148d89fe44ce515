// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <precice/Version.h>
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
  /// Collective over the ranks of the participant. Uses MPI_COMM_WORLD if MPI is initialized, or
  /// initializes MPI if size > 1. Error: no such file or participant, a configuration that is not
  /// valid, a rank that is not 0 to size - 1.
  Participant(::precice::string_view participantName, ::precice::string_view configurationFileName,
              int solverProcessIndex, int solverProcessSize);

  /// Collective. As before; `communicator` points to the MPI_Comm of this participant's ranks.
  /// Error: as before.
  Participant(::precice::string_view participantName, ::precice::string_view configurationFileName,
              int solverProcessIndex, int solverProcessSize, void* communicator);

  /// Collective. Finalizes unless finalize() was called.
  ~Participant();

  Participant(const Participant&) = delete;
  Participant(Participant&&) = delete;
  Participant& operator=(const Participant&) = delete;
  Participant& operator=(Participant&&) = delete;

  // Steering: collective

  /// Collective. Connects to all partners, exchanges and maps the meshes, sends initial data.
  /// Error: required initial data are missing, a partner does not come within ISTHMUS_TIMEOUT
  /// seconds or fails, a second call.
  void initialize();

  /// Collective. After each step of the solver: maps and sends what it wrote and receives what
  /// comes next. `computedTimeStepSize`: the time it advanced, in the unit of the configuration's
  /// times, above 0 and at most getMaxTimeStepSize(). Error: another `computedTimeStepSize`, a
  /// checkpoint that was not asked for, a coupling that has ended, a partner that failed.
  void advance(double computedTimeStepSize);

  /// Collective. Ends the participation when the partners have all that was sent to them. Error: a
  /// second call, a partner that failed.
  void finalize();

  // Implicit coupling: asking is promising to act

  /// Whether the solver must save its state now; to be asked after initialize() and each advance().
  /// Error: before initialize().
  bool requiresWritingCheckpoint();

  /// Whether the window is repeated, so that the solver must return to the state it saved; to be
  /// asked after each advance(). Error: before initialize().
  bool requiresReadingCheckpoint();

  // Status

  /// 2 or 3. Error: the participant has no such mesh.
  int getMeshDimensions(::precice::string_view meshName) const;

  /// Values per vertex: 1 for scalar data, the dimensions of the mesh for vector data. Error: the
  /// participant has no such mesh, or the mesh no such data.
  int getDataDimensions(::precice::string_view meshName, ::precice::string_view dataName) const;

  /// Whether there is a step to compute. Error: before initialize().
  bool isCouplingOngoing() const;

  /// Whether the last advance() ended a time window that is not repeated. Error: before
  /// initialize().
  bool isTimeWindowComplete() const;

  /// The time to the end of the window, in the unit of the configuration's times: what the next
  /// step may have at most. 0 after the end. Error: before initialize().
  double getMaxTimeStepSize() const;

  // Meshes: local, before initialize() or after resetMesh()

  /// Whether somebody needs the edges, triangles or tetrahedra of a mesh; otherwise they are
  /// ignored. Error: a mesh that is neither provided nor received.
  bool requiresMeshConnectivityFor(::precice::string_view meshName) const;

  /// Empties a provided mesh, to be defined anew before the next advance(), which must end the time
  /// window. All ranks call it, also those whose part stays the same. Error: a window that is not
  /// complete, a configuration without allow-remeshing.
  void resetMesh(::precice::string_view meshName);

  /// The id of a new vertex. `position`: as many coordinates as the mesh has dimensions. Error:
  /// another number, a coordinate that is not finite, a mesh that is not provided, or locked by
  /// initialize().
  VertexID setMeshVertex(::precice::string_view meshName, ::precice::span<const double> position);

  /// The vertices on this rank of a provided mesh, of a received one those in the access region, or
  /// without access those that its mappings need. Error: no such mesh, a received one before
  /// initialize().
  int getMeshVertexSize(::precice::string_view meshName) const;

  /// New vertices. `coordinates`: the coordinates of one vertex after the other; `ids`: filled, one
  /// per vertex. Error: sizes that do not fit, a coordinate that is not finite, a mesh that is not
  /// provided, or locked by initialize().
  void setMeshVertices(::precice::string_view meshName, ::precice::span<const double> coordinates,
                       ::precice::span<VertexID> ids);

  /// An edge between 2 vertices. Error: an id that is not of this rank, the same twice, a mesh that
  /// is not provided, or locked by initialize().
  void setMeshEdge(::precice::string_view meshName, VertexID first, VertexID second);

  /// `ids`: 2 ids per edge. Error: ids that are not of this rank, the same twice in an edge, a mesh
  /// that is not provided, or locked by initialize().
  void setMeshEdges(::precice::string_view meshName, ::precice::span<const VertexID> ids);

  /// A triangle of 3 vertices. Error: an id that is not of this rank, the same twice, a mesh that
  /// is not provided, or locked by initialize().
  void setMeshTriangle(::precice::string_view meshName, VertexID first, VertexID second,
                       VertexID third);

  /// `ids`: 3 ids per triangle. Error: ids that are not of this rank, the same twice in a triangle,
  /// a mesh that is not provided, or locked by initialize().
  void setMeshTriangles(::precice::string_view meshName, ::precice::span<const VertexID> ids);

  /// A convex quad of 4 vertices, in the order around it. Error: an id that is not of this rank,
  /// the same twice, another shape, a mesh that is not provided, or locked by initialize().
  void setMeshQuad(::precice::string_view meshName, VertexID first, VertexID second, VertexID third,
                   VertexID fourth);

  /// `ids`: 4 ids per convex quad, in the order around it. Error: ids that are not of this rank,
  /// the same twice in a quad, another shape, a mesh that is not provided, or locked by
  /// initialize().
  void setMeshQuads(::precice::string_view meshName, ::precice::span<const VertexID> ids);

  /// A tetrahedron of 4 vertices. Error: an id that is not of this rank, the same twice, a mesh of
  /// 2 dimensions, a mesh that is not provided, or locked by initialize().
  void setMeshTetrahedron(::precice::string_view meshName, VertexID first, VertexID second,
                          VertexID third, VertexID fourth);

  /// `ids`: 4 ids per tetrahedron. Error: ids that are not of this rank, the same twice in a
  /// tetrahedron, a mesh of 2 dimensions, a mesh that is not provided, or locked by initialize().
  void setMeshTetrahedra(::precice::string_view meshName, ::precice::span<const VertexID> ids);

  // Data: local

  /// Whether data must be written before initialize(), which refuses to start where this was not
  /// asked. Error: after initialize().
  bool requiresInitialData();

  /// `values`: one per id for scalar data, the components of one vertex after the other for vector
  /// data. Zero is sent where nothing is written. Error: sizes that do not fit, an id that is not
  /// of this rank, a value that is not finite, data that this participant does not write, a
  /// coupling that has ended.
  void writeData(::precice::string_view meshName, ::precice::string_view dataName,
                 ::precice::span<const VertexID> ids, ::precice::span<const double> values);

  /// Fills `values`, one per id for scalar data, the components of one vertex after the other for
  /// vector data, with those at `relativeReadTime` after the current time, in the unit of the
  /// configuration's times, 0 to getMaxTimeStepSize(). Error: another time, sizes that do not fit,
  /// an id that is not of this rank, data that this participant does not read, before initialize().
  void readData(::precice::string_view meshName, ::precice::string_view dataName,
                ::precice::span<const VertexID> ids, double relativeReadTime,
                ::precice::span<double> values) const;

  // Just-in-time mapping: local, needs an access region

  /// Just-in-time mapping to a received mesh. `coordinates`: the coordinates of one position after
  /// the other; `values`: one per position for scalar data, the components of one position after
  /// the other for vector data. Error: sizes that do not fit, a position outside of the access
  /// region, no such mapping, a value that is not finite.
  void writeAndMapData(::precice::string_view meshName, ::precice::string_view dataName,
                       ::precice::span<const double> coordinates,
                       ::precice::span<const double> values);

  /// Just-in-time mapping from a received mesh. `coordinates`: the coordinates of one position
  /// after the other; fills `values`, one per position for scalar data, the components of one
  /// position after the other for vector data, with those at `relativeReadTime` after the current
  /// time, in the unit of the configuration's times, 0 to getMaxTimeStepSize(). Error: another
  /// time, sizes that do not fit, a position outside of the access region, no such mapping.
  void mapAndReadData(::precice::string_view meshName, ::precice::string_view dataName,
                      ::precice::span<const double> coordinates, double relativeReadTime,
                      ::precice::span<double> values) const;

  // Direct access to received meshes: local

  /// The part of a received mesh that this rank is given. `boundingBox`: the least and the greatest
  /// coordinate of each axis: x0 x1 y0 y1 and in 3D z0 z1. Error: after initialize(), a second call
  /// for a mesh, another size, a mesh that is not received with api-access.
  void setMeshAccessRegion(::precice::string_view meshName,
                           ::precice::span<const double> boundingBox) const;

  /// Fills what a received mesh has in the access region: `ids`, one per vertex,
  /// getMeshVertexSize() in all, and `coordinates`, the coordinates of one vertex after the other.
  /// Error: other sizes, a mesh that is not received with api-access, before initialize().
  void getMeshVertexIDsAndCoordinates(::precice::string_view meshName,
                                      ::precice::span<VertexID> ids,
                                      ::precice::span<double> coordinates) const;

  // Gradients: local

  /// Whether a mapping needs the gradients of these data. Error: no such mesh or data.
  bool requiresGradientDataFor(::precice::string_view meshName,
                               ::precice::string_view dataName) const;

  /// `gradients`: per id, of one component after the other, the derivative along each axis. Ignored
  /// where they are not required. Error: sizes that do not fit, an id that is not of this rank, a
  /// value that is not finite, data that this participant does not write.
  void writeGradientData(::precice::string_view meshName, ::precice::string_view dataName,
                         ::precice::span<const VertexID> ids,
                         ::precice::span<const double> gradients);

  // Sections of the user's own in the profile

  /// Opens a section of the profile, inside of those that are open. Error: a name with a slash.
  void startProfilingSection(::precice::string_view sectionName);

  /// Closes the section that was opened last. Error: none is open.
  void stopLastProfilingSection();

 private:
  std::unique_ptr<impl::ParticipantImpl> _impl;

  friend struct testing::WhiteboxAccessor;
};

/// Version, revision and features, separated by semicolons.
PRECICE_API std::string getVersionInformation();

} // namespace precice
