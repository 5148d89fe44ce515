/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The interface of preCICE 3 for C. A process has one participant. Coordinates, values and
 * gradients are doubles, vertex by vertex; `size` counts vertices, positions or elements. Queries
 * return 1 for yes and 0 for no. Wherever the C++ interface throws, these functions print the
 * error, tell all partners and end the process with exit(1). initialize, advance and finalize are
 * collective over the ranks of the participant, as are those that create it. */

#include <precice/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Construction and steering; `communicator` points to an MPI_Comm. */
PRECICE_API void precicec_createParticipant(const char* participantName, const char* configFileName,
                                            int solverProcessIndex, int solverProcessSize);
PRECICE_API void precicec_createParticipant_withCommunicator(const char* participantName,
                                                             const char* configFileName,
                                                             int solverProcessIndex,
                                                             int solverProcessSize,
                                                             void* communicator);
PRECICE_API void precicec_initialize(void);
PRECICE_API void precicec_advance(double computedTimeStepSize);
PRECICE_API void precicec_finalize(void);

/* Status. */
PRECICE_API int precicec_getMeshDimensions(const char* meshName);
PRECICE_API int precicec_getDataDimensions(const char* meshName, const char* dataName);
PRECICE_API int precicec_isCouplingOngoing(void);
PRECICE_API int precicec_isTimeWindowComplete(void);
PRECICE_API double precicec_getMaxTimeStepSize(void);
PRECICE_API int precicec_requiresInitialData(void);
PRECICE_API int precicec_requiresWritingCheckpoint(void);
PRECICE_API int precicec_requiresReadingCheckpoint(void);

/* Meshes: an edge has 2 vertex ids, a triangle 3, a quad and a tetrahedron 4. */
PRECICE_API void precicec_resetMesh(const char* meshName);
PRECICE_API int precicec_requiresMeshConnectivityFor(const char* meshName);
PRECICE_API int precicec_setMeshVertex(const char* meshName, const double* position);
PRECICE_API int precicec_getMeshVertexSize(const char* meshName);
PRECICE_API void precicec_setMeshVertices(const char* meshName, int size, const double* positions,
                                          int* ids);
PRECICE_API void precicec_setMeshEdge(const char* meshName, int firstVertexID, int secondVertexID);
PRECICE_API void precicec_setMeshEdges(const char* meshName, int size, const int* ids);
PRECICE_API void precicec_setMeshTriangle(const char* meshName, int firstVertexID,
                                          int secondVertexID, int thirdVertexID);
PRECICE_API void precicec_setMeshTriangles(const char* meshName, int size, const int* ids);
PRECICE_API void precicec_setMeshQuad(const char* meshName, int firstVertexID, int secondVertexID,
                                      int thirdVertexID, int fourthVertexID);
PRECICE_API void precicec_setMeshQuads(const char* meshName, int size, const int* ids);
PRECICE_API void precicec_setMeshTetrahedron(const char* meshName, int firstVertexID,
                                             int secondVertexID, int thirdVertexID,
                                             int fourthVertexID);
PRECICE_API void precicec_setMeshTetrahedra(const char* meshName, int size, const int* ids);

/* Data. */
PRECICE_API void precicec_writeData(const char* meshName, const char* dataName, int size,
                                    const int* ids, const double* values);
PRECICE_API void precicec_readData(const char* meshName, const char* dataName, int size,
                                   const int* ids, double relativeReadTime, double* values);
PRECICE_API int precicec_requiresGradientDataFor(const char* meshName, const char* dataName);
PRECICE_API void precicec_writeGradientData(const char* meshName, const char* dataName, int size,
                                            const int* ids, const double* gradients);

/* Received meshes; `boundingBox` is the least and the greatest coordinate of each axis. */
PRECICE_API void precicec_setMeshAccessRegion(const char* meshName, const double* boundingBox);
PRECICE_API void precicec_getMeshVertexIDsAndCoordinates(const char* meshName, int size, int* ids,
                                                         double* coordinates);
PRECICE_API void precicec_writeAndMapData(const char* meshName, const char* dataName, int size,
                                          const double* coordinates, const double* values);
PRECICE_API void precicec_mapAndReadData(const char* meshName, const char* dataName, int size,
                                         const double* coordinates, double relativeReadTime,
                                         double* values);

/* Profiling sections and version; the text lives as long as the process. */
PRECICE_API void precicec_startProfilingSection(const char* sectionName);
PRECICE_API void precicec_stopLastProfilingSection(void);
PRECICE_API const char* precicec_getVersionInformation(void);

#ifdef __cplusplus
}
#endif
