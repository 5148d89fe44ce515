// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>

namespace isthmus::python {

void bind_partition(nanobind::module_& module);
void bind_blocks(nanobind::module_& module);
void bind_order(nanobind::module_& module);
void bind_search(nanobind::module_& module);

} // namespace isthmus::python
