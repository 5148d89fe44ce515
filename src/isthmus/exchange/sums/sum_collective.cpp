// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/sums/sum_collective.hpp"

#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/gather.hpp"

#include <algorithm>
#include <bit>

namespace isthmus::exchange {

namespace {

std::size_t interface_size(const comm::Comm& comm, const InterfacePlan& plan) {
  const auto owned = static_cast<std::int64_t>(plan.shared.size() - plan.foreign.size());
  return static_cast<std::size_t>(comm::allreduce(comm, owned, comm::Op::sum));
}

/// Number of each shared node in the interface: owned ones count, ghosts ask their owners.
std::vector<std::size_t> interface_positions(const comm::Comm& comm, const InterfacePlan& plan) {
  const auto owned = static_cast<std::int64_t>(plan.shared.size() - plan.foreign.size());
  auto next = static_cast<double>(comm::exscan(comm, owned)); // exact as far as 2^53
  std::vector<double> numbers(static_cast<std::size_t>(plan.num_nodes));
  for (std::size_t i = 0; i < plan.shared.size(); ++i) {
    if (plan.owner_of(i) == plan.rank) {
      numbers[static_cast<std::size_t>(plan.shared[i])] = next++;
    }
  }
  InterfaceHalo owners = from_owners(plan);
  std::vector<double> ghosts(owners.nodes.size());
  owners.halo.forward(comm, 1, numbers, ghosts);
  for (std::size_t k = 0; k < ghosts.size(); ++k) {
    numbers[static_cast<std::size_t>(owners.nodes[k])] = ghosts[k];
  }
  std::vector<std::size_t> positions;
  for (const LocalIndex node : plan.shared) {
    positions.push_back(static_cast<std::size_t>(numbers[static_cast<std::size_t>(node)]));
  }
  return positions;
}

/// Where the values of each rank begin, and the end of all.
std::vector<int> begins_of(const std::vector<int>& counts) {
  std::vector<int> begins = {0};
  for (const int count : counts) {
    begins.push_back(begins.back() + count);
  }
  return begins;
}

std::int64_t log2_ceil(int ranks) {
  return std::bit_width(static_cast<unsigned>(ranks - 1));
}

/// What a rank sends of `count` values if each of `ranks` parts passes it once.
std::int64_t passed_bytes(std::size_t count, int ranks) {
  return static_cast<std::int64_t>(count * sizeof(double)) * (ranks - 1) / ranks;
}

} // namespace

Collective::Collective(const comm::Comm& comm, std::size_t part, std::size_t all)
    : comm_(comm), lent_(std::make_unique<Values>()) {
  lent_->part.resize(part);
  lent_->all.resize(all);
}

bool Collective::progress() {
  return comm::progress(std::span(&request_, 1));
}

void Collective::finish() {
  if (request_ != MPI_REQUEST_NULL) {
    comm::await_collective(comm_, std::exchange(request_, MPI_REQUEST_NULL), lent_);
  }
}

Collective::~Collective() {
  try {
    finish();
  } catch (...) { // MPI keeps the values
  }
}

AllreduceSum::AllreduceSum(const comm::Comm& comm, const InterfacePlan& plan, int components)
    : comm_(comm),
      components_(components),
      nodes_(plan.shared),
      positions_(interface_positions(comm, plan)),
      interface_(comm, 0, interface_size(comm, plan) * static_cast<std::size_t>(components)) {}

void AllreduceSum::begin(std::span<const double> values) {
  const auto width = static_cast<std::size_t>(components_);
  const std::span<double> all = interface_.all();
  std::fill(all.begin(), all.end(), 0.0);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::copy_n(values.data() + static_cast<std::size_t>(nodes_[i]) * width, width,
                all.data() + positions_[i] * width);
  }
  const auto count = static_cast<int>(all.size());
#ifdef ISTHMUS_SIMULATED // the simulator starts collectives naively
  comm::check_mpi(MPI_Allreduce(MPI_IN_PLACE, all.data(), count, MPI_DOUBLE, MPI_SUM, comm_.raw()),
                  "MPI_Allreduce");
#else
  comm::check_mpi(MPI_Iallreduce(MPI_IN_PLACE, all.data(), count, MPI_DOUBLE, MPI_SUM, comm_.raw(),
                                 interface_.request()),
                  "MPI_Iallreduce");
#endif
}

bool AllreduceSum::progress(std::span<double> /*values*/) {
  return interface_.progress();
}

void AllreduceSum::finish(std::span<double> values) {
  interface_.finish();
  const auto width = static_cast<std::size_t>(components_);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::copy_n(interface_.all().data() + positions_[i] * width, width,
                values.data() + static_cast<std::size_t>(nodes_[i]) * width);
  }
}

SumCost AllreduceSum::cost() const { // halving and doubling
  const std::int64_t steps = 2 * log2_ceil(comm_.size());
  return {static_cast<int>(steps), steps, 2 * passed_bytes(interface_.size(), comm_.size())};
}

AllgatherSum::AllgatherSum(const comm::Comm& comm, const InterfacePlan& plan, int components)
    : comm_(comm),
      components_(components),
      fold_(fold_all(plan)),
      counts_(comm::allgather(comm, static_cast<int>(plan.shared.size()) * components)),
      begins_(begins_of(counts_)),
      all_(comm, plan.shared.size() * static_cast<std::size_t>(components),
           static_cast<std::size_t>(begins_.back())) {
  std::vector<LocalIndex> positions;
  for (const InterfacePlan::Neighbour& neighbour : plan.neighbours) {
    const int first = begins_[static_cast<std::size_t>(neighbour.rank)] / components;
    for (const LocalIndex position : neighbour.theirs) {
      positions.push_back(first + position);
    }
  }
  fold_.move_ghosts(positions);
}

void AllgatherSum::begin(std::span<const double> values) {
  gather(values.data(), fold_.nodes, static_cast<std::size_t>(components_), all_.part().data());
  const auto count = static_cast<int>(all_.part().size());
#ifdef ISTHMUS_SIMULATED
  comm::check_mpi(MPI_Allgatherv(all_.part().data(), count, MPI_DOUBLE, all_.all().data(),
                                 counts_.data(), begins_.data(), MPI_DOUBLE, comm_.raw()),
                  "MPI_Allgatherv");
#else
  comm::check_mpi(
      MPI_Iallgatherv(all_.part().data(), count, MPI_DOUBLE, all_.all().data(), counts_.data(),
                      begins_.data(), MPI_DOUBLE, comm_.raw(), all_.request()),
      "MPI_Iallgatherv");
#endif
}

bool AllgatherSum::progress(std::span<double> /*values*/) {
  return all_.progress();
}

void AllgatherSum::finish(std::span<double> values) {
  all_.finish();
  fold_.apply(components_, all_.all(), values);
}

SumCost AllgatherSum::cost() const {
  const std::int64_t steps = log2_ceil(comm_.size());
  return {static_cast<int>(steps), steps, passed_bytes(all_.size(), comm_.size())};
}

} // namespace isthmus::exchange
