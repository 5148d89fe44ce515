// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/provide_mesh.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/planning/claims.hpp"
#include "isthmus/planning/measures.hpp"
#include "isthmus/planning/parts.hpp"
#include "isthmus/planning/search/margin.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/part_changes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace isthmus::planning {

namespace {

using Recipients = std::vector<Recipient>;

/// How far elements that travel reach from their vertices, where several ranks get parts.
double reach_of(const protocol::MeshRelation& relation, const mesh::Mesh& mesh, bool several) {
  return several && relation.sends_connectivity() ? transfer::longest_element(mesh) : 0.0;
}

bool lies_in(const mesh::Mesh& mesh, LocalIndex vertex, std::span<const geometry::Box> boxes) {
  const auto at =
      geometry::point_at(mesh.dimensions(), mesh.coordinates(), static_cast<std::size_t>(vertex));
  return std::any_of(boxes.begin(), boxes.end(),
                     [&at](const geometry::Box& box) { return box.contains(at); });
}

/// Whether a rank gets the same vertices and elements as before, but for their coordinates; selects
/// anew where not. `moved`: null where vertices are others.
bool keeps_selection(const protocol::MeshRelation& relation, const mesh::Mesh& mesh,
                     const std::vector<LocalIndex>* moved, Recipient& recipient) {
  const std::vector<LocalIndex>& chosen = recipient.selection.vertices;
  const bool all_known = moved != nullptr && (moved->empty() || !relation.sends_connectivity());
  if (all_known && std::all_of(moved->begin(), moved->end(), [&](LocalIndex vertex) {
        const bool was_chosen = recipient.selection.everything ||
                                std::binary_search(chosen.begin(), chosen.end(), vertex);
        return was_chosen == lies_in(mesh, vertex, recipient.region);
      })) {
    return true;
  }
  transfer::Selection selection =
      transfer::select(mesh, recipient.region, relation.sends_connectivity());
  const bool is_same = moved != nullptr && selection == recipient.selection;
  recipient.selection = std::move(selection);
  return is_same;
}

/// What has changed of the part of a rank.
void send_changes(const protocol::MeshRelation& relation, const mesh::Mesh& mesh,
                  const std::vector<LocalIndex>* moved, Recipient& recipient,
                  transfer::ChangeMessages pieces) {
  recipient.is_new = !keeps_selection(relation, mesh, moved, recipient);
  Writer writer;
  transfer::write_part(writer, mesh, recipient.selection, recipient.is_new ? nullptr : moved);
  pieces.send(recipient.link, protocol::PartChanges::kind, writer.take());
}

/// What a rank reads. Returns whether these are other values than before.
bool receive_read(const protocol::MeshRelation& relation, Recipient& recipient,
                  transfer::ChangeMessages pieces) {
  recipient.read.update(relation, pieces.receive(recipient.link, protocol::Read::kind));
  return std::exchange(recipient.is_new, false) || recipient.read.differs;
}

/// Positions in the selection of a rank as vertices of the mesh.
std::vector<LocalIndex> vertices_at(const mesh::Mesh& mesh, const Recipient& recipient,
                                    std::vector<LocalIndex> positions) {
  const LocalIndex count = recipient.selection.num_vertices(mesh);
  for (LocalIndex& vertex : positions) {
    check(vertex >= 0 && vertex < count, "a plan names a vertex that was not sent");
    vertex = recipient.selection.vertex(vertex);
  }
  return positions;
}

void add_route(const mesh::Mesh& mesh, const Recipient& recipient,
               std::vector<LocalIndex> positions, std::vector<Route>& routes) {
  std::vector<LocalIndex> vertices = vertices_at(mesh, recipient, std::move(positions));
  if (!vertices.empty()) {
    const auto count = static_cast<LocalIndex>(vertices.size());
    routes.push_back({recipient.link, 0, count, std::move(vertices)});
  }
}

/// Takes what recipients read now: those in whose region something has moved, all without
/// `renewal`. Routes stay by rank, as the recipients are, and as they were where the same is read.
/// Returns the links on which other values than before travel.
std::set<transport::LinkId> receive_reads(const protocol::MeshRelation& relation,
                                          const mesh::Mesh& mesh, Recipients& recipients,
                                          const transfer::Renewal* renewal,
                                          transfer::ChangeMessages pieces,
                                          std::vector<Route>& routes) {
  std::set<transport::LinkId> changed;
  std::vector<Route> before = std::exchange(routes, {});
  auto last = before.begin(); // of this recipient, if it has read anything
  for (Recipient& recipient : recipients) {
    const bool has_read = last != before.end() && last->link == recipient.link;
    const bool says = renewal == nullptr || renewal->reaches(recipient.region);
    if (says && receive_read(relation, recipient, pieces)) {
      add_route(mesh, recipient, recipient.read.positions, routes);
      changed.insert(recipient.link);
    } else if (has_read) {
      routes.push_back(std::move(*last));
    }
    last += has_read ? 1 : 0;
  }
  return changed;
}

/// The making of a plan together with all ranks of both sides.
class Provision {
 public:
  Provision(partner::Connection& receiver, const mesh::Mesh& mesh, ProvidedRelation& provided,
            const MappingFactory* mappings)
      : receiver_(receiver),
        context_(receiver.context()),
        relation_(*provided.relation),
        mesh_(mesh),
        mappings_(mappings),
        provided_(provided),
        finder_(receiver, relation_, rendezvous::Side::provider) {}

