// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/global_ids.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/lists.hpp"
#include "isthmus/exchange/make_halo.hpp"

#include <algorithm>
#include <map>

namespace isthmus::la {

namespace {

using Lists = comm::Lists<GlobalIndex>;

/// Rank r knows who has the numbers r * width … (r + 1) * width - 1.
GlobalIndex width_of(const comm::Comm& comm, const Range& range) {
  return std::max<GlobalIndex>(1, (range.total + comm.size() - 1) / comm.size());
}

/// First numbers and ranks of the ranges that this rank knows of, ascending.
std::map<GlobalIndex, int> directory(const comm::Comm& comm, const Range& range) {
  const GlobalIndex width = width_of(comm, range);
  Lists announced;
  for (GlobalIndex id = range.first; id < range.first + range.count;
       id = (id / width + 1) * width) {
    announced[static_cast<int>(id / width)] = {id};
  }
  std::map<GlobalIndex, int> known;
  for (const auto& [rank, list] : comm::swap_lists(comm, announced)) {
    known.emplace(list.front(), rank);
  }
  return known;
}

} // namespace

Range number(const comm::Comm& comm, GlobalIndex count) {
  return {comm::exscan(comm, count), count, comm::allreduce(comm, count, comm::Op::sum)};
}

std::vector<int> owners(const comm::Comm& comm, const Range& range,
                        std::span<const GlobalIndex> ids) {
  const std::map<GlobalIndex, int> known = directory(comm, range);
  const GlobalIndex width = width_of(comm, range);
  Lists questions;
  for (const GlobalIndex id : ids) {
    questions[static_cast<int>(id / width)].push_back(id);
  }
  Lists answers;
  for (const auto& [rank, list] : comm::swap_lists(comm, questions)) {
    for (const GlobalIndex id : list) {
      answers[rank].push_back(std::prev(known.upper_bound(id))->second);
    }
  }
  const Lists replies = comm::swap_lists(comm, answers);
  std::map<int, std::size_t> next;
  std::vector<int> result;
  result.reserve(ids.size());
  for (const GlobalIndex id : ids) {
    const int asked = static_cast<int>(id / width);
    result.push_back(static_cast<int>(replies.at(asked)[next[asked]++]));
  }
  return result;
}

exchange::Halo make_halo(const comm::Comm& comm, const Range& range,
                         std::span<const GlobalIndex> ghosts) {
  const std::vector<int> ranks = owners(comm, range, ghosts);
  Lists wanted;
  for (std::size_t i = 0; i < ghosts.size(); ++i) {
    wanted[ranks[i]].push_back(ghosts[i]);
  }
  return exchange::halo_of_wanted(comm, wanted, range.first);
}

} // namespace isthmus::la
