// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <precice/export.h>
#include <precice/Participant.hpp>
#include <precice/Types.hpp>

#include <iosfwd>

namespace precice {
namespace tooling {

enum struct ConfigReferenceType {
  XML = 0, ///< commented XML
  DTD = 1, ///< document type definition
  MD = 2   ///< Markdown
};

/// Writes the reference of the configuration language.
PRECICE_API void printConfigReference(std::ostream& out, ConfigReferenceType reftype);

/// Throws Error if the file is not a valid configuration, or not one for `participant` on `size`
/// ranks. An empty participant checks the file alone. Says on the standard output what it checks
/// and, if all is well, "No major issues detected"; warnings go to the standard error.
PRECICE_API void checkConfiguration(::precice::string_view configFilename,
                                    ::precice::string_view participant, int size);

} // namespace tooling
} // namespace precice
