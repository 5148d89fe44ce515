// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/interface_plan.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/hash.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/exchange/interface_halo.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace isthmus::exchange {

namespace {

using comm::Parcel;

/// Where the sharers of a node meet. Blocks of ids meet together: neighbouring nodes often have
/// neighbouring ids, so that a rank turns to few others.
int meeting_rank(GlobalIndex id, int ranks) {
  const std::uint64_t block = static_cast<std::uint64_t>(id) >> 6;
  return static_cast<int>(mixed(block) % static_cast<std::uint64_t>(ranks));
}

/// On many ranks a meeting rank has many visitors: then parcels travel together.
std::vector<Parcel> deliver(const comm::Comm& comm, std::vector<Parcel> parcels,
                            comm::Traffic* traffic) {
  constexpr int few = 16;
  return comm.size() <= few ? comm::sparse_exchange(comm, std::move(parcels), traffic)
                            : comm::routed_exchange(comm, std::move(parcels), traffic);
}

/// A node that was announced at its meeting rank.
struct Visit {
  GlobalIndex id;
  std::int32_t rank;
  std::int32_t position; // among the ids that this rank announced here
};

/// For everybody who came: for each of its nodes that others touch too, ascending, the position,
/// the number of sharers and their ranks.
std::vector<Parcel> answers(const std::vector<Parcel>& announced) {
  std::vector<Visit> visits;
  for (const Parcel& parcel : announced) {
    std::int32_t position = 0;
    for (const GlobalIndex id : Reader(parcel.bytes).get_array<GlobalIndex>()) {
      visits.push_back({id, parcel.rank, position++});
    }
  }
  std::sort(visits.begin(), visits.end(), [](const Visit& a, const Visit& b) {
    return std::pair(a.id, a.rank) < std::pair(b.id, b.rank);
  });
  std::map<int, std::vector<std::int32_t>> words;
  for (auto begin = visits.begin(), end = begin; begin != visits.end(); begin = end) {
    end =
        std::find_if(begin, visits.end(), [id = begin->id](const Visit& v) { return v.id != id; });
    const auto sharers = static_cast<std::int32_t>(end - begin);
    for (auto visit = begin; sharers > 1 && visit != end; ++visit) {
      std::vector<std::int32_t>& to = words[visit->rank];
      to.push_back(visit->position);
      to.push_back(sharers);
      std::transform(begin, end, std::back_inserter(to), [](const Visit& v) { return v.rank; });
    }
  }
  std::vector<Parcel> parcels;
  for (const auto& [rank, answer] : words) {
    parcels.push_back({rank, Writer().put_array(answer).take()});
  }
  return parcels;
}

/// Local nodes by the rank where their sharers meet.
using Announcements = std::map<int, std::vector<LocalIndex>>;

std::vector<Parcel> announcement_parcels(const Announcements& announcements,
                                         std::span<const GlobalIndex> ids) {
  std::vector<Parcel> parcels;
  for (const auto& [rank, nodes] : announcements) {
    std::vector<GlobalIndex> announced;
    announced.reserve(nodes.size());
    for (const LocalIndex node : nodes) {
      announced.push_back(ids[static_cast<std::size_t>(node)]);
    }
    parcels.push_back({rank, Writer().put_array(announced).take()});
  }
  return parcels;
}

/// A node of this rank and its place in an answer.
struct Shared {
  LocalIndex node;
  std::span<const std::int32_t> sharers;
};

void set_shared(InterfacePlan& plan, const Announcements& announcements,
                const std::vector<Parcel>& answered) {
  std::vector<std::vector<std::int32_t>> words;
  std::vector<Shared> found;
  for (const Parcel& parcel : answered) {
    const std::vector<LocalIndex>& nodes = announcements.at(parcel.rank);
    words.push_back(Reader(parcel.bytes).get_array<std::int32_t>());
    const std::span<const std::int32_t> answer = words.back();
    for (std::size_t at = 0; at < answer.size();) {
      const auto count = static_cast<std::size_t>(answer[at + 1]);
      found.push_back({nodes[static_cast<std::size_t>(answer[at])], answer.subspan(at + 2, count)});
      at += 2 + count;
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Shared& a, const Shared& b) { return a.node < b.node; });
  for (const Shared& one : found) {
    plan.shared.push_back(one.node);
    plan.sharers.insert(plan.sharers.end(), one.sharers.begin(), one.sharers.end());
    plan.offsets.push_back(plan.sharers.size());
    if (one.sharers.front() != plan.rank) {
      plan.foreign.push_back(one.node);
    }
  }
}

void set_neighbours(InterfacePlan& plan) {
  std::map<int, std::vector<LocalIndex>> nodes;
  for (std::size_t i = 0; i < plan.shared.size(); ++i) {
    for (const int sharer : plan.sharers_of(i)) {
      if (sharer != plan.rank) {
        nodes[sharer].push_back(plan.shared[i]);
      }
    }
  }
  for (auto& [rank, of_rank] : nodes) {
    plan.neighbours.push_back({rank, std::move(of_rank), {}});
  }
}

void set_positions(InterfacePlan& plan, const comm::Comm& comm) {
  std::vector<double> position(static_cast<std::size_t>(plan.num_nodes)); // exact as far as 2^53
  for (std::size_t i = 0; i < plan.shared.size(); ++i) {
    position[static_cast<std::size_t>(plan.shared[i])] = static_cast<double>(i);
  }
  Halo halo = all_sharers(plan).halo;
  std::vector<double> theirs(static_cast<std::size_t>(halo.num_ghosts()));
  halo.forward(comm, 1, position, theirs);
  auto from = theirs.begin();
  for (InterfacePlan::Neighbour& neighbour : plan.neighbours) {
    const auto end = from + static_cast<std::ptrdiff_t>(neighbour.nodes.size());
    neighbour.theirs.assign(from, end);
    from = end;
  }
}

} // namespace

InterfacePlan make_interface_plan(const comm::Comm& comm, std::span<const GlobalIndex> ids,
                                  comm::Traffic* traffic) {
  comm::agree(comm, [ids] {
    for (std::size_t i = 1; i < ids.size(); ++i) {
      check(ids[i - 1] < ids[i],
            "interface plan: node {} has id {} and the next one {}; sort the ids and give each of "
            "them once",
            i - 1, ids[i - 1], ids[i]);
    }
  });
  InterfacePlan plan;
  plan.rank = comm.rank();
  plan.num_nodes = static_cast<LocalIndex>(ids.size());
  if (comm.size() == 1) {
    return plan;
  }
  Announcements announcements;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    announcements[meeting_rank(ids[i], comm.size())].push_back(static_cast<LocalIndex>(i));
  }
  const auto announced = deliver(comm, announcement_parcels(announcements, ids), traffic);
  set_shared(plan, announcements, deliver(comm, answers(announced), traffic));
  set_neighbours(plan);
  set_positions(plan, comm);
  return plan;
}

InterfacePlan renumber(InterfacePlan plan, std::span<const LocalIndex> numbers) {
  const auto rename = [numbers](std::vector<LocalIndex>& nodes) {
    for (LocalIndex& node : nodes) {
      node = numbers[static_cast<std::size_t>(node)];
    }
  };
  rename(plan.shared);
  rename(plan.foreign);
  std::sort(plan.foreign.begin(), plan.foreign.end());
  for (InterfacePlan::Neighbour& neighbour : plan.neighbours) {
    rename(neighbour.nodes);
  }
  return plan;
}

} // namespace isthmus::exchange
