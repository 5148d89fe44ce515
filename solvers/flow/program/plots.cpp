// SPDX-License-Identifier: BSD-3-Clause
#include "flow/program/plots.hpp"

#include "flow/program/output.hpp"
#include "isthmus/base/clock.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/blocks/block_baselines.hpp"

#include <fmt/format.h>

#include <utility>

namespace isthmus::flow {

namespace {

constexpr std::size_t num_fields = 5;

io::BlockGrid grid_of_plots(const Solution& solution) {
  io::BlockGrid grid{cells_of_blocks(solution.grid().blocks.topology),
                     {"density", "velocity_x", "velocity_y", "velocity_z", "pressure"},
                     1};
  grid.snapshots = static_cast<std::uint64_t>(solution.num_snapshots());
  return grid;
}

io::BlockStage stage_of(PlotWay way) {
  switch (way) {
    case PlotWay::gathered:
      return io::BlockStage::gathered;
    case PlotWay::rows:
      return io::BlockStage::rows;
    case PlotWay::blocks:
      return io::BlockStage::blocks;
    default:
      return io::BlockStage::restructured;
  }
}

} // namespace

Plots::Plots(const comm::Comm& comm, const Solution& solution, const PlotSettings& settings,
             std::filesystem::path folder)
    : comm_(comm),
      solution_(solution),
      settings_(settings),
      folder_(std::move(folder)),
      grid_(grid_of_plots(solution)),
      blocks_(comm, solution.grid().blocks),
      writer_(std::make_unique<io::BlockWriter>(comm, grid_, blocks_.written(), 0)) {}

void Plots::write(int number, const io::BlockMoment& moment) {
  if (settings_.every == 0 || number % settings_.every != 0) {
    return;
  }
  const double start = now();
  current_ = 1 - current_;
  values_[current_] =
      blocks_.join(pack(std::move(values_[current_])),
                   num_fields * static_cast<std::size_t>(solution_.num_snapshots()));
  put(folder_ / fmt::format("plot-{:06}.blocks", number), moment);
  const double seconds = comm::allreduce(comm_, now() - start, comm::Op::max);
  text_ += fmt::format("{},{:.6f}\n", number, seconds);
}

void Plots::finish() {
  writer_->finish();
}

std::vector<std::vector<double>> Plots::pack(std::vector<std::vector<double>> all) const {
  const double factor = solution_.physics().gas.gamma - 1;
  all.resize(solution_.grid().own.size());
  for (std::size_t own = 0; own < solution_.grid().own.size(); ++own) {
    const Extent& extent = solution_.grid().own[own].extent;
    const std::size_t stored = extent.stored();
    const std::size_t cells = extent.interior();
    std::vector<double>& packed = all[own];
    packed.resize(num_fields * cells * static_cast<std::size_t>(solution_.num_snapshots()));
    for (int s = 0; s < solution_.num_snapshots(); ++s) {
      const double* const u = solution_.conserved().data() + solution_.begin_of(own, s);
      double* to = packed.data() + static_cast<std::size_t>(s) * num_fields * cells;
      extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
        const auto last = first + static_cast<std::size_t>(extent.count(0));
        for (std::size_t at = first; at < last; ++at, ++to) {
          const double inverse = 1 / u[at];
          double kinetic = 0;
          to[0] = u[at];
          for (std::size_t c = 1; c <= 3; ++c) {
            to[c * cells] = u[c * stored + at] * inverse;
            kinetic += 0.5 * u[c * stored + at] * to[c * cells];
          }
          to[4 * cells] = factor * (u[4 * stored + at] - kinetic);
        }
      });
    }
  }
  return all;
}

void Plots::put(const std::filesystem::path& path, const io::BlockMoment& moment) {
  const std::vector<std::span<const double>> views(values_[current_].begin(),
                                                   values_[current_].end());
  if (settings_.way == PlotWay::background) {
    writer_->lend(path, moment, views, io::Durability::process);
  } else if (settings_.way == PlotWay::collective) {
    writer_->write(path, moment, views, io::Durability::process);
  } else {
    io::write_baseline(comm_, stage_of(settings_.way), path, {grid_, blocks_.written(), 0, views},
                       io::Durability::process);
  }
}

} // namespace isthmus::flow
