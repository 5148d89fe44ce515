// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/balance.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace isthmus::mps {

namespace {

/// What a particle costs, in pairs of the fluid; its proportions on one rank.
double work_of(Kind kind, std::size_t pairs) {
  constexpr double alone = 5;
  constexpr double of_wall = 0.6;
  return alone + static_cast<double>(pairs) * (kind == Kind::fluid ? 1 : of_wall);
}

} // namespace

Balance::Balance(const comm::Comm& comm, Settings settings) : comm_(comm), settings_(settings) {
  comm.meter_waits(&waited_);
}

void Balance::begin_step() {
  start_ = thread_time() - waited_;
}

void Balance::end_step(State& state, const Neighbours& neighbours) {
  const auto kinds = state.kinds();
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    work_ += work_of(kinds[row], neighbours.of(row).size());
  }
  busy_ += thread_time() - waited_ - start_;
}

exchange::Bricks Balance::divide(State& state, const Neighbours& neighbours) {
  if (work_ > 0) {
    const double found = busy_ / work_;
    seconds_each_ = seconds_each_ < 0 ? found : (seconds_each_ + found) / 2; // without hunting
  }
  std::array<double, 2> sums{std::max(0.0, seconds_each_), seconds_each_ < 0 ? 0.0 : 1.0};
  comm::allreduce(comm_, std::span<double>(sums), comm::Op::sum);
  double factor = 1; // to the mean of all ranks
  if (settings_.is_measured && seconds_each_ > 0 && sums[0] > 0) {
    factor = std::clamp(seconds_each_ * sums[1] / sums[0], 0.5, 2.0);
  }
  constexpr double digits = 16;
  const auto kinds = state.kinds();
  std::vector<std::int64_t> weights;
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    weights.push_back(
        std::llround(digits * factor * work_of(kinds[row], neighbours.of(row).size())));
  }
  busy_ = work_ = 0;
  return exchange::balanced_bricks(comm_, comm_.size(), state.positions().first(state.num_owned()),
                                   settings_.bucket, weights);
}

Balance::Imbalance Balance::imbalance() const {
  std::array<double, 2> most{busy_, work_}, sums = most;
  comm::allreduce(comm_, std::span<double>(most), comm::Op::max);
  comm::allreduce(comm_, std::span<double>(sums), comm::Op::sum);
  const auto over_mean = [this](double largest, double sum) {
    return sum > 0 ? largest * comm_.size() / sum : 1;
  };
  return {over_mean(most[0], sums[0]), over_mean(most[1], sums[1])};
}

} // namespace isthmus::mps
