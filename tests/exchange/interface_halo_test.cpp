// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/interface_halo.hpp"

#include "exchange/sharing.hpp"
#include "handles.hpp"
#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

using namespace isthmus;
using exchange::Fold;
using exchange::InterfaceHalo;
using exchange::InterfacePlan;

namespace {

/// What a rank has at component c of a node, with bits down to the last.
double value(int rank, GlobalIndex id, std::size_t c) {
  return std::sin(1.0 + static_cast<double>(id) + 0.3 * static_cast<double>(c)) *
         std::pow(10.0, (3 * rank + static_cast<int>(c)) % 7);
}

/// One random pattern, seen by this rank.
struct Pattern {
  Pattern(const comm::Comm& comm, unsigned seed)
      : sharing(random_sharing(comm.size(), seed)),
        ids(nodes_of(sharing, comm.rank())),
        plan(exchange::make_interface_plan(comm, ids)) {}

  [[nodiscard]] const std::vector<int>& sharers(LocalIndex node) const {
    return sharing.at(ids[static_cast<std::size_t>(node)]);
  }
  [[nodiscard]] std::vector<double> values(std::size_t width) const {
    std::vector<double> all;
    for (const GlobalIndex id : ids) {
      for (std::size_t c = 0; c < width; ++c) {
        all.push_back(value(plan.rank, id, c));
      }
    }
    return all;
  }

  Sharing sharing;
  std::vector<GlobalIndex> ids;
  InterfacePlan plan;
};

using Ghosts = std::multiset<std::pair<int, LocalIndex>>; // source and node

/// What comes here, checked to be what the source has at that node.
Ghosts ghosts_of(const comm::Comm& comm, const Pattern& pattern, InterfaceHalo& copied) {
  const std::size_t width = 2;
  REQUIRE(copied.nodes.size() == static_cast<std::size_t>(copied.halo.num_ghosts()));
  const std::vector<double> values = pattern.values(width);
  std::vector<double> ghosts(copied.nodes.size() * width);
  copied.halo.forward(comm, static_cast<int>(width), values, ghosts);
  Ghosts found;
  std::size_t k = 0;
  for (const exchange::Halo::Source& source : copied.halo.sources()) {
    for (LocalIndex i = 0; i < source.count; ++i, ++k) {
      const LocalIndex node = copied.nodes[k];
      for (std::size_t c = 0; c < width; ++c) {
        CHECK(ghosts[k * width + c] ==
              value(source.rank, pattern.ids[static_cast<std::size_t>(node)], c));
      }
      found.emplace(source.rank, node);
    }
  }
  CHECK(k == copied.nodes.size());
  return found;
}

/// The pairs of a source and a shared node that `comes(source, owner)` names.
template <typename Comes>
Ghosts expected_ghosts(const Pattern& pattern, Comes comes) {
  Ghosts expected;
  for (LocalIndex node = 0; node < pattern.plan.num_nodes; ++node) {
    const std::vector<int>& sharers = pattern.sharers(node);
    for (const int sharer : sharers) {
      if (sharer != pattern.plan.rank && comes(sharer, sharers.front())) {
        expected.emplace(sharer, node);
      }
    }
  }
  return expected;
}

unsigned num_seeds(const comm::Comm& comm) {
  return comm.size() > 16 ? 1 : comm.size() > 4 ? 2 : 8;
}

} // namespace

TEST_CASE("sharers, owners and those who do not own get what the others have") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Handles before = open_handles();
  for (unsigned seed = 1; seed <= num_seeds(comm); ++seed) {
    CAPTURE(seed);
    const Pattern pattern(comm, seed);
    const int own = comm.rank();
    InterfaceHalo all = exchange::all_sharers(pattern.plan);
    CHECK(ghosts_of(comm, pattern, all) == expected_ghosts(pattern, [](int, int) { return true; }));
    InterfaceHalo up = exchange::to_owners(pattern.plan);
    CHECK(ghosts_of(comm, pattern, up) ==
          expected_ghosts(pattern, [own](int, int owner) { return owner == own; }));
    InterfaceHalo down = exchange::from_owners(pattern.plan);
    CHECK(ghosts_of(comm, pattern, down) ==
          expected_ghosts(pattern, [](int source, int owner) { return owner == source; }));
  }
  CHECK(open_handles() == before);
}

TEST_CASE("partial sums are folded in the order of the ranks, wherever the ghosts are") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (unsigned seed = 1; seed <= num_seeds(comm); ++seed) {
    CAPTURE(seed);
    const Pattern pattern(comm, seed);
    for (const bool only_owned : {false, true}) {
      InterfaceHalo copied =
          only_owned ? exchange::to_owners(pattern.plan) : exchange::all_sharers(pattern.plan);
      Fold fold =
          only_owned ? exchange::fold_owned(pattern.plan) : exchange::fold_all(pattern.plan);
      std::vector<LocalIndex> nodes;
      for (LocalIndex node = 0; node < pattern.plan.num_nodes; ++node) {
        const std::vector<int>& sharers = pattern.sharers(node);
        if (sharers.size() > 1 && (!only_owned || sharers.front() == comm.rank())) {
          nodes.push_back(node);
        }
      }
      CHECK(fold.nodes == nodes);
      for (const std::size_t width : {1, 3, 5}) {
        std::vector<double> values = pattern.values(width);
        std::vector<double> expected = values;
        for (const LocalIndex node : nodes) {
          for (std::size_t c = 0; c < width; ++c) {
            const std::vector<int>& sharers = pattern.sharers(node);
            const GlobalIndex id = pattern.ids[static_cast<std::size_t>(node)];
            double sum = value(sharers.front(), id, c);
            for (std::size_t s = 1; s < sharers.size(); ++s) {
              sum += value(sharers[s], id, c);
            }
            expected[static_cast<std::size_t>(node) * width + c] = sum;
          }
        }
        std::vector<double> ghosts(copied.nodes.size() * width);
        copied.halo.forward(comm, static_cast<int>(width), values, ghosts);
        fold.apply(static_cast<int>(width), ghosts, values);
        CHECK(values == expected);

        Fold moved = fold; // the ghosts in the opposite order
        std::vector<LocalIndex> places(copied.nodes.size());
        std::iota(places.rbegin(), places.rend(), 0);
        std::vector<double> elsewhere(ghosts.size());
        for (std::size_t k = 0; k < places.size(); ++k) {
          std::copy_n(ghosts.data() + k * width, width,
                      elsewhere.data() + static_cast<std::size_t>(places[k]) * width);
        }
        moved.move_ghosts(places);
        values = pattern.values(width);
        moved.apply(static_cast<int>(width), elsewhere, values);
        CHECK(values == expected);
      }
    }
  }
}

TEST_CASE("a rank that shares nothing sends nothing and folds nothing") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::vector<GlobalIndex> ids = {10 * comm.rank(), 10 * comm.rank() + 1};
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  for (const InterfaceHalo& halo :
       {exchange::all_sharers(plan), exchange::to_owners(plan), exchange::from_owners(plan)}) {
    CHECK(halo.halo.empty());
    CHECK(halo.nodes.empty());
  }
  std::vector<double> values{3, 4};
  exchange::fold_all(plan).apply(1, {}, values);
  exchange::fold_owned(plan).apply(1, {}, values);
  CHECK(values == std::vector<double>{3, 4});
}
