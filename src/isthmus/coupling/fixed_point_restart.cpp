// SPDX-License-Identifier: BSD-3-Clause
// What a fixed point needs to go on after a restart. Ranks without vertices, or without values at
// them, do not know how many samples a window has: numbers of samples are agreed on.
#include "isthmus/comm/collective.hpp"
#include "isthmus/coupling/fixed_point.hpp"

#include <algorithm>

namespace isthmus::coupling {

using acceleration::StateArray;

/// Samples of each entry; columns of each state array, and their samples of each field.
std::vector<int> FixedPoint::agreed_counts(std::span<const StateArray> arrays) const {
  std::vector<int> counts;
  for (const Entry& entry : entries_) {
    counts.push_back(static_cast<int>(entry.grid.size()));
  }
  for (const StateArray& array : arrays) {
    counts.push_back(static_cast<int>(array.columns));
    counts.insert(counts.end(), array.samples.begin(), array.samples.end());
  }
  comm::allreduce(comm_, std::span(counts), comm::Op::max);
  return counts;
}

/// The times of the samples of all entries.
std::vector<double> FixedPoint::agreed_grids(std::span<const int> counts) const {
  std::vector<double> grids;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const auto count = static_cast<std::size_t>(counts[e]);
    const std::vector<double>& grid = entries_[e].grid;
    grids.resize(grids.size() + count, 0.0);
    if (grid.size() == count) {
      std::copy(grid.begin(), grid.end(), grids.end() - counts[e]);
    }
  }
  comm::allreduce(comm_, std::span(grids), comm::Op::max);
  return grids;
}

void FixedPoint::save(Writer& shared, const KeepSample& keep) const {
  const std::vector<StateArray> arrays =
      accelerator_ ? accelerator_->save() : std::vector<StateArray>{};
  const std::vector<int> counts = agreed_counts(arrays);
  shared.put_array(counts).put_array(agreed_grids(counts));
  for (const Entry& entry : entries_) {
    keep(*entry.field, entry.previous.values(entry.previous.num_samples() - 1));
  }
  shared.put(arrays.size());
  const int* next = counts.data() + entries_.size();
  std::vector<double> sample;
  for (const StateArray& array : arrays) {
    shared.put_text(array.name).put(array.samples.size()).put(array.of_unknowns);
    shared.put_array(array.samples.empty() ? array.values : std::vector<double>{});
    const int columns = *next++;
    std::span<const double> left(array.values);
    for (int column = 0; column < columns; ++column) {
      for (std::size_t f = 0; f < array.samples.size(); ++f) {
        const std::size_t size = array.of_unknowns ? unknowns_[f].size() : entries_[f].layout.size;
        for (int s = 0; s < next[f]; ++s) {
          const bool is_here = static_cast<std::size_t>(s) < array.samples[f] && !left.empty();
          std::span<const double> values = left.first(is_here ? size : 0);
          left = left.subspan(values.size());
          if (is_here && array.of_unknowns) {
            sample.assign(entries_[f].layout.size, 0.0);
            unknowns_[f].scatter(values, sample);
            values = sample;
          }
          keep(*entries_[f].field, values);
        }
      }
    }
    next += array.samples.size();
  }
}

void FixedPoint::restore(Reader& shared, double time, const TakeSample& take) {
  const auto counts = shared.get_array<int>();
  const auto grids = shared.get_array<double>();
  auto grid = grids.begin();
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    Entry& entry = entries_[e];
    entry.grid.assign(grid, grid + counts[e]);
    grid += counts[e];
    entry.layout.samples = entry.grid.size();
    entry.previous.clear();
    entry.previous.append(time, take(*entry.field));
  }
  is_laid_out_ = true;
  is_start_ = is_renewed_ = false;
  if (accelerator_) {
    prepare_accelerator();
  }
  std::vector<StateArray> arrays(shared.get<std::size_t>());
  const int* next = counts.data() + entries_.size();
  std::vector<double> sample;
  for (StateArray& array : arrays) {
    array.name = shared.get_text();
    const auto num_fields = shared.get<std::size_t>();
    array.of_unknowns = shared.get<bool>();
    array.values = shared.get_array<double>();
    const int columns = *next++;
    for (int column = 0; column < columns; ++column) {
      for (std::size_t f = 0; f < num_fields; ++f) {
        for (int s = 0; s < next[f]; ++s) {
          std::vector<double> values = take(*entries_[f].field);
          if (array.of_unknowns) {
            sample.resize(unknowns_[f].size());
            unknowns_[f].gather(values, sample);
            values.swap(sample);
          }
          array.values.insert(array.values.end(), values.begin(), values.end());
        }
      }
    }
    next += num_fields;
  }
  if (accelerator_) {
    accelerator_->restore(arrays);
  }
}

} // namespace isthmus::coupling
