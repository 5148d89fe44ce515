// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>

namespace isthmus::grammar {

enum class ReferenceFormat { xml, dtd, markdown };

/// The whole configuration language, from the grammar table.
void print_reference(std::ostream& stream, ReferenceFormat format);

} // namespace isthmus::grammar
