// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/kinds.hpp"

#include <cstddef>

namespace isthmus::radial {

/// Right sides that are solved for, and points that are looked at, together.
constexpr std::size_t lanes = 8;

/// A number for each of them; rows begin where lines of the cache do.
struct alignas(lanes * sizeof(double)) LaneRow {
  double of[lanes];
};

/// Coordinates of centers, one array for each axis, and those of a point.
struct CenterCoordinates {
  const double* x;
  const double* y;
  const double* z;
};

/// A symmetric matrix, row by row, and its factors in the same memory. Rows are as many as blocks
/// of them hold, the stride is a multiple of the lanes.
struct SmallRows {
  double* entries;
  std::size_t rows;
  std::size_t stride;
  double* inverse_pivots; // one for each row
};

/// The polynomial beside the functions of a cluster of `size` centers, a row of most_terms numbers
/// for each: values of the terms, and the coefficients that a value there adds.
struct TermRows {
  static constexpr std::size_t most_terms = 4;
  std::size_t num_terms;
  const double* values;
  const double* fits;
  std::size_t size;
};

/// What takes the time of the set-up of clusters, compiled for one set of instructions.
struct Kernels {
  /// Makes D^-1 of the pivots and D U, whose diagonal they are, of U^T D U, U having ones on its
  /// diagonal; from the upper part. False if a pivot is not positive.
  bool (*factor_definite)(const SmallRows& matrix);
  /// Makes L U, with rows exchanged as `order` says then. False if it is singular.
  bool (*factor_any)(const SmallRows& matrix, std::size_t* order);
  /// Replaces right sides, a row of lanes for each equation, by solutions.
  void (*solve_definite)(const SmallRows& factors, double* x);
  /// The same after factor_any(), for right sides that are in its order.
  void (*solve_any)(const SmallRows& factors, double* x);
  /// Squares of the distances of `count` centers from a point.
  void (*distances2)(const CenterCoordinates& centers, const double* point, std::size_t count,
                     double* to);
  /// The same from a point of each lane, whose x, y, z are rows of lanes; a row for each center.
  void (*distances2_of_lanes)(const CenterCoordinates& centers, const double* points,
                              std::size_t count, double* to);
  /// Corrects weights, a row of lanes for each center, so that they weigh the terms as `wanted`, a
  /// row for each of these.
  void (*correct)(const TermRows& terms, const double* wanted, double* weights);
  /// Weights of `count` lanes, times factors, as one row of `size` numbers for each.
  void (*spread)(const double* weights, std::size_t size, const double* factors, std::size_t count,
                 double* rows);
  /// Replaces squares of distances by the radial function there.
  void (*apply)(BasisKind kind, double parameter, double* distances2, std::size_t count);
};

/// Sets of instructions: what the compiler takes for any processor of the kind; the others are of
/// x86.
enum class Instructions { plain, avx2, avx512 };

/// Whether this processor has them.
[[nodiscard]] bool has(Instructions instructions);
/// Error if it has not.
[[nodiscard]] const Kernels& kernels_of(Instructions instructions);
/// Those that the text names: plain, avx2, avx512; the fastest if it is null. Error if there are
/// none of this name, or not on this processor.
[[nodiscard]] const Kernels& kernels_named(const char* text);
/// Error unless those that ISTHMUS_INSTRUCTIONS names are here.
void check_instructions();
/// Those that it names, read once; the fastest if it is unset.
[[nodiscard]] const Kernels& kernels();

} // namespace isthmus::radial
