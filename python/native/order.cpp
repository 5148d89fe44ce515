// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "bindings.hpp"

#include "isthmus/geometry/morton.hpp"
#include "isthmus/partition/order.hpp"

namespace isthmus::python {

void bind_order(nb::module_& module) {
  module.def(
      "reverse_cuthill_mckee",
      [](const Array1<GlobalIndex>& offsets, const Array1<GlobalIndex>& targets) {
        const std::span<const GlobalIndex> starts = span_of(offsets);
        const std::span<const GlobalIndex> ends = span_of(targets);
        const std::vector<std::size_t> own_offsets(starts.begin(), starts.end());
        const std::vector<LocalIndex> neighbours(ends.begin(), ends.end());
        check(!own_offsets.empty() && own_offsets.back() == neighbours.size(),
              "offsets must end with the number of targets, {}", neighbours.size());
        return numpy_of(partition::reverse_cuthill_mckee({own_offsets, neighbours}));
      },
      nb::arg("offsets"), nb::arg("targets"));
  module.def(
      "hilbert_order",
      [](const Array2<double>& points) {
        return numpy_of(partition::hilbert_order(dim_of(points), span_of(points)));
      },
      nb::arg("points"));
  module.def(
      "morton_order",
      [](const Array2<double>& points) {
        return numpy_of(geometry::curve_order(dim_of(points), span_of(points)));
      },
      nb::arg("points"));
}

} // namespace isthmus::python
