// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/scheme.hpp"

#include "flow/numerics/long_sum.hpp"
#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::flow {

namespace {

constexpr std::array<double, 5> pseudo_stages{0.0695, 0.1602, 0.2898, 0.5060, 1.0};
constexpr std::array<double, 4> time_stages{1.0 / 4, 1.0 / 3, 1.0 / 2, 1.0};

} // namespace

Scheme::Scheme(const comm::Comm& comm, const SchemeSettings& settings, Solution& solution,
               const TimeTerms& time)
    : comm_(comm),
      settings_(settings),
      solution_(solution),
      time_(time),
      smoother_(comm, solution.grid().blocks, settings.smoothing,
                num_conserved * static_cast<std::size_t>(solution.num_snapshots())),
      residual_(solution.conserved().size()) {
  for (const Block& block : solution.grid().own) {
    pseudo_steps_.emplace_back(block.extent.stored());
    roots_.emplace_back(block.extent.stored());
  }
}

Norms Scheme::iterate() {
  const bool is_global = time_.settings().kind == TimeKind::global;
  const std::span<const double> stages =
      is_global ? std::span<const double>(time_stages) : std::span<const double>(pseudo_stages);
  start_ = solution_.conserved();
  Norms before;
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    if (stage > 0 || !std::exchange(is_forced_anew_, false)) {
      set_residuals();
    }
    if (stage == 0) {
      before = norms();
      refuse_nonsense(before);
      set_pseudo_steps();
    }
    make_changes();
    if (solution_.physics().flux.preconditioning > 0) {
      update_slowed(stages[stage]);
    } else {
      update(stages[stage]);
    }
  }
  return before;
}

Norms Scheme::measure() {
  set_residuals();
  const Norms found = norms();
  refuse_nonsense(found);
  return found;
}

void Scheme::set_residuals() {
  solution_.complete();
  const auto snapshots = static_cast<std::size_t>(solution_.num_snapshots());
  rows_.resize(pseudo_steps_.size() * snapshots);
  solution_.for_each_part([this, snapshots](std::size_t own, int s) {
    const Block& block = solution_.grid().own[own];
    set_residual(block, solution_.physics(), solution_.turning(s), solution_.primitive(own, s),
                 rows_[own * snapshots + static_cast<std::size_t>(s)],
                 std::span(residual_).subspan(solution_.begin_of(own, s),
                                              num_conserved * block.extent.stored()));
  });
  time_.add(solution_, residual_);
  for (std::size_t at = 0; at < forcing_.size(); ++at) {
    residual_[at] += forcing_[at];
  }
}

const std::vector<double>& Scheme::evaluate() {
  set_residuals();
  return residual_;
}

void Scheme::force(std::vector<double> wanted) {
  forcing_.clear();
  set_residuals();
  forcing_ = std::move(wanted);
  for (std::size_t at = 0; at < forcing_.size(); ++at) {
    forcing_[at] -= residual_[at];
    residual_[at] += forcing_[at];
  }
  is_forced_anew_ = true;
}

void Scheme::set_pseudo_steps() {
  std::vector<double> of_snapshot;
  for (std::size_t own = 0; own < pseudo_steps_.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    std::vector<double>& steps = pseudo_steps_[own];
    if (time_.settings().kind == TimeKind::global) {
      std::fill(steps.begin(), steps.end(), time_.settings().step);
      set_roots(own);
      continue;
    }
    of_snapshot.resize(steps.size());
    for (int s = 0; s < solution_.num_snapshots(); ++s) {
      set_steps(solution_.grid().own[own], solution_.physics(), solution_.turning(s),
                solution_.primitive(own, s), of_snapshot);
      for (std::size_t at = 0; at < steps.size(); ++at) { // the smallest of all snapshots
        const double step = settings_.cfl * of_snapshot[at];
        steps[at] = s == 0 ? step : std::min(steps[at], step);
      }
    }
    set_roots(own);
  }
}

void Scheme::set_roots(std::size_t own) {
  const Block& block = solution_.grid().own[own];
  block.extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
    const auto last = first + static_cast<std::size_t>(block.extent.count(0));
    for (std::size_t at = first; at < last; ++at) {
      roots_[own][at] = std::sqrt(pseudo_steps_[own][at] / block.volumes[at]);
    }
  });
}

/// Residuals become what pseudo steps change. They are smoothed halfway between what flows in and
/// what it changes: a symmetric operator of positive numbers times flux differences. Smoothing the
/// changes themselves lets waves grow ten times as fast where cells become longer quickly.
void Scheme::make_changes() {
  scale_residuals(1);
  if (settings_.smoothing > 0 && time_.settings().kind != TimeKind::global) {
    smoother_.smooth(residual_, solution_.busy());
  }
  scale_residuals(-1);
  if (solution_.physics().flux.preconditioning > 0) {
    precondition();
  }
}

