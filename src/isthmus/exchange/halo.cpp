// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/halo.hpp"

#include "isthmus/comm/await.hpp"

#include <algorithm>

namespace isthmus::exchange {

namespace {
constexpr int halo_tag = 271;
} // namespace

Halo::Halo(std::vector<Neighbour> targets, std::vector<Source> sources)
    : targets_(std::move(targets)), sources_(std::move(sources)) {
  for (const Source& source : sources_) {
    num_copies_ += source.count;
  }
  requests_.resize(targets_.size() + sources_.size());
}

void Halo::forward(const comm::Comm& comm, int components, std::span<const double> values,
                   std::span<double> copies) {
  begin_forward(comm, components, values, copies).finish();
}

Halo::Pending Halo::begin_forward(const comm::Comm& comm, int components,
                                  std::span<const double> values, std::span<double> copies) {
  if (empty()) {
    return {*this, comm};
  }
  const auto width = static_cast<std::size_t>(components);
  std::size_t request = 0;
  double* into = copies.data();
  for (const Source& source : sources_) {
    const std::size_t count = static_cast<std::size_t>(source.count) * width;
    MPI_Irecv(into, static_cast<int>(count), MPI_DOUBLE, source.rank, halo_tag, comm.raw(),
              &requests_[request++]);
    into += count;
  }
  std::size_t total = 0;
  for (const Neighbour& target : targets_) {
    total += target.entries.size() * width;
  }
  outgoing_.resize(std::max(outgoing_.size(), total));
  double* from = outgoing_.data();
  for (const Neighbour& target : targets_) {
    double* const begin = from;
    for (LocalIndex entry : target.entries) {
      from = std::copy_n(values.data() + static_cast<std::size_t>(entry) * width, width, from);
    }
    MPI_Isend(begin, static_cast<int>(from - begin), MPI_DOUBLE, target.rank, halo_tag, comm.raw(),
              &requests_[request++]);
  }
  return {*this, comm};
}

void Halo::Pending::finish() {
  if (!halo_->empty()) {
    comm::await(*comm_, halo_->requests_);
  }
}

} // namespace isthmus::exchange
