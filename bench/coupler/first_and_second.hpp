// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// A coupled run: "First" writes X on its mesh, "Second" gets that mesh, maps and reads X; Y goes
/// back. For programs that are built with preCICE alone, too.
struct FirstAndSecond {
  std::string directory; // where they meet
  std::string scheme = "serial-explicit";
  std::string windows; // elements: the size of a window, and the end
  int dimensions = 2;
  bool is_vector = false; // X
  bool goes_back = true;  // Y
  bool substeps = true;
  std::string control = ""; // further children of the scheme

  [[nodiscard]] std::string xml() const {
    return std::string("<precice-configuration>\n  <log enabled=\"false\" />\n  <data:") +
           (is_vector ? "vector" : "scalar") + " name=\"X\" />" +
           with_y("<data:scalar name=\"Y\" />\n") + mesh("First-Mesh") + mesh("Second-Mesh") + R"(
  <participant name="First">
    <provide-mesh name="First-Mesh" /><write-data name="X" mesh="First-Mesh" />)" +
           with_y(R"(<read-data name="Y" mesh="First-Mesh" />)") + R"(
  </participant>
  <participant name="Second">
    <provide-mesh name="Second-Mesh" /><receive-mesh name="First-Mesh" from="First" />
    <read-data name="X" mesh="Second-Mesh" />)" +
           with_y(R"(<write-data name="Y" mesh="Second-Mesh" />)") + R"(
    <mapping:nearest-neighbor direction="read" from="First-Mesh" to="Second-Mesh" constraint="consistent" />)" +
           with_y(R"(
    <mapping:nearest-neighbor direction="write" from="Second-Mesh" to="First-Mesh" constraint="conservative" />)") +
           R"(
  </participant>
  <m2n:sockets acceptor="First" connector="Second" exchange-directory=")" +
           directory + "\" />\n  <coupling-scheme:" + scheme + R"(>
    <participants first="First" second="Second" />
    )" + windows +
           exchange("X", "First", "Second") + with_y(exchange("Y", "Second", "First")) + control +
           "\n  </coupling-scheme:" + scheme + ">\n</precice-configuration>\n";
  }

 private:
  [[nodiscard]] std::string with_y(const std::string& text) const { return goes_back ? text : ""; }
  [[nodiscard]] std::string mesh(const std::string& name) const {
    return "\n  <mesh name=\"" + name + "\" dimensions=\"" + std::to_string(dimensions) +
           "\"><use-data name=\"X\" />" + with_y("<use-data name=\"Y\" />") + "</mesh>";
  }
  [[nodiscard]] std::string exchange(const std::string& data, const std::string& from,
                                     const std::string& to) const {
    return "\n    <exchange data=\"" + data + "\" mesh=\"First-Mesh\" from=\"" + from + "\" to=\"" +
           to + "\" substeps=\"" + (substeps ? "true" : "false") + "\" />";
  }
};
