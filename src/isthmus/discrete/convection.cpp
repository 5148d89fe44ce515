// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/convection.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/hash.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace isthmus::discrete {

namespace {

constexpr int length = 4; // in heights

int checked_cells(const comm::Comm& comm, int n) {
  check(
      n >= 2 && comm.size() <= length * n / 2,
      "convection: {} cells along the height do for {} ranks at most, not for {}; take more cells",
      n, length * n / 2, comm.size());
  return n;
}

} // namespace

Convection::Convection(const comm::Comm& comm, const Settings& settings)
    : slab_(comm, length, checked_cells(comm, settings.n)),
      h_(1.0 / settings.n),
      rayleigh_(settings.rayleigh),
      prandtl_(settings.prandtl),
      dt_(0.8 * h_ * h_ / 12 / std::max(1.0, prandtl_)),
      values_(slab_.size() * fields),
      rates_(values_.size()),
      pressure_(slab_.size()),
      source_(static_cast<std::size_t>(slab_.layers() * slab_.n() * slab_.n())),
      poisson_(comm, slab_.layers(), slab_.n(), h_) {
  start(settings.rolls);
}

void Convection::start(int rolls) {
  slab_.for_cells([this, rolls](int i, int j, int k) {
    const double x = (slab_.first() + i - 0.5) * h_;
    const double y = (j - 0.5) * h_;
    const double z = (k - 0.5) * h_;
    const double pi = std::numbers::pi;
    const double disturbance = rolls > 0
                                   ? 0.1 * std::cos(pi * rolls * x / length) * std::sin(pi * y)
                                   : 0.02 * noise_of(static_cast<std::uint64_t>(
                                                (slab_.first() + i) * 1'000'003L + j * 1009L + k));
    set(t, i, j, k) = 1 - z + disturbance * std::sin(pi * z);
  });
  update_ghosts();
}

/// Velocities at walls are zero, along them opposite behind them. x follows the exchange.
void Convection::fill_walls() {
  for (int i = 0; i <= slab_.layers() + 1; ++i) {
    for (int a = 0; a <= slab_.n() + 1; ++a) {
      for (const auto [inside, outside] :
           {std::array{1, 0}, std::array{slab_.n(), slab_.n() + 1}}) {
        set(u, i, outside, a) = -get(u, i, inside, a);
        set(w, i, outside, a) = -get(w, i, inside, a);
        set(t, i, outside, a) = get(t, i, inside, a);
      }
      set(v, i, 1, a) = set(v, i, slab_.n() + 1, a) = 0;
    }
    for (int a = 0; a <= slab_.n() + 1; ++a) {
      for (const auto [inside, outside] :
           {std::array{1, 0}, std::array{slab_.n(), slab_.n() + 1}}) {
        set(u, i, a, outside) = -get(u, i, a, inside);
        set(v, i, a, outside) = -get(v, i, a, inside);
        set(t, i, a, outside) = (outside == 0 ? 2 : 0) - get(t, i, a, inside);
      }
      set(w, i, a, 1) = set(w, i, a, slab_.n() + 1) = 0;
    }
  }
}

void Convection::update_ghosts() {
  fill_walls();
  slab_.exchange(fields, values_);
  for (int j = 0; j <= slab_.n() + 1; ++j) {
    for (int k = 0; k <= slab_.n() + 1; ++k) {
      for (const bool left : {true, false}) {
        if (!(left ? slab_.has_left_wall() : slab_.has_right_wall())) {
          continue;
        }
        const int inside = left ? 1 : slab_.layers();
        const int outside = left ? 0 : slab_.layers() + 1;
        set(v, outside, j, k) = -get(v, inside, j, k);
        set(w, outside, j, k) = -get(w, inside, j, k);
        set(t, outside, j, k) = get(t, inside, j, k);
        set(u, left ? 1 : outside, j, k) = 0;
      }
    }
  }
}

double Convection::rate_of_temperature(int i, int j, int k) const {
  const double here = get(t, i, j, k);
  const auto flux = [&](Field f, std::array<int, 3> d) { // through the upper minus the lower face
    const double below = get(t, i - d[0], j - d[1], k - d[2]);
    const double above = get(t, i + d[0], j + d[1], k + d[2]);
    return get(f, i + d[0], j + d[1], k + d[2]) * (here + above) / 2 -
           get(f, i, j, k) * (below + here) / 2 - (above - 2 * here + below) / h_;
  };
  return -(flux(u, {1, 0, 0}) + flux(v, {0, 1, 0}) + flux(w, {0, 0, 1})) / h_;
}

