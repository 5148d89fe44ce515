// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/krylov/basis.hpp"
#include "isthmus/la/krylov/solve.hpp"
#include "isthmus/la/krylov/stopping.hpp"
#include "isthmus/la/vector.hpp"

#include <initializer_list>
#include <list>
#include <optional>
#include <vector>

namespace isthmus::la {

/// What all solvers share: products and sums that are counted, vectors, the test for the end.
class Iteration {
 public:
  Iteration(Operator& matrix, Preconditioner& preconditioner, std::span<const double> b,
            std::span<double> x, const Settings& settings, std::size_t num_sums);

  const Settings& settings;
  const std::span<const double> b;
  const std::span<double> x;
  Stopping stopping;

  /// Zeros of the length of the own rows. Valid as long as this.
  [[nodiscard]] std::span<double> vector();
  [[nodiscard]] std::size_t size() const { return x.size(); }

  void multiply(std::span<const double> from, std::span<double> to);
  void precondition(std::span<const double> from, std::span<double> to);
  /// The same beside the reduction that is under way; it is moved on by a share of its stages.
  void multiply_beside(std::span<const double> from, std::span<double> to);
  void precondition_beside(std::span<const double> from, std::span<double> to);
  /// r = b - A x.
  void subtract_product(std::span<double> r);
  /// v *= factor.
  void scale(std::span<double> v, double factor);
  /// x += M times the sum of the first vectors, each with its factor; the last two are work.
  void correct(std::span<const double> factors, const Basis& vectors,
               std::span<double> preconditioned, std::span<double> sum);
  /// Products that an exact arithmetic would not need.
  void count_extra(int products) { products_.extra += products; }

  void begin_sums(std::initializer_list<double> parts);
  void begin_sums(std::span<const double> parts) { reduction_.begin(parts); }
  std::span<const double> finish_sums() { return reduction_.finish(); }
  std::span<const double> sums(std::initializer_list<double> parts);
  std::span<const double> sums(std::span<const double> parts) { return reduction_.sum(parts); }
  /// For a loop beside the reduction that is under way, which takes this share of the time.
  [[nodiscard]] Overlap beside(double share) {
    constexpr double calls = 4; // for each stage; most of them find that it is too early to look
    return {&reduction_, static_cast<int>(calls * share * reduction_.num_stages()) + 1};
  }

  /// This rank's part of the norm that ends the iteration.
  [[nodiscard]] double norm_part(std::span<const double> r) const {
    return norm_part(r, 0, r.size());
  }
  [[nodiscard]] double norm_part(std::span<const double> r, std::size_t first,
                                 std::size_t last) const;
  /// The sum of the parts as a norm.
  [[nodiscard]] double norm_of(double sum) const;

  /// Accounts for loops that read and wrote so many vectors.
  void touched(double vectors);

  /// Collective. Counts, and the residual by its definition.
  [[nodiscard]] Report finish();

 private:
  [[nodiscard]] double find_reference();

  Operator& matrix_;
  Preconditioner& preconditioner_;
  comm::Reduction reduction_;
  std::list<std::vector<double>> vectors_;
  std::optional<std::span<const double>> first_product_; // A x of the guess, which the norm needed
  Products products_;
  double vectors_touched_ = 0;
};

/// The methods. Each leaves its solution in x and the reason in the iteration.
void run_cg(Iteration& it, bool norm_apart);
void run_merged_cg(Iteration& it);
void run_pipelined_cg(Iteration& it, bool rearranged);
void run_predicted_cg(Iteration& it);
void run_gmres(Iteration& it);
void run_pipelined_gmres(Iteration& it);
void run_bicgstab(Iteration& it, bool merged);
void run_pipelined_bicgstab(Iteration& it);
void run_chebyshev(Iteration& it);

/// Collective. Measures reductions, products and loops, and chooses; the same on all ranks.
[[nodiscard]] Method fastest_gradients(Iteration& it, const comm::Comm& comm);

} // namespace isthmus::la
