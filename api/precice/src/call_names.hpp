// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/participant/call_names.hpp"

#include <precice/Version.h>

namespace precice::impl {

/// What texts call the functions of this interface, and the interface.
inline constexpr isthmus::CallNames call_names(
    "saveRestart getMeshDimensions getDataDimensions isCouplingOngoing "
    "isTimeWindowComplete getMaxTimeStepSize requiresInitialData "
    "requiresWritingCheckpoint requiresReadingCheckpoint "
    "requiresMeshConnectivityFor setMeshVertex setMeshVertices getMeshVertexSize "
    "setMeshEdges setMeshTriangles setMeshQuads setMeshTetrahedra resetMesh "
    "writeData readData requiresGradientDataFor writeGradientData writeAndMapData "
    "mapAndReadData setMeshAccessRegion getMeshVertexIDsAndCoordinates "
    "stopLastProfilingSection",
    "preCICE " PRECICE_VERSION);

} // namespace precice::impl
