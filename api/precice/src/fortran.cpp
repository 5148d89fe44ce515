// SPDX-License-Identifier: BSD-3-Clause
#include "sole.hpp"

#include <precice/preciceFortran.hpp>

#include <mpi.h>

#include <algorithm>
#include <memory>
#include <string>

using precice::Participant;
using precice::sole::array;
using precice::sole::call;

namespace {

/// A Fortran text without the blanks behind it.
std::string text(const char* first, int length) {
  if (first == nullptr) {
    return "";
  }
  while (length > 0 && first[length - 1] == ' ') {
    --length;
  }
  return {first, static_cast<std::size_t>(std::max(length, 0))};
}

} // namespace

void precicef_create_(const char* participantName, const char* configFileName,
                      const int* solverProcessIndex, const int* solverProcessSize,
                      int participantNameLength, int configFileNameLength) {
  precice::sole::create(__func__, [&] {
    return std::make_unique<Participant>(text(participantName, participantNameLength),
                                         text(configFileName, configFileNameLength),
                                         *solverProcessIndex, *solverProcessSize);
  });
}

void precicef_create_with_communicator_(const char* participantName, const char* configFileName,
                                        const int* solverProcessIndex, const int* solverProcessSize,
                                        const int* communicator, int participantNameLength,
                                        int configFileNameLength) {
  precice::sole::create(__func__, [&] {
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (initialized == 0) {
      throw precice::Error("a communicator is given, but MPI is not initialized");
    }
    MPI_Comm of_c = MPI_Comm_f2c(*communicator);
    return std::make_unique<Participant>(text(participantName, participantNameLength),
                                         text(configFileName, configFileNameLength),
                                         *solverProcessIndex, *solverProcessSize, &of_c);
  });
}

void precicef_initialize_() {
  call(__func__, [&](Participant& p) { p.initialize(); });
}

void precicef_advance_(const double* timeStepSize) {
  call(__func__, [&](Participant& p) { p.advance(*timeStepSize); });
}

void precicef_finalize_() {
  precice::sole::finalize(__func__);
}

void precicef_get_mesh_dimensions_(const char* meshName, int* dimensions, int meshNameLength) {
  *dimensions = call(__func__, [&](Participant& p) {
    return p.getMeshDimensions(text(meshName, meshNameLength));
  });
}

void precicef_get_data_dimensions_(const char* meshName, const char* dataName, int* dimensions,
                                   int meshNameLength, int dataNameLength) {
  *dimensions = call(__func__, [&](Participant& p) {
    return p.getDataDimensions(text(meshName, meshNameLength), text(dataName, dataNameLength));
  });
}

void precicef_is_coupling_ongoing_(int* isOngoing) {
  *isOngoing = call(__func__, [&](Participant& p) { return p.isCouplingOngoing(); });
}

void precicef_is_time_window_complete_(int* isComplete) {
  *isComplete = call(__func__, [&](Participant& p) { return p.isTimeWindowComplete(); });
}

void precicef_get_max_time_step_size_(double* maxTimeStepSize) {
  *maxTimeStepSize = call(__func__, [&](Participant& p) { return p.getMaxTimeStepSize(); });
}

void precicef_requires_initial_data_(int* isRequired) {
  *isRequired = call(__func__, [&](Participant& p) { return p.requiresInitialData(); });
}

void precicef_requires_writing_checkpoint_(int* isRequired) {
  *isRequired = call(__func__, [&](Participant& p) { return p.requiresWritingCheckpoint(); });
}

void precicef_requires_reading_checkpoint_(int* isRequired) {
  *isRequired = call(__func__, [&](Participant& p) { return p.requiresReadingCheckpoint(); });
}

void precicef_reset_mesh_(const char* meshName, int meshNameLength) {
  call(__func__, [&](Participant& p) { p.resetMesh(text(meshName, meshNameLength)); });
}

void precicef_requires_mesh_connectivity_for_(const char* meshName, int* isRequired,
                                              int meshNameLength) {
  *isRequired = call(__func__, [&](Participant& p) {
    return p.requiresMeshConnectivityFor(text(meshName, meshNameLength));
  });
}

void precicef_set_mesh_vertex_(const char* meshName, const double* position, int* vertexID,
                               int meshNameLength) {
  call(__func__, [&](Participant& p) {
    const std::string mesh = text(meshName, meshNameLength);
    *vertexID = p.setMeshVertex(mesh, array(position, 1, p.getMeshDimensions(mesh)));
  });
}

void precicef_get_mesh_vertex_size_(const char* meshName, int* meshSize, int meshNameLength) {
  *meshSize = call(__func__, [&](Participant& p) {
    return p.getMeshVertexSize(text(meshName, meshNameLength));
  });
}

