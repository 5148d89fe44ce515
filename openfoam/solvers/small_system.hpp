// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "isthmus/la/dense.hpp"
#include "isthmus/la/envelope.hpp"

#include <span>
#include <vector>

namespace isthmus::openfoam {

/// Which unknowns of the small system of deflated gradients there are, as many of each rank as it
/// has functions, and in which order they are factorized: ranks in reverse Cuthill-McKee order of
/// the mesh's parts, so that the factor has few entries. The same on all ranks; depends on the mesh
/// only.
struct SmallPattern {
  SmallPattern() = default;
  /// Of each rank: the ranks at its sides, num_sides of them with -1 for none, and then the
  /// functions that are not zero, as bits of a number.
  SmallPattern(std::size_t functions, std::size_t sides, std::vector<int> of_ranks);

  [[nodiscard]] std::size_t num_ranks() const { return about_ranks.size() / (num_sides + 1); }
  [[nodiscard]] int rank_at(std::size_t rank, std::size_t side) const {
    return about_ranks[rank * (num_sides + 1) + side];
  }
  [[nodiscard]] bool has(std::size_t rank, std::size_t function) const {
    return (about_ranks[rank * (num_sides + 1) + num_sides] >> function & 1) != 0;
  }

  std::size_t num_functions = 0; // of each rank
  std::size_t num_sides = 0;     // the most that a rank has
  std::vector<int> about_ranks;
  std::vector<LocalIndex> numbers; // of each function of each rank; -1: it is zero
  std::vector<LocalIndex> first;   // of each row of the envelope
};

/// The system itself, factorized.
class SmallSystem {
 public:
  SmallSystem() = default;
  /// `rows`: of each rank num_sides + 1 blocks, with its own functions and those of each side, each
  /// the products with one function after the other. The matrix is the mean of this and its
  /// transpose, positive or negative semidefinite; where it is singular it is solved as a dense
  /// one.
  SmallSystem(const SmallPattern& pattern, std::span<const double> rows);

  /// `values` of all functions of all ranks; those that are zero get none.
  void solve(std::span<double> values) const;
  [[nodiscard]] bool is_dense() const { return is_dense_; }
  /// Entries of the factor.
  [[nodiscard]] std::size_t num_entries() const {
    return is_dense_ ? number_ * number_ : sparse_.num_entries();
  }

 private:
  const SmallPattern* pattern_ = nullptr;
  std::size_t number_ = 0; // of unknowns
  double sign_ = 1;        // -1: the matrix is negative definite
  bool is_dense_ = false;
  la::EnvelopeSolver sparse_;
  la::SymmetricSolver dense_;
};

} // namespace isthmus::openfoam
