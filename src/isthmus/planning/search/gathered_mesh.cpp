// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/gathered_mesh.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/lists.hpp"
#include "isthmus/exchange/make_halo.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace isthmus::planning {

namespace {

exchange::OnRank home_of(const GatheredMesh& gathered, LocalIndex vertex) {
  const auto next = std::upper_bound(gathered.first.begin(), gathered.first.end(), vertex);
  return {static_cast<int>(next - gathered.first.begin()) - 1, vertex - *std::prev(next)};
}

struct Block {
  LocalIndex begin;
  LocalIndex end;
};

/// What was found for a block of points.
mapping::Interpolation points_of(const mapping::Interpolation& all, Block block) {
  const auto entries_before = [&all](LocalIndex point) {
    return std::accumulate(all.counts.begin(), all.counts.begin() + point, std::ptrdiff_t{0});
  };
  const std::ptrdiff_t from = entries_before(block.begin);
  const std::ptrdiff_t to = entries_before(block.end);
  return {{all.counts.begin() + block.begin, all.counts.begin() + block.end},
          {all.columns.begin() + from, all.columns.begin() + to},
          {all.weights.begin() + from, all.weights.begin() + to},
          {all.distances2.begin() + block.begin, all.distances2.begin() + block.end}};
}

} // namespace

GatheredMesh gather_mesh(const comm::Comm& comm, const mesh::Mesh& own) {
  comm::Pieces<double> all = comm::allgather(comm, own.coordinates());
  GatheredMesh gathered;
  for (std::size_t offset : all.offsets) {
    gathered.first.push_back(
        static_cast<LocalIndex>(offset / static_cast<std::size_t>(own.dimensions())));
  }
  gathered.mesh = mesh::Mesh(own.name(), own.dimensions(), std::move(all.values), {}, {});
  return gathered;
}

mapping::Interpolation find_gathered(const comm::Comm& comm, const protocol::MappingUse& use,
                                     const mesh::Mesh& received, const GatheredMesh& gathered,
                                     const MappingFactory& mappings) {
  const auto rank = static_cast<std::size_t>(comm.rank());
  if (use.searches_received) { // all points ask, the own ones matter
    mapping::Interpolation all =
        mappings.make(*use.mapping, received)->interpolate(gathered.mesh.coordinates());
    return points_of(all, {gathered.first[rank], gathered.first[rank + 1]});
  }
  const auto count = static_cast<GlobalIndex>(received.num_vertices());
  const Share share = share_of(comm.rank(), comm.size(), count);
  const Block block{static_cast<LocalIndex>(share.first),
                    static_cast<LocalIndex>(share.first + share.count)};
  const auto mapping = mappings.make(*use.mapping, gathered.mesh);
  mapping::Interpolation found;
  if (use.asks_together()) {
    found = points_of(mapping->interpolate(received.coordinates()), block);
  } else {
    const auto dim = static_cast<std::size_t>(received.dimensions());
    found = mapping->interpolate(
        received.coordinates().subspan(static_cast<std::size_t>(block.begin) * dim,
                                       static_cast<std::size_t>(block.end - block.begin) * dim));
  }
  found.counts.insert(found.counts.begin(), static_cast<std::size_t>(block.begin), 0);
  found.counts.resize(static_cast<std::size_t>(count), 0);
  found.distances2.assign(found.counts.size(), 0.0);
  return found;
}

OwnMeshGhosts localize(const comm::Comm& comm, const GatheredMesh& gathered,
                       std::span<LocalIndex> columns) {
  const auto own = static_cast<std::size_t>(comm.rank());
  const LocalIndex first = gathered.first[own];
  const exchange::EntriesAtHand vertices(first, gathered.first[own + 1] - first, columns);
  vertices.renumber(columns);
  return {vertices.halo(comm, [&](LocalIndex vertex) { return home_of(gathered, vertex); }),
          mesh::coordinates_of(gathered.mesh, vertices.ghosts())};
}

std::vector<mapping::Entry> deliver(const comm::Comm& comm, const GatheredMesh& gathered,
                                    std::span<const mapping::Entry> entries) {
  std::vector<mapping::Entry> arrived;
  comm::Lists<mapping::Entry> leaving;
  for (const mapping::Entry& entry : entries) {
    const auto [rank, row] = home_of(gathered, entry.row);
    (rank == comm.rank() ? arrived : leaving[rank]).push_back({row, entry.column, entry.weight});
  }
  comm::append(comm::swap_lists(comm, leaving), arrived);
  return arrived;
}

} // namespace isthmus::planning
