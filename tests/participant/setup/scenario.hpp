// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace couple {

/// How much of the way of a flow there is, where an action of the writer makes data of others on
/// the mesh that travels: all of it; what it is made of is mapped there but goes no further; what
/// it makes is read by the other.
enum class Way { whole, to_action, from_action };

/// How the data of a flow get from one mesh to the other.
struct FlowMapping {
  std::string kind = "nearest-neighbor"; // "": none, who would map accesses the mesh directly
  std::string basis = "";                // of radial basis functions
  std::string options = "";              // further attributes
  std::string inside = "";               // further children
  std::string element = "";              // instead of all these: the whole <mapping>
  std::string direction = "read";        // who maps: the reader or the writer
  std::string constraint = "consistent";
};

/// The meshes of a flow.
struct FlowMeshes {
  int dimensions = 2;
  std::string suffix = "";                    // of the names of both
  std::string own = "";                       // name of the mesh of who maps, if it is another one
  std::string access = "api-access=\"true\""; // to the mesh that travels, if it is not mapped
};

/// Data that one participant writes on its mesh and another reads on its own.
struct Flow {
  std::string from;
  std::string to;
  std::string data;
  bool vector = false;
  FlowMapping mapping = {};
  bool initialize = false;
  bool substeps = false;
  int degree = 1;
  std::string of_data = ""; // further attributes of <data>
  FlowMeshes meshes = {};
  int scheme = -1; // its number; -1: all schemes that have both
  Way way = Way::whole;

  [[nodiscard]] std::string from_mesh() const {
    return meshes.own.empty() || mapping.direction == "read" ? from + "-Mesh" + meshes.suffix
                                                             : meshes.own;
  }
  [[nodiscard]] std::string to_mesh() const {
    return meshes.own.empty() || mapping.direction == "write" ? to + "-Mesh" + meshes.suffix
                                                              : meshes.own;
  }
  /// The mesh that travels: that of who does not map.
  [[nodiscard]] std::string shared_mesh() const {
    return mapping.direction == "read" ? from_mesh() : to_mesh();
  }
};

struct Scheme {
  std::string first;
  std::string second;
  std::string kind = "parallel-explicit";
  double window = 1; // first-participant if 0
  double max_time = 0;
  int max_windows = 0;
  std::string control = "";             // further children: iterations, measures, acceleration
  std::vector<std::string> others = {}; // the rest of a multi scheme
  std::string controller = "";          // of a multi scheme; the first if not said

  [[nodiscard]] std::vector<std::string> members() const;
  [[nodiscard]] bool has(const Flow& flow) const; // both its ends
  [[nodiscard]] bool is_implicit() const { return !kind.ends_with("explicit"); }
};

/// How participants that exchange data are joined.
struct Connections {
  std::string directory = "{directory}";            // play() has one
  std::string initialization = "rendezvous";        // "": not said
  std::string attributes = "";                      // further ones
  std::pair<std::string, std::string> missing = {}; // acceptor and connector that have none
};

/// A coupled run. Participants, meshes and connections follow from the flows and schemes.
struct Scenario {
  std::vector<Scheme> schemes;
  std::vector<Flow> flows;
  Connections connections = {};
  bool experimental = false;
  bool remeshing = false;
  std::string attributes = "";                      // further ones of the whole
  std::string head = "";                            // further children, before all others
  std::map<std::string, std::string> inside = {};   // further children, by participant
  std::map<std::string, std::string> received = {}; // attributes of its received meshes, likewise
  std::map<std::string, std::vector<std::string>> unused = {}; // scalars of no flow, by mesh
  std::string log = "<log enabled=\"false\" />";

  [[nodiscard]] std::vector<std::string> participants() const;
  [[nodiscard]] std::string xml() const;
};

/// Both directions between every two members; data are named after their ends. Implicit schemes
/// send all steps.
[[nodiscard]] std::vector<Flow> between_all(const Scheme& scheme);

/// Scalars T from A to B and F back, each mapped by who reads it.
[[nodiscard]] std::vector<Flow> both_ways(bool initialize, bool substeps);

/// C maps XA and XB from the meshes of A and B, and C to both.
[[nodiscard]] std::vector<Flow> through_c(const std::string& constraint);

/// Of a mesh that A receives from B: T and G are mapped between it and one of its own, S and F,
/// which may be a vector, have no mapping here and are for points just in time, U and H for
/// vertices that A accesses.
[[nodiscard]] std::vector<Flow> mapped_and_accessed(bool vector);

} // namespace couple
