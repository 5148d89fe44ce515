// SPDX-License-Identifier: BSD-3-Clause
#include "flow/program/run.hpp"

#include "flow/grid/plot3d.hpp"
#include "flow/numerics/multigrid.hpp"
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
#include <optional>
#include <span>
#include <string>

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

/// A run under way: the parts, and what it prints.
class Run {
 public:
  /// `grids` as of make_grids().
  Run(const comm::Comm& comm, const Case& from, std::span<const Grid> grids, std::FILE* lines)
      : comm_(comm),
        case_(from),
        lines_(lines),
        time_(grids.front(), from.time),
        solution_(comm, grids.front(), physics_of(from), from.mach, time_.num_snapshots()),
        multigrid_(comm, from.scheme, grids, solution_, time_),
        plots_(comm, solution_, from.run.plots, from.run.output) {
    stand(0);
    solution_.set_undisturbed();
    if (from.physics.gas.is_turbulent) {
      turbulence_.emplace(comm, from.turbulence, from.scheme.cfl, solution_, time_);
      turbulence_->refresh();
    }
    print(fmt::format("{}{}\n", head, turbulence_ ? ",k,omega" : ""));
  }

  void restart(const std::filesystem::path& path) {
    moment_ = read_restart(comm_, path, {solution_, time_, turbulence()});
    stand(moment_.time);
    if (turbulence_) {
      turbulence_->refresh();
    }
  }

