// SPDX-License-Identifier: BSD-3-Clause
#include "sole.hpp"

#include <precice/preciceC.h>

#include <memory>
#include <string>

using precice::Participant;
using precice::sole::array;
using precice::sole::call;

void precicec_createParticipant(const char* participantName, const char* configFileName,
                                int solverProcessIndex, int solverProcessSize) {
  precice::sole::create(__func__, [&] {
    return std::make_unique<Participant>(participantName, configFileName, solverProcessIndex,
                                         solverProcessSize);
  });
}

void precicec_createParticipant_withCommunicator(const char* participantName,
                                                 const char* configFileName, int solverProcessIndex,
                                                 int solverProcessSize, void* communicator) {
  precice::sole::create(__func__, [&] {
    return std::make_unique<Participant>(participantName, configFileName, solverProcessIndex,
                                         solverProcessSize, communicator);
  });
}

void precicec_initialize() {
  call(__func__, [](Participant& p) { p.initialize(); });
}

void precicec_advance(double computedTimeStepSize) {
  call(__func__, [&](Participant& p) { p.advance(computedTimeStepSize); });
}

void precicec_finalize() {
  precice::sole::finalize(__func__);
}

int precicec_getMeshDimensions(const char* meshName) {
  return call(__func__, [&](Participant& p) { return p.getMeshDimensions(meshName); });
}

int precicec_getDataDimensions(const char* meshName, const char* dataName) {
  return call(__func__, [&](Participant& p) { return p.getDataDimensions(meshName, dataName); });
}

int precicec_isCouplingOngoing() {
  return call(__func__, [](Participant& p) { return p.isCouplingOngoing(); }) ? 1 : 0;
}

int precicec_isTimeWindowComplete() {
  return call(__func__, [](Participant& p) { return p.isTimeWindowComplete(); }) ? 1 : 0;
}

double precicec_getMaxTimeStepSize() {
  return call(__func__, [](Participant& p) { return p.getMaxTimeStepSize(); });
}

int precicec_requiresInitialData() {
  return call(__func__, [](Participant& p) { return p.requiresInitialData(); }) ? 1 : 0;
}

int precicec_requiresWritingCheckpoint() {
  return call(__func__, [](Participant& p) { return p.requiresWritingCheckpoint(); }) ? 1 : 0;
}

int precicec_requiresReadingCheckpoint() {
  return call(__func__, [](Participant& p) { return p.requiresReadingCheckpoint(); }) ? 1 : 0;
}

void precicec_resetMesh(const char* meshName) {
  call(__func__, [&](Participant& p) { p.resetMesh(meshName); });
}

int precicec_requiresMeshConnectivityFor(const char* meshName) {
  return call(__func__, [&](Participant& p) { return p.requiresMeshConnectivityFor(meshName); });
}

int precicec_setMeshVertex(const char* meshName, const double* position) {
  return call(__func__, [&](Participant& p) {
    return p.setMeshVertex(meshName, array(position, 1, p.getMeshDimensions(meshName)));
  });
}

int precicec_getMeshVertexSize(const char* meshName) {
  return call(__func__, [&](Participant& p) { return p.getMeshVertexSize(meshName); });
}

void precicec_setMeshVertices(const char* meshName, int size, const double* positions, int* ids) {
  call(__func__, [&](Participant& p) {
    p.setMeshVertices(meshName, array(positions, size, p.getMeshDimensions(meshName)),
                      array(ids, size, 1));
  });
}

void precicec_setMeshEdge(const char* meshName, int firstVertexID, int secondVertexID) {
  call(__func__, [&](Participant& p) { p.setMeshEdge(meshName, firstVertexID, secondVertexID); });
}

void precicec_setMeshEdges(const char* meshName, int size, const int* ids) {
  call(__func__, [&](Participant& p) { p.setMeshEdges(meshName, array(ids, size, 2)); });
}

void precicec_setMeshTriangle(const char* meshName, int firstVertexID, int secondVertexID,
                              int thirdVertexID) {
  call(__func__, [&](Participant& p) {
    p.setMeshTriangle(meshName, firstVertexID, secondVertexID, thirdVertexID);
  });
}

