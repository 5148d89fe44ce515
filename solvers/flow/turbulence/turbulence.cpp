// SPDX-License-Identifier: BSD-3-Clause
#include "flow/turbulence/turbulence.hpp"

#include "flow/numerics/long_sum.hpp"
#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::flow {

namespace {

constexpr double hastening = 10;   // of pseudo steps by those of the flow, as they are implicit
constexpr double least_part = 0.1; // of a value that a step leaves
// Of the free stream. Of omega more, as others are divided by it.
constexpr std::array<double, num_turbulent> least_of_stream{1e-15, 1e-9};

/// What a value becomes.
double limited(double value, double change) {
  return std::max(value + change, least_part * value);
}

} // namespace

Turbulence::Turbulence(const comm::Comm& comm, const TurbulentStream& stream, double cfl,
                       Solution& solution, const TimeTerms& time)
    : comm_(comm),
      cfl_(hastening * cfl),
      solution_(solution),
      time_(time),
      field_(comm, solution.grid(), stream, solution.num_snapshots()),
      lines_(comm, solution.grid().blocks),
      coupling_(time.settings()),
      least_{least_of_stream[0] * stream.k, least_of_stream[1] * stream.omega},
      begins_(solution.grid().blocks.offsets(num_turbulent)),
      steps_(static_cast<std::size_t>(solution.num_snapshots())) {
  for (Step& step : steps_) {
    step.rates.resize(begins_.back());
    step.diagonals.resize(begins_.back());
    for (const Block& block : solution.grid().own) {
      step.links.emplace_back(block.extent);
    }
  }
}

template <typename Visit>
void Turbulence::for_each_cell(std::size_t own, Visit&& visit) const {
  const Extent& extent = solution_.grid().own[own].extent;
  Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) { visit(extent.at(c)); });
}

TurbulentNorms Turbulence::iterate() {
  solution_.complete();
  field_.complete(solution_);
  set_rates();
  const TurbulentNorms found = norms();
  if (!std::isfinite(found[0]) || !std::isfinite(found[1])) { // the same on all ranks
    refuse_nonsense();
  }
  for (Step& step : steps_) {
    lines_.solve(step.links, step.diagonals, step.rates, solution_.busy());
  }
  change();
  set_eddies();
  return found;
}

void Turbulence::refuse_nonsense() const {
  comm::agree(comm_, [this] {
    for (std::size_t own = 0; own < solution_.grid().own.size(); ++own) {
      const Block& block = solution_.grid().own[own];
      Extent::for_each_in({0, 0, 0}, block.extent.counts(), [&](const Index3& c) {
        for (const Step& step : steps_) {
          const double* const rate = step.rates.data() + begins_[own] + block.extent.at(c);
          check(std::isfinite(rate[0]) && std::isfinite(rate[block.extent.stored()]),
                "turbulence has become no number in {}: lower \"cfl\" (or \"step\"), or start "
                "from an easier flow",
                block.name_of_cell(c));
        }
      });
    }
  });
  fail("turbulence has become too large: lower \"cfl\" (or \"step\")");
}

void Turbulence::refresh() {
  solution_.complete();
  set_eddies();
}

void Turbulence::interpolate(Turbulence& coarse) {
  coarse.solution_.complete();
  coarse.field_.complete(coarse.solution_);
  field_.interpolate(coarse.field_);
}

void Turbulence::begin_step() {
  earlier_.swap(before_);
  before_ = field_.all();
}

bool Turbulence::is_positive(std::size_t own) const {
  const std::size_t stored = solution_.grid().own[own].extent.stored();
  bool all = true;
  for (int s = 0; s < field_.num_snapshots(); ++s) {
    const double* const values = field_.values(own, s).data();
    for_each_cell(
        own, [&](std::size_t cell) { all = all && values[cell] > 0 && values[stored + cell] > 0; });
  }
  return all;
}

void Turbulence::set_rates() {
  for (std::size_t own = 0; own < solution_.grid().own.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    for (int s = 0; s < field_.num_snapshots(); ++s) {
      set_rates(own, s);
    }
    if (time_.settings().kind == TimeKind::harmonic) {
      add_derivatives(own);
    }
  }
}

