// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/small_changes.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::fields {

namespace {

/// Between these participants no value of an earlier time window matters.
bool forget(std::span<const config::CouplingScheme> schemes, const std::string& a,
            const std::string& b) {
  return std::all_of(schemes.begin(), schemes.end(), [&](const config::CouplingScheme& scheme) {
    return scheme.kind == config::SchemeKind::parallel_explicit ||
           !(scheme.involves(a) || scheme.involves(b));
  });
}

} // namespace

transfer::Displacement* SmallChanges::displacement_of(
    const protocol::MeshRelation& relation) const {
  Plans& plans = partners_.plans();
  const auto in = [](auto& side) { return side.memory ? &side.memory->displacement : nullptr; };
  return relation.is_provided_by(self_.name) ? in(plans.provided_for(relation))
                                             : in(plans.received_for(relation));
}

transfer::Changes SmallChanges::note(const std::string& partner, transfer::MeshBits reset) {
  partner::Connection& connection = partners_.at(partner);
  const comm::Comm& comm = connection.context().comm;
  const Relations& relations = partners_.relations();
  Plans& plans = partners_.plans();
  transfer::Changes own;
  own.reset = reset;
  if (!are_all({partner, own, {}})) {
    own.is_small = 0;
    return own;
  }
  std::vector<std::string> meshes; // that are reset
  for (const config::ProvideMesh& provided : self_.provided) {
    if (has_reset(self_, reset, provided.name)) {
      meshes.push_back(provided.name);
    }
  }
  for (planning::ProvidedRelation& provided : plans.provided) {
    const protocol::MeshRelation& relation = *provided.relation;
    if (relations.is_renewed(relation, {partner, own, {}})) {
      planning::note_changes(provided, plans.inputs.meshes.at(relation.mesh),
                             connection.remote_size() > 1, own);
    }
  }
  for (planning::ReceivedRelation& received : plans.received) {
    if (relations.is_renewed(*received.relation, {partner, own, {}})) {
      planning::note_changes(received, plans.inputs.meshes, meshes, comm.size() > 1, own);
    }
  }
  own = transfer::merged_over_ranks(comm, own);
  if (!are_all({partner, own, {}})) {
    own.is_small = 0;
  }
  return own;
}

transfer::Displacement SmallChanges::with(const Renewal& renewal,
                                          const protocol::MeshRelation& relation,
                                          transfer::Displacement displacement) const {
  const bool provides = relation.is_provided_by(self_.name);
  displacement.add(provides ? renewal.own : renewal.theirs,
                   provides ? renewal.theirs : renewal.own);
  return displacement;
}

bool SmallChanges::are_all(const Renewal& renewal) const {
  if (renewal.own.is_small == 0 || renewal.theirs.is_small == 0 ||
      !forget(schemes_, self_.name, renewal.partner)) {
    return false;
  }
  const Relations& relations = partners_.relations();
  return std::all_of(relations.all().begin(), relations.all().end(),
                     [&](const protocol::MeshRelation& relation) {
                       if (!relations.is_renewed(relation, renewal)) {
                         return true;
                       }
                       const transfer::Displacement* const known = displacement_of(relation);
                       if (known == nullptr || !protocol::changes_may_be_small(relation)) {
                         return false;
                       }
                       return with(renewal, relation, *known).is_allowed();
                     });
}

/// Who has reset a mesh says first what has moved, in one message with what it needs itself of
/// meshes that have not changed; who has to search because of that answers.
SmallChanges::Changed SmallChanges::plan(const Renewal& renewal) {
  Changed changed;
  partner::Connection& partner = partners_.at(renewal.partner);
  partner::Context& context = partner.context();
  transfer::Bundles bundles(context.hub, context.progress_timeout);
  const Relations& relations = partners_.relations();
  Plans& plans = partners_.plans();
  const auto renewed = [&](const auto& side) {
    return relations.is_renewed(*side.relation, renewal);
  };
  const auto is_reset = [&](const auto& side) {
    return relations.is_reset(*side.relation, renewal);
  };
  const auto mesh_of = [&](const auto& side) -> const mesh::Mesh& {
    return plans.inputs.meshes.at(side.relation->mesh);
  };
  const auto take = [&](planning::ReceivedRelation& received) {
    const std::vector<planning::Route> before = received.plan.read;
    std::set<transport::LinkId> links =
        planning::plan_small_changes(partner, plans.inputs, received, is_reset(received), bundles);
    renumber(received, before, links);
    changed.in.merge(links);
  };
  for (const bool answers : {false, true}) { // both sides put and take in this order
    for (planning::ReceivedRelation& received : plans.received) {
      if (renewed(received) && is_reset(received) == answers &&
          renewal.reaches(received.memory->region)) {
        take(received);
      }
    }
    for (planning::ProvidedRelation& provided : plans.provided) {
      if (renewed(provided) && is_reset(provided) && !answers) {
        planning::put_changes(provided, mesh_of(provided), renewal, bundles);
      }
    }
    bundles.send();
    for (planning::ProvidedRelation& provided : plans.provided) {
      if (renewed(provided) && is_reset(provided) == answers) {
        changed.out.merge(planning::take_reads(provided, mesh_of(provided), renewal, bundles));
      }
    }
  }
  note_displacement(renewal);
  return changed;
}

void SmallChanges::note_displacement(const Renewal& renewal) {
  const Relations& relations = partners_.relations();
  for (const protocol::MeshRelation& relation : relations.all()) {
    if (relations.is_renewed(relation, renewal)) {
      transfer::Displacement& known = *displacement_of(relation);
      known = with(renewal, relation, known);
    }
  }
}

/// Ghosts may have other numbers; the values of those whose list is as before are the same.
void SmallChanges::renumber(const planning::ReceivedRelation& received,
                            const std::vector<planning::Route>& before,
                            const std::set<transport::LinkId>& changed) {
  if (changed.empty()) {
    return;
  }
  for (Field* field : fields_.on(received.relation->mesh)) {
    const auto width = static_cast<std::size_t>(field->width());
    std::vector<std::pair<double, std::vector<double>>> samples;
    for (std::size_t s = 0; s < field->wave().num_samples(); ++s) {
      const std::span<const double> old = field->wave().values(s);
      std::vector<double> values(static_cast<std::size_t>(received.plan.num_read) * width, 0.0);
      for (const planning::Route& route : received.plan.read) {
        const auto from =
            std::find_if(before.begin(), before.end(),
                         [&route](const planning::Route& one) { return one.link == route.link; });
        if (changed.count(route.link) == 0 && from != before.end()) {
          std::copy_n(old.begin() + from->first * field->width(),
                      static_cast<std::size_t>(route.count) * width,
                      values.begin() + route.first * field->width());
        }
      }
      samples.emplace_back(field->wave().time(s), std::move(values));
    }
    field->resize(received.plan.num_read);
    for (auto& [time, values] : samples) {
      field->wave().append(time, std::move(values));
    }
  }
}

} // namespace isthmus::fields
