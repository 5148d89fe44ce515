// SPDX-License-Identifier: BSD-3-Clause
#include "lid.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/la/krylov/solve.hpp"
#include "isthmus/la/multigrid.hpp"

#include <algorithm>
#include <numeric>

using namespace isthmus;

namespace {

int first_row(int n, int rank, int size) {
  return static_cast<int>(static_cast<std::int64_t>(n) * rank / size);
}

/// The rows below and above those of this rank, if there are any.
exchange::Halo make_halo(const comm::Comm& comm, int n, int height) {
  std::vector<exchange::Halo::Neighbour> targets;
  std::vector<exchange::Halo::Source> sources;
  const auto add = [&targets, &sources, n](int rank, int row) {
    std::vector<LocalIndex> entries(static_cast<std::size_t>(n));
    std::iota(entries.begin(), entries.end(), row * n);
    targets.push_back({rank, std::move(entries)});
    sources.push_back({rank, n});
  };
  if (comm.rank() > 0) {
    add(comm.rank() - 1, 0);
  }
  if (comm.rank() + 1 < comm.size()) {
    add(comm.rank() + 1, height - 1);
  }
  return {std::move(targets), std::move(sources)};
}

} // namespace

LidDrivenCavity::LidDrivenCavity(const comm::Comm& comm, int n, double reynolds)
    : comm_(comm),
      n_(n),
      first_(first_row(n, comm.rank(), comm.size())),
      height_(first_row(n, comm.rank() + 1, comm.size()) - first_),
      h_(1.0 / n),
      viscosity_(1 / reynolds),
      dt_(std::min(0.2 * h_ * h_ / viscosity_, std::min(0.5 * h_, 1.5 * viscosity_))),
      halo_(make_halo(comm, n, height_)),
      u_(static_cast<std::size_t>(n) * static_cast<std::size_t>(height_ + 2)),
      v_(u_.size()) {}

la::GlobalRows LidDrivenCavity::rows() const {
  la::GlobalRows rows;
  for (int j = first_; j < first_ + height_; ++j) {
    for (int i = 0; i < n_; ++i) {
      const GlobalIndex cell = static_cast<GlobalIndex>(j) * n_ + i;
      double diagonal = 0;
      const auto couple = [&rows, &diagonal](bool inside, GlobalIndex other) {
        if (inside) {
          rows.add(other, -1);
          diagonal += 1;
        }
      };
      couple(j > 0, cell - n_);
      couple(i > 0, cell - 1);
      couple(i + 1 < n_, cell + 1);
      couple(j + 1 < n_, cell + n_);
      rows.add(cell, cell == 0 ? 2 * diagonal : diagonal);
      rows.end_row();
    }
  }
  return rows;
}

std::vector<double> LidDrivenCavity::advance(la::Matrix& matrix, int steps) {
  la::Multigrid multigrid(matrix);
  std::vector<double> b = predict();
  std::vector<double> pressure(b.size());
  for (int step = 0; step < steps; ++step) {
    const la::Report report =
        la::solve(matrix, multigrid, b, pressure, {.method = la::Method::cg, .relative = 1e-9});
    check(report.is_converged(), "the pressure of step {} was not found: {}", step,
          name(report.reason));
    correct(pressure);
    b = predict();
  }
  return b;
}

double LidDrivenCavity::u(int i, int j) const {
  if (i < 0 || i >= n_ - 1) {
    return 0;
  }
  if (first_ + j < 0) {
    return -u_[at(i, 0)];
  }
  return first_ + j >= n_ ? 2 - u_[at(i, j - 1)] : u_[at(i, j)];
}

double LidDrivenCavity::v(int i, int j) const {
  if (first_ + j < 0 || first_ + j >= n_ - 1) {
    return 0;
  }
  return i < 0 ? -v_[at(0, j)] : i >= n_ ? -v_[at(n_ - 1, j)] : v_[at(i, j)];
}