  void run() {
    reach_ = reach_of(relation_, mesh_, is_shared_out());
    Margin margin = measure_margin();
    if (protocol::surveys_are_sent(relation_, receiver_.remote_size())) {
      send_surveys(receiver_, relation_, mesh_, mappings_, margin);
    }
    const bool is_changed = margin.keeps() && try_changed_plan(margin);
    if (!is_changed) {
      make_first_plan(margin);
    }
  }

 private:
  /// Of the mesh as it is, whatever was planned before.
  void make_first_plan(Margin& margin) {
    const int ranks = receiver_.remote_size();
    std::optional<Contest> contest;
    if (protocol::claims_compete(relation_, ranks)) {
      contest.emplace(relation_, mesh_);
    }
    do {
      recipients_ = find_recipients();
      if (contest) {
        contest->run(context_, recipients_);
      }
    } while (!margin.suffices(receiver_, contest ? contest->farthest() : 0.0));
    if (protocol::measures_are_sent(relation_)) {
      send_measures(context_, relation_, mesh_, recipients_);
    }
    if (contest) {
      contest->send_awards(context_, recipients_);
    }
    provided_.plan = {};
    for (const protocol::MappingUse& use : relation_.uses) {
      if (protocol::owners_matter(use, ranks)) {
        choose_owners();
      }
      provided_.plan.write.push_back(protocol::writes_alone(use, ranks) ? receive_written()
                                                                        : std::vector<Route>());
    }
    bool has_owners = false; // of vertices that are joined
    for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
      if (protocol::vertices_are_joined(relation_.uses[u], ranks)) {
        if (!std::exchange(has_owners, true)) {
          choose_owners();
        }
        provided_.plan.write[u] = receive_written();
      }
    }
    take_all_reads();
    if (protocol::plan_is_remembered(relation_)) {
      provided_.memory.emplace();
      provided_.memory->boxes = std::move(boxes_);
      provided_.memory->reach = reach_;
      remember(margin, nullptr);
    }
  }

  /// Of the last one, with the partners that it has: they get what has changed of the mesh alone,
  /// and say what they read. False where the margin does not suffice for that: nothing is planned.
  [[nodiscard]] bool try_changed_plan(Margin& margin) {
    const std::optional<std::vector<LocalIndex>> moved = send_all_changes();
    if (!margin.suffices(receiver_, 0)) {
      return false;
    }
    take_all_reads();
    remember(margin, moved ? &*moved : nullptr);
    return true;
  }

