// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/held_mesh.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::planning {

namespace {

/// The elements whose corners are all held, in new numbers.
std::vector<LocalIndex> held_elements(std::span<const LocalIndex> elements, std::size_t corners,
                                      std::span<const LocalIndex> numbers) {
  std::vector<LocalIndex> held;
  for (std::size_t first = 0; first < elements.size(); first += corners) {
    const auto element = elements.subspan(first, corners);
    const auto number = [numbers](LocalIndex v) { return numbers[static_cast<std::size_t>(v)]; };
    if (std::all_of(element.begin(), element.end(), [&](LocalIndex v) { return number(v) >= 0; })) {
      std::transform(element.begin(), element.end(), std::back_inserter(held), number);
    }
  }
  return held;
}

} // namespace

HeldMesh hold(const mesh::Mesh& transferred, std::span<const LocalIndex> reads,
              const ReceivedPlan& plan, std::span<const double> measures) {
  std::vector<LocalIndex> numbers(reads.begin(), reads.end()); // -1: not held
  for (const PlannedMapping& mapping : plan.mappings) {
    for (const LocalIndex vertex : mapping.vertices) {
      numbers[static_cast<std::size_t>(vertex)] = 0;
    }
  }
  HeldMesh held;
  held.read.resize(static_cast<std::size_t>(plan.num_read));
  std::vector<double> coordinates;
  LocalIndex next = 0;
  for (LocalIndex v = 0; v < transferred.num_vertices(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    if (numbers[at] >= 0) {
      const auto place = transferred.vertex(v);
      coordinates.insert(coordinates.end(), place.begin(), place.end());
      if (reads[at] >= 0) {
        held.read[static_cast<std::size_t>(reads[at])] = next;
      }
      if (!measures.empty()) {
        held.measures.push_back(measures[at]);
      }
      numbers[at] = next++;
    }
  }
  for (const PlannedMapping& mapping : plan.mappings) {
    std::vector<LocalIndex>& written = held.written.emplace_back();
    for (const LocalIndex vertex : mapping.vertices) {
      written.push_back(numbers[static_cast<std::size_t>(vertex)]);
    }
  }
  held.mesh = mesh::Mesh(transferred.name(), transferred.dimensions(), std::move(coordinates),
                         held_elements(transferred.edges(), 2, numbers),
                         held_elements(transferred.triangles(), 3, numbers),
                         held_elements(transferred.tetrahedra(), 4, numbers));
  return held;
}

} // namespace isthmus::planning
