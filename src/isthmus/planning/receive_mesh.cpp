// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/receive_mesh.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/planning/claims.hpp"
#include "isthmus/planning/contributions.hpp"
#include "isthmus/planning/measures.hpp"
#include "isthmus/planning/parts.hpp"
#include "isthmus/planning/search/margin.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/part_changes.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::planning {

namespace {

/// Received vertices that have moved since the last plan; none: they are others.
using Moved = std::optional<std::vector<LocalIndex>>;

const std::vector<LocalIndex>* pointer_to(const Moved& moved) {
  return moved ? &*moved : nullptr;
}

/// Elements that were received matter until uses are planned.
bool elements_are_cut(const protocol::MeshRelation& relation) {
  return std::any_of(relation.uses.begin(), relation.uses.end(), [](const auto& use) {
    return use.searches_nearby() && use.needs_connectivity;
  });
}

/// The making of a plan on the receiver's side.
class Reception {
 public:
  Reception(partner::Connection& provider, const Inputs& inputs, ReceivedRelation& received)
      : provider_(provider),
        context_(provider.context()),
        inputs_(inputs),
        relation_(*received.relation),
        plan_(received.plan),
        memory_(received.memory),
        searches_(context_.comm, relation_, inputs),
        finder_(provider, relation_, rendezvous::Side::receiver) {
    const auto region = inputs.regions.find(relation_.mesh);
    if (region != inputs.regions.end()) {
      access_ = region->second;
    }
  }

  /// Together with all ranks of both sides.
  void run() {
    Margin margin(provider_, relation_, extent(), true, memory_ ? memory_->margin : 0);
    if (protocol::surveys_are_sent(relation_, context_.comm.size())) {
      searches_.set_surveys(receive_surveys(provider_, relation_, margin));
    }
    const bool is_changed = margin.keeps() && try_changed_plan(margin);
    if (!is_changed) {
      make_first_plan(margin);
    }
    if (memory_) {
      memory_->margin = margin.value();
      memory_->displacement = {margin.left(), 0, 0};
      memory_->received = std::move(received_);
      for (SearchMemory::One& one : memory_->searches.all) {
        one.own.origins.clear();
      }
    }
  }

  /// As try_changed_plan(), where changes are small: with the partners that they concern alone.
  void plan_small(bool comes, transfer::Bundles& bundles) {
    transfer::ChangeMessages pieces(bundles);
    Moved moved = std::vector<LocalIndex>();
    if (comes) {
      moved = receive_changes(pieces);
    } else {
      received_ = std::move(memory_->received);
      for (transfer::Part& part : received_.parts) {
        part.is_new = false;
      }
    }
    searches_.run_alone(received_.mesh, memory_->searches, pointer_to(moved));
    if (!searches_.are_as_before() && moved && update_rows(*moved)) {
      keep_reads(pieces);
    } else {
      plan_again(pieces);
    }
    memory_->received = std::move(received_);
  }

 private:
  /// Of the meshes as they are, whatever was planned before.
  void make_first_plan(Margin& margin) {
    memory_.reset();
    if (protocol::plan_is_remembered(relation_)) {
      memory_.emplace();
    }
    const int ranks = context_.comm.size();
    const bool gets_all = protocol::whole_mesh_is_dealt(relation_, ranks);
    do {
      if (gets_all) {
        receive_all();
      } else {
        receive_region(margin);
      }
      search(nullptr);
      if (gets_all) {
        link_needed();
      }
      if (protocol::claims_compete(relation_, ranks)) {
        send_claims(context_, relation_, received_, searches_);
      }
    } while (!margin.suffices(provider_, searches_.farthest_answer()));
    const auto scope = context_.trace.scope("plan");
    std::optional<Measures> measures;
    if (protocol::measures_are_sent(relation_)) {
      measures = receive_measures(context_, relation_, received_);
    }
    std::optional<protocol::Awards> awards;
    if (protocol::claims_compete(relation_, ranks)) {
      awards = receive_awards(context_, relation_, received_.parts);
    }
    MappingPlanner planner(context_, relation_, received_, searches_, std::move(awards));
    std::span<const double> of_actions;
    if (measures) {
      planner.integrate(inputs_.meshes, *measures);
      of_actions = measures->of(protocol::Weighing::action).vertices;
    }
    std::vector<char> needed = plan_mappings(planner);
    if (protocol::vertices_are_joined(relation_, ranks)) {
      join_vertices(context_, received_.parts, plan_.mappings);
    }
    plan_reads(std::move(needed), of_actions, pieces());
  }

  /// Of the last one, with the partners that it has: they send what has changed alone, and learn
  /// what is read. False where the margin does not suffice for what was found: nothing is planned.
  [[nodiscard]] bool try_changed_plan(Margin& margin) {
    const Moved moved = receive_changes(pieces());
    search(pointer_to(moved));
    if (!margin.suffices(provider_, searches_.farthest_answer())) {
      return false;
    }
    plan_again(pieces());
    return true;
  }