/// By the roots of pseudo steps over volumes.
void Scheme::scale_residuals(double sign) {
  const std::size_t fields = num_conserved * static_cast<std::size_t>(solution_.num_snapshots());
  for (std::size_t own = 0; own < pseudo_steps_.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    const Extent& extent = solution_.grid().own[own].extent;
    const std::vector<double>& roots = roots_[own];
    for (std::size_t field = 0; field < fields; ++field) {
      double* const values =
          residual_.data() + solution_.begin_of(own, 0) + field * extent.stored();
      extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
        const auto last = first + static_cast<std::size_t>(extent.count(0));
        for (std::size_t at = first; at < last; ++at) {
          values[at] *= sign * roots[at];
        }
      });
    }
  }
}

Preconditioner Scheme::preconditioner(std::size_t own, std::size_t cell) const {
  const std::size_t stored = solution_.grid().own[own].extent.stored();
  std::array<double, num_conserved> mean{};
  for (int s = 0; s < solution_.num_snapshots(); ++s) {
    for (std::size_t v = 0; v < num_conserved; ++v) {
      mean[v] += start_[solution_.begin_of(own, s) + v * stored + cell];
    }
  }
  for (double& value : mean) {
    value /= solution_.num_snapshots();
  }
  const Physics& physics = solution_.physics();
  return {physics.gas, mean.data(), 1, physics.flux.preconditioning};
}

void Scheme::precondition() {
  for (std::size_t own = 0; own < pseudo_steps_.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    const Block& block = solution_.grid().own[own];
    block.extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
      const auto last = first + static_cast<std::size_t>(block.extent.count(0));
      for (std::size_t at = first; at < last; ++at) {
        const Preconditioner of_cell = preconditioner(own, at);
        for (int s = 0; s < solution_.num_snapshots(); ++s) {
          of_cell.apply(&residual_[solution_.begin_of(own, s) + at], block.extent.stored());
        }
      }
    });
  }
}

/// As update(); sound and the rest of the changes of a cell are slowed differently, and so solved
/// for one by one.
void Scheme::update_slowed(double coefficient) {
  constexpr std::size_t width = num_conserved + 1; // the last one is sound
  const auto snapshots = static_cast<std::size_t>(solution_.num_snapshots());
  std::vector<double> earlier(snapshots * width); // what earlier stages changed
  std::vector<double> changes(snapshots * width);
  for (std::size_t own = 0; own < pseudo_steps_.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    const Block& block = solution_.grid().own[own];
    const std::size_t stored = block.extent.stored();
    const std::size_t apart = num_conserved * stored;
    const auto update_cell = [&](std::size_t cell) {
      const Preconditioner of_cell = preconditioner(own, cell);
      const std::size_t begin = solution_.begin_of(own, 0) + cell;
      for (std::size_t s = 0; s < snapshots; ++s) {
        double* const old = &earlier[s * width];
        double* const now = &changes[s * width];
        for (std::size_t v = 0; v < num_conserved; ++v) {
          const std::size_t at = begin + s * apart + v * stored;
          old[v] = solution_.conserved()[at] - start_[at];
          now[v] = coefficient * residual_[at];
        }
        for (double* const change : {old, now}) {
          change[num_conserved] = of_cell.pressure(change, 1);
          of_cell.add_sound(-change[num_conserved], change, 1);
        }
      }
      std::array<double, width> steps{};
      steps.fill(pseudo_steps_[own][cell]);
      steps[num_conserved] *= of_cell.slowing();
      time_.advance(coefficient, steps.data(), width, earlier.data(), changes.data(), width);
      for (std::size_t s = 0; s < snapshots; ++s) {
        double* const now = &changes[s * width];
        of_cell.add_sound(now[num_conserved], now, 1);
        for (std::size_t v = 0; v < num_conserved; ++v) {
          const std::size_t at = begin + s * apart + v * stored;
          solution_.conserved()[at] = start_[at] + now[v];
        }
      }
    };
    block.extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
      for (int i = 0; i < block.extent.count(0); ++i) {
        update_cell(first + static_cast<std::size_t>(i));
      }
    });
  }
}