  /// Parts of the mesh go to several ranks.
  [[nodiscard]] bool is_shared_out() const { return receiver_.remote_size() > 1; }

  /// How far the receiver looks, and whether both sides can go on from the last plan.
  Margin measure_margin() {
    const std::optional<ProvisionMemory>& memory = provided_.memory;
    const bool keeps =
        memory &&
        (!is_shared_out() || (reach_ <= memory->reach && transfer::lie_in(mesh_, memory->boxes)));
    const protocol::MeshExtent extent =
        extent_of(context_.comm, {&mesh_}, {}, is_shared_out() && !memory, keeps);
    return {receiver_, relation_, extent, false, memory ? memory->margin : 0};
  }

  /// To the partners of the last plan. Returns which vertices have moved since; none: they are
  /// others.
  std::optional<std::vector<LocalIndex>> send_all_changes() {
    const auto scope = context_.trace.scope("transfer");
    std::optional<std::vector<LocalIndex>> moved =
        transfer::moved_vertices(provided_.memory->mesh.mesh, mesh_);
    recipients_ = std::move(provided_.memory->recipients);
    for (Recipient& recipient : recipients_) {
      send_changes(relation_, mesh_, moved ? &*moved : nullptr, recipient, pieces());
    }
    return moved;
  }

  [[nodiscard]] transfer::ChangeMessages pieces() const {
    return {context_.hub, context_.progress_timeout};
  }

  /// Finds the ranks that need something of the mesh, and sends it to them.
  Recipients find_recipients() {
    return protocol::whole_mesh_is_dealt(relation_, receiver_.remote_size())
               ? send_all()
               : send_parts(receiver_, relation_, mesh_, finder_, surroundings());
  }

  /// Where partners look for this rank; nothing if they find it without boxes.
  std::vector<geometry::Box> surroundings() {
    if (!finder_.looks() || !is_shared_out()) {
      return {};
    }
    std::vector<geometry::Box> boxes =
        transfer::boxes_around(mesh_, protocol::plan_is_remembered(relation_));
    boxes_ = boxes;
    for (geometry::Box& box : boxes) {
      box.expand(reach_);
    }
    return boxes;
  }

  /// One-level: everything goes to everybody through the first ranks.
  Recipients send_all() {
    {
      const auto scope = context_.trace.scope("transfer");
      transfer::send_whole_mesh(context_.comm, context_.hub, receiver_.link_to_first(), mesh_);
    }
    const GlobalIndex first = comm::exscan(context_.comm, GlobalIndex{mesh_.num_vertices()});
    std::vector<GlobalIndex> ids(static_cast<std::size_t>(mesh_.num_vertices()));
    std::iota(ids.begin(), ids.end(), first);
    Recipients recipients;
    for (const int rank : receiver_.find_partners_by_ids(rendezvous::Side::provider, ids)) {
      Recipient& recipient = recipients.emplace_back();
      recipient.rank = rank;
      recipient.link = receiver_.link_to(rank);
      recipient.selection.everything = true;
    }
    return recipients;
  }

  std::vector<Route> receive_written() {
    std::vector<Route> routes;
    for (const Recipient& recipient : recipients_) {
      add_route(mesh_, recipient,
                protocol::receive<protocol::Written>(context_, recipient.link).list, routes);
    }
    return routes;
  }

  void take_all_reads() {
    receive_reads(relation_, mesh_, recipients_, nullptr, pieces(), provided_.plan.read);
    if (protocol::ghosts_are_marked(relation_, receiver_.remote_size())) {
      send_read_by_lower();
    }
  }

