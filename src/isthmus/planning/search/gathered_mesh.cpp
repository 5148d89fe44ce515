// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/gathered_mesh.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/exchange/make_halo.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace isthmus::planning {

namespace {

int rank_of(const GatheredMesh& gathered, LocalIndex vertex) {
  const auto next = std::upper_bound(gathered.first.begin(), gathered.first.end(), vertex);
  return static_cast<int>(next - gathered.first.begin()) - 1;
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

mapping::Interpolation find_gathered(const comm::Comm& comm, const transfer::MappingUse& use,
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

GatheredGhosts localize(const comm::Comm& comm, const GatheredMesh& gathered,
                        std::span<LocalIndex> columns) {
  const auto own = static_cast<std::size_t>(comm.rank());
  const LocalIndex num_own = gathered.first[own + 1] - gathered.first[own];
  std::vector<LocalIndex> foreign; // ascending, so by rank
  for (LocalIndex column : columns) {
    if (!gathered.on(comm.rank(), column)) {
      foreign.push_back(column);
    }
  }
  std::sort(foreign.begin(), foreign.end());
  foreign.erase(std::unique(foreign.begin(), foreign.end()), foreign.end());
  std::map<int, std::vector<LocalIndex>> wanted;
  GatheredGhosts ghosts;
  for (LocalIndex vertex : foreign) {
    const int rank = rank_of(gathered, vertex);
    wanted[rank].push_back(vertex - gathered.first[static_cast<std::size_t>(rank)]);
  }
  ghosts.coordinates = mesh::coordinates_of(gathered.mesh, foreign);
  for (LocalIndex& column : columns) {
    const auto ghost = std::lower_bound(foreign.begin(), foreign.end(), column);
    column = gathered.on(comm.rank(), column)
                 ? column - gathered.first[own]
                 : num_own + static_cast<LocalIndex>(ghost - foreign.begin());
  }
  ghosts.halo = exchange::halo_of_wanted(comm, wanted);
  return ghosts;
}

std::vector<mapping::Entry> deliver(const comm::Comm& comm, const GatheredMesh& gathered,
                                    std::span<const mapping::Entry> entries) {
  std::vector<mapping::Entry> arrived;
  std::map<int, std::vector<mapping::Entry>> leaving;
  for (const mapping::Entry& entry : entries) {
    const int rank = rank_of(gathered, entry.row);
    const LocalIndex row = entry.row - gathered.first[static_cast<std::size_t>(rank)];
    (rank == comm.rank() ? arrived : leaving[rank]).push_back({row, entry.column, entry.weight});
  }
  std::vector<comm::Parcel> parcels;
  for (const auto& [rank, list] : leaving) {
    Writer writer;
    writer.put_array(list);
    parcels.push_back({rank, writer.take()});
  }
  for (const comm::Parcel& parcel : comm::sparse_exchange(comm, std::move(parcels))) {
    const auto list = Reader(parcel.bytes).get_array<mapping::Entry>();
    arrived.insert(arrived.end(), list.begin(), list.end());
  }
  return arrived;
}

} // namespace isthmus::planning
