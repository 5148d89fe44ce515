// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/sequence.hpp"
#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/sparse/lists.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/exchange/halo.hpp"

#include <algorithm>
#include <iterator>
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

/// The rank that has an entry, and its number there.
struct OnRank {
  int rank;
  LocalIndex entry;
};

/// Entries of several ranks at hand, as one list: the own ones in a row, and others before and
/// behind them, of which those that are used become ghosts.
class EntriesAtHand {
 public:
  /// The own ones are `num_own`, from `first_own` on.
  EntriesAtHand(LocalIndex first_own, LocalIndex num_own, std::span<const LocalIndex> used)
      : first_own_(first_own), num_own_(num_own) {
    std::copy_if(used.begin(), used.end(), std::back_inserter(ghosts_),
                 [this](LocalIndex entry) { return !is_own(entry); });
    sort_once(ghosts_);
  }

  /// Which entries are ghosts, ascending.
  [[nodiscard]] std::span<const LocalIndex> ghosts() const { return ghosts_; }

  /// Makes numbers of own ones, and of ghosts behind them, of positions in the list.
  void renumber(std::span<LocalIndex> entries) const {
    for (LocalIndex& entry : entries) {
      if (is_own(entry)) {
        entry -= first_own_;
      } else {
        const auto ghost = std::lower_bound(ghosts_.begin(), ghosts_.end(), entry);
        entry = num_own_ + static_cast<LocalIndex>(ghost - ghosts_.begin());
      }
    }
  }

  /// Collective. Brings each ghost the value that its entry has on its rank, home_of(entry). In
  /// the list entries of lower ranks must come before those of higher ones.
  template <typename HomeOf>
  [[nodiscard]] Halo halo(const comm::Comm& comm, HomeOf home_of) const {
    comm::Lists<LocalIndex> wanted;
    for (const LocalIndex ghost : ghosts_) {
      const OnRank home = home_of(ghost);
      wanted[home.rank].push_back(home.entry);
    }
    return halo_of_wanted(comm, wanted);
  }

 private:
  [[nodiscard]] bool is_own(LocalIndex entry) const {
    return entry >= first_own_ && entry < first_own_ + num_own_;
  }

  LocalIndex first_own_;
  LocalIndex num_own_;
  std::vector<LocalIndex> ghosts_;
};

} // namespace isthmus::exchange
