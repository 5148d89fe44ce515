// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/sparse/lists.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/exchange/halo.hpp"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::exchange {

/// What one rank will get: the values of `entries`, in the order of its ghosts, and once, when the
/// halo is made, `notes` of which it learns what these are.
template <typename Note>
struct Sent {
  std::vector<LocalIndex> entries;
  std::vector<Note> notes;
};

/// Collective. The halo where those who send know what goes where, by rank. `take` is called with
/// the notes of each rank that sends something here, ascending, and returns the number of ghosts
/// that come from there.
template <typename Note, typename Take>
[[nodiscard]] Halo halo_of_sent(const comm::Comm& comm, std::map<int, Sent<Note>> sent, Take take) {
  std::vector<comm::Parcel> parcels;
  std::vector<Halo::Neighbour> targets;
  for (auto& [rank, one] : sent) {
    parcels.push_back({rank, Writer().put_array(one.notes).take()});
    targets.push_back({rank, std::move(one.entries)});
  }
  std::vector<Halo::Source> sources;
  for (const comm::Parcel& parcel : comm::sparse_exchange(comm, std::move(parcels))) {
    const auto notes = Reader(parcel.bytes).get_array<Note>();
    sources.push_back({parcel.rank, take(std::span<const Note>(notes))});
  }
  return {std::move(targets), std::move(sources)};
}

/// Collective. The halo where those who receive know which numbers they want, by rank; `first`: the
/// number by which others know the own entry 0.
template <typename Index>
[[nodiscard]] Halo halo_of_wanted(const comm::Comm& comm, const comm::Lists<Index>& wanted,
                                  Index first = 0) {
  std::vector<Halo::Source> sources;
  for (const auto& [rank, numbers] : wanted) {
    sources.push_back({rank, static_cast<LocalIndex>(numbers.size())});
  }
  std::vector<Halo::Neighbour> targets;
  for (const auto& [rank, numbers] : comm::swap_lists(comm, wanted)) {
    Halo::Neighbour& target = targets.emplace_back(Halo::Neighbour{rank, {}});
    for (const Index number : numbers) {
      target.entries.push_back(static_cast<LocalIndex>(number - first));
    }
  }
  return {std::move(targets), std::move(sources)};
}

} // namespace isthmus::exchange
