// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/dense.hpp"
#include "isthmus/la/operator.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace isthmus::la {

/// Reductions are per iteration; those of pipelined methods run beside products.
enum class Method {
  automatic,          ///< of the conjugate gradients, the fastest by measured times
  cg,                 ///< symmetric positive definite; two reductions
  cg_three,           ///< with the residual's norm apart, as OpenFOAM
  cg_merged,          ///< one reduction; Chronopoulos, Gear, doi 10.1016/0377-0427(89)90045-9
  cg_pipelined,       ///< one beside; Ghysels, Vanroose, doi 10.1016/j.parco.2013.06.001
  cg_repipelined,     ///< the same with p and x updated beside it; Lin et al., RePiPePCG
  cg_predicted,       ///< one beside, accurate; after Chen, Carson, doi 10.1137/19M1276856
  gmres,              ///< any matrix; one, a second where digits cancel
  gmres_pipelined,    ///< one beside; Ghysels et al., doi 10.1137/12086563X
  bicgstab,           ///< any matrix; three
  bicgstab_merged,    ///< two
  bicgstab_pipelined, ///< two beside; Cools, Vanroose, doi 10.1016/j.parco.2017.04.005
  chebyshev,          ///< positive definite with known bounds; none but to test for the end
};

enum class Norm {
  two, ///< of the residual, over that of b
  /// Sum of |residual| over sum of |A x0 - a| + |b - a|, a = A (mean of x0). Not for gmres,
  /// gmres_pipelined and bicgstab_merged, which know the Euclidean norm only.
  openfoam,
};

/// Why a solver ended.
enum class Reason {
  converged,      ///< the residual is below the relative or the absolute limit
  attained,       ///< rounding errors keep the residual from falling further
  max_iterations, ///< not converged
  stagnated,      ///< no better residual for Settings::stagnation iterations
  diverged,       ///< the residual grew by Settings::divergence
  broke_down,     ///< a divisor vanished
  indefinite,     ///< the matrix or the preconditioner is not positive definite
  not_finite,     ///< infinity or not a number in the data or on the way
  stopped,        ///< Monitor::progress said so
};

[[nodiscard]] std::string_view name(Method method);
[[nodiscard]] std::string_view name(Reason reason);

/// What a caller sees of a solver at work.
struct Monitor {
  bool keep_residuals = true; ///< in the report
  /// After each iteration, with its number and its residual relative to the norm's reference; the
  /// same on all ranks. Returns whether to go on.
  std::function<bool(int, double)> progress = {};
  /// After loops over vectors, with the number of vectors read or written: accounts of bandwidth.
  std::function<void(double)> on_vectors = {};
  /// Sizes are compared on all ranks, and the residual of x is computed in the end: two reductions
  /// and a product. Without, sizes must fit, and Report::true_residual is no number.
  bool verified = true;
};

/// Ends beside those that every caller knows.
struct Limits {
  double of_first = 0;     ///< limit of the residual, of the first residual
  int min_iterations = 0;  ///< done even where a limit is reached before
  int stagnation = 0;      ///< iterations without a better residual; 0: any number
  double divergence = 1e8; ///< growth of the residual since the start
};

/// What is known of the matrix.
struct Known {
  /// Constants are its null space: the means of b and x are removed.
  bool constant_null_space = false;
  /// It may be negative definite, and the preconditioner with it; for conjugate gradients.
  bool either_sign = false;
};

struct Settings {
  Method method = Method::automatic;
  Norm norm = Norm::two;
  double relative = 1e-8; ///< limit of the residual, of b (of the first residual where b is 0)
  double absolute = 0;    ///< limit of the residual before it is divided
  int max_iterations = 10000;
  Limits limits = {};
  int restart = 50;              ///< of both gmres
  Extremes eigenvalues = {0, 0}; ///< of the preconditioned matrix, for chebyshev; 0: estimated
  Known known = {};
  double recomputed = 0.1; ///< share of iterations that cg_predicted may repeat a product in
  Monitor monitor = {};
};

/// How often a matrix and its preconditioner were applied.
struct Products {
  std::int64_t applications = 0;
  std::int64_t preconditionings = 0;
  std::int64_t extra = 0; ///< of both, to repair accuracy
};

struct Report {
  Reason reason = Reason::converged;
  Method method = Method::automatic; ///< the one that ran
  int iterations = 0;
  double residual = 0;           ///< the last one of the recurrence, relative
  double true_residual = 0;      ///< of x as returned, by its definition, relative
  std::vector<double> residuals; ///< before the first and after each iteration
  std::int64_t reductions = 0;
  std::int64_t messages = 0; ///< sent by this rank for reductions
  std::int64_t polls = 0;    ///< looks at these messages beside other work
  Products products;
  double vectors = 0; ///< read or written by loops over them

  [[nodiscard]] bool is_converged() const { return reason == Reason::converged; }
};

/// Collective. Solves A x = b from the guess in x, which holds the solution at the end. Throws
/// Error on all ranks where sizes do not fit; what happens to the iteration is in the report.
Report solve(Operator& matrix, Preconditioner& preconditioner, std::span<const double> b,
             std::span<double> x, const Settings& settings = {});

} // namespace isthmus::la
