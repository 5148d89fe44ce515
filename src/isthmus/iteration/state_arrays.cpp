// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/iteration/state_arrays.hpp"

namespace isthmus::iteration {

using acceleration::StateArray;

std::vector<int> counts_of(std::span<const StateArray> arrays) {
  std::vector<int> counts;
  for (const StateArray& array : arrays) {
    counts.push_back(static_cast<int>(array.columns));
    counts.insert(counts.end(), array.samples.begin(), array.samples.end());
  }
  return counts;
}

void save(std::span<const StateArray> arrays, std::span<const int> counts, const IteratedData& data,
          Writer& shared, SampleQueue& kept) {
  shared.put(arrays.size());
  const int* next = counts.data();
  std::vector<double> sample;
  for (const StateArray& array : arrays) {
    shared.put_text(array.name).put(array.samples.size()).put(array.of_unknowns);
    shared.put_array(array.samples.empty() ? array.values : std::vector<double>{});
    const int columns = *next++;
    std::span<const double> left(array.values);
    for (int column = 0; column < columns; ++column) {
      for (std::size_t f = 0; f < array.samples.size(); ++f) {
        const IteratedData::Entry& entry = data[f];
        const std::size_t size = array.of_unknowns ? entry.unknowns.size() : entry.layout.size;
        for (int s = 0; s < next[f]; ++s) {
          const bool is_here = static_cast<std::size_t>(s) < array.samples[f] && !left.empty();
          std::span<const double> values = left.first(is_here ? size : 0);
          left = left.subspan(values.size());
          if (is_here && array.of_unknowns) {
            sample.assign(entry.layout.size, 0.0);
            entry.unknowns.scatter(values, sample);
            values = sample;
          }
          kept.keep(*entry.field, values);
        }
      }
    }
    next += array.samples.size();
  }
}

std::vector<StateArray> restore(std::span<const int> counts, const IteratedData& data,
                                Reader& shared, SampleQueue& kept) {
  std::vector<StateArray> arrays(shared.get<std::size_t>());
  const int* next = counts.data();
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
          std::vector<double> values = kept.take(*data[f].field);
          if (array.of_unknowns) {
            sample.resize(data[f].unknowns.size());
            data[f].unknowns.gather(values, sample);
            values.swap(sample);
          }
          array.values.insert(array.values.end(), values.begin(), values.end());
        }
      }
    }
    next += num_fields;
  }
  return arrays;
}

} // namespace isthmus::iteration
