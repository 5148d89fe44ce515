// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/declared.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/grammar/suggest.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

#include <algorithm>
#include <vector>

namespace isthmus::participant {

namespace {

/// The names, and which of them is meant where `word` stands.
std::string names(std::string_view word, const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& name : known) {
    list += (list.empty() ? "\"" : ", \"") + name + "\"";
  }
  return list.empty() ? "none" : list + grammar::did_you_mean(word, known);
}

} // namespace

const config::Mesh& Declared::mesh(std::string_view call, std::string_view mesh) const {
  if (!self_.provides(mesh) && self_.receives(mesh) == nullptr) {
    std::vector<std::string> known;
    for (const auto& provided : self_.provided) {
      known.push_back(provided.name);
    }
    for (const auto& received : self_.received) {
      known.push_back(received.name);
    }
    fail("{}(): mesh \"{}\" is not known to participant \"{}\"; its meshes are: {}", call, mesh,
         self_.name, names(mesh, known));
  }
  return this->mesh(mesh);
}

const config::ReceiveMesh& Declared::accessible(std::string_view call,
                                                std::string_view mesh) const {
  const config::Mesh& known = this->mesh(call, mesh);
  const config::ReceiveMesh* received = self_.receives(known.name);
  check(received != nullptr,
        "{}(): mesh \"{}\" is provided by participant \"{}\" itself; this call needs a mesh that "
        "it receives",
        call, mesh, self_.name);
  check(received->api_access,
        "{}(): mesh \"{}\" is received by participant \"{}\" without access for the solver; add "
        "api-access=\"true\" to its <receive-mesh>",
        call, mesh, self_.name);
  return *received;
}

const config::Mesh& Declared::mesh_with(std::string_view call, std::string_view mesh,
                                        std::string_view data) const {
  const config::Mesh& known = this->mesh(call, mesh);
  if (!known.uses(data)) { // only then what was meant is sought
    fail("{}(): mesh \"{}\" has no data \"{}\"; its data are: {}", call, mesh, data,
         names(data, known.data));
  }
  return known;
}

const config::Mesh& Declared::mesh_of_solver(std::string_view call, std::string_view mesh,
                                             std::string_view data,
                                             config::Direction direction) const {
  const config::Mesh& known = mesh_with(call, mesh, data);
  const bool writes = direction == config::Direction::write;
  const auto& uses = writes ? self_.written : self_.read;
  const bool listed = std::any_of(uses.begin(), uses.end(), [mesh, data](const auto& use) {
    return use.mesh == mesh && use.name == data;
  });
  check(listed,
        "{}(): participant \"{}\" has no <{} name=\"{}\" mesh=\"{}\" /> in the configuration", call,
        self_.name, writes ? "write-data" : "read-data", data, mesh);
  return known;
}

const config::Mapping& Declared::just_in_time(std::string_view call, const config::Mesh& mesh,
                                              config::Direction direction) const {
  const bool reads = direction == config::Direction::read;
  const auto& mappings = self_.mappings;
  const auto found = std::find_if(mappings.begin(), mappings.end(), [&](const auto& mapping) {
    return mapping.just_in_time() && mapping.direction == direction &&
           (reads ? mapping.from : mapping.to) == mesh.name;
  });
  check(found != mappings.end(),
        "{}(): participant \"{}\" has no matching just-in-time mapping {} mesh \"{}\"; add "
        "<mapping:… direction=\"{}\" {}=\"{}\" … />",
        call, self_.name, reads ? "from" : "to", mesh.name, reads ? "read" : "write",
        reads ? "from" : "to", mesh.name);
  return *found;
}

bool Declared::connectivity_required(const std::string& mesh) const {
  return protocol::connectivity_required(configuration_.participants, mesh);
}

bool Declared::sends_initial_data() const {
  const auto& schemes = configuration_.schemes;
  return std::any_of(schemes.begin(), schemes.end(), [this](const auto& scheme) {
    return std::any_of(scheme.exchanges.begin(), scheme.exchanges.end(),
                       [this](const auto& e) { return e.initialize && e.from == self_.name; });
  });
}

} // namespace isthmus::participant
