// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace isthmus::mps {

/// The weight with which particles act on each other, radius over distance less one (Koshizuka and
/// Oka, doi 10.13182/NSE96-A24205), and what a full square or cubic lattice of particles has.
class Kernel {
 public:
  /// `spacing` of the lattice, `radius` in spacings: more than one.
  Kernel(int dimensions, double spacing, double radius);

  [[nodiscard]] int dimensions() const { return dimensions_; }
  [[nodiscard]] double spacing() const { return spacing_; }
  [[nodiscard]] double radius() const { return radius_; }
  /// 0 < distance < radius().
  [[nodiscard]] double weight(double distance) const { return radius_ / distance - 1; }
  /// Sum of the weights of all neighbours on the lattice.
  [[nodiscard]] double density() const { return density_; }
  /// Mean square distance of the neighbours, weighted.
  [[nodiscard]] double lambda() const { return lambda_; }
  /// Factor of the sum of weighted differences that gives a Laplacian.
  [[nodiscard]] double laplacian() const { return 2 * dimensions_ / (lambda_ * density_); }
  /// Factor of the sum of weighted differences over distances that gives a derivative.
  [[nodiscard]] double derivative() const { return dimensions_ / density_; }

 private:
  int dimensions_;
  double spacing_;
  double radius_;
  double density_ = 0;
  double lambda_ = 0;
};

} // namespace isthmus::mps
