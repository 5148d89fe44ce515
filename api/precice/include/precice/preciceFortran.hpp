// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The interface of preCICE 3 as Fortran 77 calls it: scalars by pointer, the lengths of texts as
// trailing int by value, trailing blanks of texts ignored, answers of queries as 0 or 1 in the
// last argument. The functions are those of preciceC.h, errors included. Some have a second name.

#include <precice/export.h>

extern "C" {

PRECICE_API void precicef_create_(const char* participantName, const char* configFileName,
                                  const int* solverProcessIndex, const int* solverProcessSize,
                                  int participantNameLength, int configFileNameLength);
PRECICE_API void precicef_create_with_communicator_(
    const char* participantName, const char* configFileName, const int* solverProcessIndex,
    const int* solverProcessSize, const int* communicator, int participantNameLength,
    int configFileNameLength);
PRECICE_API void precicef_initialize_();
PRECICE_API void precicef_advance_(const double* timeStepSize);
PRECICE_API void precicef_finalize_();
PRECICE_API void precicef_get_mesh_dimensions_(const char* meshName, int* dimensions,
                                               int meshNameLength);
PRECICE_API void precicef_get_data_dimensions_(const char* meshName, const char* dataName,
                                               int* dimensions, int meshNameLength,
                                               int dataNameLength);
PRECICE_API void precicef_is_coupling_ongoing_(int* isOngoing);
PRECICE_API void precicef_is_time_window_complete_(int* isComplete);
PRECICE_API void precicef_get_max_time_step_size_(double* maxTimeStepSize);
PRECICE_API void precicef_requires_initial_data_(int* isRequired);
PRECICE_API void precicef_requires_writing_checkpoint_(int* isRequired);
PRECICE_API void precicef_requires_reading_checkpoint_(int* isRequired);
PRECICE_API void precicef_reset_mesh_(const char* meshName, int meshNameLength);
PRECICE_API void precicef_requires_mesh_connectivity_for_(const char* meshName, int* isRequired,
                                                          int meshNameLength);
PRECICE_API void precicef_set_mesh_vertex_(const char* meshName, const double* position,
                                           int* vertexID, int meshNameLength);
PRECICE_API void precicef_get_mesh_vertex_size_(const char* meshName, int* meshSize,
                                                int meshNameLength);
PRECICE_API void precicef_set_mesh_vertices_(const char* meshName, const int* size,
                                             const double* positions, int* ids, int meshNameLength);
PRECICE_API void precicef_set_mesh_edge_(const char* meshName, const int* firstVertexID,
                                         const int* secondVertexID, int meshNameLength);
PRECICE_API void precicef_set_mesh_edges_(const char* meshName, const int* size, const int* ids,
                                          int meshNameLength);
PRECICE_API void precicef_set_mesh_triangle_(const char* meshName, const int* firstVertexID,
                                             const int* secondVertexID, const int* thirdVertexID,
                                             int meshNameLength);
PRECICE_API void precicef_set_mesh_triangles_(const char* meshName, const int* size, const int* ids,
                                              int meshNameLength);
PRECICE_API void precicef_set_mesh_quad_(const char* meshName, const int* firstVertexID,
                                         const int* secondVertexID, const int* thirdVertexID,
                                         const int* fourthVertexID, int meshNameLength);
PRECICE_API void precicef_set_mesh_quads_(const char* meshName, const int* size, const int* ids,
                                          int meshNameLength);
PRECICE_API void precicef_set_mesh_tetrahedron_(const char* meshName, const int* firstVertexID,
                                                const int* secondVertexID, const int* thirdVertexID,
                                                const int* fourthVertexID, int meshNameLength);
PRECICE_API void precicef_set_mesh_tetrahedra_(const char* meshName, const int* size,
                                               const int* ids, int meshNameLength);
PRECICE_API void precicef_write_data_(const char* meshName, const char* dataName, const int* size,
                                      const int* ids, const double* values, int meshNameLength,
                                      int dataNameLength);
PRECICE_API void precicef_read_data_(const char* meshName, const char* dataName, const int* size,
                                     const int* ids, const double* relativeReadTime, double* values,
                                     int meshNameLength, int dataNameLength);
PRECICE_API void precicef_requires_gradient_data_for_(const char* meshName, const char* dataName,
                                                      int* isRequired, int meshNameLength,
                                                      int dataNameLength);
PRECICE_API void precicef_write_gradient_data_(const char* meshName, const char* dataName,
                                               const int* size, const int* ids,
                                               const double* gradients, int meshNameLength,
                                               int dataNameLength);
PRECICE_API void precicef_set_mesh_access_region_(const char* meshName, const double* boundingBox,
                                                  int meshNameLength);
PRECICE_API void precicef_get_mesh_vertex_ids_and_coordinates_(const char* meshName,
                                                               const int* size, int* ids,
                                                               double* coordinates,
                                                               int meshNameLength);
PRECICE_API void precicef_write_and_map_data_(const char* meshName, const char* dataName,
                                              const int* size, const double* coordinates,
                                              const double* values, int meshNameLength,
                                              int dataNameLength);
PRECICE_API void precicef_map_and_read_data_(const char* meshName, const char* dataName,
                                             const int* size, const double* coordinates,
                                             const double* relativeReadTime, double* values,
                                             int meshNameLength, int dataNameLength);
PRECICE_API void precicef_start_profiling_section_(const char* sectionName, int sectionNameLength);
PRECICE_API void precicef_stop_last_profiling_section_();
PRECICE_API void precicef_get_version_information_(char* versionInfo, int versionInfoLength);

// Second names.
PRECICE_API void precicef_set_vertex_(const char* meshName, const double* position, int* vertexID,
                                      int meshNameLength);
PRECICE_API void precicef_set_vertices_(const char* meshName, const int* size,
                                        const double* positions, int* ids, int meshNameLength);
PRECICE_API void precicef_set_edge_(const char* meshName, const int* firstVertexID,
                                    const int* secondVertexID, int meshNameLength);
PRECICE_API void precicef_set_triangle_(const char* meshName, const int* firstVertexID,
                                        const int* secondVertexID, const int* thirdVertexID,
                                        int meshNameLength);
PRECICE_API void precicef_set_quad_(const char* meshName, const int* firstVertexID,
                                    const int* secondVertexID, const int* thirdVertexID,
                                    const int* fourthVertexID, int meshNameLength);
PRECICE_API void precicef_set_tetrahedron(const char* meshName, const int* firstVertexID,
                                          const int* secondVertexID, const int* thirdVertexID,
                                          const int* fourthVertexID, int meshNameLength);
PRECICE_API void precicef_set_tetrahedron_(const char* meshName, const int* firstVertexID,
                                           const int* secondVertexID, const int* thirdVertexID,
                                           const int* fourthVertexID, int meshNameLength);
}
