// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/keep_numbers.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/partition/assignment.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace isthmus::partition {

namespace {

constexpr int most_exact = 512; // parts: the effort grows with their cube

GlobalIndex weight_of(std::span<const GlobalIndex> weights, std::size_t vertex) {
  return weights.empty() ? 1 : weights[vertex];
}

void check_pieces(std::span<const int> before, std::span<const int> after,
                  std::span<const GlobalIndex> weights, int parts) {
  check(before.size() == after.size(), "{} parts before and {} after", before.size(), after.size());
  check(weights.empty() || weights.size() == after.size(), "{} weights for {} vertices",
        weights.size(), after.size());
  for (const std::span<const int> of : {before, after}) {
    for (const int part : of) {
      check(part >= 0 && part < parts, "there is no part {} of {}", part, parts);
    }
  }
}

} // namespace

Parts keep_numbers(const comm::Comm& comm, std::span<const int> before, std::span<const int> after,
                   std::span<const GlobalIndex> weights, int parts) {
  comm::agree(comm, [&] { check_pieces(before, after, weights, parts); });
  std::map<std::pair<int, int>, GlobalIndex> own;
  for (std::size_t v = 0; v < after.size(); ++v) {
    own[{after[v], before[v]}] += weight_of(weights, v);
  }
  std::vector<Stay> stays;
  for (const auto& [parts_of, weight] : own) {
    stays.push_back({parts_of.first, parts_of.second, weight});
  }
  stays = comm::gather(comm, std::span<const Stay>(stays)).values;
  std::vector<int> number;
  if (comm.is_root()) {
    number = parts <= most_exact ? best_assignment(stays, parts) : greedy_assignment(stays, parts);
  }
  comm::bcast(comm, number);
  Parts of;
  of.reserve(after.size());
  for (const int part : after) {
    of.push_back(number[static_cast<std::size_t>(part)]);
  }
  return of;
}

GlobalIndex moved(const comm::Comm& comm, std::span<const int> before, std::span<const int> after,
                  std::span<const GlobalIndex> weights) {
  GlobalIndex sum = 0;
  for (std::size_t v = 0; v < after.size(); ++v) {
    sum += before[v] != after[v] ? weight_of(weights, v) : 0;
  }
  return comm::allreduce(comm, sum, comm::Op::sum);
}

} // namespace isthmus::partition
