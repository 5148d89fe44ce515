// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/partners.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace isthmus::coupling {

Partners::Partners(partner::Context& context, const config::Configuration& configuration,
                   const config::Participant& self, fields::FieldSet& fields)
    : context_(context),
      configuration_(configuration),
      self_(self),
      fields_(fields),
      wiring_(configuration, self, fields) {}

void Partners::connect(Schedule& schedule) {
  const auto scope = context_.trace.scope("connect");
  for (const config::M2N& m2n : configuration_.m2ns) {
    const bool accepts = m2n.acceptor == self_.name;
    if (!accepts && m2n.connector != self_.name) {
      continue;
    }
    const std::string& partner = accepts ? m2n.connector : m2n.acceptor;
    if (schedule.find(partner) != nullptr || wiring_.is_related(partner)) {
      connections_.emplace(std::piecewise_construct, std::forward_as_tuple(partner),
                           std::forward_as_tuple(context_, m2n, partner));
    }
  }
}

void Partners::plan(const planning::Inputs& inputs) {
  inputs_ = inputs;
  for (const config::ProvideMesh& provided : self_.provided) {
    for (fields::Field* field : fields_.on(provided.name)) {
      field->resize(own_mesh(provided.name).num_vertices());
    }
  }
  wiring_.plan([this](const std::string& partner) -> partner::Connection& { return at(partner); },
               inputs_);
}

std::vector<std::string> Partners::names() const {
  std::vector<std::string> names;
  std::transform(connections_.begin(), connections_.end(), std::back_inserter(names),
                 [](const auto& entry) { return entry.first; });
  return names;
}

void Partners::renew(const fields::Renewal& renewal) {
  wiring_.renew(at(renewal.partner), renewal, inputs_);
}

fields::Wiring::Changed Partners::patch(const fields::Renewal& renewal) {
  return wiring_.patch(at(renewal.partner), renewal, inputs_);
}

transfer::Changes Partners::changes(const std::string& partner, transfer::MeshBits reset) {
  return wiring_.changes(at(partner), reset, inputs_);
}

std::vector<double> Partners::coordinates_of(const fields::Field& field) const {
  if (self_.provides(field.mesh())) {
    const auto places = own_mesh(field.mesh()).coordinates();
    return {places.begin(), places.end()};
  }
  return wiring_.coordinates_of(field, fields_.is_accessed(field));
}

} // namespace isthmus::coupling
