// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/owned_nodes.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/interface_halo.hpp"

namespace isthmus::exchange {

std::vector<GlobalIndex> number_owned(const comm::Comm& comm, const InterfacePlan& plan) {
  GlobalIndex next = comm::exscan(comm, plan.num_owned());
  std::vector<double> numbers(static_cast<std::size_t>(plan.num_nodes)); // exact as far as 2^53
  std::vector<GlobalIndex> result(numbers.size());
  auto foreign = plan.foreign.begin();
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (foreign != plan.foreign.end() && static_cast<std::size_t>(*foreign) == i) {
      ++foreign;
    } else {
      result[i] = next++;
      numbers[i] = static_cast<double>(result[i]);
    }
  }
  InterfaceHalo owners = from_owners(plan);
  std::vector<double> ghosts(owners.nodes.size());
  owners.halo.forward(comm, 1, numbers, ghosts);
  for (std::size_t k = 0; k < ghosts.size(); ++k) {
    result[static_cast<std::size_t>(owners.nodes[k])] = static_cast<GlobalIndex>(ghosts[k]);
  }
  return result;
}

double owned_dot(const comm::Comm& comm, const InterfacePlan& plan, int components,
                 std::span<const double> x, std::span<const double> y) {
  const auto width = static_cast<std::size_t>(components);
  double sum = 0;
  const auto add = [&](std::size_t first, std::size_t last) { // nodes
    for (std::size_t k = first * width; k < last * width; ++k) {
      sum += x[k] * y[k];
    }
  };
  std::size_t first = 0;
  for (const LocalIndex node : plan.foreign) {
    add(first, static_cast<std::size_t>(node));
    first = static_cast<std::size_t>(node) + 1;
  }
  add(first, static_cast<std::size_t>(plan.num_nodes));
  return comm::allreduce(comm, sum, comm::Op::sum);
}

} // namespace isthmus::exchange