double LidDrivenCavity::change_of_u(int i, int j) const {
  const auto square = [](double a, double b) { return (a + b) * (a + b) / 4; };
  const double c = u(i, j);
  const double along = square(c, u(i + 1, j)) - square(u(i - 1, j), c);
  const double above = (c + u(i, j + 1)) * (v(i, j) + v(i + 1, j)) / 4;
  const double below = (u(i, j - 1) + c) * (v(i, j - 1) + v(i + 1, j - 1)) / 4;
  const double spread = u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * c;
  return viscosity_ * spread / (h_ * h_) - (along + above - below) / h_;
}

double LidDrivenCavity::change_of_v(int i, int j) const {
  const auto square = [](double a, double b) { return (a + b) * (a + b) / 4; };
  const double c = v(i, j);
  const double along = square(c, v(i, j + 1)) - square(v(i, j - 1), c);
  const double right = (u(i, j) + u(i, j + 1)) * (c + v(i + 1, j)) / 4;
  const double left = (u(i - 1, j) + u(i - 1, j + 1)) * (v(i - 1, j) + c) / 4;
  const double spread = v(i - 1, j) + v(i + 1, j) + v(i, j - 1) + v(i, j + 1) - 4 * c;
  return viscosity_ * spread / (h_ * h_) - (along + right - left) / h_;
}

void LidDrivenCavity::exchange(std::vector<double>& field) {
  const auto n = static_cast<std::size_t>(n_);
  std::vector<double> ghosts(static_cast<std::size_t>(halo_.num_ghosts()));
  halo_.forward(comm_, 1, std::span(field).subspan(n, n * static_cast<std::size_t>(height_)),
                ghosts);
  const bool below = first_ > 0;
  if (below) {
    std::copy_n(ghosts.begin(), n, field.begin());
  }
  if (first_ + height_ < n_) {
    std::copy_n(ghosts.end() - n_, n, field.end() - n_);
  }
}

std::vector<double> LidDrivenCavity::predict() {
  exchange(u_);
  exchange(v_);
  std::vector<double> next_u(u_.size());
  std::vector<double> next_v(v_.size());
  for (int j = 0; j < height_; ++j) {
    for (int i = 0; i < n_; ++i) {
      next_u[at(i, j)] = i < n_ - 1 ? u(i, j) + dt_ * change_of_u(i, j) : 0;
      next_v[at(i, j)] = first_ + j < n_ - 1 ? v(i, j) + dt_ * change_of_v(i, j) : 0;
    }
  }
  u_ = std::move(next_u);
  v_ = std::move(next_v);
  exchange(v_);
  std::vector<double> rhs;
  rhs.reserve(static_cast<std::size_t>(n_) * static_cast<std::size_t>(height_));
  for (int j = 0; j < height_; ++j) {
    for (int i = 0; i < n_; ++i) {
      rhs.push_back(-h_ / dt_ * (u(i, j) - u(i - 1, j) + v(i, j) - v(i, j - 1)));
    }
  }
  return rhs;
}

void LidDrivenCavity::correct(std::span<const double> pressure) {
  std::vector<double> p(u_.size());
  std::copy(pressure.begin(), pressure.end(), p.begin() + n_);
  exchange(p);
  for (int j = 0; j < height_; ++j) {
    for (int i = 0; i < n_; ++i) {
      u_[at(i, j)] -= i < n_ - 1 ? dt_ / h_ * (p[at(i + 1, j)] - p[at(i, j)]) : 0;
      v_[at(i, j)] -= first_ + j < n_ - 1 ? dt_ / h_ * (p[at(i, j + 1)] - p[at(i, j)]) : 0;
    }
  }
}

double LidDrivenCavity::least_on_centre_line() const {
  double least = 0;
  for (int j = 0; j < height_; ++j) {
    least = std::min(least, u(n_ / 2 - 1, j));
  }
  return comm::allreduce(comm_, least, comm::Op::min);
}
