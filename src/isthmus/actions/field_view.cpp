// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/actions/field_view.hpp"

#include <algorithm>

namespace isthmus::actions {

FieldView::FieldView(const fields::Field& field, const fields::PlannedFields& planned, int num_seen)
    : num_seen_(static_cast<std::size_t>(num_seen)),
      width_(static_cast<std::size_t>(field.width())),
      num_vertices_(field.wave().size() / width_) {
  const planning::HeldMesh* const held = planned.held(field.mesh());
  if (held == nullptr) {
    return;
  }
  is_received_ = true;
  num_vertices_ = static_cast<std::size_t>(held->mesh.num_vertices());
  vertices_ = planned.vertices_of(field);
  std::vector<char> is_known(num_vertices_, 0);
  for (const LocalIndex vertex : vertices_) {
    char& known = is_known[static_cast<std::size_t>(vertex)];
    is_first_.push_back(known == 0 ? 1 : 0);
    known = 1;
  }
}

void FieldView::add(std::span<const double> values, std::span<double> seen) const {
  for (std::size_t i = 0; i < values.size() / width_; ++i) {
    const std::size_t at = is_received_ ? static_cast<std::size_t>(vertices_[i]) : i;
    for (std::size_t c = 0; c < num_seen_; ++c) {
      seen[at * num_seen_ + c] += values[i * width_ + c];
    }
  }
}

void FieldView::take(std::span<const double> seen, std::span<double> values) const {
  for (std::size_t i = 0; i < values.size() / width_; ++i) {
    const std::size_t at = is_received_ ? static_cast<std::size_t>(vertices_[i]) : i;
    const bool is_first = !is_received_ || is_first_[i] != 0;
    for (std::size_t c = 0; c < num_seen_; ++c) {
      values[i * width_ + c] = is_first ? seen[at * num_seen_ + c] : 0.0;
    }
  }
}

std::size_t FieldView::num_lost(std::span<const double> seen) const {
  std::vector<char> is_lost(is_received_ ? num_vertices_ : 0, 1);
  for (const LocalIndex vertex : vertices_) {
    is_lost[static_cast<std::size_t>(vertex)] = 0;
  }
  std::size_t count = 0;
  for (std::size_t v = 0; v < is_lost.size(); ++v) {
    const auto values = seen.subspan(v * num_seen_, num_seen_);
    const bool is_zero = std::all_of(values.begin(), values.end(), [](double x) { return x == 0; });
    count += is_lost[v] != 0 && !is_zero ? 1 : 0;
  }
  return count;
}

} // namespace isthmus::actions
