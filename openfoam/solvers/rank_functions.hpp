// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "small_system.hpp"

#include "lduMatrix.H"

#include <mpi.h>

#include <memory>
#include <span>
#include <vector>

namespace isthmus::openfoam {

/// A constant and the coordinates in the cells of one rank, orthonormal, and zero elsewhere;
/// and what of those of the neighbouring ranks touches this rank. Depends on the mesh only.
struct RankBasis {
  struct Side { // of one interface between this rank and another
    Foam::label interface = 0;
    int rank = 0;
    std::vector<double> theirs; // function by function, of the cells beyond each face
  };
  int rank = 0;
  int num_ranks = 1;
  std::size_t num_functions = 0; // of each rank
  std::vector<double> own;       // function by function
  std::vector<Side> sides;
  SmallPattern pattern; // of the system that all functions form
};

/// The functions of all ranks, for conjugate gradients on one matrix: the small system follows from
/// what each rank and its neighbours have in common, which all send to all in one exchange.
class RankFunctions {
 public:
  /// Collective over the ranks of the matrix, whose communicator this is (MPI_COMM_NULL: one rank
  /// without MPI). Nothing where a border couples cells other than by
  /// messages of one rank to another, where the matrix is none of a mesh with cells (but a level of
  /// multigrid), or where the small system would not be small.
  static std::unique_ptr<RankFunctions> make(const Foam::lduMatrix::solver& solver, MPI_Comm comm);

  /// The number of functions of all ranks.
  [[nodiscard]] std::size_t size() const;
  /// Local. Adds to `parts`, of size() entries, what this rank's entries of v bring to its products
  /// with the functions.
  void project(std::span<const double> v, std::span<double> parts) const;
  /// Local. Of the combination of the functions whose product with the matrix has these products
  /// with them, and of that product, this rank's entries. Returns the product of the two vectors.
  double combine(std::span<const double> products, std::span<double> combination,
                 std::span<double> multiplied) const;

 private:
  RankFunctions(const RankBasis& basis, const Foam::lduMatrix::solver& solver, MPI_Comm comm);
  void multiply_own(const Foam::lduMatrix& matrix);
  /// Adds the products of v with the functions of this rank, as many as it has.
  void project_own(std::span<const double> v, std::span<double> parts) const;
  /// This rank's rows of the small matrix: with its own functions, then those of each side.
  [[nodiscard]] std::vector<double> rows() const;
  void factorize(MPI_Comm comm);
  /// Adds what a side brings to the product of the matrix and these functions of its rank.
  void add_side(std::size_t side, const double* factors, std::span<double> to) const;

  const RankBasis& basis_;
  const Foam::lduMatrix::solver& solver_;
  std::vector<double> products_; // of the matrix without its interfaces and each own function
  SmallSystem small_;
};

} // namespace isthmus::openfoam