void Turbulence::set_rates(std::size_t own, int snapshot) {
  const PieceFlow flow = piece_flow(solution_, own, snapshot);
  Step& step = steps_[static_cast<std::size_t>(snapshot)];
  const std::size_t size = begins_[own + 1] - begins_[own];
  const auto rates = std::span(step.rates).subspan(begins_[own], size);
  const auto diagonals = std::span(step.diagonals).subspan(begins_[own], size);
  set_links(flow, field_.values(own, snapshot), step.links[own]);
  set_transport(flow, field_.values(own, snapshot), step.links[own], rates, diagonals);
  for (const BoundarySide& side : solution_.grid().sides) {
    if (side.own == own && side.kind == BoundaryKind::no_slip) {
      add_walls(flow.block.extent, side, step.links[own], diagonals);
    }
  }
  add_sources(flow, own);
  if (time_.settings().kind == TimeKind::dual) {
    add_time(flow, own);
  }
}

/// Of the model, and of pseudo time.
void Turbulence::add_sources(const PieceFlow& flow, std::size_t own) {
  const std::size_t stored = flow.block.extent.stored();
  const double* const blend = field_.values(own, flow.snapshot).data() + num_turbulent * stored;
  Step& of_snapshot = steps_[static_cast<std::size_t>(flow.snapshot)];
  std::vector<double> steps(stored);
  set_steps(flow.block, solution_.physics(), flow.turning, flow.primitive, steps);
  for_each_cell(own, [&](std::size_t cell) {
    const sst::Point point = field_.point(flow, own, cell);
    const double volume = flow.block.volumes[cell];
    const sst::Sources found = sst::sources(point, blend[cell], flow.field(eddy_field)[cell]);
    const double mass_by_step = point.density * volume / (cfl_ * steps[cell]);
    double* const rate = of_snapshot.rates.data() + begins_[own] + cell;
    double* const diagonal = of_snapshot.diagonals.data() + begins_[own] + cell;
    rate[0] += volume * found.k;
    rate[stored] += volume * found.omega;
    diagonal[0] += volume * found.k_slope + mass_by_step;
    diagonal[stored] += volume * found.omega_slope + mass_by_step;
  });
}

/// As TimeTerms::add of kind dual.
void Turbulence::add_time(const PieceFlow& flow, std::size_t own) {
  const BackwardWeights weights = time_.weights();
  const std::vector<double>& earlier = earlier_.empty() ? before_ : earlier_;
  const std::size_t stored = flow.block.extent.stored();
  Step& step = steps_.front();
  for_each_cell(own, [&](std::size_t cell) {
    const double mass = flow.field(0)[cell] * flow.block.volumes[cell];
    for (std::size_t v = 0; v < num_turbulent; ++v) {
      const std::size_t at = field_.begin_of(own, 0) + v * stored + cell;
      const std::size_t here = begins_[own] + v * stored + cell;
      step.rates[here] -= mass * (weights.now * field_.all()[at] + weights.before * before_[at] +
                                  weights.earlier * earlier[at]);
      step.diagonals[here] += mass * weights.now;
    }
  });
}

/// Of kind harmonic: twice the root of a value times the derivative of the root. Where it says that
/// a value decays, that part is implicit as sources are.
void Turbulence::add_derivatives(std::size_t own) {
  const Block& block = solution_.grid().own[own];
  const std::size_t stored = block.extent.stored();
  std::vector<double> roots(steps_.size());
  std::vector<double> derivatives(steps_.size());
  for_each_cell(own, [&](std::size_t cell) {
    for (std::size_t v = 0; v < num_turbulent; ++v) {
      const std::size_t at = v * stored + cell;
      for (std::size_t s = 0; s < steps_.size(); ++s) {
        roots[s] = std::sqrt(field_.values(own, static_cast<int>(s))[at]);
      }
      coupling_.derive(roots, derivatives);
      for (std::size_t s = 0; s < steps_.size(); ++s) {
        const double mass =
            solution_.primitive(own, static_cast<int>(s))[cell] * block.volumes[cell];
        steps_[s].rates[begins_[own] + at] -= 2 * mass * roots[s] * derivatives[s];
        steps_[s].diagonals[begins_[own] + at] +=
            2 * mass * std::max(derivatives[s], 0.0) / roots[s];
      }
    }
  });
}