  /// The whole run as a participant.
  RunResult coupled(Coupling& coupling) {
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

  RunResult all() {
    const double start = now();
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

  /// The work of each block in an iteration, in seconds: the quickest of some, the same on all
  /// ranks. The flow is of no use afterwards.
  [[nodiscard]] std::vector<double> measure_work() {
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

  void write_files(const GridSource& source) {
    const std::filesystem::path& folder = case_.run.output;
    write_restart(comm_, folder / "flow.blocks", {solution_, time_, turbulence()}, moment_);
    solution_.complete();
    write_fields(comm_, folder / "flow.vtkhdf", solution_, 0, moment_);
    write_plot3d(comm_, folder / "grid.xyz", source);
    comm::agree(comm_, [&] {
      if (comm_.is_root()) {
        io::write_file(folder / "history.csv", history_);
        io::write_file(folder / "loads.csv", loads_text());
        io::write_file(folder / "balance.csv", balance_text());
        if (case_.run.plots.every > 0) {
          io::write_file(folder / "files.csv", plots_.text());
        }
      }
    });
  }

 private:
  [[nodiscard]] Turbulence* turbulence() { return turbulence_ ? &*turbulence_ : nullptr; }

  /// The present state is that before a step in time.
  void begin_step() {
    time_.begin_step(solution_);
    if (turbulence_) {
      turbulence_->begin_step();
    }
  }

  /// Of the flow, then of turbulence in it.
  Norms iterate() {
    const Norms norms = multigrid_.iterate();
    if (turbulence_) {
      turbulent_norms_ = turbulence_->iterate();
    }
    return norms;
  }

  /// A window of the coupling, which is a time step.
  void advance(Coupling& coupling) {
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

  /// A time step.
  void advance() {
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

  /// Pseudo steps until the residual is small; in time as a part of what it was first in the step.
  void converge() {
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

  void list_work() {
    RankWork own;
    for (std::size_t n = 0; n < solution_.busy().size(); ++n) {
      ++own.pieces;
      own.cells += solution_.grid().blocks.own_piece(n).cells();
      own.busy += solution_.busy()[n];
    }
    result_.work = comm::allgather(comm_, own);
  }

  /// How each snapshot stands in the flow; those of a period begin at time 0.
  void stand(double time) {
    std::vector<Attitude> attitudes;
    for (int s = 0; s < time_.num_snapshots(); ++s) {
      attitudes.push_back(attitude(time_of(s, time)));
    }
    solution_.set_attitudes(std::move(attitudes));
  }
  [[nodiscard]] Attitude attitude(double time) const {
    return given_ ? *given_ : case_.motion.at(time);
  }
  [[nodiscard]] double time_of(int snapshot, double time) const {
    if (case_.time.kind != TimeKind::harmonic) {
      return time;
    }
    return 2 * std::numbers::pi * snapshot / (case_.time.frequency * time_.num_snapshots());
  }

  [[nodiscard]] std::vector<LoadRow> loads() const {
    std::vector<LoadRow> rows;
    for (const Load& load : wall_loads(comm_, solution_)) {
      const double time = time_of(static_cast<int>(rows.size()), moment_.time);
      rows.push_back(row_of(load, attitude(time), case_.mach, time));
    }
    return rows;
  }
  void add_loads() {
    if (case_.time.kind != TimeKind::global) {
      solution_.complete();
    }
    for (const LoadRow& row : loads()) {
      result_.loads.push_back(row);
    }
  }

  void report(const Norms& norms, int iteration) {
    const LoadRow row = loads().front();
    std::string line =
        fmt::format("{},{},{:.9g},{:.6e},{:.6e},{:.9g},{:.9g},{:.9g}", moment_.step, iteration,
                    moment_.time, norms.values[0], norms.values[4], row.lift, row.drag, row.moment);
    for (const double norm :
         turbulence_ ? std::span<const double>(turbulent_norms_) : std::span<const double>()) {
      line += fmt::format(",{:.6e}", norm);
    }
    print(line + "\n");
  }
  void print(const std::string& line) {
    history_ += line;
    if (comm_.is_root() && lines_ != nullptr) {
      std::fputs(line.c_str(), lines_);
      std::fflush(lines_);
    }
  }
  [[nodiscard]] std::string loads_text() const {
    std::string text = "time,incidence,lift,drag,moment,power\n";
    for (const LoadRow& row : result_.loads) {
      text += fmt::format("{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g}\n", row.time,
                          row.incidence * 180 / std::numbers::pi, row.lift, row.drag, row.moment,
                          row.power);
    }
    return text;
  }

  [[nodiscard]] std::string balance_text() const {
    std::string text = "rank,pieces,cells,busy\n";
    for (std::size_t rank = 0; rank < result_.work.size(); ++rank) {
      const RankWork& work = result_.work[rank];
      text += fmt::format("{},{},{},{:.6f}\n", rank, work.pieces, work.cells, work.busy);
    }
    return text;
  }

  const comm::Comm& comm_;
  const Case& case_;
  std::FILE* lines_;
  TimeTerms time_;
  Solution solution_;
  Multigrid multigrid_;
  std::optional<Turbulence> turbulence_;
  TurbulentNorms turbulent_norms_{};
  Plots plots_;
  io::BlockMoment moment_;
  double first_residual_ = 1;     // of what a step converges to a part
  std::optional<Attitude> given_; // by a partner
  RunResult result_;
  std::string history_;
};

} // namespace

double RunResult::imbalance() const {
  double most = 0;
  double sum = 0;
  for (const RankWork& rank : work) {
    most = std::max(most, rank.busy);
    sum += rank.busy;
  }
  return sum > 0 ? most * static_cast<double>(work.size()) / sum : 1;
}

namespace {

/// Collective. What Run::measure_work() finds in a run that is given up.
std::vector<double> measured_weights(const comm::Comm& comm, const Case& from,
                                     std::span<const Grid> grids,
                                     const std::filesystem::path& restart) {
  Case trial = from;
  if (from.coupling.is_on()) { // whose steps the partner knows; the work is the same
    trial.time.kind = TimeKind::steady;
  }
  Run first(comm, trial, grids, nullptr);
  if (!restart.empty() && !from.coupling.is_on()) {
    first.restart(restart);
  }
  return first.measure_work();
}

} // namespace

RunResult run(const comm::Comm& comm, const Case& from, const std::filesystem::path& restart,
              std::FILE* lines) {
  const GridSource source = open_grid(from);
  GridSettings settings = from.grid;
  std::vector<Grid> grids = make_grids(comm, source, settings, from.scheme.levels);
  if (from.run.measures && comm.size() > 1) {
    settings.weights = measured_weights(comm, from, grids, restart);
    grids.clear();
    grids = make_grids(comm, source, settings, from.scheme.levels);
  }
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      io::make_folder(from.run.output);
    }
  });
  std::optional<Coupling> coupling;
  Case timed = from;
  if (from.coupling.is_on()) {
    coupling.emplace(comm, from.coupling, grids.front(), from.mach);
    timed.time.step = coupling->step();
  }
  Run run(comm, timed, grids, lines);
  if (!restart.empty()) {
    run.restart(restart);
  }
  RunResult result = coupling ? run.coupled(*coupling) : run.all();
  run.write_files(source);
  return result;
}

} // namespace isthmus::flow
