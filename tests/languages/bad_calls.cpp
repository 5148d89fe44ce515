// SPDX-License-Identifier: BSD-3-Clause
// bad_calls --list: the functions of C and Fortran.
// bad_calls FUNCTION [CONFIGURATION PARTICIPANT]: calls it with names that nobody knows and sizes
// that do not fit, without a participant or after one was made; whatever is wrong must end the
// program with its text.
#include <precice/preciceC.h>
#include <precice/preciceFortran.hpp>

#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>

namespace {

int two = 2, minus = -1, answer = 0, ids[4] = {0, 1, 99, -7};
double step = -1, values[8] = {0, 0, 0, 0, 0, 0, 0, 0};
char text[8];
const char* config = "nowhere.xml";
const char* self = "Nobody";

using Calls = std::map<std::string, std::function<void()>>;

Calls c_functions() {
  const char* m = "No-Mesh";
  const char* d = "No-Data";
  return {
      {"precicec_createParticipant", [=] { precicec_createParticipant(self, config, 0, 1); }},
      {"precicec_createParticipant_withCommunicator",
       [=] { precicec_createParticipant_withCommunicator(self, config, 0, 1, nullptr); }},
      {"precicec_initialize", [] { precicec_initialize(); }},
      {"precicec_advance", [] { precicec_advance(-1); }},
      {"precicec_finalize", [] { precicec_finalize(); }},
      {"precicec_getMeshDimensions", [=] { precicec_getMeshDimensions(m); }},
      {"precicec_getDataDimensions", [=] { precicec_getDataDimensions(m, d); }},
      {"precicec_isCouplingOngoing", [] { precicec_isCouplingOngoing(); }},
      {"precicec_isTimeWindowComplete", [] { precicec_isTimeWindowComplete(); }},
      {"precicec_getMaxTimeStepSize", [] { precicec_getMaxTimeStepSize(); }},
      {"precicec_requiresInitialData", [] { precicec_requiresInitialData(); }},
      {"precicec_requiresWritingCheckpoint", [] { precicec_requiresWritingCheckpoint(); }},
      {"precicec_requiresReadingCheckpoint", [] { precicec_requiresReadingCheckpoint(); }},
      {"precicec_requiresMeshConnectivityFor", [=] { precicec_requiresMeshConnectivityFor(m); }},
      {"precicec_resetMesh", [=] { precicec_resetMesh(nullptr); }},
      {"precicec_setMeshVertex", [=] { precicec_setMeshVertex(m, values); }},
      {"precicec_getMeshVertexSize", [=] { precicec_getMeshVertexSize(m); }},
      {"precicec_setMeshVertices", [=] { precicec_setMeshVertices(m, -2, values, ids); }},
      {"precicec_setMeshEdge", [=] { precicec_setMeshEdge(m, -1, 99); }},
      {"precicec_setMeshEdges", [=] { precicec_setMeshEdges(m, -1, nullptr); }},
      {"precicec_setMeshTriangle", [=] { precicec_setMeshTriangle(m, 0, 0, 0); }},
      {"precicec_setMeshTriangles", [=] { precicec_setMeshTriangles(m, 1, nullptr); }},
      {"precicec_setMeshQuad", [=] { precicec_setMeshQuad(m, 0, 1, 2, 99); }},
      {"precicec_setMeshQuads", [=] { precicec_setMeshQuads(m, 2000000000, nullptr); }},
      {"precicec_setMeshTetrahedron", [=] { precicec_setMeshTetrahedron(m, 0, 1, 2, 3); }},
      {"precicec_setMeshTetrahedra", [=] { precicec_setMeshTetrahedra(m, 1, ids); }},
      {"precicec_writeData", [=] { precicec_writeData(m, d, 2, ids, values); }},
      {"precicec_readData", [=] { precicec_readData(m, d, 2, ids, -1, values); }},
      {"precicec_setMeshAccessRegion", [=] { precicec_setMeshAccessRegion(m, nullptr); }},
      {"precicec_getMeshVertexIDsAndCoordinates",
       [=] { precicec_getMeshVertexIDsAndCoordinates(m, 2, ids, nullptr); }},
      {"precicec_requiresGradientDataFor", [=] { precicec_requiresGradientDataFor(m, d); }},
      {"precicec_writeGradientData", [=] { precicec_writeGradientData(m, d, 1, ids, values); }},
      {"precicec_mapAndReadData", [=] { precicec_mapAndReadData(m, d, 1, values, 0, values); }},
      {"precicec_writeAndMapData", [=] { precicec_writeAndMapData(m, d, 1, values, values); }},
      {"precicec_startProfilingSection", [] { precicec_startProfilingSection("a/b"); }},
      {"precicec_stopLastProfilingSection", [] { precicec_stopLastProfilingSection(); }},
      {"precicec_getVersionInformation", [] { precicec_getVersionInformation(); }},
  };
}

const char* const m = "No-Mesh   ";
const char* const d = "No-Data";
constexpr int n = 10;
constexpr int k = 7;

int length(const char* name) {
  return static_cast<int>(std::strlen(name));
}

Calls fortran_functions_of_runs() {
  return {
      {"precicef_create_",
       [] { precicef_create_(self, config, &two, &two, length(self), length(config)); }},
      {"precicef_create_with_communicator_",
       [] {
         precicef_create_with_communicator_(self, config, &two, &two, &answer, length(self),
                                            length(config));
       }},
      {"precicef_initialize_", [] { precicef_initialize_(); }},
      {"precicef_advance_", [] { precicef_advance_(&step); }},
      {"precicef_finalize_", [] { precicef_finalize_(); }},
      {"precicef_get_mesh_dimensions_", [] { precicef_get_mesh_dimensions_(m, &answer, n); }},
      {"precicef_get_data_dimensions_", [] { precicef_get_data_dimensions_(m, d, &answer, n, k); }},
      {"precicef_is_coupling_ongoing_", [] { precicef_is_coupling_ongoing_(&answer); }},
      {"precicef_is_time_window_complete_", [] { precicef_is_time_window_complete_(&answer); }},
      {"precicef_get_max_time_step_size_", [] { precicef_get_max_time_step_size_(&step); }},
      {"precicef_requires_initial_data_", [] { precicef_requires_initial_data_(&answer); }},
      {"precicef_requires_writing_checkpoint_",
       [] { precicef_requires_writing_checkpoint_(&answer); }},
      {"precicef_requires_reading_checkpoint_",
       [] { precicef_requires_reading_checkpoint_(&answer); }},
      {"precicef_start_profiling_section_", [] { precicef_start_profiling_section_("a/b", 3); }},
      {"precicef_stop_last_profiling_section_", [] { precicef_stop_last_profiling_section_(); }},
      {"precicef_get_version_information_", [] { precicef_get_version_information_(text, -3); }},
  };
}

Calls fortran_functions_of_meshes() {
  return {
      {"precicef_reset_mesh_", [] { precicef_reset_mesh_(m, n); }},
      {"precicef_requires_mesh_connectivity_for_",
       [] { precicef_requires_mesh_connectivity_for_(m, &answer, n); }},
      {"precicef_set_mesh_vertex_", [] { precicef_set_mesh_vertex_(m, values, ids, n); }},
      {"precicef_get_mesh_vertex_size_", [] { precicef_get_mesh_vertex_size_(m, &answer, n); }},
      {"precicef_set_mesh_vertices_",
       [] { precicef_set_mesh_vertices_(m, &minus, values, ids, n); }},
      {"precicef_set_mesh_edge_", [] { precicef_set_mesh_edge_(m, ids, ids, n); }},
      {"precicef_set_mesh_edges_", [] { precicef_set_mesh_edges_(m, &two, nullptr, n); }},
      {"precicef_set_mesh_triangle_", [] { precicef_set_mesh_triangle_(m, ids, ids, ids, n); }},
      {"precicef_set_mesh_triangles_", [] { precicef_set_mesh_triangles_(m, &minus, ids, n); }},
      {"precicef_set_mesh_quad_", [] { precicef_set_mesh_quad_(m, ids, ids, ids, ids, n); }},
      {"precicef_set_mesh_quads_", [] { precicef_set_mesh_quads_(m, &two, nullptr, n); }},
      {"precicef_set_mesh_tetrahedron_",
       [] { precicef_set_mesh_tetrahedron_(m, ids, ids, ids, ids, n); }},
      {"precicef_set_mesh_tetrahedra_", [] { precicef_set_mesh_tetrahedra_(m, &two, nullptr, n); }},
      {"precicef_write_data_", [] { precicef_write_data_(m, d, &two, ids, values, n, k); }},
      {"precicef_read_data_", [] { precicef_read_data_(m, d, &two, ids, &step, values, n, k); }},
      {"precicef_requires_gradient_data_for_",
       [] { precicef_requires_gradient_data_for_(m, d, &answer, n, k); }},
      {"precicef_write_gradient_data_",
       [] { precicef_write_gradient_data_(m, d, &two, ids, values, n, k); }},
      {"precicef_set_mesh_access_region_", [] { precicef_set_mesh_access_region_(m, nullptr, n); }},
      {"precicef_get_mesh_vertex_ids_and_coordinates_",
       [] { precicef_get_mesh_vertex_ids_and_coordinates_(m, &minus, ids, values, n); }},
      {"precicef_write_and_map_data_",
       [] { precicef_write_and_map_data_(m, d, &two, values, values, n, k); }},
      {"precicef_map_and_read_data_",
       [] { precicef_map_and_read_data_(m, d, &two, values, &step, values, n, k); }},
      {"precicef_set_vertex_", [] { precicef_set_vertex_(m, values, ids, n); }},
      {"precicef_set_vertices_", [] { precicef_set_vertices_(m, &two, nullptr, ids, n); }},
      {"precicef_set_edge_", [] { precicef_set_edge_(m, ids, ids, n); }},
      {"precicef_set_triangle_", [] { precicef_set_triangle_(m, ids, ids, ids, n); }},
      {"precicef_set_quad_", [] { precicef_set_quad_(m, ids, ids, ids, ids, n); }},
      {"precicef_set_tetrahedron", [] { precicef_set_tetrahedron(m, ids, ids, ids, ids, n); }},
      {"precicef_set_tetrahedron_", [] { precicef_set_tetrahedron_(m, ids, ids, ids, ids, n); }},
  };
}

Calls fortran_functions() {
  Calls calls = fortran_functions_of_runs();
  calls.merge(fortran_functions_of_meshes());
  return calls;
}

} // namespace

int main(int argc, char** argv) {
  if (argc > 3) {
    config = argv[2];
    self = argv[3];
    precicec_createParticipant(self, config, 0, 1);
  }
  Calls calls = c_functions();
  calls.merge(fortran_functions());
  const std::string wanted = argc > 1 ? argv[1] : "--list";
  if (wanted == "--list") {
    for (const auto& [name, call] : calls) {
      std::puts(name.c_str());
    }
    return 0;
  }
  try {
    calls.at(wanted)();
  } catch (...) {
    std::puts("an exception left the library");
    return 3;
  }
  return 0;
}