  /// Of the last plan and what was found again. The provider says nothing but message 9, see
  /// plan_is_remembered(), and nothing is collective: small changes concern some ranks alone.
  void plan_again(transfer::ChangeMessages pieces) {
    if (searches_.are_as_before()) {
      keep_reads(pieces);
      return;
    }
    const auto scope = context_.trace.scope("plan");
    MappingPlanner planner(context_, relation_, received_, searches_, std::nullopt);
    plan_reads(plan_mappings(planner), {}, pieces);
  }

  [[nodiscard]] transfer::ChangeMessages pieces() const {
    return {context_.hub, context_.progress_timeout};
  }

  protocol::MeshExtent extent() {
    const bool several = context_.comm.size() > 1;
    bool keeps = memory_.has_value();
    std::vector<const mesh::Mesh*> meshes;
    for (const std::string& name : relation_.mapped_meshes()) {
      meshes.push_back(&inputs_.meshes.at(name));
      keeps = keeps && (!several || transfer::lie_in(*meshes.back(), memory_->boxes[name]));
    }
    return extent_of(context_.comm, meshes, access_, several && !memory_, keeps);
  }

  /// From the partners of the last plan.
  Moved receive_changes(transfer::ChangeMessages pieces) {
    const auto scope = context_.trace.scope("transfer");
    received_ = std::move(memory_->received);
    Moved moved = transfer::receive_changes(pieces, received_);
    if (!moved) {
      memory_->searches.all.clear();
    }
    return moved;
  }

  /// Where vertices and elements of the provider matter to this rank.
  std::vector<geometry::Box> region(const Margin& margin) {
    if (!finder_.looks()) {
      return {};
    }
    const bool remembers = memory_ && context_.comm.size() > 1; // boxes of own meshes
    if (margin.unlimited() && !remembers) {
      return {geometry::Box::all_of_space()};
    }
    std::vector<geometry::Box> boxes;
    for (const protocol::MappingUse& use : relation_.uses) {
      if (use.direct) {
        boxes.push_back(box_around(access_, use.around, margin.value()));
        continue;
      }
      if (use.solves()) {
        continue; // takes its share
      }
      const mesh::Mesh& mesh = inputs_.meshes.at(use.own_mesh);
      const bool elements = !use.searches_received && use.needs_connectivity;
      const double reach = margin.value() + (elements ? transfer::longest_element(mesh) : 0.0);
      const auto cover = transfer::boxes_around(mesh, memory_.has_value());
      for (geometry::Box box : cover) {
        box.expand(reach);
        boxes.push_back(use.is_surveyed() ? along_dead_axes(box, use, margin) : box);
      }
      if (remembers) {
        memory_->boxes[use.own_mesh] = cover;
      }
    }
    return margin.unlimited() ? std::vector{geometry::Box::all_of_space()} : std::move(boxes);
  }

  void receive_region(const Margin& margin) {
    const std::vector<geometry::Box> boxes = region(margin);
    if (memory_) {
      memory_->region = boxes;
    }
    auto parts = receive_parts(provider_, relation_, finder_, boxes, margin.num_provided());
    received_ = std::move(parts.mesh);
    searches_.set_share(std::move(parts.share));
  }

  void receive_all() {
    const auto scope = context_.trace.scope("transfer");
    received_ = transfer::receive_whole_mesh(context_.comm, context_.hub, provider_.link_to_first(),
                                             relation_.mesh, relation_.dimensions,
                                             context_.progress_timeout);
  }

  /// `moved`: received vertices that have, since the last plan; null: all is searched anew.
  void search(const std::vector<LocalIndex>* moved) {
    const auto scope = context_.trace.scope("search");
    searches_.run(received_.mesh, access_, memory_ ? &memory_->searches : nullptr, moved);
  }

  /// One-level: links the ranks from which something is needed, and forgets the others.
  void link_needed() {
    const std::vector<GlobalIndex> ids = searches_.needed_vertices(received_.mesh);
    for (int rank : provider_.find_partners_by_ids(rendezvous::Side::receiver, ids)) {
      received_.parts[static_cast<std::size_t>(rank)].link = provider_.link_to(rank);
    }
    std::erase_if(received_.parts, [](const transfer::Part& part) { return part.link < 0; });
  }

  /// Makes the mappings of what was found. Returns which received vertices they need.
  std::vector<char> plan_mappings(MappingPlanner& planner) {
    const bool forgets = !relation_.is_held && !memory_;
    if (forgets && !elements_are_cut(relation_)) {
      received_.mesh.drop_connectivity();
    }
    std::vector<Distances> distances;
    for (std::size_t u = 0; !context_.log.is_silent() && u < relation_.uses.size(); ++u) {
      distances.push_back(planner.distances(u));
    }
    searches_.forget_distances();
    plan_ = {};
    plan_.distances = std::move(distances);
    plan_.num_transferred = received_.mesh.num_vertices();
    plan_.is_whole = context_.comm.size() == 1;
    // a single rank holds all of a mesh that somebody looks at
    const bool shows_all = context_.comm.size() == 1 && relation_.is_looked_at();
    std::vector<char> needed(static_cast<std::size_t>(plan_.num_transferred), shows_all ? 1 : 0);
    for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
      plan_.mappings.push_back(planner.plan(u, needed));
    }
    if (forgets) {
      received_.mesh.drop_connectivity();
    }
    return needed;
  }