void precicef_set_mesh_vertices_(const char* meshName, const int* size, const double* positions,
                                 int* ids, int meshNameLength) {
  call(__func__, [&](Participant& p) {
    const std::string mesh = text(meshName, meshNameLength);
    p.setMeshVertices(mesh, array(positions, *size, p.getMeshDimensions(mesh)),
                      array(ids, *size, 1));
  });
}

void precicef_set_mesh_edge_(const char* meshName, const int* firstVertexID,
                             const int* secondVertexID, int meshNameLength) {
  call(__func__, [&](Participant& p) {
    p.setMeshEdge(text(meshName, meshNameLength), *firstVertexID, *secondVertexID);
  });
}

void precicef_set_mesh_edges_(const char* meshName, const int* size, const int* ids,
                              int meshNameLength) {
  call(__func__, [&](Participant& p) {
    p.setMeshEdges(text(meshName, meshNameLength), array(ids, *size, 2));
  });
}

void precicef_set_mesh_triangle_(const char* meshName, const int* firstVertexID,
                                 const int* secondVertexID, const int* thirdVertexID,
                                 int meshNameLength) {
  call(__func__, [&](Participant& p) {
    p.setMeshTriangle(text(meshName, meshNameLength), *firstVertexID, *secondVertexID,
                      *thirdVertexID);
  });
}

void precicef_set_mesh_triangles_(const char* meshName, const int* size, const int* ids,
                                  int meshNameLength) {
  call(__func__, [&](Participant& p) {
    p.setMeshTriangles(text(meshName, meshNameLength), array(ids, *size, 3));
  });
}

void precicef_set_mesh_quad_(const char* meshName, const int* firstVertexID,
                             const int* secondVertexID, const int* thirdVertexID,
                             const int* fourthVertexID, int meshNameLength) {
  call(__func__, [&](Participant& p) {
    p.setMeshQuad(text(meshName, meshNameLength), *firstVertexID, *secondVertexID, *thirdVertexID,
                  *fourthVertexID);
  });
}

void precicef_set_mesh_quads_(const char* meshName, const int* size, const int* ids,
                              int meshNameLength) {
  call(__func__, [&](Participant& p) {
    p.setMeshQuads(text(meshName, meshNameLength), array(ids, *size, 4));
  });
}

void precicef_set_mesh_tetrahedron_(const char* meshName, const int* firstVertexID,
                                    const int* secondVertexID, const int* thirdVertexID,
                                    const int* fourthVertexID, int meshNameLength) {
  call(__func__, [&](Participant& p) {
    p.setMeshTetrahedron(text(meshName, meshNameLength), *firstVertexID, *secondVertexID,
                         *thirdVertexID, *fourthVertexID);
  });
}

void precicef_set_mesh_tetrahedra_(const char* meshName, const int* size, const int* ids,
                                   int meshNameLength) {
  call(__func__, [&](Participant& p) {
    p.setMeshTetrahedra(text(meshName, meshNameLength), array(ids, *size, 4));
  });
}

void precicef_write_data_(const char* meshName, const char* dataName, const int* size,
                          const int* ids, const double* values, int meshNameLength,
                          int dataNameLength) {
  call(__func__, [&](Participant& p) {
    const std::string mesh = text(meshName, meshNameLength);
    const std::string data = text(dataName, dataNameLength);
    p.writeData(mesh, data, array(ids, *size, 1),
                array(values, *size, p.getDataDimensions(mesh, data)));
  });
}

void precicef_read_data_(const char* meshName, const char* dataName, const int* size,
                         const int* ids, const double* relativeReadTime, double* values,
                         int meshNameLength, int dataNameLength) {
  call(__func__, [&](Participant& p) {
    const std::string mesh = text(meshName, meshNameLength);
    const std::string data = text(dataName, dataNameLength);
    p.readData(mesh, data, array(ids, *size, 1), *relativeReadTime,
               array(values, *size, p.getDataDimensions(mesh, data)));
  });
}

void precicef_requires_gradient_data_for_(const char* meshName, const char* dataName,
                                          int* isRequired, int meshNameLength, int dataNameLength) {
  *isRequired = call(__func__, [&](Participant& p) {
    return p.requiresGradientDataFor(text(meshName, meshNameLength),
                                     text(dataName, dataNameLength));
  });
}

void precicef_write_gradient_data_(const char* meshName, const char* dataName, const int* size,
                                   const int* ids, const double* gradients, int meshNameLength,
                                   int dataNameLength) {
  call(__func__, [&](Participant& p) {
    const std::string mesh = text(meshName, meshNameLength);
    const std::string data = text(dataName, dataNameLength);
    const int width = p.getMeshDimensions(mesh) * p.getDataDimensions(mesh, data);
    p.writeGradientData(mesh, data, array(ids, *size, 1), array(gradients, *size, width));
  });
}

