// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/ordered_sum.hpp"

#include "allocations.hpp"
#include "handles.hpp"
#include "isthmus/base/error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>

using namespace isthmus;
using exchange::Contribution;

namespace {

constexpr GlobalIndex num_elements = 300;
constexpr GlobalIndex num_nodes = 90;

/// Three nodes of an element, the same everywhere.
std::vector<GlobalIndex> nodes_of_element(GlobalIndex element) {
  const GlobalIndex first = element * 7 % num_nodes;
  return {first, (first + 1) % num_nodes, (first + 5) % num_nodes};
}

double added(GlobalIndex element, GlobalIndex node, std::size_t c) {
  return std::sin(static_cast<double>(3 * element + node + static_cast<GlobalIndex>(c))) *
         std::pow(10.0, element % 7);
}

/// Elements one after the other, as one rank would add them.
std::map<GlobalIndex, double> serial(std::size_t c) {
  std::map<GlobalIndex, double> sums;
  for (GlobalIndex element = 0; element < num_elements; ++element) {
    for (const GlobalIndex node : nodes_of_element(element)) {
      sums[node] += added(element, node, c);
    }
  }
  return sums;
}

} // namespace

TEST_CASE("ordered sums have the bits of one rank, however elements are dealt") {
  const comm::Comm comm(MPI_COMM_WORLD);
  constexpr std::size_t width = 2;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::mt19937 random(seed);
    std::vector<GlobalIndex> elements; // of this rank; the last rank has none
    for (GlobalIndex element = 0; element < num_elements; ++element) {
      const int last = std::max(1, comm.size() - 1);
      if (static_cast<int>(random() % static_cast<unsigned>(last)) == comm.rank()) {
        elements.insert(elements.begin(), element); // in reverse
      }
    }
    std::map<GlobalIndex, LocalIndex> local;
    for (const GlobalIndex element : elements) {
      for (const GlobalIndex node : nodes_of_element(element)) {
        local[node] = 0;
      }
    }
    std::vector<GlobalIndex> ids;
    for (auto& [id, number] : local) {
      number = static_cast<LocalIndex>(ids.size());
      ids.push_back(id);
    }
    std::vector<Contribution> contributions;
    std::vector<double> values;
    for (const GlobalIndex element : elements) {
      for (const GlobalIndex node : nodes_of_element(element)) {
        contributions.push_back({local.at(node), element});
        values.push_back(added(element, node, 0));
        values.push_back(added(element, node, 1));
      }
    }
    const auto plan = exchange::make_interface_plan(comm, ids);
    exchange::OrderedSum sum(comm, plan, contributions, width);
    std::vector<double> sums(width * ids.size(), -1);
    const long allocations = num_allocations();
    const int requests = open_handles().requests;
    sum.begin(values);
    sum.finish(values, sums);
    CHECK(num_allocations() == allocations);
    CHECK(open_handles().requests == requests);
    for (std::size_t c = 0; c < width; ++c) {
      const auto wanted = serial(c);
      int different = 0;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        different += sums[i * width + c] != wanted.at(ids[i]) ? 1 : 0;
      }
      CHECK(different == 0);
    }
  }
}

TEST_CASE("an element that adds twice to a node is refused on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::vector<GlobalIndex> ids = {4};
  const auto plan = exchange::make_interface_plan(comm, ids);
  std::vector<Contribution> contributions = {{0, comm.rank()}};
  if (comm.rank() == 0) {
    contributions.push_back({0, 0});
  }
  CHECK_THROWS_WITH_AS(exchange::OrderedSum(comm, plan, contributions, 1),
                       doctest::Contains("give each pair once"), Error);
}