  /// Makes ghosts of what is needed, and reports it to the provider. `measures`: for actions.
  void plan_reads(std::vector<char> needed, std::span<const double> measures,
                  transfer::ChangeMessages pieces) {
    plan_.accessed = searches_.take_accessed();
    mark_written(relation_, plan_.mappings, needed);
    Ghosts ghosts = number_ghosts(received_.parts, needed);
    plan_.num_read = ghosts.count;
    plan_.read = routes_of(received_.parts, ghosts.positions);
    send_reads(ghosts, pieces);
    plan_.held = make_held_mesh(received_.mesh, ghosts, plan_.mappings, measures);
    for (PlannedMapping& mapping : plan_.mappings) {
      release(mapping.vertices);
      if (!mapping.use->writes) {
        read_ghosts(ghosts, mapping);
      }
    }
    if (memory_) {
      memory_->users = GhostUsers(ghosts, plan_.mappings);
    }
    for (PlannedMapping& mapping : plan_.mappings) {
      if (mapping.use->takes_gradients()) { // a vertex is several columns from here
        mapping.rows.take_parts(1 + relation_.dimensions);
      }
    }
  }

  /// Sends the provider which vertices are read, whose positions go there.
  void send_reads(Ghosts& ghosts, transfer::ChangeMessages pieces) {
    std::vector<protocol::Read> unknown;
    std::vector<protocol::Read>& reads = memory_ ? memory_->read : unknown;
    reads.resize(received_.parts.size());
    for (std::size_t p = 0; p < reads.size(); ++p) {
      pieces.send(received_.parts[p].link, protocol::Read::kind,
                  reads[p].change(relation_, std::move(ghosts.positions[p])));
    }
    receive_read_by_lower();
  }

  /// The same vertices as before.
  void keep_reads(transfer::ChangeMessages pieces) {
    for (std::size_t p = 0; p < received_.parts.size(); ++p) {
      pieces.send(received_.parts[p].link, protocol::Read::kind, memory_->read[p].keep());
    }
    receive_read_by_lower();
  }

  void receive_read_by_lower() {
    if (protocol::ghosts_are_marked(relation_, context_.comm.size())) {
      plan_.read_by_lower = receive_marks(context_, plan_.read);
    }
  }

  /// Where points have other nearest vertices, but all of them need the same as before: corrects
  /// the last plan. False where that is not so.
  bool update_rows(const std::vector<LocalIndex>& moved) {
    const auto changes = searches_.changes();
    if (changes.empty() || !memory_->users.update(changes)) {
      return false;
    }
    for (std::size_t u = 0; u < changes.size(); ++u) {
      const std::span<LocalIndex> columns = plan_.mappings[u].rows.columns();
      for (const auto& change : *changes[u]) {
        columns[static_cast<std::size_t>(change.point)] = memory_->users.ghost(change.now);
      }
    }
    for (const LocalIndex vertex : moved) { // held vertices have the numbers of the ghosts
      const LocalIndex held = memory_->users.ghost(vertex);
      if (held >= 0) {
        plan_.held->mesh.move_vertices(std::span(&held, 1), received_.mesh.vertex(vertex));
      }
    }
    return true;
  }

  partner::Connection& provider_;
  partner::Context& context_;
  const Inputs& inputs_;
  const protocol::MeshRelation& relation_;
  ReceivedPlan& plan_;
  std::optional<ReceptionMemory>& memory_;
  geometry::Box access_; // region of direct access; empty without
  transfer::TransferredMesh received_;
  Searches searches_;
  PartFinder finder_;
};

} // namespace

void receive_mesh(partner::Connection& provider, const Inputs& inputs, ReceivedRelation& received) {
  Reception(provider, inputs, received).run();
  received.is_new = true;
}

void note_changes(ReceivedRelation& received, const mesh::OwnMeshes& meshes,
                  std::span<const std::string> reset, bool several, transfer::Changes& changes) {
  ReceptionMemory& memory = *received.memory;
  for (SearchMemory::One& one : memory.searches.all) {
    const std::string& name = one.own.mesh.name();
    if (std::find(reset.begin(), reset.end(), name) != reset.end()) {
      transfer::note_moves(one.own, meshes.at(name), several ? &memory.boxes[name] : nullptr, 0,
                           changes);
    }
  }
}

std::set<transport::LinkId> plan_small_changes(partner::Connection& provider, const Inputs& inputs,
                                               ReceivedRelation& received, bool comes,
                                               transfer::Bundles& bundles) {
  Reception(provider, inputs, received).plan_small(comes, bundles);
  std::set<transport::LinkId> changed;
  const std::vector<transfer::Part>& parts = received.memory->received.parts;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (received.memory->read[p].differs || parts[p].is_new) {
      changed.insert(parts[p].link);
    }
  }
  return changed;
}

} // namespace isthmus::planning
