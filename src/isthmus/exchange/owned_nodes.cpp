// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/owned_nodes.hpp"

#include "isthmus/comm/collective.hpp"

namespace isthmus::exchange {

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
