// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "bindings.hpp"

#include "isthmus/geometry/search/point_index.hpp"

#include <nanobind/stl/pair.h>

namespace isthmus::python {

namespace {

// Remembers the dimension of its points.
class Search {
 public:
  explicit Search(const Array2<double>& points)
      : dim_(dim_of(points)), index_(dim_, span_of(points)) {}

  auto nearest(const Array2<double>& queries) const {
    check(dim_of(queries) == dim_, "queries have {} coordinates and the points {}", dim_of(queries),
          dim_);
    std::vector<LocalIndex> ids(queries.shape(0));
    std::vector<double> distances2(queries.shape(0));
    index_.nearest(span_of(queries), ids, distances2);
    return std::pair(numpy_of(std::move(ids)), numpy_of(std::move(distances2)));
  }

  [[nodiscard]] std::size_t size() const { return index_.size(); }

 private:
  int dim_;
  geometry::PointIndex index_;
};

} // namespace

void bind_search(nb::module_& module) {
  nb::class_<Search>(module, "PointIndex", "Finds the nearest of many points.")
      .def(nb::init<const Array2<double>&>(), nb::arg("points"))
      .def("nearest", &Search::nearest, nb::arg("queries"),
           "Ids and squared distances of the points nearest to the queries.")
      .def("__len__", &Search::size);
}

} // namespace isthmus::python
