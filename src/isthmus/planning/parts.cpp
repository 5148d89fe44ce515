// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/parts.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace isthmus::planning {

namespace {

/// The message about a share, as vertices of the mesh that came.
void append_share(partner::Context& context, const transfer::Part& part,
                  std::vector<LocalIndex>& share) {
  for (const protocol::Stretch& stretch :
       protocol::receive<protocol::SentShare>(context, part.link).list) {
    check(stretch.first >= 0 && stretch.count >= 0 && stretch.first <= part.count - stretch.count,
          "a message of a share names a vertex that was not sent");
    for (LocalIndex i = 0; i < stretch.count; ++i) {
      share.push_back(part.first + stretch.first + i);
    }
  }
}

} // namespace

std::vector<geometry::Box> number_boxes(const Share& share) {
  if (share.count == 0) {
    return {};
  }
  return {{{static_cast<double>(share.first), 0, 0},
           {static_cast<double>(share.first + share.count - 1), 0, 0}}};
}

protocol::Stretch add_share(const mesh::Mesh& mesh, GlobalIndex first,
                            std::span<const geometry::Box> boxes, transfer::Selection& selection) {
  check(boxes.size() <= 1, "a share of a mesh is not one range of numbers");
  const GlobalIndex count = mesh.num_vertices();
  const auto number = [&](double at) {
    return static_cast<LocalIndex>(
        std::clamp(at - static_cast<double>(first), 0.0, static_cast<double>(count)));
  };
  const LocalIndex begin = boxes.empty() ? 0 : number(boxes[0].lo[0]);
  const LocalIndex end = boxes.empty() ? 0 : number(boxes[0].hi[0] + 1);
  if (begin >= end) {
    return {0, 0};
  }
  if (selection.everything) {
    return {begin, end - begin};
  }
  std::vector<LocalIndex> numbers(static_cast<std::size_t>(end - begin));
  std::iota(numbers.begin(), numbers.end(), begin);
  const std::vector<LocalIndex> before = std::exchange(selection.vertices, {});
  std::set_union(before.begin(), before.end(), numbers.begin(), numbers.end(),
                 std::back_inserter(selection.vertices));
  const auto position_of = [&selection](LocalIndex vertex) {
    return static_cast<LocalIndex>(
        std::lower_bound(selection.vertices.begin(), selection.vertices.end(), vertex) -
        selection.vertices.begin());
  };
  for (auto* list : {&selection.edges, &selection.triangles, &selection.tetrahedra}) {
    for (LocalIndex& corner : *list) {
      corner = position_of(before[static_cast<std::size_t>(corner)]);
    }
  }
  return {position_of(begin), end - begin};
}

PartFinder::PartFinder(partner::Connection& partner, const protocol::MeshRelation& relation,
                       rendezvous::Side side)
    : partner_(partner),
      relation_(relation),
      side_(side),
      receiver_ranks_(side == rendezvous::Side::receiver ? partner.context().comm.size()
                                                         : partner.remote_size()) {}

bool PartFinder::shares() const {
  return protocol::shares_are_sent(relation_, receiver_ranks_);
}

bool PartFinder::looks() const {
  return protocol::regions_are_sent(relation_, receiver_ranks_);
}

bool PartFinder::names_share() const {
  return protocol::share_is_named(relation_, receiver_ranks_);
}

std::vector<int> PartFinder::find(std::span<const geometry::Box> boxes, const Share& numbers) {
  if (shares() && !sharers_) {
    sharers_ = partner_.find_partners(side_, relation_.initialization, number_boxes(numbers));
  }
  if (!looks()) {
    return *sharers_;
  }
  std::vector<int> ranks = partner_.find_partners(side_, relation_.initialization, boxes);
  if (!shares()) {
    return ranks;
  }
  std::vector<int> all;
  std::set_union(ranks.begin(), ranks.end(), sharers_->begin(), sharers_->end(),
                 std::back_inserter(all));
  return all;
}

