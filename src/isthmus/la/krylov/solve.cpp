// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/krylov/solve.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/la/krylov/iteration.hpp"

namespace isthmus::la {

namespace {

void run(Method method, Iteration& it) {
  switch (method) {
    case Method::automatic:
    case Method::cg:
      return run_cg(it, false);
    case Method::cg_three:
      return run_cg(it, true);
    case Method::cg_merged:
      return run_merged_cg(it);
    case Method::cg_pipelined:
      return run_pipelined_cg(it, false);
    case Method::cg_repipelined:
      return run_pipelined_cg(it, true);
    case Method::cg_predicted:
      return run_predicted_cg(it);
    case Method::gmres:
      return run_gmres(it);
    case Method::gmres_pipelined:
      return run_pipelined_gmres(it);
    case Method::bicgstab:
      return run_bicgstab(it, false);
    case Method::bicgstab_merged:
      return run_bicgstab(it, true);
    case Method::bicgstab_pipelined:
      return run_pipelined_bicgstab(it);
    case Method::chebyshev:
      return run_chebyshev(it);
  }
}

/// Subtracts the mean over all ranks.
void remove_mean(const comm::Comm& comm, std::span<double> x) {
  comm::Reduction reduction(comm, 2);
  const std::array<double, 2> parts{local_sum(x), static_cast<double>(x.size())};
  const auto sums = reduction.sum(parts);
  const double mean = sums[1] > 0 ? sums[0] / sums[1] : 0;
  for (double& value : x) {
    value -= mean;
  }
}

} // namespace

std::string_view name(Method method) {
  constexpr std::array names{"automatic",       "cg",
                             "cg_three",        "cg_merged",
                             "cg_pipelined",    "cg_repipelined",
                             "cg_predicted",    "gmres",
                             "gmres_pipelined", "bicgstab",
                             "bicgstab_merged", "bicgstab_pipelined",
                             "chebyshev"};
  return names.at(static_cast<std::size_t>(method));
}

std::string_view name(Reason reason) {
  constexpr std::array names{"converged",  "attained",   "max_iterations", "stagnated", "diverged",
                             "broke_down", "indefinite", "not_finite",     "stopped"};
  return names.at(static_cast<std::size_t>(reason));
}

Report solve(Operator& matrix, Preconditioner& preconditioner, std::span<const double> b,
             std::span<double> x, const Settings& settings) {
  const auto rows = static_cast<std::size_t>(matrix.num_rows());
  if (settings.monitor.verified) {
    comm::agree(matrix.comm(), [rows, b, x] {
      check(b.size() == rows && x.size() == rows,
            "a matrix with {} rows on this rank was given b with {} and x with {} entries", rows,
            b.size(), x.size());
    });
  }
  std::vector<double> without_mean;
  if (settings.known.constant_null_space) {
    without_mean.assign(b.begin(), b.end());
    remove_mean(matrix.comm(), without_mean);
    b = without_mean;
  }
  const bool restarts =
      settings.method == Method::gmres || settings.method == Method::gmres_pipelined;
  check(settings.norm == Norm::two || (!restarts && settings.method != Method::bicgstab_merged),
        "{} knows the Euclidean norm of its residual only; choose norm two or another method",
        name(settings.method));
  const std::size_t num_sums =
      restarts ? 2 * static_cast<std::size_t>(std::max(1, settings.restart)) + 3 : 8;
  Iteration it(matrix, preconditioner, b, x, settings, num_sums);
  const Method method =
      settings.method == Method::automatic ? fastest_gradients(it, matrix.comm()) : settings.method;
  run(method, it);
  Report report = it.finish();
  report.method = method;
  if (settings.known.constant_null_space) {
    remove_mean(matrix.comm(), x);
  }
  return report;
}

} // namespace isthmus::la
