// SPDX-License-Identifier: BSD-3-Clause
#include "flow/program/course.hpp"

#include "flow/multiblock/plot3d.hpp"
#include "flow/numerics/between_grids.hpp"
#include "isthmus/base/clock.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/atomic_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace isthmus::flow {

namespace {

constexpr const char* head = "step,iteration,time,density,energy,lift,drag,moment";

LoadRow row_of(const Load& load, const Attitude& attitude, double mach, double time) {
  const double c = std::cos(attitude.incidence);
  const double s = std::sin(attitude.incidence);
  double power = load.values[3] * attitude.turning_speed;
  for (std::size_t d = 0; d < 3; ++d) {
    power += load.values[d] * attitude.velocity[d];
  }
  return {time,
          attitude.incidence,
          c * load.values[1] - s * load.values[0],
          c * load.values[0] + s * load.values[1],
          -load.values[3],
          power / mach};
}

/// With the slow sound of pseudo time, which follows from the flow and its steps in time.
Physics physics_of(const Case& from) {
  Physics physics = from.physics;
  if (from.is_preconditioned) {
    const TimeSettings& time = from.time;
    const double step = time.kind == TimeKind::harmonic
                            ? 2 * std::numbers::pi / (time.frequency * (2 * time.harmonics + 1))
                            : (time.kind == TimeKind::dual ? time.step : 0);
    physics.flux.preconditioning = least_slowing(from.mach, step);
  }
  return physics;
}

std::string loads_text(const RunResult& result) {
  std::string text = "time,incidence,lift,drag,moment,power\n";
  for (const LoadRow& row : result.loads) {
    text += fmt::format("{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g}\n", row.time,
                        row.incidence * 180 / std::numbers::pi, row.lift, row.drag, row.moment,
                        row.power);
  }
  return text;
}

std::string balance_text(const RunResult& result) {
  std::string text = "rank,pieces,cells,busy\n";
  for (std::size_t rank = 0; rank < result.work.size(); ++rank) {
    const RankWork& work = result.work[rank];
    text += fmt::format("{},{},{},{:.6f}\n", rank, work.pieces, work.cells, work.busy);
  }
  return text;
}

} // namespace

void History::print(const comm::Comm& comm, const std::string& line) {
  text += line;
  if (comm.is_root() && lines != nullptr) {
    std::fputs(line.c_str(), lines);
    std::fflush(lines);
  }
}

Course::Course(const comm::Comm& comm, const Case& from, std::span<const Grid> grids,
               std::FILE* lines)
    : comm_(comm),
      case_(from),
      time_(grids.front(), from.time),
      solution_(comm, grids.front(), physics_of(from), from.mach, time_.num_snapshots()),
      multigrid_(comm, from.scheme, grids, solution_, time_),
      plots_(comm, solution_, from.run.plots, from.run.output),
      history_{lines} {
  stand(0);
  solution_.set_undisturbed();
  if (from.physics.gas.is_turbulent) {
    eddies_.emplace(
        Eddies{Turbulence(comm, from.turbulence, from.scheme.cfl, solution_, time_), {}});
    turbulence()->refresh();
  }
}

void Course::begin() {
  history_.print(comm_, fmt::format("{}{}\n", head, eddies_ ? ",k,omega" : ""));
}

void Course::restart(const std::filesystem::path& path) {
  moment_ = read_restart(comm_, path, {solution_, time_, turbulence()});
  stand(moment_.time);
  if (eddies_) {
    turbulence()->refresh();
  }
}

void Course::begin_from(Course& coarse) {
  const bool has_fewer = coarse.solution_.num_snapshots() < solution_.num_snapshots();
  if (has_fewer) {
    add_harmonics(coarse.solution_, solution_);
  } else {
    interpolate(comm_, coarse.solution_, solution_);
  }
  if (eddies_) {
    if (has_fewer) {
      turbulence()->add_harmonics(*coarse.turbulence());
    } else {
      turbulence()->interpolate(*coarse.turbulence());
    }
    turbulence()->refresh();
  }
  history_.text = std::move(coarse.history_.text);
}

RunResult Course::coupled(Coupling& coupling) {
  begin();
  try {
    while (coupling.is_ongoing()) {
      advance(coupling);
    }
  } catch (...) {
    coupling.give_up(current_reason());
    throw;
  }
  list_work();
  return result_;
}

RunResult Course::all() {
  const double start = now();
  if (history_.text.empty()) {
    begin();
  }
  const TimeKind kind = case_.time.kind;
  if (kind == TimeKind::steady || kind == TimeKind::harmonic) {
    converge();
    moment_.step += static_cast<std::uint64_t>(result_.iterations);
    add_loads();
  }
  for (int step = 0; step < case_.run.steps; ++step) {
    advance();
  }
  plots_.finish();
  list_work();
  result_.seconds = now() - start;
  return result_;
}

std::vector<double> Course::measure_work() {
  constexpr int iterations = 4; // the first one finds nothing in caches
  const Blocks& blocks = solution_.grid().blocks;
  if (case_.time.kind == TimeKind::dual) {
    begin_step();
  }
  std::vector<double> quickest(blocks.own.size(), std::numeric_limits<double>::infinity());
  for (int n = 0; n < iterations; ++n) {
    const std::vector<double> before = solution_.busy();
    iterate();
    for (std::size_t own = 0; own < quickest.size(); ++own) {
      quickest[own] = std::min(quickest[own], solution_.busy()[own] - before[own]);
    }
  }
  std::vector<double> work(static_cast<std::size_t>(blocks.topology.num_blocks()));
  for (std::size_t own = 0; own < quickest.size(); ++own) {
    work[static_cast<std::size_t>(blocks.own_piece(own).block)] += quickest[own];
  }
  comm::allreduce(comm_, std::span(work), comm::Op::sum);
  comm::bcast(comm_, work);
  return work;
}

