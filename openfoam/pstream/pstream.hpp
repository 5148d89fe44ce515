// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "deliveries.hpp"
#include "discoveries.hpp"
#include "host_rows.hpp"
#include "ranks.hpp"
#include "watch.hpp"

#include <memory>
#include <vector>

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
  std::unique_ptr<HostRows> host_rows; // where all ranks are on one host
  std::vector<double> rows;            // of a sum
};

[[nodiscard]] Pstream& pstream();

} // namespace isthmus::openfoam
