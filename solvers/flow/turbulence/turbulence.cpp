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

} // namespace

Turbulence::Turbulence(const comm::Comm& comm, const TurbulentStream& stream, double cfl,
                       Solution& solution, const TimeTerms& time)
    : comm_(comm),
      cfl_(hastening * cfl),
      solution_(solution),
      time_(time),
      field_(comm, solution.grid(), stream),
      lines_(comm, solution.grid().blocks),
      begins_(solution.grid().blocks.offsets(num_turbulent)),
      rates_(begins_.back()),
      diagonals_(begins_.back()) {
  for (const Block& block : solution.grid().own) {
    links_.emplace_back(block.extent);
  }
}

TurbulentNorms Turbulence::iterate() {
  solution_.complete();
  field_.complete(solution_);
  set_rates();
  const TurbulentNorms found = norms();
  if (!std::isfinite(found[0]) || !std::isfinite(found[1])) { // the same on all ranks
    comm::agree(comm_, [this] {
      for (std::size_t own = 0; own < links_.size(); ++own) {
        const Block& block = solution_.grid().own[own];
        Extent::for_each_in({0, 0, 0}, block.extent.counts(), [&](const Index3& c) {
          const double* const rate = rates_.data() + begins_[own] + block.extent.at(c);
          check(std::isfinite(rate[0]) && std::isfinite(rate[block.extent.stored()]),
                "turbulence has become no number in {}: lower \"cfl\" (or \"step\"), or start "
                "from an easier flow",
                block.name_of_cell(c));
        });
      }
    });
    fail("turbulence has become too large: lower \"cfl\" (or \"step\")");
  }
  lines_.solve(links_, diagonals_, rates_, solution_.busy());
  change();
  set_eddies();
  return found;
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
  const Extent& extent = solution_.grid().own[own].extent;
  const double* const values = field_.values(own).data();
  bool all = true;
  Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
    const std::size_t cell = extent.at(c);
    all = all && values[cell] > 0 && values[extent.stored() + cell] > 0;
  });
  return all;
}

void Turbulence::set_rates() {
  for (std::size_t own = 0; own < links_.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    const PieceFlow flow = piece_flow(solution_, own);
    const std::size_t size = begins_[own + 1] - begins_[own];
    const auto rates = std::span(rates_).subspan(begins_[own], size);
    const auto diagonals = std::span(diagonals_).subspan(begins_[own], size);
    set_links(flow, field_.values(own), links_[own]);
    set_transport(flow, field_.values(own), links_[own], rates, diagonals);
    for (const BoundarySide& side : solution_.grid().sides) {
      if (side.own == own && side.kind == BoundaryKind::no_slip) {
        add_walls(flow.block.extent, side, links_[own], diagonals);
      }
    }
    add_sources(flow, own);
    if (time_.settings().kind == TimeKind::dual) {
      add_time(flow, own);
    }
  }
}

/// Of the model, and of pseudo time.
void Turbulence::add_sources(const PieceFlow& flow, std::size_t own) {
  const Extent& extent = flow.block.extent;
  const std::size_t stored = extent.stored();
  const double* const blend = field_.values(own).data() + num_turbulent * stored;
  std::vector<double> steps(stored);
  set_steps(flow.block, solution_.physics(), flow.turning, flow.primitive, steps);
  Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
    const std::size_t cell = extent.at(c);
    const sst::Point point = field_.point(flow, own, cell);
    const double volume = flow.block.volumes[cell];
    const sst::Sources found = sst::sources(point, blend[cell], flow.field(eddy_field)[cell]);
    const double mass_by_step = point.density * volume / (cfl_ * steps[cell]);
    double* const rate = rates_.data() + begins_[own] + cell;
    double* const diagonal = diagonals_.data() + begins_[own] + cell;
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
  const Extent& extent = flow.block.extent;
  Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
    const std::size_t cell = extent.at(c);
    const double mass = flow.field(0)[cell] * flow.block.volumes[cell];
    for (std::size_t v = 0; v < num_turbulent; ++v) {
      const std::size_t at = field_.begin_of(own) + v * extent.stored() + cell;
      const std::size_t here = begins_[own] + v * extent.stored() + cell;
      rates_[here] -= mass * (weights.now * field_.all()[at] + weights.before * before_[at] +
                              weights.earlier * earlier[at]);
      diagonals_[here] += mass * weights.now;
    }
  });
}

void Turbulence::change() {
  for (std::size_t own = 0; own < links_.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    const Extent& extent = solution_.grid().own[own].extent;
    double* const values = field_.values(own).data();
    Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
      for (std::size_t v = 0; v < num_turbulent; ++v) {
        const std::size_t at = v * extent.stored() + extent.at(c);
        values[at] = std::max(values[at] + rates_[begins_[own] + at], least_part * values[at]);
      }
    });
  }
}

void Turbulence::set_eddies() {
  for (std::size_t own = 0; own < links_.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    const PieceFlow flow = piece_flow(solution_, own);
    const Extent& extent = flow.block.extent;
    double* const eddy = solution_.primitive(own, 0).data() + eddy_field * extent.stored();
    Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
      const std::size_t cell = extent.at(c);
      eddy[cell] = sst::eddy_viscosity(field_.point(flow, own, cell));
    });
  }
}

TurbulentNorms Turbulence::norms() const {
  std::array<LongSum, num_turbulent> sums; // of this rank
  for (std::size_t own = 0; own < links_.size(); ++own) {
    const BusyTime busy(solution_.busy()[own]);
    const Block& block = solution_.grid().own[own];
    Extent::for_each_in({0, 0, 0}, block.extent.counts(), [&](const Index3& c) {
      const std::size_t cell = block.extent.at(c);
      for (std::size_t v = 0; v < num_turbulent; ++v) {
        const double rate =
            rates_[begins_[own] + v * block.extent.stored() + cell] / block.volumes[cell];
        sums[v].add(rate * rate);
      }
    });
  }
  std::array<Twofold, num_turbulent> all{sums[0].value(), sums[1].value()};
  comm::allreduce_sum(comm_, all);
  TurbulentNorms found{};
  for (std::size_t v = 0; v < num_turbulent; ++v) {
    found[v] = std::sqrt(all[v].value / static_cast<double>(solution_.grid().num_cells));
  }
  return found;
}

} // namespace isthmus::flow
