/* SPDX-License-Identifier: BSD-3-Clause */
/* Every function of the interface in C, whose effects are in what it prints: calls CONFIGURATION A|B.
   The same is in Fortran and Python; test_calls.py knows what must come. */
#include <precice/preciceC.h>
#include <stdio.h>

void* world_of_c(void);
void end_of_world(void);

enum { num_skin = 18, num_solid = 8, num_probes = 8 };

/* Of two edges, two triangles and two quads, at 0, 10, 20, … */
static const double shape[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

static double heat(const double* at, double window) {
  return at[0] + 2 * at[1] + 4 * at[2] + 100 * window;
}

static void print(int line, int count, const double* values) {
  printf("%d:", line);
  for (int i = 0; i < count; ++i) {
    printf(" %.17g", values[i]);
  }
  printf("\n");
}

static void define_skin(double height, double* places, int* ids) {
  int count = 0;
  for (int e = 0; e < 6; ++e) {
    for (int k = 0; k < 2 + e / 2; ++k, ++count) {
      places[3 * count] = 10 * e + shape[k][0];
      places[3 * count + 1] = shape[k][1];
      places[3 * count + 2] = height;
    }
  }
  ids[0] = precicec_setMeshVertex("Skin", places);
  precicec_setMeshVertices("Skin", num_skin - 1, places + 3, ids + 1);
  precicec_setMeshEdge("Skin", ids[0], ids[1]);
  precicec_setMeshEdges("Skin", 1, ids + 2);
  precicec_setMeshTriangle("Skin", ids[4], ids[5], ids[6]);
  precicec_setMeshTriangles("Skin", 1, ids + 7);
  precicec_setMeshQuad("Skin", ids[10], ids[11], ids[12], ids[13]);
  precicec_setMeshQuads("Skin", 1, ids + 14);
}

static void define_solid(double* places, int* ids) {
  for (int v = 0; v < num_solid; ++v) {
    for (int d = 0; d < 3; ++d) {
      places[3 * v + d] = (d == 0 ? 10 * (v / 4) : 0) + (v % 4 == d + 1 ? 1 : 0);
    }
  }
  precicec_setMeshVertices("Solid", num_solid, places, ids);
  precicec_setMeshTetrahedron("Solid", ids[0], ids[1], ids[2], ids[3]);
  precicec_setMeshTetrahedra("Solid", 1, ids + 4);
}

static void write_heat(const char* mesh, const char* data, int count, const int* ids,
                       const double* places, double window) {
  double values[num_skin];
  for (int i = 0; i < count; ++i) {
    values[i] = heat(places + 3 * i, window);
  }
  precicec_writeData(mesh, data, count, ids, values);
}

static void write_cloud(const int* ids, const double* places, double window) {
  double flow[6], warmth[3];
  const double gradients[12] = {1, 2, 3, -1, 1, 2, 3, -1, 1, 2, 3, -1};
  for (int v = 0; v < 3; ++v) {
    const double x = places[2 * v], y = places[2 * v + 1];
    flow[2 * v] = x + 2 * y + window;
    flow[2 * v + 1] = 3 * x - y + window;
    warmth[v] = 10 * (v + 1) + window;
  }
  precicec_writeData("Cloud", "Flow", 3, ids, flow);
  precicec_writeGradientData("Cloud", "Flow", 3, ids, gradients);
  precicec_writeData("Cloud", "Warmth", 3, ids, warmth);
}

static void play_a(const char* config) {
  precicec_createParticipant_withCommunicator("A", config, 0, 1, world_of_c());
  precicec_startProfilingSection("outer part");
  precicec_startProfilingSection("inner part");
  const double cloud[6] = {0, 0, 1, 0, 2, 0};
  double skin[3 * num_skin], solid[3 * num_solid];
  int cloud_ids[3], skin_ids[num_skin], solid_ids[num_solid];
  precicec_setMeshVertices("Cloud", 3, cloud, cloud_ids);
  define_skin(0, skin, skin_ids);
  precicec_stopLastProfilingSection();
  define_solid(solid, solid_ids);
  precicec_stopLastProfilingSection();
  const double facts[] = {precicec_getMeshDimensions("Skin"),
                          precicec_getMeshDimensions("Cloud"),
                          precicec_getDataDimensions("Cloud", "Flow"),
                          precicec_getDataDimensions("Cloud", "Warmth"),
                          precicec_getMeshVertexSize("Skin"),
                          precicec_requiresMeshConnectivityFor("Skin"),
                          precicec_requiresMeshConnectivityFor("Cloud"),
                          precicec_requiresGradientDataFor("Cloud", "Flow"),
                          precicec_requiresGradientDataFor("Skin", "Heat"),
                          precicec_requiresInitialData(),
                          precicec_getVersionInformation()[0] - '0'};
  print(0, 11, facts);
  write_heat("Skin", "Heat", num_skin, skin_ids, skin, 0);
  precicec_initialize();
  for (int w = 1; precicec_isCouplingOngoing(); ++w) {
    double read[8];
    for (int step = 0; step == 0 || !precicec_isTimeWindowComplete(); ++step) {
      write_heat("Skin", "Heat", num_skin, skin_ids, skin, w);
      write_heat("Solid", "Inside", num_solid, solid_ids, solid, w);
      write_cloud(cloud_ids, cloud, w);
      precicec_advance(w == 2 ? precicec_getMaxTimeStepSize() : 0.25); /* whole after a reset */
      if (step == 0) {
        read[0] = precicec_isTimeWindowComplete();
        read[1] = precicec_getMaxTimeStepSize();
      }
    }
    read[2] = precicec_isTimeWindowComplete();
    precicec_readData("Cloud", "Load", 3, cloud_ids, 0, read + 3);
    precicec_readData("Cloud", "Push", 2, cloud_ids + 1, 0, read + 6);
    print(w, 8, read);
    if (w == 1) {
      precicec_resetMesh("Skin");
      define_skin(1, skin, skin_ids);
    }
  }
  precicec_finalize();
  end_of_world();
}

static void play_b(const char* config) {
  precicec_createParticipant("B", config, 0, 1);
  double probes[3 * num_probes] = {0.2, 0.3, 0.4, 10.2, 0.3, 0.4};
  for (int e = 0; e < 6; ++e) {
    probes[6 + 3 * e] = 10 * e + 0.75;
    probes[6 + 3 * e + 1] = 0.25;
    probes[6 + 3 * e + 2] = 0.5;
  }
  const double target[2] = {0.25, 0.125}, region[4] = {-1, 1.5, -1, 1};
  const double at[4] = {0.9, 0.25, -0.25, 0};
  int ids[num_probes], cloud_ids[2];
  double line[24];
  precicec_setMeshVertices("Probes", num_probes, probes, ids);
  const int target_id = precicec_setMeshVertex("Target", target);
  precicec_setMeshAccessRegion("Cloud", region);
  precicec_initialize();
  line[0] = precicec_getMeshVertexSize("Cloud");
  precicec_getMeshVertexIDsAndCoordinates("Cloud", 2, cloud_ids, line + 1);
  precicec_readData("Probes", "Heat", 6, ids + 2, 0, line + 5);
  print(0, 11, line);
  for (int w = 1; precicec_isCouplingOngoing(); ++w) {
    const double loads[2] = {5 + w, 1}, push = 7 * w;
    precicec_writeAndMapData("Cloud", "Load", 2, at, loads);
    precicec_writeData("Cloud", "Push", 1, cloud_ids + 1, &push);
    precicec_advance(precicec_getMaxTimeStepSize());
    precicec_readData("Probes", "Heat", 6, ids + 2, 0, line);
    precicec_readData("Probes", "Inside", 2, ids, 0, line + 6);
    precicec_readData("Target", "Flow", 1, &target_id, 0, line + 8);
    precicec_readData("Cloud", "Warmth", 2, cloud_ids, 0, line + 10);
    precicec_mapAndReadData("Cloud", "Warmth", 2, at, 0, line + 12);
    line[14] = precicec_requiresWritingCheckpoint() + precicec_requiresReadingCheckpoint();
    print(w, 15, line);
  }
  precicec_finalize();
}

int main(int argc, char** argv) {
  (void)argc;
  if (argv[2][0] == 'A') {
    play_a(argv[1]);
  } else {
    play_b(argv[1]);
  }
  return 0;
}