void precicec_setMeshTriangles(const char* meshName, int size, const int* ids) {
  call(__func__, [&](Participant& p) { p.setMeshTriangles(meshName, array(ids, size, 3)); });
}

void precicec_setMeshQuad(const char* meshName, int firstVertexID, int secondVertexID,
                          int thirdVertexID, int fourthVertexID) {
  call(__func__, [&](Participant& p) {
    p.setMeshQuad(meshName, firstVertexID, secondVertexID, thirdVertexID, fourthVertexID);
  });
}

void precicec_setMeshQuads(const char* meshName, int size, const int* ids) {
  call(__func__, [&](Participant& p) { p.setMeshQuads(meshName, array(ids, size, 4)); });
}

void precicec_setMeshTetrahedron(const char* meshName, int firstVertexID, int secondVertexID,
                                 int thirdVertexID, int fourthVertexID) {
  call(__func__, [&](Participant& p) {
    p.setMeshTetrahedron(meshName, firstVertexID, secondVertexID, thirdVertexID, fourthVertexID);
  });
}

void precicec_setMeshTetrahedra(const char* meshName, int size, const int* ids) {
  call(__func__, [&](Participant& p) { p.setMeshTetrahedra(meshName, array(ids, size, 4)); });
}

void precicec_writeData(const char* meshName, const char* dataName, int size, const int* ids,
                        const double* values) {
  call(__func__, [&](Participant& p) {
    p.writeData(meshName, dataName, array(ids, size, 1),
                array(values, size, p.getDataDimensions(meshName, dataName)));
  });
}

void precicec_readData(const char* meshName, const char* dataName, int size, const int* ids,
                       double relativeReadTime, double* values) {
  call(__func__, [&](Participant& p) {
    p.readData(meshName, dataName, array(ids, size, 1), relativeReadTime,
               array(values, size, p.getDataDimensions(meshName, dataName)));
  });
}

int precicec_requiresGradientDataFor(const char* meshName, const char* dataName) {
  return call(__func__,
              [&](Participant& p) { return p.requiresGradientDataFor(meshName, dataName); });
}

void precicec_writeGradientData(const char* meshName, const char* dataName, int size,
                                const int* ids, const double* gradients) {
  call(__func__, [&](Participant& p) {
    const int width = p.getMeshDimensions(meshName) * p.getDataDimensions(meshName, dataName);
    p.writeGradientData(meshName, dataName, array(ids, size, 1), array(gradients, size, width));
  });
}

void precicec_setMeshAccessRegion(const char* meshName, const double* boundingBox) {
  call(__func__, [&](Participant& p) {
    p.setMeshAccessRegion(meshName, array(boundingBox, 2, p.getMeshDimensions(meshName)));
  });
}

void precicec_getMeshVertexIDsAndCoordinates(const char* meshName, int size, int* ids,
                                             double* coordinates) {
  call(__func__, [&](Participant& p) {
    p.getMeshVertexIDsAndCoordinates(meshName, array(ids, size, 1),
                                     array(coordinates, size, p.getMeshDimensions(meshName)));
  });
}

void precicec_writeAndMapData(const char* meshName, const char* dataName, int size,
                              const double* coordinates, const double* values) {
  call(__func__, [&](Participant& p) {
    p.writeAndMapData(meshName, dataName, array(coordinates, size, p.getMeshDimensions(meshName)),
                      array(values, size, p.getDataDimensions(meshName, dataName)));
  });
}

void precicec_mapAndReadData(const char* meshName, const char* dataName, int size,
                             const double* coordinates, double relativeReadTime, double* values) {
  call(__func__, [&](Participant& p) {
    p.mapAndReadData(meshName, dataName, array(coordinates, size, p.getMeshDimensions(meshName)),
                     relativeReadTime,
                     array(values, size, p.getDataDimensions(meshName, dataName)));
  });
}

void precicec_startProfilingSection(const char* sectionName) {
  call(__func__, [&](Participant& p) { p.startProfilingSection(sectionName); });
}

void precicec_stopLastProfilingSection() {
  call(__func__, [](Participant& p) { p.stopLastProfilingSection(); });
}

const char* precicec_getVersionInformation() {
  static const std::string version = precice::getVersionInformation();
  return version.c_str();
}