void precicef_set_mesh_access_region_(const char* meshName, const double* boundingBox,
                                      int meshNameLength) {
  call(__func__, [&](Participant& p) {
    const std::string mesh = text(meshName, meshNameLength);
    p.setMeshAccessRegion(mesh, array(boundingBox, 2, p.getMeshDimensions(mesh)));
  });
}

void precicef_get_mesh_vertex_ids_and_coordinates_(const char* meshName, const int* size, int* ids,
                                                   double* coordinates, int meshNameLength) {
  call(__func__, [&](Participant& p) {
    const std::string mesh = text(meshName, meshNameLength);
    p.getMeshVertexIDsAndCoordinates(mesh, array(ids, *size, 1),
                                     array(coordinates, *size, p.getMeshDimensions(mesh)));
  });
}

void precicef_write_and_map_data_(const char* meshName, const char* dataName, const int* size,
                                  const double* coordinates, const double* values,
                                  int meshNameLength, int dataNameLength) {
  call(__func__, [&](Participant& p) {
    const std::string mesh = text(meshName, meshNameLength);
    const std::string data = text(dataName, dataNameLength);
    p.writeAndMapData(mesh, data, array(coordinates, *size, p.getMeshDimensions(mesh)),
                      array(values, *size, p.getDataDimensions(mesh, data)));
  });
}

void precicef_map_and_read_data_(const char* meshName, const char* dataName, const int* size,
                                 const double* coordinates, const double* relativeReadTime,
                                 double* values, int meshNameLength, int dataNameLength) {
  call(__func__, [&](Participant& p) {
    const std::string mesh = text(meshName, meshNameLength);
    const std::string data = text(dataName, dataNameLength);
    p.mapAndReadData(mesh, data, array(coordinates, *size, p.getMeshDimensions(mesh)),
                     *relativeReadTime, array(values, *size, p.getDataDimensions(mesh, data)));
  });
}

void precicef_start_profiling_section_(const char* sectionName, int sectionNameLength) {
  call(__func__,
       [&](Participant& p) { p.startProfilingSection(text(sectionName, sectionNameLength)); });
}

void precicef_stop_last_profiling_section_() {
  call(__func__, [&](Participant& p) { p.stopLastProfilingSection(); });
}

void precicef_get_version_information_(char* versionInfo, int versionInfoLength) {
  const std::string version = precice::getVersionInformation();
  const std::size_t size =
      std::min(version.size(), static_cast<std::size_t>(std::max(versionInfoLength, 0)));
  std::fill_n(std::copy_n(version.data(), size, versionInfo),
              static_cast<std::size_t>(std::max(versionInfoLength, 0)) - size, ' ');
}

void precicef_set_vertex_(const char* meshName, const double* position, int* vertexID,
                          int meshNameLength) {
  precicef_set_mesh_vertex_(meshName, position, vertexID, meshNameLength);
}

void precicef_set_vertices_(const char* meshName, const int* size, const double* positions,
                            int* ids, int meshNameLength) {
  precicef_set_mesh_vertices_(meshName, size, positions, ids, meshNameLength);
}

void precicef_set_edge_(const char* meshName, const int* firstVertexID, const int* secondVertexID,
                        int meshNameLength) {
  precicef_set_mesh_edge_(meshName, firstVertexID, secondVertexID, meshNameLength);
}

void precicef_set_triangle_(const char* meshName, const int* firstVertexID,
                            const int* secondVertexID, const int* thirdVertexID,
                            int meshNameLength) {
  precicef_set_mesh_triangle_(meshName, firstVertexID, secondVertexID, thirdVertexID,
                              meshNameLength);
}

void precicef_set_quad_(const char* meshName, const int* firstVertexID, const int* secondVertexID,
                        const int* thirdVertexID, const int* fourthVertexID, int meshNameLength) {
  precicef_set_mesh_quad_(meshName, firstVertexID, secondVertexID, thirdVertexID, fourthVertexID,
                          meshNameLength);
}

void precicef_set_tetrahedron(const char* meshName, const int* firstVertexID,
                              const int* secondVertexID, const int* thirdVertexID,
                              const int* fourthVertexID, int meshNameLength) {
  precicef_set_mesh_tetrahedron_(meshName, firstVertexID, secondVertexID, thirdVertexID,
                                 fourthVertexID, meshNameLength);
}

void precicef_set_tetrahedron_(const char* meshName, const int* firstVertexID,
                               const int* secondVertexID, const int* thirdVertexID,
                               const int* fourthVertexID, int meshNameLength) {
  precicef_set_mesh_tetrahedron_(meshName, firstVertexID, secondVertexID, thirdVertexID,
                                 fourthVertexID, meshNameLength);
}
