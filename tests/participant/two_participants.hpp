// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>

/// The data T and F, two meshes, and the participants A and B: A writes T on its mesh and reads F,
/// B the reverse, each by nearest neighbours from the mesh of the other.
inline std::string two_participants() {
  std::string text = "<data:scalar name=\"T\"/><data:scalar name=\"F\"/>";
  for (const char* name : {"A", "B"}) {
    text += fmt::format(
        "<mesh name=\"{}-Mesh\" dimensions=\"2\"><use-data name=\"T\"/><use-data "
        "name=\"F\"/></mesh>",
        name);
  }
  const auto participant = [](const char* self, const char* other, const char* writes,
                              const char* reads) {
    return fmt::format(
        "<participant name=\"{0}\"><provide-mesh name=\"{0}-Mesh\"/>"
        "<receive-mesh name=\"{1}-Mesh\" from=\"{1}\"/><write-data name=\"{2}\" mesh=\"{0}-Mesh\"/>"
        "<read-data name=\"{3}\" mesh=\"{0}-Mesh\"/><mapping:nearest-neighbor direction=\"read\" "
        "from=\"{1}-Mesh\" to=\"{0}-Mesh\" constraint=\"consistent\"/></participant>",
        self, other, writes, reads);
  };
  return text + participant("A", "B", "T", "F") + participant("B", "A", "F", "T");
}
