// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/provide_mesh.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/partner/partner_search.hpp"
#include "isthmus/planning/protocol/claims.hpp"
#include "isthmus/planning/protocol/messages.hpp"
#include "isthmus/planning/search/extent.hpp"
#include "isthmus/planning/search/margin.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"
#include "isthmus/transfer/part_changes.hpp"
#include "isthmus/transfer/selection.hpp"
#include "isthmus/transfer/shares.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace isthmus::planning {

namespace {

class Provision {
 public:
  Provision(partner::Connection& receiver, const transfer::MeshRelation& relation,
            const mesh::Mesh& mesh, std::optional<ProvisionMemory>* memory, ProvidedPlan last)
      : receiver_(receiver),
        context_(receiver.context()),
        relation_(relation),
        mesh_(mesh),
        memory_(memory),
        last_(std::move(last)) {}

  ProvidedPlan run() {
    const bool knows = memory_ != nullptr && memory_->has_value();
    const bool several = receiver_.remote_size() > 1;
    if (several && relation_.sends_connectivity()) {
      reach_ = transfer::longest_element(mesh_); // an element is that close to its vertices
    }
    const bool keeps =
        knows &&
        (!several || (reach_ <= (*memory_)->reach && transfer::lie_in(mesh_, (*memory_)->boxes)));
    Margin margin(receiver_, relation_,
                  extent_of(context_.comm, {&mesh_}, {}, several && !knows, keeps), false,
                  knows ? (*memory_)->margin : 0);
    patches_ = margin.keeps();
    do {
      if (patches_) {
        transfer_changes();
      } else if (relation_.initialization == config::Initialization::one_level && several) {
        transfer_all();
      } else {
        transfer();
      }
      collect_claims();
    } while (!margin.suffices(receiver_, farthest(best_)) && start_anew());
    award();
    ProvidedPlan made = plan();
    remember(margin);
    return made;
  }

 private:
  /// What is remembered did not suffice.
  bool start_anew() {
    patches_ = false;
    return true;
  }

  /// To the partners of the last plan.
  void transfer_changes() {
    const auto scope = context_.trace.scope("transfer");
    moved_ = transfer::moved_vertices((*memory_)->mesh, mesh_);
    for (const ProvisionMemory::Partner& partner : (*memory_)->partners) {
      ranks_.push_back(partner.rank);
      links_.push_back(partner.link);
      regions_.push_back(partner.region);
      const bool nothing = moved_ && moved_->empty();
      selections_.push_back(
          nothing ? partner.selection
                  : transfer::select(mesh_, partner.region, relation_.sends_connectivity()));
      const bool same = nothing || (moved_ && selections_.back() == partner.selection);
      is_same_.push_back(same);
      Writer writer;
      transfer::write_part(writer, mesh_, selections_.back(), same ? &*moved_ : nullptr);
      context_.hub.send(partner.link, transport::Kind::mesh, writer.take());
    }
  }

  /// Of the mesh as it is now.
  void keep_places(mesh::Mesh& remembered) const {
    if (!moved_) {
      remembered = mesh_;
      return;
    }
    for (const LocalIndex vertex : *moved_) {
      remembered.move_vertices(std::span(&vertex, 1), mesh_.vertex(vertex));
    }
  }

  void remember(const Margin& margin) {
    if (memory_ == nullptr) {
      return;
    }
    if (patches_) {
      keep_places((*memory_)->mesh);
    } else {
      memory_->emplace(ProvisionMemory{mesh_, boxes_, reach_, 0, {}, {}, {}, {}});
    }
    ProvisionMemory& memory = **memory_;
    memory.margin = margin.value();
    memory.displacement = {margin.left(), 0, 0};
    memory.moved.clear();
    memory.origins.clear();
    memory.partners.clear();
    for (std::size_t i = 0; i < links_.size(); ++i) {
      memory.partners.push_back({ranks_[i], links_[i], std::move(regions_[i]),
                                 std::move(selections_[i]), std::move(read_[i]), false});
    }
  }

  [[nodiscard]] bool sends_shares() const {
    return relation_.sends_shares() && receiver_.remote_size() > 1;
  }

  /// Where partners look for this rank.
  std::vector<geometry::Box> own_boxes() {
    if (sends_shares()) {
      first_ = comm::exscan(context_.comm, mesh_.num_vertices());
      return transfer::number_boxes({first_, mesh_.num_vertices()});
    }
    std::vector<geometry::Box> boxes = transfer::boxes_around(mesh_, memory_ != nullptr);
    boxes_ = boxes;
    for (geometry::Box& box : boxes) {
      box.expand(reach_);
    }
    return boxes;
  }

