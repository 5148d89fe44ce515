// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/grammar/xml.hpp"

#include <string>

namespace isthmus::grammar {

/// Error unless the tree says only what the grammar knows: tags and how often they stand,
/// attributes, types and options.
void check_grammar(const XmlElement& root, const std::string& file);

} // namespace isthmus::grammar
