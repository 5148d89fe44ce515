// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/slabs/slab.hpp"

#include "isthmus/base/sequence.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::discrete {

namespace {

Share own_layers(const comm::Comm& comm, int layers) {
  return share_of(comm.rank(), comm.size(), layers);
}

/// The layers at both ends go to the ranks beside this one.
exchange::Halo end_layers(const comm::Comm& comm, int layers, int n) {
  const LocalIndex size = (n + 2) * (n + 2);
  std::vector<exchange::Halo::Neighbour> targets;
  std::vector<exchange::Halo::Source> sources;
  const auto add = [&](int rank, int layer) {
    std::vector<LocalIndex> entries;
    for (LocalIndex k = 0; k < size; ++k) {
      entries.push_back(layer * size + k);
    }
    targets.push_back({rank, std::move(entries)});
    sources.push_back({rank, size});
  };
  if (comm.rank() > 0) {
    add(comm.rank() - 1, 1);
  }
  if (comm.rank() + 1 < comm.size()) {
    add(comm.rank() + 1, layers);
  }
  return {std::move(targets), std::move(sources)};
}

} // namespace

Slab::Slab(const comm::Comm& comm, int length, int n)
    : comm_(comm),
      n_(n),
      first_(static_cast<int>(own_layers(comm, length * n).first)),
      layers_(static_cast<int>(own_layers(comm, length * n).count)),
      halo_(end_layers(comm, layers_, n)) {}

void Slab::exchange(int components, std::span<double> values) {
  const auto layer = static_cast<std::ptrdiff_t>(at(1, 0, 0)) * components;
  arrived_.resize(2 * static_cast<std::size_t>(layer));
  halo_.forward(comm_, components, values, arrived_);
  auto from = arrived_.begin();
  if (!has_left_wall()) {
    std::copy_n(from, layer, values.begin());
    from += layer;
  }
  if (!has_right_wall()) {
    std::copy_n(from, layer, values.end() - layer);
  }
}

} // namespace isthmus::discrete
