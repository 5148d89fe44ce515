// SPDX-License-Identifier: BSD-3-Clause
// Getting the vertices that matter and finding the place of others among them.
#include "isthmus/planning/reception.hpp"

#include "isthmus/partner/partner_search.hpp"
#include "isthmus/planning/protocol/claims.hpp"
#include "isthmus/planning/protocol/copies.hpp"
#include "isthmus/planning/protocol/messages.hpp"
#include "isthmus/planning/search/access.hpp"
#include "isthmus/transfer/part_changes.hpp"
#include "isthmus/transfer/selection.hpp"
#include "isthmus/transfer/shares.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::planning {

Reception::Reception(partner::Connection& provider, const transfer::MeshRelation& relation,
                     const FindMesh& own_mesh, const MakeMapping& make_mapping,
                     const Regions& regions, std::optional<ReceptionMemory>* memory,
                     ReceivedPlan last)
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

ReceivedPlan Reception::run() {
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
    memory.displacement = {margin.left(), 0, 0};
    memory.received = std::move(received_);
    for (SearchMemory::One& one : memory.searches.all) {
      one.origins.clear();
    }
  }
  return made;
}

ReceivedPlan Reception::patch(bool comes, transfer::Bundles& bundles) {
  send_piece_ = [&bundles](transport::LinkId link, std::vector<std::byte> bytes) {
    bundles.put(link, bytes);
  };
  receive_piece_ = [&bundles](transport::LinkId link) { return bundles.get(link); };
  patches_ = true;
  moved_.emplace();
  if (comes) {
    transfer_changes();
  } else {
    received_ = std::move((*memory_)->received);
    for (transfer::Part& part : received_.parts) {
      part.is_new = false;
    }
  }
  searches_.run_alone(received_.mesh, (*memory_)->searches, moved_ ? &*moved_ : nullptr);
  const bool keeps = searches_.are_as_before() || (moved_ && update_rows());
  ReceivedPlan made = keeps ? keep_plan() : plan();
  (*memory_)->received = std::move(received_);
  return made;
}

void Reception::get_and_search(const Margin& margin) {
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

Extent Reception::extent(bool knows) {
  const bool several = context_.comm.size() > 1;
  bool keeps = knows;
  std::vector<const mesh::Mesh*> meshes;
  for (const std::string& name : relation_.mapped_meshes()) {
    meshes.push_back(&own_mesh_(name));
    keeps = keeps && (!several || transfer::lie_in(*meshes.back(), (*memory_)->boxes[name]));
  }
  return extent_of(context_.comm, meshes, region_, several && !knows, keeps);
}

bool Reception::start_anew() { // what is remembered did not suffice
  if (std::exchange(patches_, false)) {
    memory_->emplace();
  }
  return true;
}

ReceivedPlan Reception::keep_plan() { // the same vertices are needed
  for (std::size_t p = 0; p < received_.parts.size(); ++p) {
    Writer writer;
    (*memory_)->read[p].differs = transfer::write_difference(writer, {}, {});
    send_piece_(received_.parts[p].link, writer.take());
  }
  if (copies_are_marked(relation_, context_.comm.size())) {
    last_.copies = receive_shared(context_, last_.read);
  }
  return std::move(last_);
}

void Reception::transfer_changes() { // from the partners of the last plan
  const auto scope = context_.trace.scope("transfer");
  received_ = std::move((*memory_)->received);
  moved_ = transfer::receive_changes(receive_piece_, received_);
  if (!moved_) {
    (*memory_)->searches.all.clear();
  }
}

std::vector<geometry::Box> Reception::region(const Margin& margin) {
  const comm::Comm& comm = context_.comm;
  if (relation_.sends_shares() && comm.size() > 1) {
    return transfer::number_boxes(
        transfer::share_of(comm.rank(), comm.size(), margin.num_provided()));
  }
  std::vector<geometry::Box> boxes;
  for (const transfer::MappingUse& use : relation_.uses) {
    if (use.direct) {
      boxes.push_back(box_around(region_, use.around, margin.value()));
      continue;
    }
    const mesh::Mesh& mesh = own_mesh_(use.own_mesh);
    const bool elements = !use.searches_received && use.needs_connectivity;
    const double reach = margin.value() + (elements ? transfer::longest_element(mesh) : 0.0);
    const auto cover = transfer::boxes_around(mesh, memory_ != nullptr);
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

void Reception::transfer(const Margin& margin) {
  const std::vector<geometry::Box> boxes = region(margin);
  const std::vector<int> ranks = partner::find_partners(provider_, rendezvous::Side::receiver,
                                                        relation_.initialization, boxes);
  if (memory_ != nullptr) {
    (*memory_)->region = boxes;
  }
  const auto scope = context_.trace.scope("transfer");
  std::vector<transfer::Part> parts;
  for (int rank : ranks) {
    parts.push_back({rank, provider_.link_to(rank), 0, 0});
    send(context_, parts.back().link, Region{boxes});
  }
  received_ = transfer::receive_parts(context_.hub, relation_.mesh, relation_.dimensions,
                                      std::move(parts), context_.progress_timeout);
}

bool Reception::one_level() const {
  return relation_.initialization == config::Initialization::one_level && context_.comm.size() > 1;
}

void Reception::transfer_all() {
  const auto scope = context_.trace.scope("transfer");
  received_ =
      transfer::receive_whole_mesh(context_.comm, context_.hub, provider_.link_to_first(),
                                   relation_.mesh, relation_.dimensions, context_.progress_timeout);
}

void Reception::link_needed() {
  const bool scaled = std::any_of(relation_.uses.begin(), relation_.uses.end(),
                                  [](const transfer::MappingUse& use) { return use.scaled(); });
  std::vector<GlobalIndex> ids;
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    const transfer::MappingUse& use = relation_.uses[u];
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
  for (int rank : find_partners_by_ids(provider_, rendezvous::Side::receiver, ids)) {
    received_.parts[static_cast<std::size_t>(rank)].link = provider_.link_to(rank);
  }
  std::erase_if(received_.parts, [](const transfer::Part& part) { return part.link < 0; });
}

void Reception::send_claims() const {
  if (!claims_compete(relation_, context_.comm.size())) {
    return;
  }
  std::vector<std::vector<Claim>> all; // by use that makes claims, then by vertex
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    if (relation_.uses[u].claims()) {
      all.push_back(claims_of(own_mesh_(relation_.uses[u].own_mesh), searches_.result(u)));
    }
  }
  for (const transfer::Part& part : received_.parts) {
    Claims message;
    for (const std::vector<Claim>& claims : all) {
      const auto first = claims.begin() + part.first;
      message.lists.emplace_back(first, first + part.count);
    }
    send(context_, part.link, message);
  }
}

} // namespace isthmus::planning
