// SPDX-License-Identifier: BSD-3-Clause
// Small changes of meshes: plans are made again where somebody sees them, and nowhere else.
#include "isthmus/fields/wiring.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::fields {

namespace {

/// Between these participants no value of an earlier time window matters.
bool forgets(const config::Configuration& configuration, const std::string& a,
             const std::string& b) {
  return std::all_of(configuration.schemes.begin(), configuration.schemes.end(),
                     [&](const config::CouplingScheme& scheme) {
                       return scheme.kind == config::SchemeKind::parallel_explicit ||
                              !(scheme.involves(a) || scheme.involves(b));
                     });
}

} // namespace

const transfer::Displacement* Wiring::displacement_of(
    const transfer::MeshRelation& relation) const {
  for (const Provided& provided : provided_) {
    if (provided.relation == &relation && provided.memory) {
      return &provided.memory->displacement;
    }
  }
  for (const Received& received : received_) {
    if (received.relation == &relation && received.memory) {
      return &received.memory->displacement;
    }
  }
  return nullptr;
}

transfer::Changes Wiring::changes(partner::Connection& connection, transfer::MeshBits reset,
                                  const planning::Inputs& inputs) {
  const std::string& partner = connection.partner();
  const comm::Comm& comm = connection.context().comm;
  transfer::Changes own;
  own.reset = reset;
  if (!is_small({partner, own, {}})) {
    own.is_small = 0;
    return own;
  }
  std::vector<std::string> meshes; // that are reset
  for (const config::ProvideMesh& provided : self_.provided) {
    if (has_reset(self_, reset, provided.name)) {
      meshes.push_back(provided.name);
    }
  }
  for (Provided& provided : provided_) {
    const transfer::MeshRelation& relation = *provided.relation;
    if (is_touched(relation, {partner, own, {}})) {
      planning::note_changes(provided, inputs.meshes.at(relation.mesh),
                             connection.remote_size() > 1, own);
    }
  }
  for (Received& received : received_) {
    if (is_touched(*received.relation, {partner, own, {}})) {
      planning::note_changes(received, inputs.meshes, meshes, comm.size() > 1, own);
    }
  }
  own = transfer::merged_over_ranks(comm, own);
  if (!is_small({partner, own, {}})) {
    own.is_small = 0;
  }
  return own;
}

bool Wiring::is_small(const Renewal& renewal) const {
  if (renewal.own.is_small == 0 || renewal.theirs.is_small == 0 ||
      !forgets(configuration_, self_.name, renewal.partner)) {
    return false;
  }
  return std::all_of(relations_.begin(), relations_.end(),
                     [&](const transfer::MeshRelation& relation) {
                       if (!is_touched(relation, renewal)) {
                         return true;
                       }
                       const transfer::Displacement* const known = displacement_of(relation);
                       if (known == nullptr) {
                         return false;
                       }
                       transfer::Displacement displacement = *known;
                       const bool provides = relation.provider == self_.name;
                       displacement.add(provides ? renewal.own : renewal.theirs,
                                        provides ? renewal.theirs : renewal.own);
                       return displacement.is_allowed();
                     });
}

/// Who has reset a mesh says first what has moved, in one message with what it needs itself of
/// meshes that have not changed; who has to search because of that answers.
Wiring::Changed Wiring::patch(partner::Connection& partner, const Renewal& renewal,
                              const planning::Inputs& inputs) {
  Changed changed;
  partner::Context& context = partner.context();
  transfer::Bundles bundles(context.hub, context.progress_timeout);
  const config::Participant& other = *configuration_.find_participant(renewal.partner);
  const auto touched = [&](const auto& side) { return is_touched(*side.relation, renewal); };
  const auto is_sent = [&](const Provided& provided) {
    return has_reset(self_, renewal.own.reset, provided.relation->mesh);
  };
  const auto comes = [&](const Received& received) {
    return has_reset(other, renewal.theirs.reset, received.relation->mesh);
  };
  const auto mesh_of = [&](const auto& side) -> const mesh::Mesh& {
    return inputs.meshes.at(side.relation->mesh);
  };
  const auto take = [&](Received& received) {
    const std::vector<planning::Route> before = received.plan.read;
    std::set<transport::LinkId> links =
        planning::patch_reception(partner, inputs, received, comes(received), bundles);
    renumber(received, before, links);
    changed.in.merge(links);
  };
  for (const bool answers : {false, true}) { // both sides put and take in this order
    for (Received& received : received_) {
      if (touched(received) && comes(received) == answers &&
          renewal.reaches(received.memory->region)) {
        take(received);
      }
    }
    for (Provided& provided : provided_) {
      if (touched(provided) && is_sent(provided) && !answers) {
        planning::put_changes(provided, mesh_of(provided), renewal, bundles);
      }
    }
    bundles.send();
    for (Provided& provided : provided_) {
      if (touched(provided) && is_sent(provided) == answers) {
        planning::take_answers(provided, mesh_of(provided), renewal, bundles, changed.out);
      }
    }
  }
  note_displacement(renewal);
  list_all_mappings();
  return changed;
}

void Wiring::note_displacement(const Renewal& renewal) {
  for (Provided& provided : provided_) {
    if (is_touched(*provided.relation, renewal)) {
      provided.memory->displacement.add(renewal.own, renewal.theirs);
    }
  }
  for (Received& received : received_) {
    if (is_touched(*received.relation, renewal)) {
      received.memory->displacement.add(renewal.theirs, renewal.own);
    }
  }
}

/// Ghosts may have other numbers; the values of those whose list is as before are the same.
void Wiring::renumber(const Received& received, const std::vector<planning::Route>& before,
                      const std::set<transport::LinkId>& changed) {
  if (changed.empty()) {
    return;
  }
  const config::Mesh& mesh = *configuration_.find_mesh(received.relation->mesh);
  for (const std::string& data : mesh.data) {
    Field& field = fields_.at(mesh.name, data);
    const auto width = static_cast<std::size_t>(field.width());
    std::vector<std::pair<double, std::vector<double>>> samples;
    for (std::size_t s = 0; s < field.wave().num_samples(); ++s) {
      const std::span<const double> old = field.wave().values(s);
      std::vector<double> values(static_cast<std::size_t>(received.plan.num_read) * width, 0.0);
      for (const planning::Route& route : received.plan.read) {
        const auto from =
            std::find_if(before.begin(), before.end(),
                         [&route](const planning::Route& one) { return one.link == route.link; });
        if (changed.count(route.link) == 0 && from != before.end()) {
          std::copy_n(old.begin() + from->first * field.width(),
                      static_cast<std::size_t>(route.count) * width,
                      values.begin() + route.first * field.width());
        }
      }
      samples.emplace_back(field.wave().time(s), std::move(values));
    }
    field.resize(received.plan.num_read);
    for (auto& [time, values] : samples) {
      field.wave().append(time, std::move(values));
    }
  }
}

} // namespace isthmus::fields
