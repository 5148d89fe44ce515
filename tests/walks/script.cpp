// SPDX-License-Identifier: BSD-3-Clause
#include "script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace walks {

const char* name_of(Kind kind) {
  constexpr std::array names{"construct",
                             "destroy",
                             "unwind",
                             "barrier",
                             "initialize",
                             "advance",
                             "finalize",
                             "resetMesh",
                             "setMeshVertex",
                             "setMeshVertices",
                             "setMeshEdge",
                             "setMeshTriangle",
                             "setMeshAccessRegion",
                             "getMeshVertexIDsAndCoordinates",
                             "writeData",
                             "readData",
                             "writeAndMapData",
                             "mapAndReadData",
                             "writeGradientData",
                             "getMeshVertexSize",
                             "getMeshDimensions",
                             "getDataDimensions",
                             "isCouplingOngoing",
                             "isTimeWindowComplete",
                             "getMaxTimeStepSize",
                             "requiresInitialData",
                             "requiresWritingCheckpoint",
                             "requiresReadingCheckpoint",
                             "requiresMeshConnectivityFor",
                             "requiresGradientDataFor",
                             "startProfilingSection",
                             "stopLastProfilingSection"};
  static_assert(names.size() == static_cast<std::size_t>(Kind::num_kinds));
  return names[static_cast<std::size_t>(kind)];
}

std::string to_string(const Call& call) {
  constexpr std::array outcomes{"", " -> refused", " -> error, the end", " -> perhaps the end"};
  std::string text = fmt::format("{}{}(", call.number >= 0 ? fmt::format("[{}] ", call.number) : "",
                                 name_of(call.kind));
  if (!call.mesh.empty()) {
    text += call.mesh + ' ' + call.data + ' ';
  }
  if (!call.ids.empty()) {
    text += fmt::format("ids {} ", fmt::join(call.ids, ","));
  }
  if (!call.places.empty()) {
    text += fmt::format("at {} ", fmt::join(call.places, ","));
  }
  if (!call.numbers.empty()) {
    text += fmt::format("{} ", fmt::join(call.numbers, ","));
  }
  if (call.time != 0) {
    text += fmt::format("t={} ", call.time);
  }
  text += ")" + std::string(outcomes[static_cast<std::size_t>(call.due.outcome)]);
  return call.due.values.empty() ? text
                                 : text + fmt::format(" = {}", fmt::join(call.due.values, ","));
}

} // namespace walks
