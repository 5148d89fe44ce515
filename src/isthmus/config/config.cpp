// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/config.hpp"

#include <algorithm>

namespace isthmus::config {

namespace {

template <typename T>
const T* find_named(const std::vector<T>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const T& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool contains(const std::vector<UseData>& all, std::string_view data, std::string_view mesh) {
  return std::any_of(all.begin(), all.end(),
                     [&](const UseData& one) { return one.name == data && one.mesh == mesh; });
}

} // namespace

bool Mesh::uses(std::string_view data_name) const {
  return std::count(data.begin(), data.end(), data_name) > 0;
}

bool Mapping::is_radial_basis() const {
  return kind == MappingKind::rbf_global_direct || kind == MappingKind::rbf_global_iterative ||
         kind == MappingKind::rbf_pum_direct || kind == MappingKind::rbf;
}

bool Mapping::is_multiscale() const {
  return kind == MappingKind::axial_geometric_multiscale ||
         kind == MappingKind::radial_geometric_multiscale;
}

bool Participant::writes(std::string_view data, std::string_view mesh) const {
  return contains(written, data, mesh);
}

bool Participant::reads(std::string_view data, std::string_view mesh) const {
  return contains(read, data, mesh);
}

bool Participant::provides(std::string_view mesh) const {
  return find_named(provided, mesh) != nullptr;
}

const ReceiveMesh* Participant::receives(std::string_view mesh) const {
  return find_named(received, mesh);
}

bool M2N::joins(const std::string& one, const std::string& other) const {
  return (acceptor == one && connector == other) || (acceptor == other && connector == one);
}

bool CouplingScheme::involves(const std::string& participant) const {
  return std::count(participants.begin(), participants.end(), participant) > 0;
}

bool CouplingScheme::joins(const std::string& one, const std::string& other) const {
  return std::any_of(exchanges.begin(), exchanges.end(), [&](const Exchange& exchange) {
    return (exchange.from == one && exchange.to == other) ||
           (exchange.from == other && exchange.to == one);
  });
}

const Data* Configuration::find_data(const std::string& name) const {
  return find_named(data, name);
}

const Mesh* Configuration::find_mesh(std::string_view name) const {
  return find_named(meshes, name);
}

const Participant* Configuration::find_participant(const std::string& name) const {
  return find_named(participants, name);
}

const Participant* Configuration::find_provider(const std::string& mesh) const {
  const auto found = std::find_if(participants.begin(), participants.end(),
                                  [&](const Participant& one) { return one.provides(mesh); });
  return found == participants.end() ? nullptr : &*found;
}

const M2N* Configuration::find_m2n(const std::string& one, const std::string& other) const {
  const auto found =
      std::find_if(m2ns.begin(), m2ns.end(), [&](const M2N& m2n) { return m2n.joins(one, other); });
  return found == m2ns.end() ? nullptr : &*found;
}

} // namespace isthmus::config