  void transfer() {
    const std::vector<geometry::Box> boxes = own_boxes();
    const std::vector<int> ranks = partner::find_partners(receiver_, rendezvous::Side::provider,
                                                          relation_.initialization, boxes);
    const auto scope = context_.trace.scope("transfer");
    links_.clear();
    regions_.clear();
    selections_.clear();
    ranks_ = ranks;
    for (int rank : ranks) {
      links_.push_back(receiver_.link_to(rank));
      regions_.push_back(receive<Region>(context_, links_.back()).list);
      selections_.push_back(
          sends_shares()
              ? transfer::select_numbers(mesh_, first_, regions_.back())
              : transfer::select(mesh_, regions_.back(), relation_.sends_connectivity()));
    }
    transfer::send_mesh(context_.hub, mesh_, selections_, links_, context_.progress_timeout);
  }

  /// One-level: everything goes to everybody through the first ranks.
  void transfer_all() {
    {
      const auto scope = context_.trace.scope("transfer");
      transfer::send_whole_mesh(context_.comm, context_.hub, receiver_.link_to_first(), mesh_);
    }
    const GlobalIndex first = comm::exscan(context_.comm, mesh_.num_vertices());
    std::vector<GlobalIndex> ids(static_cast<std::size_t>(mesh_.num_vertices()));
    std::iota(ids.begin(), ids.end(), first);
    ranks_ = partner::find_partners_by_ids(receiver_, rendezvous::Side::provider, ids);
    links_.clear();
    for (int rank : ranks_) {
      links_.push_back(receiver_.link_to(rank));
    }
    selections_.assign(
        ranks_.size(),
        {.everything = true, .vertices = {}, .edges = {}, .triangles = {}, .tetrahedra = {}});
  }