void Scheme::update(double coefficient) {
  for (std::size_t own = 0; own < pseudo_steps_.size(); ++own) {
    const Extent& extent = solution_.grid().own[own].extent;
    const auto lines = static_cast<std::size_t>(extent.count(1));
    share_parts(lines * static_cast<std::size_t>(extent.count(2)),
                extent.stored() * static_cast<std::size_t>(solution_.num_snapshots()),
                solution_.busy()[own], [&](std::size_t begin, std::size_t end) {
                  for (std::size_t row = begin; row < end; ++row) {
                    update_row(
                        coefficient, own,
                        extent.at(0, static_cast<int>(row % lines), static_cast<int>(row / lines)));
                  }
                });
  }
}

void Scheme::update_row(double coefficient, std::size_t own, std::size_t first) {
  std::vector<double>& values = solution_.conserved();
  const Extent& extent = solution_.grid().own[own].extent;
  const std::size_t apart = num_conserved * extent.stored(); // from a snapshot to the next
  const auto n = static_cast<std::size_t>(extent.count(0));
  for (std::size_t v = 0; v < num_conserved; ++v) {
    const std::size_t begin = solution_.begin_of(own, 0) + v * extent.stored() + first;
    for (int s = 0; s < solution_.num_snapshots(); ++s) {
      const std::size_t here = begin + static_cast<std::size_t>(s) * apart;
      for (std::size_t at = here; at < here + n; ++at) {
        values[at] -= start_[at]; // what earlier stages changed
        residual_[at] *= coefficient;
      }
    }
    time_.advance(coefficient, &pseudo_steps_[own][first], n, &values[begin], &residual_[begin],
                  apart);
    for (int s = 0; s < solution_.num_snapshots(); ++s) {
      const std::size_t here = begin + static_cast<std::size_t>(s) * apart;
      for (std::size_t at = here; at < here + n; ++at) {
        values[at] = start_[at] + residual_[at];
      }
    }
  }
}

Norms Scheme::norms() const {
  const Grid& grid = solution_.grid();
  std::array<LongSum, num_conserved> sums; // of this rank
  for (std::size_t own = 0; own < grid.own.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    const Block& block = grid.own[own];
    const std::size_t stored = block.extent.stored();
    for (int s = 0; s < solution_.num_snapshots(); ++s) {
      for (std::size_t v = 0; v < num_conserved; ++v) {
        LongSum sum = sums[v];
        const double* const residual = residual_.data() + solution_.begin_of(own, s) + v * stored;
        block.extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
          const auto last = first + static_cast<std::size_t>(block.extent.count(0));
          for (std::size_t at = first; at < last; ++at) {
            const double rate = residual[at] / block.volumes[at];
            sum.add(rate * rate);
          }
        });
        sums[v] = sum;
      }
    }
  }
  std::array<Twofold, num_conserved> all;
  std::transform(sums.begin(), sums.end(), all.begin(),
                 [](const LongSum& sum) { return sum.value(); });
  comm::allreduce_sum(comm_, all);
  Norms result;
  for (std::size_t v = 0; v < num_conserved; ++v) {
    result.values[v] =
        std::sqrt(all[v].value / (static_cast<double>(grid.num_cells) * solution_.num_snapshots()));
  }
  return result;
}

template <typename IsGood>
void Scheme::refuse_cells(IsGood&& is_good) const {
  for (std::size_t own = 0; own < solution_.grid().own.size(); ++own) {
    const Block& block = solution_.grid().own[own];
    Extent::for_each_in({0, 0, 0}, block.extent.counts(), [&](const Index3& c) {
      for (int s = 0; s < solution_.num_snapshots(); ++s) {
        check(is_good(own, s, block.extent.at(c)),
              "the solution has become no number in {}: lower \"cfl\" (or \"step\"), or start "
              "from an easier flow",
              block.name_of_cell(c));
      }
    });
  }
}

void Scheme::refuse_nonsense(const Norms& norms) const {
  const bool is_finite = std::all_of(norms.values.begin(), norms.values.end(),
                                     [](double value) { return std::isfinite(value); });
  if (is_finite) { // the same on all ranks
    return;
  }
  // first where values have gone wrong, then where these have already spread
  comm::agree(comm_, [this] {
    refuse_cells([this](std::size_t own, int snapshot, std::size_t cell) {
      const std::span<const double> w = std::as_const(solution_).primitive(own, snapshot);
      const double pressure = w[4 * solution_.grid().own[own].extent.stored() + cell];
      return std::isfinite(pressure) && pressure > 0 && w[cell] > 0;
    });
  });
  comm::agree(comm_, [this] {
    refuse_cells([this](std::size_t own, int snapshot, std::size_t cell) {
      return std::isfinite(residual_[solution_.begin_of(own, snapshot) + cell]);
    });
  });
  fail("the solution has become too large: lower \"cfl\" (or \"step\")");
}

} // namespace isthmus::flow
