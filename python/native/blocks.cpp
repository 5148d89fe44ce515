// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "bindings.hpp"

#include "isthmus/partition/blocks.hpp"

namespace isthmus::python {

namespace {

using namespace isthmus::partition;

constexpr std::size_t columns = 8; // block, begin, end, part

auto distribute(const Array2<int>& cells, const Array2<double>& centers, const Array2<int>& seams,
                int parts, double tolerance, bool split) {
  check(cells.shape(1) == 3 && centers.shape(1) == 3 && cells.shape(0) == centers.shape(0) &&
            seams.shape(1) == 3,
        "blocks have rows of 3 numbers of cells and of 3 coordinates of the centre, seams rows of "
        "low block, high block and axis");
  Multiblock grid;
  for (std::size_t b = 0; b < cells.shape(0); ++b) {
    const int* n = cells.data() + 3 * b;
    const double* x = centers.data() + 3 * b;
    grid.blocks.push_back({{n[0], n[1], n[2]}, {x[0], x[1], x[2]}});
  }
  for (std::size_t i = 0; i < seams.shape(0); ++i) {
    const int* seam = seams.data() + 3 * i;
    grid.seams.push_back({seam[0], seam[1], seam[2]});
  }
  std::vector<int> rows;
  for (const Piece& piece :
       distribute_blocks(grid, parts, {.tolerance = tolerance, .split = split})) {
    rows.push_back(piece.block);
    rows.insert(rows.end(), piece.begin.begin(), piece.begin.end());
    rows.insert(rows.end(), piece.end.begin(), piece.end.end());
    rows.push_back(piece.part);
  }
  return numpy_of(std::move(rows), columns);
}

} // namespace

void bind_blocks(nb::module_& module) {
  module.def("distribute_blocks", &distribute, nb::arg("cells"), nb::arg("centers"),
             nb::arg("seams"), nb::arg("parts"), nb::arg("tolerance") = 1.02,
             nb::arg("split") = true);
}

} // namespace isthmus::python