void Course::write_files(const GridSource& source) {
  const std::filesystem::path& folder = case_.run.output;
  write_restart(comm_, folder / "flow.blocks", {solution_, time_, turbulence()}, moment_);
  solution_.complete();
  write_fields(comm_, folder / "flow.vtkhdf", solution_, 0, moment_);
  write_plot3d(comm_, folder / "grid.xyz", source);
  comm::agree(comm_, [&] {
    if (comm_.is_root()) {
      io::write_file(folder / "history.csv", history_.text);
      io::write_file(folder / "loads.csv", loads_text(result_));
      io::write_file(folder / "balance.csv", balance_text(result_));
      if (case_.run.plots.every > 0) {
        io::write_file(folder / "files.csv", plots_.text());
      }
    }
  });
}

void Course::begin_step() {
  time_.begin_step(solution_);
  if (eddies_) {
    turbulence()->begin_step();
  }
}

Norms Course::iterate() {
  const Norms norms = multigrid_.iterate();
  if (eddies_) {
    eddies_->norms = eddies_->model.iterate();
  }
  return norms;
}

void Course::advance(Coupling& coupling) {
  ++moment_.step;
  begin_step();
  coupling.begin_window();
  moment_.time += case_.time.step;
  first_residual_ = 0;
  do { // repeated windows go on from where they were
    given_ = coupling.read().attitude(case_.motion.mean, case_.time.step);
    stand(moment_.time);
    converge();
    solution_.complete();
  } while (coupling.advance(solution_));
  add_loads();
}

void Course::advance() {
  ++moment_.step;
  if (case_.time.kind == TimeKind::global) { // the loads are those before the step
    stand(moment_.time);
    const Norms norms = multigrid_.iterate();
    ++result_.iterations;
    add_loads();
    report(norms, 0);
    moment_.time += case_.time.step;
    plots_.write(static_cast<int>(moment_.step), moment_);
    return;
  }
  begin_step();
  moment_.time += case_.time.step;
  stand(moment_.time);
  first_residual_ = 0;
  converge();
  add_loads();
  plots_.write(static_cast<int>(moment_.step), moment_);
}

void Course::converge() {
  result_.is_converged = false;
  for (int n = 1; n <= case_.run.iterations && !result_.is_converged; ++n) {
    const Norms norms = iterate();
    ++result_.iterations;
    result_.residual = norms.values[0];
    if (first_residual_ == 0) {
      first_residual_ = result_.residual;
    }
    // a uniform flow along a wall has no residual of the density before the first step
    result_.is_converged = n > 1 && result_.residual <= case_.run.residual * first_residual_;
    if (n % case_.run.report == 0 || n == case_.run.iterations || result_.is_converged) {
      report(norms, n);
    }
    if (case_.time.kind != TimeKind::dual) {
      plots_.write(n, moment_);
    }
  }
}

void Course::list_work() {
  RankWork own;
  for (std::size_t n = 0; n < solution_.busy().size(); ++n) {
    ++own.pieces;
    own.cells += solution_.grid().blocks.own_piece(n).cells();
    own.busy += solution_.busy()[n];
  }
  result_.work = comm::allgather(comm_, own);
}

void Course::stand(double time) {
  std::vector<Attitude> attitudes;
  for (int s = 0; s < time_.num_snapshots(); ++s) {
    attitudes.push_back(attitude(time_of(s, time)));
  }
  solution_.set_attitudes(std::move(attitudes));
}

Attitude Course::attitude(double time) const {
  return given_ ? *given_ : case_.motion.at(time);
}

double Course::time_of(int snapshot, double time) const {
  if (case_.time.kind != TimeKind::harmonic) {
    return time;
  }
  return 2 * std::numbers::pi * snapshot / (case_.time.frequency * time_.num_snapshots());
}

std::vector<LoadRow> Course::loads() const {
  std::vector<LoadRow> rows;
  for (const Load& load : wall_loads(comm_, solution_)) {
    const double time = time_of(static_cast<int>(rows.size()), moment_.time);
    rows.push_back(row_of(load, attitude(time), case_.mach, time));
  }
  return rows;
}

void Course::add_loads() {
  if (case_.time.kind != TimeKind::global) {
    solution_.complete();
  }
  for (const LoadRow& row : loads()) {
    result_.loads.push_back(row);
  }
}

void Course::report(const Norms& norms, int iteration) {
  const LoadRow row = loads().front();
  std::string line =
      fmt::format("{},{},{:.9g},{:.6e},{:.6e},{:.9g},{:.9g},{:.9g}", moment_.step, iteration,
                  moment_.time, norms.values[0], norms.values[4], row.lift, row.drag, row.moment);
  for (const double norm :
       eddies_ ? std::span<const double>(eddies_->norms) : std::span<const double>()) {
    line += fmt::format(",{:.6e}", norm);
  }
  history_.print(comm_, line + "\n");
}

} // namespace isthmus::flow
