/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The interface of preCICE 3 for C. A process has one participant. Coordinates, values and
 * gradients are doubles, vertex by vertex; `size` counts vertices, positions or elements. Queries
 * return 1 for yes and 0 for no. Wherever the C++ interface throws, these functions print the
 * error, notify all partners and end the process with exit(1). initialize, advance and finalize are
 * collective over the ranks of the participant, as are those that create it. */

#include <precice/Version.h>
#include <precice/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Construction and steering; `communicator` points to an MPI_Comm. */

/* Collective over the ranks of the participant. Uses MPI_COMM_WORLD if MPI is initialized, or
 * initializes MPI if size > 1. Error: no such file or participant, a configuration that is not
 * valid, a rank that is not 0 to size - 1. */
PRECICE_API void precicec_createParticipant(const char* participantName, const char* configFileName,
                                            int solverProcessIndex, int solverProcessSize);

/* Collective. As before; `communicator` points to the MPI_Comm of this participant's ranks. Error:
 * as before. */
PRECICE_API void precicec_createParticipant_withCommunicator(const char* participantName,
                                                             const char* configFileName,
                                                             int solverProcessIndex,
                                                             int solverProcessSize,
                                                             void* communicator);

/* Collective. Connects to all partners, exchanges and maps the meshes, sends initial data. Error:
 * required initial data are missing, a partner does not come within ISTHMUS_TIMEOUT seconds or
 * fails, a second call. */
PRECICE_API void precicec_initialize(void);

/* Collective. After each step of the solver: maps and sends what it wrote and receives what comes
 * next. `computedTimeStepSize`: the time it advanced, in the unit of the configuration's times,
 * above 0 and at most precicec_getMaxTimeStepSize(). Error: another `computedTimeStepSize`, a
 * checkpoint that was not asked for, a coupling that has ended, a partner that failed. */
PRECICE_API void precicec_advance(double computedTimeStepSize);

/* Collective. Ends the participation when the partners have all that was sent to them. Error: a
 * second call, a partner that failed. */
PRECICE_API void precicec_finalize(void);

/* Status. */

/* 2 or 3. Error: the participant has no such mesh. */
PRECICE_API int precicec_getMeshDimensions(const char* meshName);

/* Values per vertex: 1 for scalar data, the dimensions of the mesh for vector data. Error: the
 * participant has no such mesh, or the mesh no such data. */
PRECICE_API int precicec_getDataDimensions(const char* meshName, const char* dataName);

/* Whether there is a step to compute. Error: before precicec_initialize(). */
PRECICE_API int precicec_isCouplingOngoing(void);

/* Whether the last precicec_advance() ended a time window that is not repeated. Error: before
 * precicec_initialize(). */
PRECICE_API int precicec_isTimeWindowComplete(void);

/* The time to the end of the window, in the unit of the configuration's times: what the next step
 * may have at most. 0 after the end. Error: before precicec_initialize(). */
PRECICE_API double precicec_getMaxTimeStepSize(void);

/* Whether data must be written before precicec_initialize(), which refuses to start where this was
 * not asked. Error: after precicec_initialize(). */
PRECICE_API int precicec_requiresInitialData(void);

/* Whether the solver must save its state now; to be asked after precicec_initialize() and each
 * precicec_advance(). Error: before precicec_initialize(). */
PRECICE_API int precicec_requiresWritingCheckpoint(void);

/* Whether the window is repeated, so that the solver must return to the state it saved; to be asked
 * after each precicec_advance(). Error: before precicec_initialize(). */
PRECICE_API int precicec_requiresReadingCheckpoint(void);

/* Meshes: an edge has 2 vertex ids, a triangle 3, a quad and a tetrahedron 4. */

/* Empties a provided mesh, to be defined anew before the next precicec_advance(), which must end
 * the time window. All ranks call it, also those whose part stays the same. Error: a window that is
 * not complete, a configuration without allow-remeshing. */
PRECICE_API void precicec_resetMesh(const char* meshName);

/* Whether somebody needs the edges, triangles or tetrahedra of a mesh; otherwise they are
 * ignored. Error: a mesh that is neither provided nor received. */
PRECICE_API int precicec_requiresMeshConnectivityFor(const char* meshName);

/* The id of a new vertex. `position`: as many coordinates as the mesh has dimensions. Error: a
 * coordinate that is not finite, a mesh that is not provided, or locked by precicec_initialize().
 * */
PRECICE_API int precicec_setMeshVertex(const char* meshName, const double* position);

/* The vertices on this rank of a provided mesh, of a received one those in the access region, or
 * without access those that its mappings need. Error: no such mesh, a received one before
 * precicec_initialize(). */
PRECICE_API int precicec_getMeshVertexSize(const char* meshName);

/* New vertices. `positions`: the coordinates of one vertex after the other; `ids`: filled, one per
 * vertex. Error: a coordinate that is not finite, a mesh that is not provided, or locked by
 * precicec_initialize(). */
PRECICE_API void precicec_setMeshVertices(const char* meshName, int size, const double* positions,
                                          int* ids);

/* An edge between 2 vertices. Error: an id that is not of this rank, the same twice, a mesh that is
 * not provided, or locked by precicec_initialize(). */
PRECICE_API void precicec_setMeshEdge(const char* meshName, int firstVertexID, int secondVertexID);

/* `ids`: 2 ids per edge. Error: ids that are not of this rank, the same twice in an edge, a mesh
 * that is not provided, or locked by precicec_initialize(). */
PRECICE_API void precicec_setMeshEdges(const char* meshName, int size, const int* ids);

