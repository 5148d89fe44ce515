// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.hpp"

#include "isthmus/base/exception.hpp"

NB_MODULE(_kit, module) {
  module.doc() = "The kit of Isthmus for NumPy arrays; isthmus.kit is its face.";
  nanobind::exception<isthmus::Error>(module, "Error", PyExc_ValueError);
  isthmus::python::bind_partition(module);
  isthmus::python::bind_blocks(module);
  isthmus::python::bind_order(module);
  isthmus::python::bind_search(module);
}
