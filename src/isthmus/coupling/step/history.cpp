// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/history.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/geometry/search/point_index.hpp"

#include <algorithm>

namespace isthmus::coupling {

Carrier::Carrier(int dimensions, std::span<const double> from, std::span<const double> to,
                 Quantity quantity)
    : quantity_(quantity), num_new_(to.size() / static_cast<std::size_t>(dimensions)) {
  const bool adds = quantity == Quantity::extensive;
  const std::span<const double> searched = adds ? to : from;
  const std::span<const double> asking = adds ? from : to;
  nearest_.resize(asking.size() / static_cast<std::size_t>(dimensions));
  std::vector<double> distances2(nearest_.size());
  geometry::PointIndex(dimensions, searched).nearest(asking, nearest_, distances2);
}

std::vector<double> Carrier::carry(std::span<const double> values, int width) const {
  const auto count = static_cast<std::size_t>(width);
  std::vector<double> carried(num_new_ * count, 0.0);
  for (std::size_t i = 0; i < nearest_.size() && !values.empty(); ++i) {
    if (nearest_[i] >= 0) {
      const std::size_t other = static_cast<std::size_t>(nearest_[i]) * count;
      const auto [from, to] = quantity_ == Quantity::extensive ? std::pair(i * count, other)
                                                               : std::pair(other, i * count);
      for (std::size_t c = 0; c < count; ++c) {
        carried[to + c] += values[from + c];
      }
    }
  }
  return carried;
}

const History::Kept* History::find(const fields::Field& field) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&field](const Kept& kept) { return kept.field == &field; });
  return found == kept_.end() ? nullptr : &*found;
}

void History::keep(fields::Field& field, int dimensions, std::vector<double> coordinates,
                   Quantity quantity) {
  if (find(field) != nullptr) {
    return;
  }
  Kept& kept =
      kept_.emplace_back(Kept{&field, dimensions, std::move(coordinates), quantity, {}, {}});
  const time::Waveform& wave = field.wave();
  for (std::size_t s = 0; s < wave.num_samples(); ++s) {
    const auto values = wave.values(s);
    kept.samples.emplace_back(wave.time(s), std::vector<double>(values.begin(), values.end()));
  }
}

std::vector<fields::Field*> History::waiting() const {
  std::vector<fields::Field*> fields;
  for (const Kept& kept : kept_) {
    if (!kept.carrier) {
      fields.push_back(kept.field);
    }
  }
  return fields;
}

void History::give_back(fields::Field& field, std::span<const double> coordinates) {
  Kept& kept = *std::find_if(kept_.begin(), kept_.end(),
                             [&field](const Kept& one) { return one.field == &field; });
  kept.carrier.emplace(kept.dimensions, kept.coordinates, coordinates, kept.quantity);
  for (const auto& [time, values] : kept.samples) {
    field.wave().append(time, kept.carrier->carry(values, field.width()));
  }
  kept.samples.clear();
}

void History::carry(iteration::FixedPoint& fixed_point, double time) const {
  iteration::SampleQueue samples;
  Writer shared;
  fixed_point.save(shared, samples);
  for (auto& [field, queue] : samples.all()) {
    const Kept* const kept = find(*field);
    for (std::vector<double>& values : queue) {
      if (kept != nullptr) {
        values = kept->carrier->carry(values, field->width());
      } else {
        values.resize(field->wave().size(), 0.0);
      }
    }
  }
  fixed_point.start();
  const std::vector<std::byte> bytes = shared.take();
  Reader reader(bytes);
  fixed_point.restore(reader, time, samples);
}

} // namespace isthmus::coupling
