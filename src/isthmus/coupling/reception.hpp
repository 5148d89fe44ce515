// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/wire.hpp"
#include "isthmus/coupling/access.hpp"
#include "isthmus/coupling/claims.hpp"
#include "isthmus/coupling/contributions.hpp"
#include "isthmus/coupling/copies.hpp"
#include "isthmus/coupling/extent.hpp"
#include "isthmus/coupling/gathered_mesh.hpp"
#include "isthmus/coupling/held_mesh.hpp"
#include "isthmus/coupling/integrals.hpp"
#include "isthmus/coupling/margin.hpp"
#include "isthmus/coupling/mesh_transfer.hpp"
#include "isthmus/coupling/part_changes.hpp"
#include "isthmus/coupling/partner_search.hpp"
#include "isthmus/coupling/receive_mesh.hpp"
#include "isthmus/coupling/searches.hpp"
#include "isthmus/coupling/selection.hpp"
#include "isthmus/coupling/shares.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace isthmus::coupling {

/// The making of a plan on the receiver's side.
class Reception {
 public:
  Reception(Connection& provider, const MeshRelation& relation, const FindMesh& own_mesh,
            const MakeMapping& make_mapping, const Regions& regions,
            std::optional<ReceptionMemory>* memory, ReceivedPlan last)
      : provider_(provider),
        context_(provider.context()),
        relation_(relation),
        own_mesh_(own_mesh),
        memory_(memory),
        last_(std::move(last)),
        searches_(provider.context().comm, relation, own_mesh, make_mapping) {
    const auto region = regions.find(relation.mesh);
    if (region != regions.end()) {
      region_ = region->second;
    }
  }

  ReceivedPlan run() {
    const bool knows = memory_ != nullptr && memory_->has_value();
    Margin margin(provider_, relation_, extent(knows), true, knows ? (*memory_)->margin : 0);
    if (memory_ != nullptr && !margin.keeps()) {
      memory_->emplace();
    }
    patches_ = margin.keeps();
    do {
      get_and_search(margin);
    } while (!margin.suffices(provider_, searches_.farthest_answer()) && start_anew());
    ReceivedPlan made = searches_.are_as_before() ? keep_plan() : plan();
    if (memory_ != nullptr) {
      ReceptionMemory& memory = **memory_;
      memory.margin = margin.value();
      memory.drift = {margin.left(), 0, 0};
      memory.received = std::move(received_);
      for (SearchMemory::One& one : memory.searches.all) {
        one.origins.clear();
      }
    }
    return made;
  }

  /// With the partners of the last plan alone.
  ReceivedPlan patch(bool comes, Mail& mail) {
    tell_ = [&mail](comm::LinkId link, std::vector<std::byte> bytes) { mail.put(link, bytes); };
    hear_ = [&mail](comm::LinkId link) { return mail.get(link); };
    patches_ = true;
    moved_.emplace();
    if (comes) {
      transfer_changes();
    } else {
      received_ = std::move((*memory_)->received);
      for (Part& part : received_.parts) {
        part.is_new = false;
      }
    }
    searches_.run_alone(received_.mesh, (*memory_)->searches, moved_ ? &*moved_ : nullptr);
    const bool keeps = searches_.are_as_before() || (moved_ && update_rows());
    ReceivedPlan made = keeps ? keep_plan() : plan();
    (*memory_)->received = std::move(received_);
    return made;
  }

 private:
  void get_and_search(const Margin& margin) {
    if (patches_) {
      transfer_changes();
    } else if (one_level()) {
      transfer_all();
    } else {
      transfer(margin);
    }
    {
      const auto scope = context_.trace.scope("search");
      searches_.run(received_.mesh, region_, memory_ != nullptr ? &(*memory_)->searches : nullptr,
                    patches_ && moved_ ? &*moved_ : nullptr);
    }
    if (one_level()) {
      link_needed();
    }
    send_claims();
  }

  Extent extent(bool knows) {
    const bool several = context_.comm.size() > 1;
    bool keeps = knows;
    std::vector<const mesh::Mesh*> meshes;
    for (const std::string& name : relation_.mapped_meshes()) {
      meshes.push_back(&own_mesh_(name));
      keeps = keeps && (!several || lie_in(*meshes.back(), (*memory_)->boxes[name]));
    }
    return extent_of(context_.comm, meshes, region_, several && !knows, keeps);
  }

  bool start_anew() { // what is remembered did not suffice
    if (std::exchange(patches_, false)) {
      memory_->emplace();
    }
    return true;
  }

  ReceivedPlan keep_plan() { // the same vertices are needed
    for (std::size_t p = 0; p < received_.parts.size(); ++p) {
      comm::Writer writer;
      (*memory_)->read[p].differs = write_difference(writer, {}, {});
      tell_(received_.parts[p].link, writer.take());
    }
    if (relation_.is_measured && context_.comm.size() > 1) {
      last_.copies = receive_copies(context_.hub, last_.read, context_.patience);
    }
    return std::move(last_);
  }

  void transfer_changes() { // from the partners of the last plan
    const auto scope = context_.trace.scope("transfer");
    received_ = std::move((*memory_)->received);
    moved_ = receive_changes(hear_, received_);
    if (!moved_) {
      (*memory_)->searches.all.clear();
    }
  }

