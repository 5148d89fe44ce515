// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <mpi.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// NumPy arrays as spans, and vectors as NumPy arrays that own them.
namespace isthmus::python {

namespace nb = nanobind;

template <typename T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename T, typename... Form>
std::span<const T> span_of(const nb::ndarray<const T, Form...>& array) {
  return {array.data(), array.size()};
}

template <typename T, typename... Form>
std::vector<T> vector_of(const nb::ndarray<const T, Form...>& array) {
  const std::span<const T> values = span_of(array);
  return {values.begin(), values.end()};
}

/// `columns` 0: one dimension.
template <typename T>
nb::ndarray<nb::numpy, T> numpy_of(std::vector<T> values, std::size_t columns = 0) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  if (columns == 0) {
    return nb::ndarray<nb::numpy, T>(owned->data(), {owned->size()}, owner);
  }
  return nb::ndarray<nb::numpy, T>(owned->data(), {owned->size() / columns, columns}, owner);
}

/// None: no communicator; otherwise that of mpi4py, whose MPI must be ours.
inline std::optional<MPI_Comm> mpi_of(nb::handle communicator) {
  if (communicator.is_none()) {
    return std::nullopt;
  }
  check(nb::hasattr(communicator, "py2f"),
        "the communicator must be one of mpi4py or None, it is {}", nb::repr(communicator).c_str());
  return MPI_Comm_f2c(nb::cast<MPI_Fint>(communicator.attr("py2f")()));
}

/// Collective. Without a communicator alone.
inline comm::Comm comm_of(nb::handle communicator) {
  const std::optional<MPI_Comm> handle = mpi_of(communicator);
  return handle ? comm::Comm(*handle) : comm::Comm();
}

/// Points are rows of 2 or 3 coordinates.
inline int dim_of(const Array2<double>& points) {
  check(points.shape(1) == 2 || points.shape(1) == 3,
        "points have {} coordinates; give rows of 2 or 3", points.shape(1));
  return static_cast<int>(points.shape(1));
}

} // namespace isthmus::python
