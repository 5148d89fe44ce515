// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/sums/sum_node.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/gather.hpp"
#include "isthmus/exchange/sums/sum_messages.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace isthmus::exchange {

namespace {

constexpr std::size_t line = 64; // bytes in front of the slots: a counter has its own cache line

/// Slots end where a cache line does.
std::size_t rounded(std::size_t values) {
  constexpr std::size_t step = line / 2 / sizeof(double);
  return (values + step - 1) / step * step;
}

/// Ranks that can share memory.
MPI_Comm split_by_computer(const comm::Comm& comm) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(comm.raw(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &node);
  MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN);
  return node;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

} // namespace

bool is_one_computer(const comm::Comm& comm) {
  MPI_Comm node = split_by_computer(comm);
  const int size = size_of(node);
  MPI_Comm_free(&node);
  return size == comm.size();
}

NodeMemory::NodeMemory(const comm::Comm& comm, std::size_t values)
    : comm_(comm),
      node_(split_by_computer(comm)),
      spin_(comm::SpinPolicy::for_processes(size_of(node_))) {
  const auto bytes = static_cast<MPI_Aint>(line + 2 * rounded(values) * sizeof(double));
  std::byte* own = nullptr;
  comm::check_mpi(MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, node_, &own, &window_),
                  "MPI_Win_allocate_shared");
  for (int local = 0; local < size_of(node_); ++local) {
    MPI_Aint size = 0;
    int unit = 0;
    std::byte* begin = nullptr;
    MPI_Win_shared_query(window_, local, &size, &unit, &begin);
    segments_.push_back({reinterpret_cast<std::uint64_t*>(begin),
                         reinterpret_cast<double*>(begin + line),
                         (static_cast<std::size_t>(size) - line) / 2 / sizeof(double)});
  }
  MPI_Comm_rank(node_, &own_);
  *own_segment().counter = 0;
  comm::barrier(comm);
}

NodeMemory::~NodeMemory() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) {
    MPI_Win_free(&window_);
    MPI_Comm_free(&node_);
  }
}

int NodeMemory::local_rank(int rank) const {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group here = MPI_GROUP_NULL;
  MPI_Comm_group(comm_.raw(), &all);
  MPI_Comm_group(node_, &here);
  int local = MPI_UNDEFINED;
  MPI_Group_translate_ranks(all, 1, &rank, here, &local);
  MPI_Group_free(&all);
  MPI_Group_free(&here);
  return local == MPI_UNDEFINED ? -1 : local;
}

double* NodeMemory::next_slot() {
  const Segment& own = own_segment();
  return own.slots + (count_ + 1) % 2 * own.size;
}

void NodeMemory::publish() {
  std::atomic_ref(*own_segment().counter).store(++count_, std::memory_order_release);
}

bool NodeMemory::is_published(int local) const {
  const std::atomic_ref counter(*segments_[static_cast<std::size_t>(local)].counter);
  return counter.load(std::memory_order_acquire) >= count_;
}

const double* NodeMemory::published(int local) const {
  const Segment& theirs = segments_[static_cast<std::size_t>(local)];
  comm::Pause pause(spin_, comm_.progress_timeout());
  while (!is_published(local)) {
    if (!pause.spin()) {
      comm_.look();
      check(pause.left() > 0,
            "rank {} waited {:g} s for partial sums of another rank: do all of them call the same "
            "functions? ISTHMUS_PATIENCE sets the limit in seconds",
            comm_.rank(), comm_.progress_timeout());
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  return theirs.slots + count_ % 2 * theirs.size;
}

NodeSum::NodeSum(const comm::Comm& comm, const InterfacePlan& plan, int components)
    : comm_(comm),
      components_(components),
      fold_(fold_all(plan)),
      memory_(comm, plan.shared.size() * static_cast<std::size_t>(components)) {
  InterfacePlan far = plan; // of neighbours on other computers
  std::erase_if(far.neighbours, [this](const InterfacePlan::Neighbour& neighbour) {
    return memory_.local_rank(neighbour.rank) >= 0;
  });
  far_ = all_sharers(far).halo;
  far_.reserve(components);

  std::vector<LocalIndex> positions; // of what fold_ calls a ghost
  LocalIndex next_far = 0;
  LocalIndex next_near = far_.num_ghosts();
  for (const InterfacePlan::Neighbour& neighbour : plan.neighbours) {
    const int local = memory_.local_rank(neighbour.rank);
    if (local >= 0) {
      readers_.push_back({local, neighbour.theirs});
    }
    LocalIndex& next = local >= 0 ? next_near : next_far;
    for (std::size_t k = 0; k < neighbour.nodes.size(); ++k) {
      positions.push_back(next++);
    }
  }
  fold_.move_ghosts(positions);
  ghosts_.resize(static_cast<std::size_t>(next_near) * static_cast<std::size_t>(components));
}

void NodeSum::begin(std::span<const double> values) {
  const auto width = static_cast<std::size_t>(components_);
  gather(values.data(), fold_.nodes, width, memory_.next_slot());
  memory_.publish();
  pending_.emplace(far_.begin_forward(comm_, components_, values, ghosts_));
}

bool NodeSum::progress(std::span<double> /*values*/) {
  return pending_->progress() &&
         std::all_of(readers_.begin(), readers_.end(),
                     [this](const Reader& reader) { return memory_.is_published(reader.local); });
}

void NodeSum::finish(std::span<double> values) {
  const auto width = static_cast<std::size_t>(components_);
  double* to = ghosts_.data() + static_cast<std::size_t>(far_.num_ghosts()) * width;
  for (const Reader& reader : readers_) {
    to = gather(memory_.published(reader.local), reader.entries, width, to);
  }
  pending_->finish();
  fold_.apply(components_, ghosts_, values);
}

SumCost NodeSum::cost() const {
  return message_cost(far_, components_);
}

} // namespace isthmus::exchange
