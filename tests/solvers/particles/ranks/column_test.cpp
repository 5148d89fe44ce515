// SPDX-License-Identifier: BSD-3-Clause
#include "fingerprint.hpp"
#include "particles/fluid/explicit_scheme.hpp"
#include "particles/fluid/projection.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

using namespace isthmus;
using namespace isthmus::mps;

namespace {

constexpr double spacing = 0.01;
constexpr GlobalIndex across = 32, layers = 4; // inside of the walls; of these

/// Water in an open tank, `wide` particles of it beside the left wall and half as high as the tank
/// is wide, on domains of equal numbers.
class Column {
 public:
  Column(const comm::Comm& comm, GlobalIndex wide)
      : comm_(comm),
        kernel_(2, spacing, 3.1),
        migration_(comm, {}, {kernel_.radius(), 0.5 * spacing}) {
    liquid_.gravity = {0, -9.81, 0};
    constexpr GlobalIndex places = across + 2 * layers;
    for (GlobalIndex id = comm.rank(); id < places * places; id += comm.size()) {
      const GlobalIndex i = id / places - layers, j = id % places - layers;
      const GlobalIndex depth = std::max({-i, i - across + 1, -j});
      if (depth <= 0 && (i >= wide || j >= across / 2)) {
        continue; // air
      }
      const auto row = static_cast<std::size_t>(state_.particles().insert(
          id,
          {spacing * (static_cast<double>(i) + 0.5), spacing * (static_cast<double>(j) + 0.5), 0}));
      state_.kinds()[row] = depth <= 0 ? Kind::fluid : depth == 1 ? Kind::wall : Kind::dummy;
    }
    divide();
    migrate();
  }

  void use_explicit() { scheme_ = std::make_unique<ExplicitScheme>(kernel_, liquid_, 20); }
  void use_projection() {
    scheme_ = std::make_unique<Projection>(comm_, kernel_, liquid_, Projection::Settings{});
  }

  void steps(int count, double step) {
    for (int n = 1; n <= count; ++n) {
      static_cast<void>(scheme_->advance(state_, neighbours_, migration_, step));
      if (n % 5 == 0) {
        divide();
      }
      migrate();
    }
  }
  [[nodiscard]] State& state() { return state_; }

 private:
  void divide() {
    migration_.divide(exchange::balanced_bricks(
        comm_, comm_.size(), state_.positions().first(state_.num_owned()), spacing / 4));
  }
  void migrate() {
    migration_.migrate(state_.particles());
    neighbours_.find(kernel_, state_);
  }

  const comm::Comm& comm_;
  Kernel kernel_;
  Liquid liquid_;
  exchange::Migration migration_;
  State state_;
  Neighbours neighbours_;
  std::unique_ptr<Scheme> scheme_;
};

} // namespace

TEST_CASE("a column of water collapses with the same bits on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD), serial;
  Column column(comm, 10), alone(serial, 10);
  const std::uint64_t before = waters::fingerprint(serial, alone.state());
  CHECK(waters::fingerprint(comm, column.state()) == before);
  for (Column* one : {&column, &alone}) {
    one->use_explicit();
    one->steps(12, 1e-4);
  }
  const std::uint64_t after = waters::fingerprint(serial, alone.state());
  CHECK(after != before);
  CHECK(waters::fingerprint(comm, column.state()) == after);
}

TEST_CASE("the pressure of water at rest is that of its depth on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Column water(comm, across);
  water.use_projection();
  water.steps(3, 1e-3);
  std::int64_t count = 0;
  for (std::size_t row = 0; row < water.state().num_owned(); ++row) {
    if (water.state().kinds()[row] == Kind::fluid) {
      ++count;
      const double depth = spacing * (across / 2 - 0.5) - water.state().positions()[row][1];
      CHECK(water.state().pressures()[row] ==
            doctest::Approx(9810 * depth).epsilon(1e-3).scale(9810));
    }
  }
  CHECK(comm::allreduce(comm, count, comm::Op::sum) == across * across / 2);
}