  /// Where vertices and elements of the provider matter to this rank.
  std::vector<geometry::Box> region(const Margin& margin) {
    const comm::Comm& comm = context_.comm;
    if (relation_.sends_shares() && comm.size() > 1) {
      return number_boxes(share_of(comm.rank(), comm.size(), margin.num_provided()));
    }
    std::vector<geometry::Box> boxes;
    for (const MappingUse& use : relation_.uses) {
      if (use.direct) {
        boxes.push_back(box_around(region_, use.around, margin.value()));
        continue;
      }
      const mesh::Mesh& mesh = own_mesh_(use.own_mesh);
      const bool elements = !use.searches_received && use.needs_connectivity;
      const double reach = margin.value() + (elements ? longest_element(mesh) : 0.0);
      const auto cover = boxes_around(mesh, memory_ != nullptr);
      for (geometry::Box box : cover) {
        box.expand(reach);
        boxes.push_back(box);
      }
      if (memory_ != nullptr) {
        (*memory_)->boxes[use.own_mesh] = cover;
      }
    }
    if (margin.unlimited()) {
      boxes.assign(1, geometry::Box::all_of_space());
    }
    return boxes;
  }

  void transfer(const Margin& margin) {
    const std::vector<geometry::Box> boxes = region(margin);
    const std::vector<int> ranks =
        find_partners(provider_, Side::receiver, relation_.initialization, boxes);
    if (memory_ != nullptr) {
      (*memory_)->region = boxes;
    }
    const auto scope = context_.trace.scope("transfer");
    std::vector<Part> parts;
    for (int rank : ranks) {
      parts.push_back({rank, provider_.link_to(rank), 0, 0});
      comm::Writer writer;
      writer.put_array(boxes);
      context_.hub.send(parts.back().link, comm::Kind::boxes, writer.take());
    }
    received_ = receive_parts(context_.hub, relation_.mesh, relation_.dimensions, std::move(parts),
                              context_.patience);
  }

  [[nodiscard]] bool one_level() const {
    return relation_.initialization == config::Initialization::one_level &&
           context_.comm.size() > 1;
  }

  void transfer_all() {
    const auto scope = context_.trace.scope("transfer");
    received_ = receive_whole_mesh(context_.comm, context_.hub, provider_.link_to_first(),
                                   relation_.mesh, relation_.dimensions, context_.patience);
  }

  /// After a one-level transfer: links the ranks from which something is needed, forgets the
  /// others.
  void link_needed() {
    const bool scaled = std::any_of(relation_.uses.begin(), relation_.uses.end(),
                                    [](const MappingUse& use) { return use.scaled(); });
    std::vector<GlobalIndex> ids;
    for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
      const MappingUse& use = relation_.uses[u];
      if ((use.searches_received || use.solves()) && !scaled) {
        const std::vector<LocalIndex>& columns = searches_.result(u).columns;
        ids.insert(ids.end(), columns.begin(), columns.end());
      } else { // its vertices are claimed, or their values integrated
        for (GlobalIndex id = 0; id < received_.mesh.num_vertices(); ++id) {
          ids.push_back(id);
        }
      }
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (int rank : find_partners_by_ids(provider_, Side::receiver, ids)) {
      received_.parts[static_cast<std::size_t>(rank)].link = provider_.link_to(rank);
    }
    std::erase_if(received_.parts, [](const Part& part) { return part.link < 0; });
  }

  /// The provider compares what all ranks found for its vertices.
  void send_claims() const {
    if (!relation_.has_claims() || context_.comm.size() == 1) {
      return;
    }
    std::vector<std::vector<Claim>> all; // by use that makes claims, then by vertex
    for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
      if (relation_.uses[u].claims()) {
        all.push_back(claims_of(own_mesh_(relation_.uses[u].own_mesh), searches_.result(u)));
      }
    }
    for (const Part& part : received_.parts) {
      comm::Writer writer;
      for (const std::vector<Claim>& claims : all) {
        writer.put_array(std::span<const Claim>(claims).subspan(
            static_cast<std::size_t>(part.first), static_cast<std::size_t>(part.count)));
      }
      context_.hub.send(part.link, comm::Kind::plan, writer.take());
    }
  }

  ReceivedPlan plan();
  PlannedMapping plan_read(std::size_t use, const std::vector<char>& awarded,
                           std::vector<char>& needed);
  PlannedMapping plan_write(std::size_t use, const std::vector<char>& awarded);
  void prepare_integrals();
  [[nodiscard]] std::vector<double> weigh() const;
  [[nodiscard]] bool shows_all() const;
  static void renumber(ReceivedPlan& plan, const std::vector<LocalIndex>& numbers);
  void remember_users(const ReceivedPlan& plan, std::vector<LocalIndex> numbers);
  bool update_rows();

  Connection& provider_;
  Context& context_;
  const MeshRelation& relation_;
  const FindMesh& own_mesh_;
  geometry::Box region_; // of direct access; empty without
  std::optional<ReceptionMemory>* memory_;
  ReceivedPlan last_;
  bool patches_ = false;                         // only changes travel
  std::optional<std::vector<LocalIndex>> moved_; // received vertices; none: they are others
  TransferredMesh received_;
  std::map<std::size_t, Integrals> integrals_; // by use that is scaled
  Searches searches_;
  Tell tell_ = [this](comm::LinkId link, std::vector<std::byte> bytes) {
    context_.hub.send(link, comm::Kind::plan, std::move(bytes));
  };
  Hear hear_ = [this](comm::LinkId link) {
    return context_.hub.receive(link, comm::Kind::mesh, context_.patience);
  };
};

} // namespace isthmus::coupling
