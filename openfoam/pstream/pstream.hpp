// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "deliveries.hpp"
#include "discoveries.hpp"
#include "ranks.hpp"
#include "watch.hpp"

/// State of this process that all files of libPstream.so share, as OpenFOAM's interface is static.
namespace isthmus::openfoam {

struct Pstream {
  Communicators communicators;
  Requests requests;
  Postbox postbox;
  Deliveries deliveries;
  Discoveries discoveries;
  std::vector<int> free_tags;
  int next_tag = 0;
};

[[nodiscard]] Pstream& pstream();

} // namespace isthmus::openfoam