std::vector<Recipient> send_parts(partner::Connection& receiver,
                                  const protocol::MeshRelation& relation, const mesh::Mesh& mesh,
                                  PartFinder& finder, std::span<const geometry::Box> boxes) {
  partner::Context& context = receiver.context();
  const GlobalIndex first =
      finder.shares() ? comm::exscan(context.comm, GlobalIndex{mesh.num_vertices()}) : 0;
  const std::vector<int> ranks = finder.find(boxes, {first, mesh.num_vertices()});
  const auto scope = context.trace.scope("transfer");
  std::vector<Recipient> recipients;
  std::vector<transfer::Selection> selections;
  std::vector<transport::LinkId> links;
  std::vector<protocol::SentShare> shares;
  for (const int rank : ranks) {
    const transport::LinkId link = links.emplace_back(receiver.link_to(rank));
    std::vector<geometry::Box> region = protocol::receive<protocol::Region>(context, link).list;
    transfer::Selection& selection =
        selections.emplace_back(transfer::select(mesh, region, relation.sends_connectivity()));
    if (finder.shares()) {
      const protocol::WantedShare wanted = protocol::receive<protocol::WantedShare>(context, link);
      shares.push_back({{add_share(mesh, first, wanted.list, selection)}});
    }
    recipients.push_back({rank, link, std::move(region), {}, {}, false});
  }
  transfer::send_mesh(context.hub, mesh, selections, links, context.progress_timeout);
  for (std::size_t r = 0; r < recipients.size(); ++r) {
    recipients[r].selection = std::move(selections[r]);
    if (finder.names_share()) {
      protocol::send(context, links[r], shares[r]);
    }
  }
  return recipients;
}

ReceivedParts receive_parts(partner::Connection& provider, const protocol::MeshRelation& relation,
                            PartFinder& finder, std::span<const geometry::Box> boxes,
                            GlobalIndex num_provided) {
  partner::Context& context = provider.context();
  const Share wanted = share_of(context.comm.rank(), context.comm.size(), num_provided);
  const std::vector<int> ranks = finder.find(boxes, wanted);
  const auto scope = context.trace.scope("transfer");
  std::vector<transfer::Part> parts;
  for (const int rank : ranks) {
    parts.push_back({rank, provider.link_to(rank), 0, 0});
    protocol::send(context, parts.back().link, protocol::Region{{boxes.begin(), boxes.end()}});
    if (finder.shares()) {
      protocol::send(context, parts.back().link, protocol::WantedShare{number_boxes(wanted)});
    }
  }
  ReceivedParts received{
      transfer::receive_mesh_parts(context.hub, relation.mesh, relation.dimensions,
                                   std::move(parts), context.progress_timeout),
      {}};
  if (finder.names_share()) {
    received.share.emplace();
    for (const transfer::Part& part : received.mesh.parts) {
      append_share(context, part, *received.share);
    }
  }
  return received;
}

std::vector<Route> routes_of(std::span<const transfer::Part> parts,
                             std::span<const std::vector<LocalIndex>> positions) {
  std::vector<Route> routes;
  LocalIndex first = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto count = static_cast<LocalIndex>(positions[p].size());
    if (count > 0) {
      routes.push_back({parts[p].link, first, count, {}});
    }
    first += count;
  }
  return routes;
}

std::vector<Route> send_written(partner::Context& context, std::span<const transfer::Part> parts,
                                std::span<const LocalIndex> vertices) {
  std::vector<char> written(transfer::num_transferred(parts), 0);
  transfer::mark(vertices, written);
  std::vector<std::vector<LocalIndex>> positions; // by part
  for (const transfer::Part& part : parts) {
    positions.push_back(transfer::marked_positions(part, written));
    protocol::send(context, part.link, protocol::Written{positions.back()});
  }
  return routes_of(parts, positions);
}

} // namespace isthmus::planning