double Convection::rate_of_velocity(Field f, int i, int j, int k) const {
  constexpr std::array<std::array<int, 3>, 3> axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const std::array<int, 3>& own = axes[f];
  const double here = get(f, i, j, k);
  double sum = 0;
  for (const Field g : {u, v, w}) {
    const std::array<int, 3>& d = axes[g];
    const double below = get(f, i - d[0], j - d[1], k - d[2]);
    const double above = get(f, i + d[0], j + d[1], k + d[2]);
    // the carrying velocity between this face and the one below or above along d
    const auto carrier = [&](int side) {
      const int ci = i + side * d[0];
      const int cj = j + side * d[1];
      const int ck = k + side * d[2];
      return (get(g, ci, cj, ck) + get(g, ci - own[0], cj - own[1], ck - own[2])) / 2;
    };
    const double upper = carrier(1) * (here + above) / 2;
    const double lower = carrier(0) * (below + here) / 2;
    sum -= (upper - lower) / h_;
    sum += prandtl_ * (above - 2 * here + below) / (h_ * h_);
  }
  if (f == w) {
    sum += rayleigh_ * prandtl_ * (get(t, i, j, k) + get(t, i, j, k - 1)) / 2;
  }
  return sum;
}

void Convection::find_rates() {
  slab_.for_cells([this](int i, int j, int k) {
    double* const rate = rates_.data() + slab_.at(i, j, k) * fields;
    rate[u] = slab_.has_left_wall() && i == 1 ? 0 : rate_of_velocity(u, i, j, k);
    rate[v] = j == 1 ? 0 : rate_of_velocity(v, i, j, k);
    rate[w] = k == 1 ? 0 : rate_of_velocity(w, i, j, k);
    rate[t] = rate_of_temperature(i, j, k);
  });
}

void Convection::step() {
  find_rates();
  if (old_rates_.empty()) {
    old_rates_ = rates_; // the first step is Euler's
  }
  for (std::size_t a = 0; a < values_.size(); ++a) {
    values_[a] += dt_ * (1.5 * rates_[a] - 0.5 * old_rates_[a]);
  }
  std::swap(rates_, old_rates_);
  update_ghosts();
  project();
  update_ghosts();
}

double Convection::divergence_of(int i, int j, int k) const {
  return (get(u, i + 1, j, k) - get(u, i, j, k) + get(v, i, j + 1, k) - get(v, i, j, k) +
          get(w, i, j, k + 1) - get(w, i, j, k)) /
         h_;
}

void Convection::project() {
  std::size_t cell = 0;
  slab_.for_cells([&](int i, int j, int k) { source_[cell++] = divergence_of(i, j, k); });
  poisson_.solve(source_);
  cell = 0;
  slab_.for_cells([&](int i, int j, int k) { pressure_[slab_.at(i, j, k)] = source_[cell++]; });
  slab_.exchange(1, pressure_);
  slab_.for_cells([this](int i, int j, int k) {
    const double here = pressure_[slab_.at(i, j, k)];
    if (!slab_.has_left_wall() || i > 1) {
      set(u, i, j, k) -= (here - pressure_[slab_.at(i - 1, j, k)]) / h_;
    }
    if (j > 1) {
      set(v, i, j, k) -= (here - pressure_[slab_.at(i, j - 1, k)]) / h_;
    }
    if (k > 1) {
      set(w, i, j, k) -= (here - pressure_[slab_.at(i, j, k - 1)]) / h_;
    }
  });
}

std::array<double, 2> Convection::nusselt() const {
  std::array<double, 2> sums{};
  for (int i = 1; i <= slab_.layers(); ++i) {
    for (int j = 1; j <= slab_.n(); ++j) {
      sums[0] += 1 - get(t, i, j, 1);
      sums[1] += get(t, i, j, slab_.n());
    }
  }
  comm::allreduce(slab_.comm(), std::span<double>(sums), comm::Op::sum);
  for (double& sum : sums) {
    sum *= 2 * h_ / length; // 2 / h for the gradient, h^2 / length for the mean
  }
  return sums;
}

std::array<double, 2> Convection::largest() const {
  std::array<double, 2> most{};
  slab_.for_cells([&](int i, int j, int k) {
    most[0] = std::max(most[0], std::abs(get(u, i, j, k)));
    most[1] = std::max(most[1], std::abs(get(w, i, j, k)));
  });
  comm::allreduce(slab_.comm(), std::span<double>(most), comm::Op::max);
  return most;
}

double Convection::divergence() const {
  double most = 0;
  slab_.for_cells(
      [&](int i, int j, int k) { most = std::max(most, std::abs(divergence_of(i, j, k))); });
  return comm::allreduce(slab_.comm(), most, comm::Op::max);
}

std::vector<double> Convection::plane(Field field, int j) const {
  std::vector<double> part;
  for (int i = 1; i <= slab_.layers(); ++i) {
    for (int k = 1; k <= slab_.n(); ++k) {
      part.push_back(get(field, i, j, k));
    }
  }
  return comm::gather(slab_.comm(), std::span<const double>(part)).values;
}

} // namespace isthmus::discrete
