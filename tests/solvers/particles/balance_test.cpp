// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/balance.hpp"
#include "isthmus/base/clock.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/migration.hpp"
#include "waters.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::mps;
using waters::case_of;
using waters::fingerprint;
using waters::with;

namespace {

/// Fluid above a wall that is as deep, of which the most is dry, on bricks of equal numbers.
class Half {
 public:
  explicit Half(const comm::Comm& comm)
      : comm_(comm), kernel_(2, 1, 3.1), migration_(comm, {}, {kernel_.radius(), 1}) {
    constexpr GlobalIndex across = 40;
    for (GlobalIndex id = comm.rank(); id < 2 * across * across; id += comm.size()) {
      const GlobalIndex height = id / across;
      const auto row = static_cast<std::size_t>(state_.particles().insert(
          id, {static_cast<double>(id % across), static_cast<double>(height), 0}));
      state_.kinds()[row] = height < across ? Kind::wall : Kind::fluid;
    }
    divide(exchange::balanced_bricks(comm, comm.size(),
                                     state_.positions().first(state_.num_owned()), 1));
  }

  void divide(exchange::Bricks bricks) {
    migration_.divide(std::move(bricks));
    migration_.migrate(state_.particles());
    neighbours_.find(kernel_, state_);
  }
  /// Largest over mean number of pairs.
  [[nodiscard]] double imbalance() const {
    const auto own = static_cast<std::int64_t>(neighbours_.num_pairs());
    return static_cast<double>(comm::allreduce(comm_, own, comm::Op::max)) * comm_.size() /
           static_cast<double>(comm::allreduce(comm_, own, comm::Op::sum));
  }
  [[nodiscard]] State& state() { return state_; }
  [[nodiscard]] const Neighbours& neighbours() const { return neighbours_; }

 private:
  const comm::Comm& comm_;
  Kernel kernel_;
  exchange::Migration migration_;
  State state_;
  Neighbours neighbours_;
};

} // namespace

TEST_CASE("domains have as many neighbours each, and dry walls have none") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Half half(comm);
  Balance balance(comm, {0.25, false});
  for (std::size_t row = 0; row < half.state().num_owned(); ++row) {
    const bool is_dry = half.state().positions()[row][1] < 36.5;
    CHECK(half.neighbours().of(row).empty() == is_dry);
  }
  CHECK((comm.size() < 2 || half.imbalance() > 1.3));
  half.divide(balance.divide(half.state(), half.neighbours()));
  CHECK(half.imbalance() < 1.15);
}

#ifndef ISTHMUS_SIMULATED // whose ranks share a processor

TEST_CASE("particles that take twice as long count twice") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Half half(comm);
  Balance balance(comm, {0.25, true});
  half.divide(balance.divide(half.state(), half.neighbours()));
  for (double& mark : half.state().pressures().first(half.state().num_owned())) {
    mark = comm.is_root() ? 2 : 1; // goes with the particle
  }
  balance.begin_step();
  const double start = thread_time();
  while (thread_time() - start < (comm.is_root() ? 0.04 : 0.02)) {
  }
  balance.end_step(half.state(), half.neighbours());
  CHECK((comm.size() < 2 || balance.imbalance().busy > 1.2));
  half.divide(balance.divide(half.state(), half.neighbours()));
  CHECK(balance.imbalance().busy == 1); // nothing since then
  double own = 0;
  for (std::size_t row = 0; row < half.state().num_owned(); ++row) {
    own += half.state().pressures()[row] * static_cast<double>(half.neighbours().of(row).size());
  }
  const double most = comm::allreduce(comm, own, comm::Op::max);
  CHECK(most * comm.size() < 1.25 * comm::allreduce(comm, own, comm::Op::sum));
}

#endif

TEST_CASE("the work of all ranks is even after a cut, counted in pairs") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Half half(comm);
  Balance balance(comm, {0.25, false});
  balance.begin_step();
  balance.end_step(half.state(), half.neighbours());
  CHECK((comm.size() < 2 || balance.imbalance().pairs > 1.2));
  half.divide(balance.divide(half.state(), half.neighbours()));
  CHECK(balance.imbalance().pairs == 1); // nothing since then
  balance.begin_step();
  balance.end_step(half.state(), half.neighbours());
  CHECK(balance.imbalance().pairs < 1.15);
}

TEST_CASE("the explicit form has the same bits whichever way receivers are found") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Case from = case_of(with(waters::column, "end = 0.2", "end = 0.02\nmethod = \"explicit\""));
  RunResult expected = run(comm, from, nullptr);
  for (const char* way : {"all-to-all", "put-fence", "put-passive", "consensus", "routed"}) {
    INFO(way);
    const std::string words =
        "end = 0.02\nmethod = \"explicit\"\nbalance = \"counted\"\ndiscovery = \"";
    from = case_of(with(waters::column, "end = 0.2", words + way + "\""));
    RunResult result = run(comm, from, nullptr);
    CHECK(result.steps == expected.steps);
    CHECK(result.num_fluid == 200);
    CHECK(fingerprint(comm, result.state) == fingerprint(comm, expected.state));
  }
}
