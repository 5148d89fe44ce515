// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/participant/call_names.hpp"

namespace precice::impl {

/// What texts call the functions of this interface.
inline constexpr isthmus::CallNames call_names(
    "saveRestart getMeshDimensions getDataDimensions isCouplingOngoing "
    "isTimeWindowComplete getMaxTimeStepSize requiresInitialData "
    "requiresWritingCheckpoint requiresReadingCheckpoint "
    "requiresMeshConnectivityFor setMeshVertex setMeshVertices getMeshVertexSize "
    "setMeshEdges setMeshTriangles setMeshQuads setMeshTetrahedra resetMesh "
    "writeData readData requiresGradientDataFor writeGradientData writeAndMapData "
    "mapAndReadData setMeshAccessRegion getMeshVertexIDsAndCoordinates "
    "stopLastProfilingSection");

} // namespace precice::impl
