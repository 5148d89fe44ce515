// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/fields/field.hpp"
#include "isthmus/iteration/fixed_point.hpp"

#include <list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::coupling {

/// What values are: those at points, or parts of a sum.
enum class Quantity { intensive, extensive };

/// Carries values from the vertices of a rank to those that replace them: each new vertex gets
/// those of the nearest old one, zero where there was none; or, so that sums stay, each old one
/// adds its values to those of the nearest new one.
class Carrier {
 public:
  Carrier(int dimensions, std::span<const double> from, std::span<const double> to,
          Quantity quantity = Quantity::intensive);

  /// `width` values per vertex; no values at all mean zeros.
  [[nodiscard]] std::vector<double> carry(std::span<const double> values, int width) const;

 private:
  Quantity quantity_;
  std::size_t num_new_;
  std::vector<LocalIndex> nearest_; // old vertex of each new one, or new of each old; -1: none
};

/// What goes on where the vertices of fields are replaced between two time windows.
class History {
 public:
  /// Takes the samples of a field away; `coordinates`: of its vertices. Only the first call
  /// for a field does anything.
  void keep(fields::Field& field, int dimensions, std::vector<double> coordinates,
            Quantity quantity = Quantity::intensive);
  /// Fields that were kept and have got nothing back yet.
  [[nodiscard]] std::vector<fields::Field*> waiting() const;
  /// Gives a field that has its new size what it had; `coordinates`: of its vertices now.
  void give_back(fields::Field& field, std::span<const double> coordinates);
  /// Collective. The same for what an implicit scheme remembers, the window of which begins at
  /// `time`; once all fields have their new size.
  void carry(iteration::FixedPoint& fixed_point, double time) const;
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    fields::Field* field;
    int dimensions;
    std::vector<double> coordinates;
    Quantity quantity;
    std::vector<std::pair<double, std::vector<double>>> samples; // by time
    std::optional<Carrier> carrier;                              // once given back
  };

  [[nodiscard]] const Kept* find(const fields::Field& field) const;

  std::list<Kept> kept_;
};

} // namespace isthmus::coupling
