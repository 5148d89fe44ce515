// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/halo.hpp"

#include "isthmus/comm/await.hpp"
#include "isthmus/exchange/gather.hpp"

#include <algorithm>

namespace isthmus::exchange {

namespace {

constexpr int halo_tag = 271;

/// Starts one message to or from each rank of `parts`, whose values lie one after the other.
template <typename Parts, typename Number, typename Count, typename Start>
MPI_Request* start_all(const Parts& parts, Number* data, MPI_Request* request, Count count,
                       Start start) {
  for (const auto& part : parts) {
    const std::size_t values = count(part);
    start(data, static_cast<int>(values), part.rank, request++);
    data += values;
  }
  return request;
}

} // namespace

Halo::Halo(std::vector<Neighbour> targets, std::vector<Source> sources)
    : targets_(std::move(targets)), sources_(std::move(sources)) {
  for (const Source& source : sources_) {
    num_ghosts_ += source.count;
  }
  for (const Neighbour& target : targets_) {
    num_sent_ += static_cast<LocalIndex>(target.entries.size());
  }
  requests_.resize(targets_.size() + sources_.size(), MPI_REQUEST_NULL);
}

void Halo::reserve(int components) {
  const auto total = static_cast<std::size_t>(num_sent_) * static_cast<std::size_t>(components);
  packed_.resize(std::max(packed_.size(), total));
}

Halo::Pending Halo::begin_forward(const comm::Comm& comm, int components,
                                  std::span<const double> values, std::span<double> ghosts) {
  const auto width = static_cast<std::size_t>(components);
  MPI_Request* request = start_all(
      sources_, ghosts.data(), requests_.data(),
      [width](const Source& source) { return static_cast<std::size_t>(source.count) * width; },
      [&comm](double* into, int count, int rank, MPI_Request* started) {
        MPI_Irecv(into, count, MPI_DOUBLE, rank, halo_tag, comm.raw(), started);
      });
  reserve(components);
  double* to = packed_.data();
  for (const Neighbour& target : targets_) {
    double* const begin = to;
    to = gather(values.data(), target.entries, width, to);
    MPI_Isend(begin, static_cast<int>(to - begin), MPI_DOUBLE, target.rank, halo_tag, comm.raw(),
              request++);
  }
  return {*this, comm, components, {}};
}

Halo::Pending Halo::begin_reverse(const comm::Comm& comm, int components,
                                  std::span<const double> ghosts, std::span<double> values) {
  const auto width = static_cast<std::size_t>(components);
  reserve(components);
  MPI_Request* const sends = start_all(
      targets_, packed_.data(), requests_.data(),
      [width](const Neighbour& target) { return target.entries.size() * width; },
      [&comm](double* into, int count, int rank, MPI_Request* started) {
        MPI_Irecv(into, count, MPI_DOUBLE, rank, halo_tag, comm.raw(), started);
      });
  start_all(
      sources_, ghosts.data(), sends,
      [width](const Source& source) { return static_cast<std::size_t>(source.count) * width; },
      [&comm](const double* from, int count, int rank, MPI_Request* started) {
        MPI_Isend(from, count, MPI_DOUBLE, rank, halo_tag, comm.raw(), started);
      });
  return {*this, comm, components, values};
}

void Halo::add_arrived(int components, std::span<double> values) const {
  const auto width = static_cast<std::size_t>(components);
  const double* from = packed_.data();
  for (const Neighbour& target : targets_) {
    from = scatter(from, target.entries, width, values.data(),
                   [](double& to, double value) { to += value; });
  }
}

void Halo::forward(const comm::Comm& comm, int components, std::span<const double> values,
                   std::span<double> ghosts) {
  begin_forward(comm, components, values, ghosts).finish();
}

void Halo::reverse(const comm::Comm& comm, int components, std::span<const double> ghosts,
                   std::span<double> values) {
  begin_reverse(comm, components, ghosts, values).finish();
}

bool Halo::Pending::progress() {
  return halo_ == nullptr || halo_->empty() || comm::progress(halo_->requests_);
}

void Halo::Pending::finish() {
  Halo* const halo = std::exchange(halo_, nullptr);
  if (halo == nullptr || halo->empty()) {
    return;
  }
  comm::await(*comm_, halo->requests_);
  if (!values_.empty()) {
    halo->add_arrived(components_, values_);
  }
}

Halo::Pending::~Pending() {
  try {
    values_ = {};
    finish();
  } catch (...) { // the requests were given up
  }
}

} // namespace isthmus::exchange
