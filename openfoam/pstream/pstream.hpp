// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "deliveries.hpp"
#include "ranks.hpp"

/// State of this process that all files of libPstream.so share, as OpenFOAM's interface is static.
namespace isthmus::openfoam {

struct Pstream {
  Communicators communicators;
  Requests requests;
  Postbox postbox;
  Deliveries deliveries;
  std::vector<int> free_tags;
  int next_tag = 0;
};

[[nodiscard]] Pstream& pstream();

} // namespace isthmus::openfoam