/* A triangle of 3 vertices. Error: an id that is not of this rank, the same twice, a mesh that is
 * not provided, or locked by precicec_initialize(). */
PRECICE_API void precicec_setMeshTriangle(const char* meshName, int firstVertexID,
                                          int secondVertexID, int thirdVertexID);

/* `ids`: 3 ids per triangle. Error: ids that are not of this rank, the same twice in a triangle, a
 * mesh that is not provided, or locked by precicec_initialize(). */
PRECICE_API void precicec_setMeshTriangles(const char* meshName, int size, const int* ids);

/* A convex quad of 4 vertices, in the order around it. Error: an id that is not of this rank, the
 * same twice, another shape, a mesh that is not provided, or locked by precicec_initialize(). */
PRECICE_API void precicec_setMeshQuad(const char* meshName, int firstVertexID, int secondVertexID,
                                      int thirdVertexID, int fourthVertexID);

/* `ids`: 4 ids per convex quad, in the order around it. Error: ids that are not of this rank, the
 * same twice in a quad, another shape, a mesh that is not provided, or locked by
 * precicec_initialize(). */
PRECICE_API void precicec_setMeshQuads(const char* meshName, int size, const int* ids);

/* A tetrahedron of 4 vertices. Error: an id that is not of this rank, the same twice, a mesh of 2
 * dimensions, a mesh that is not provided, or locked by precicec_initialize(). */
PRECICE_API void precicec_setMeshTetrahedron(const char* meshName, int firstVertexID,
                                             int secondVertexID, int thirdVertexID,
                                             int fourthVertexID);

/* `ids`: 4 ids per tetrahedron. Error: ids that are not of this rank, the same twice in a
 * tetrahedron, a mesh of 2 dimensions, a mesh that is not provided, or locked by
 * precicec_initialize(). */
PRECICE_API void precicec_setMeshTetrahedra(const char* meshName, int size, const int* ids);

/* Data. */

/* `values`: one per id for scalar data, the components of one vertex after the other for vector
 * data. Zero is sent where nothing is written. Error: an id that is not of this rank, a value that
 * is not finite, data that this participant does not write, a coupling that has ended. */
PRECICE_API void precicec_writeData(const char* meshName, const char* dataName, int size,
                                    const int* ids, const double* values);

/* Fills `values`, one per id for scalar data, the components of one vertex after the other for
 * vector data, with those at `relativeReadTime` after the current time, in the unit of the
 * configuration's times, 0 to precicec_getMaxTimeStepSize(). Error: another time, an id that is not
 * of this rank, data that this participant does not read, before precicec_initialize(). */
PRECICE_API void precicec_readData(const char* meshName, const char* dataName, int size,
                                   const int* ids, double relativeReadTime, double* values);

/* Whether a mapping needs the gradients of these data. Error: no such mesh or data. */
PRECICE_API int precicec_requiresGradientDataFor(const char* meshName, const char* dataName);

/* `gradients`: per id, of one component after the other, the derivative along each axis. Ignored
 * where they are not required. Error: an id that is not of this rank, a value that is not finite,
 * data that this participant does not write. */
PRECICE_API void precicec_writeGradientData(const char* meshName, const char* dataName, int size,
                                            const int* ids, const double* gradients);

/* Received meshes; `boundingBox` is the least and the greatest coordinate of each axis. */

/* The part of a received mesh that this rank is given. `boundingBox`: the least and the greatest
 * coordinate of each axis: x0 x1 y0 y1 and in 3D z0 z1. Error: after precicec_initialize(), a
 * second call for a mesh, a mesh that is not received with api-access. */
PRECICE_API void precicec_setMeshAccessRegion(const char* meshName, const double* boundingBox);

/* Fills what a received mesh has in the access region: `ids`, one per vertex,
 * precicec_getMeshVertexSize() in all, and `coordinates`, the coordinates of one vertex after the
 * other. Error: another `size`, a mesh that is not received with api-access, before
 * precicec_initialize(). */
PRECICE_API void precicec_getMeshVertexIDsAndCoordinates(const char* meshName, int size, int* ids,
                                                         double* coordinates);

/* Just-in-time mapping to a received mesh. `coordinates`: the coordinates of one position after the
 * other; `values`: one per position for scalar data, the components of one position after the other
 * for vector data. Error: a position outside of the access region, no such mapping, a value that is
 * not finite. */
PRECICE_API void precicec_writeAndMapData(const char* meshName, const char* dataName, int size,
                                          const double* coordinates, const double* values);

/* Just-in-time mapping from a received mesh. `coordinates`: the coordinates of one position after
 * the other; fills `values`, one per position for scalar data, the components of one position after
 * the other for vector data, with those at `relativeReadTime` after the current time, in the unit
 * of the configuration's times, 0 to precicec_getMaxTimeStepSize(). Error: another time, a position
 * outside of the access region, no such mapping. */
PRECICE_API void precicec_mapAndReadData(const char* meshName, const char* dataName, int size,
                                         const double* coordinates, double relativeReadTime,
                                         double* values);

/* Profiling sections and version; the text lives as long as the process. */

/* Opens a section of the profile, inside of those that are open. Error: a name with a slash. */
PRECICE_API void precicec_startProfilingSection(const char* sectionName);

/* Closes the section that was opened last. Error: none is open. */
PRECICE_API void precicec_stopLastProfilingSection(void);

/* Version, revision and features, separated by semicolons. The text lives as long as the process.
 * */
PRECICE_API const char* precicec_getVersionInformation(void);

#ifdef __cplusplus
}
#endif