/// Of kind harmonic: what transport and sources change in the snapshots of a cell becomes what
/// they change with the derivative, solved for with the step of each, and the values follow.
void Turbulence::change_together(std::size_t own) {
  const Block& block = solution_.grid().own[own];
  const std::size_t stored = block.extent.stored();
  std::vector<double> changes(steps_.size()); // of roots
  std::vector<double> steps(steps_.size());
  for_each_cell(own, [&](std::size_t cell) {
    for (std::size_t v = 0; v < num_turbulent; ++v) {
      const std::size_t at = v * stored + cell;
      for (std::size_t s = 0; s < steps_.size(); ++s) {
        const double mass =
            solution_.primitive(own, static_cast<int>(s))[cell] * block.volumes[cell];
        const double value = field_.values(own, static_cast<int>(s))[at];
        steps[s] = mass / steps_[s].diagonals[begins_[own] + at];
        changes[s] =
            std::sqrt(limited(value, steps_[s].rates[begins_[own] + at])) - std::sqrt(value);
      }
      coupling_.solve(steps, changes);
      for (std::size_t s = 0; s < steps_.size(); ++s) {
        double& value = field_.values(own, static_cast<int>(s))[at];
        const double root = std::max(std::sqrt(value) + changes[s], 0.0);
        value = std::max(limited(value, root * root - value), least_[v]);
      }
    }
  });
}

void Turbulence::change() {
  for (std::size_t own = 0; own < solution_.grid().own.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    if (time_.settings().kind == TimeKind::harmonic) {
      change_together(own);
      continue;
    }
    const std::size_t stored = solution_.grid().own[own].extent.stored();
    double* const values = field_.values(own, 0).data();
    const double* const changes = steps_.front().rates.data() + begins_[own];
    for_each_cell(own, [&](std::size_t cell) {
      for (std::size_t v = 0; v < num_turbulent; ++v) {
        const std::size_t at = v * stored + cell;
        values[at] = std::max(limited(values[at], changes[at]), least_[v]);
      }
    });
  }
}

void Turbulence::set_eddies() {
  for (std::size_t own = 0; own < solution_.grid().own.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    for (int s = 0; s < field_.num_snapshots(); ++s) {
      const PieceFlow flow = piece_flow(solution_, own, s);
      double* const eddy =
          solution_.primitive(own, s).data() + eddy_field * flow.block.extent.stored();
      for_each_cell(own, [&](std::size_t cell) {
        eddy[cell] = sst::eddy_viscosity(field_.point(flow, own, cell));
      });
    }
  }
}

TurbulentNorms Turbulence::norms() const {
  std::array<LongSum, num_turbulent> sums; // of this rank
  for (std::size_t own = 0; own < solution_.grid().own.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    const Block& block = solution_.grid().own[own];
    for_each_cell(own, [&](std::size_t cell) {
      for (std::size_t v = 0; v < num_turbulent; ++v) {
        for (const Step& step : steps_) {
          const double rate =
              step.rates[begins_[own] + v * block.extent.stored() + cell] / block.volumes[cell];
          sums[v].add(rate * rate);
        }
      }
    });
  }
  std::array<Twofold, num_turbulent> all{sums[0].value(), sums[1].value()};
  comm::allreduce_sum(comm_, all);
  TurbulentNorms found{};
  const auto count =
      static_cast<double>(solution_.grid().num_cells) * static_cast<double>(steps_.size());
  for (std::size_t v = 0; v < num_turbulent; ++v) {
    found[v] = std::sqrt(all[v].value / count);
  }
  return found;
}

} // namespace isthmus::flow
