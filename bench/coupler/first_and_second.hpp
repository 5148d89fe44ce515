// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// Two participants of a configuration: "First" writes X and reads Y on its mesh, "Second" gets
/// that mesh, maps, reads X and writes Y. For programs that are built with preCICE alone, too.
inline std::string first_and_second() {
  return R"(<participant name="First">
    <provide-mesh name="First-Mesh" />
    <write-data name="X" mesh="First-Mesh" /><read-data name="Y" mesh="First-Mesh" />
  </participant>
  <participant name="Second">
    <provide-mesh name="Second-Mesh" /><receive-mesh name="First-Mesh" from="First" />
    <read-data name="X" mesh="Second-Mesh" /><write-data name="Y" mesh="Second-Mesh" />
    <mapping:nearest-neighbor direction="read" from="First-Mesh" to="Second-Mesh" constraint="consistent" />
    <mapping:nearest-neighbor direction="write" from="Second-Mesh" to="First-Mesh" constraint="conservative" />
  </participant>
)";
}
