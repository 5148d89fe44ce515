// SPDX-License-Identifier: BSD-3-Clause
// Which conjugate gradients are fastest here, from measured times of what an iteration is made of.
#include "isthmus/la/krylov/iteration.hpp"

#include <mpi.h>

namespace isthmus::la {

namespace {

/// Seconds of the fastest of some runs.
template <typename Work>
double time_of(Work&& work) {
  constexpr int runs = 3;
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const double begin = MPI_Wtime();
    work();
    least = std::min(least, MPI_Wtime() - begin);
  }
  return least;
}

/// Seconds, mean over the ranks.
struct Times {
  double reduction, product, preconditioning, vector;
};

Times measure(Iteration& it) {
  const auto x = it.vector(), y = it.vector();
  const double product = time_of([&] { it.multiply(x, y); });
  const double preconditioning = time_of([&] { it.precondition(y, x); });
  constexpr int touched = 3;
  const double vectors = time_of([&] {
    for (std::size_t i = 0; i < it.size(); ++i) {
      y[i] = x[i] + 0.5 * y[i];
    }
    it.touched(touched);
  });
  (void)it.sums({0.0}); // lines up
  const double reduction = time_of([&] { (void)it.sums({0.0, 0.0, 0.0, 0.0}); });
  const auto sums = it.sums({1, reduction, product, preconditioning, vectors / touched});
  return {sums[1] / sums[0], sums[2] / sums[0], sums[3] / sums[0], sums[4] / sums[0]};
}

} // namespace

Method fastest_gradients(Iteration& it, const comm::Comm& comm) {
  if (comm.size() == 1) {
    return Method::cg;
  }
  const auto [reduction, product, preconditioning, vector] = measure(it);
  const double work = product + preconditioning;
  const double merged = work + 13 * vector + reduction;
  // A reduction beside work ends at one of its looks: a part of it is never hidden.
  const double seen = 0.1 * reduction;
  constexpr double repeated = 0.05; // products of the predicted gradients, as a rule
  const double predicted =
      16 * vector + std::max(work + 3 * vector + seen, reduction) + repeated * work;
  const double accurate = std::min(predicted, merged);
  constexpr double loose = 1e-3; // what the pipelined ones reach in spite of rounding errors
  if (it.settings.relative >= loose) {
    const double pipelined = 18 * vector + std::max(work + seen, reduction);
    const double repipelined = 15 * vector + std::max(work + 5 * vector + seen, reduction);
    if (std::min(pipelined, repipelined) <= accurate) {
      return pipelined <= repipelined ? Method::cg_pipelined : Method::cg_repipelined;
    }
  }
  return predicted < merged ? Method::cg_predicted : Method::cg_merged;
}

} // namespace isthmus::la