  /// Per use that lets vertices of this mesh search: the best claim and who made it.
  void collect_claims() {
    best_.assign(relation_.uses.size(), {});
    winner_.assign(relation_.uses.size(), {});
    if (!claims_compete(relation_, receiver_.remote_size())) {
      return;
    }
    const auto count = static_cast<std::size_t>(mesh_.num_vertices());
    for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
      if (relation_.uses[u].claims()) {
        best_[u].assign(count, {std::numeric_limits<double>::infinity(), {}});
        winner_[u].assign(count, -1);
      }
    }
    for (std::size_t partner = 0; partner < links_.size(); ++partner) {
      const Claims claims = receive<Claims>(context_, links_[partner]);
      auto of_use = claims.lists.begin();
      for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
        if (relation_.uses[u].claims()) {
          check(of_use != claims.lists.end(), "a message of claims is too short");
          compare(u, static_cast<int>(partner), *of_use++);
        }
      }
    }
  }

  void compare(std::size_t use, int partner, const std::vector<Claim>& claims) {
    const transfer::Selection& selection = selections_[static_cast<std::size_t>(partner)];
    check(claims.size() == static_cast<std::size_t>(selection.num_vertices(mesh_)),
          "a message of claims is too short");
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const auto vertex = static_cast<std::size_t>(selection.vertex(static_cast<LocalIndex>(i)));
      if (claims[i].better_than(best_[use][vertex])) {
        best_[use][vertex] = claims[i];
        winner_[use][vertex] = partner;
      }
    }
  }

  void award() {
    if (!claims_compete(relation_, receiver_.remote_size())) {
      return;
    }
    for (std::size_t partner = 0; partner < links_.size(); ++partner) {
      const transfer::Selection& selection = selections_[partner];
      Awards awards;
      for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
        if (relation_.uses[u].claims()) {
          std::vector<char>& won =
              awards.lists.emplace_back(static_cast<std::size_t>(selection.num_vertices(mesh_)));
          for (std::size_t i = 0; i < won.size(); ++i) {
            const auto vertex =
                static_cast<std::size_t>(selection.vertex(static_cast<LocalIndex>(i)));
            won[i] = winner_[u][vertex] == static_cast<int>(partner);
          }
        }
      }
      send(context_, links_[partner], awards);
    }
  }

  ProvidedPlan plan() {
    ProvidedPlan plan;
    for (const transfer::MappingUse& use : relation_.uses) {
      if (owners_matter(use, receiver_.remote_size())) {
        choose_owners();
      }
      plan.write.push_back(use.writes ? receive_routes<Written>() : std::vector<Route>());
    }
    plan.read = memory_ != nullptr ? receive_read_routes() : receive_routes<Read>();
    if (copies_are_marked(relation_, receiver_.remote_size())) {
      mark_shared(plan.read);
    }
    return plan;
  }

  /// Tells each partner which of the vertices that it reads a lower rank reads, too.
  void mark_shared(const std::vector<Route>& routes) {
    std::vector<char> read(static_cast<std::size_t>(mesh_.num_vertices()), 0);
    for (const Route& route : routes) { // by rank, ascending
      Shared shared;
      for (const LocalIndex vertex : route.vertices) {
        shared.list.push_back(std::exchange(read[static_cast<std::size_t>(vertex)], 1));
      }
      send(context_, route.link, shared);
    }
  }

  /// Remembers the positions, too.
  std::vector<Route> receive_read_routes() {
    std::vector<Route> routes;
    for (std::size_t partner = 0; partner < links_.size(); ++partner) {
      const auto bytes =
          context_.hub.receive(links_[partner], Read::kind, context_.progress_timeout);
      Reader reader(bytes);
      std::vector<LocalIndex>& list = read_.emplace_back(
          patches_ ? std::move((*memory_)->partners[partner].read) : std::vector<LocalIndex>());
      const bool differs = transfer::read_difference(reader, list);
      if (!patches_ || differs || !is_same_[partner]) {
        add_route(partner, list, routes);
      } else {
        keep_route(partner, routes);
      }
    }
    return routes;
  }

  /// Of the ranks that add to one vertex the lowest one owns it.
  void choose_owners() {
    std::vector<std::int32_t> owner(static_cast<std::size_t>(mesh_.num_vertices()),
                                    std::numeric_limits<std::int32_t>::max());
    std::vector<std::vector<LocalIndex>> touched;
    for (std::size_t partner = 0; partner < links_.size(); ++partner) {
      touched.push_back(vertices_at(partner, receive<Contributed>(context_, links_[partner]).list));
      for (LocalIndex vertex : touched.back()) {
        std::int32_t& current = owner[static_cast<std::size_t>(vertex)];
        current = std::min<std::int32_t>(current, ranks_[partner]);
      }
    }
    for (std::size_t partner = 0; partner < links_.size(); ++partner) {
      Owners owners;
      for (LocalIndex vertex : touched[partner]) {
        owners.list.push_back({owner[static_cast<std::size_t>(vertex)], vertex});
      }
      send(context_, links_[partner], owners);
    }
  }

  /// Positions in a partner's selection as vertices of the mesh.
  std::vector<LocalIndex> vertices_at(std::size_t partner, std::vector<LocalIndex> positions) {
    const transfer::Selection& selection = selections_[partner];
    const LocalIndex count = selection.num_vertices(mesh_);
    for (LocalIndex& vertex : positions) {
      check(vertex >= 0 && vertex < count, "a plan names a vertex that was not sent");
      vertex = selection.vertex(vertex);
    }
    return positions;
  }

  void add_route(std::size_t partner, std::vector<LocalIndex> positions,
                 std::vector<Route>& routes) {
    std::vector<LocalIndex> vertices = vertices_at(partner, std::move(positions));
    if (!vertices.empty()) {
      const auto count = static_cast<LocalIndex>(vertices.size());
      routes.push_back({links_[partner], 0, count, std::move(vertices)});
    }
  }

  /// The one of the last plan, if there was one.
  void keep_route(std::size_t partner, std::vector<Route>& routes) {
    for (Route& route : last_.read) {
      if (route.link == links_[partner]) {
        routes.push_back(std::move(route));
      }
    }
  }

  template <class Message>
  std::vector<Route> receive_routes() {
    std::vector<Route> routes;
    for (std::size_t partner = 0; partner < links_.size(); ++partner) {
      add_route(partner, receive<Message>(context_, links_[partner]).list, routes);
    }
    return routes;
  }

  partner::Connection& receiver_;
  partner::Context& context_;
  const transfer::MeshRelation& relation_;
  const mesh::Mesh& mesh_;
  std::optional<ProvisionMemory>* memory_;
  ProvidedPlan last_;
  bool patches_ = false;                         // only changes travel
  std::optional<std::vector<LocalIndex>> moved_; // vertices; none: they are others
  std::vector<bool> is_same_;                    // by partner: the selection, but for places
  std::vector<geometry::Box> boxes_;             // around the mesh
  double reach_ = 0;
  GlobalIndex first_ = 0;  // number of the first vertex, where shares are sent
  std::vector<int> ranks_; // of the partners
  std::vector<transport::LinkId> links_;
  std::vector<std::vector<geometry::Box>> regions_;
  std::vector<transfer::Selection> selections_;
  std::vector<std::vector<LocalIndex>> read_; // positions, to be remembered
  std::vector<std::vector<Claim>> best_;      // by use and vertex
  std::vector<std::vector<int>> winner_;      // by use and vertex: partner
};

} // namespace

ProvidedPlan provide_mesh(partner::Connection& receiver, const transfer::MeshRelation& relation,
                          const mesh::Mesh& mesh, std::optional<ProvisionMemory>* memory,
                          ProvidedPlan last) {
  return Provision(receiver, relation, mesh, memory, std::move(last)).run();
}

} // namespace isthmus::planning