  /// Sends each partner which of the vertices that it reads a lower rank reads, too.
  void send_read_by_lower() {
    std::vector<char> read(static_cast<std::size_t>(mesh_.num_vertices()), 0);
    for (const Route& route : provided_.plan.read) { // by rank, ascending
      protocol::ReadByLower marks;
      for (const LocalIndex vertex : route.vertices) {
        marks.list.push_back(std::exchange(read[static_cast<std::size_t>(vertex)], 1));
      }
      protocol::send(context_, route.link, marks);
    }
  }

  /// Of the ranks that add to one vertex the lowest one owns it.
  void choose_owners() {
    std::vector<std::int32_t> owner(static_cast<std::size_t>(mesh_.num_vertices()),
                                    std::numeric_limits<std::int32_t>::max());
    std::vector<std::vector<LocalIndex>> touched;
    for (const Recipient& recipient : recipients_) {
      touched.push_back(
          vertices_at(mesh_, recipient,
                      protocol::receive<protocol::Contributed>(context_, recipient.link).list));
      for (LocalIndex vertex : touched.back()) {
        std::int32_t& current = owner[static_cast<std::size_t>(vertex)];
        current = std::min<std::int32_t>(current, recipient.rank);
      }
    }
    for (std::size_t r = 0; r < recipients_.size(); ++r) {
      protocol::Owners owners;
      for (LocalIndex vertex : touched[r]) {
        owners.list.push_back({owner[static_cast<std::size_t>(vertex)], vertex});
      }
      protocol::send(context_, recipients_[r].link, owners);
    }
  }

  void remember(const Margin& margin, const std::vector<LocalIndex>* moved) {
    ProvisionMemory& memory = *provided_.memory;
    transfer::remember_mesh(mesh_, moved, memory.mesh.mesh);
    memory.margin = margin.value();
    memory.displacement = {margin.left(), 0, 0};
    memory.mesh.moved.clear();
    memory.mesh.origins.clear();
    memory.recipients = std::move(recipients_);
  }

  partner::Connection& receiver_;
  partner::Context& context_;
  const protocol::MeshRelation& relation_;
  const mesh::Mesh& mesh_;
  const MappingFactory* mappings_;
  ProvidedRelation& provided_;
  PartFinder finder_;
  Recipients recipients_;
  double reach_ = 0;                 // of elements from their vertices
  std::vector<geometry::Box> boxes_; // around the vertices, where several ranks receive
};

} // namespace

void provide_mesh(partner::Connection& receiver, const mesh::Mesh& mesh, ProvidedRelation& provided,
                  const MappingFactory* mappings) {
  Provision(receiver, mesh, provided, mappings).run();
}

void note_changes(ProvidedRelation& provided, const mesh::Mesh& mesh, bool several,
                  transfer::Changes& changes) {
  ProvisionMemory& memory = *provided.memory;
  if (reach_of(*provided.relation, mesh, several) > memory.reach) {
    changes.is_small = 0;
    return;
  }
  transfer::note_moves(memory.mesh, mesh, several ? &memory.boxes : nullptr, memory.reach, changes);
}

void put_changes(ProvidedRelation& provided, const mesh::Mesh& mesh,
                 const transfer::Renewal& renewal, transfer::Bundles& bundles) {
  ProvisionMemory& memory = *provided.memory;
  for (Recipient& recipient : memory.recipients) {
    if (renewal.reaches(recipient.region)) {
      send_changes(*provided.relation, mesh, &memory.mesh.moved, recipient,
                   transfer::ChangeMessages(bundles));
    }
  }
  transfer::remember_mesh(mesh, &memory.mesh.moved, memory.mesh.mesh);
  memory.mesh.moved.clear();
}

std::set<transport::LinkId> take_reads(ProvidedRelation& provided, const mesh::Mesh& mesh,
                                       const transfer::Renewal& renewal,
                                       transfer::Bundles& bundles) {
  return receive_reads(*provided.relation, mesh, provided.memory->recipients, &renewal,
                       transfer::ChangeMessages(bundles), provided.plan.read);
}

} // namespace isthmus::planning
