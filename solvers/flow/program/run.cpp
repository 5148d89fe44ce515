// SPDX-License-Identifier: BSD-3-Clause
#include "flow/program/run.hpp"

#include "flow/program/course.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/io/atomic_file.hpp"

#include <algorithm>
#include <list>
#include <optional>
#include <span>

namespace isthmus::flow {

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

int num_grids(const Case& from) {
  return std::max(from.scheme.levels, static_cast<int>(from.run.warm_up.size()) + 1);
}

/// Those of multigrid from a level on.
std::span<const Grid> grids_from(std::size_t level, const Case& from, std::span<const Grid> grids) {
  const auto levels = static_cast<std::size_t>(from.scheme.levels);
  return grids.subspan(level, std::min(levels, grids.size() - level));
}

/// Iterations before a run: on a coarser grid, or with fewer harmonics.
struct Stage {
  std::size_t level;
  int harmonics;
  int iterations;
};

/// Coarser grids with the fewest harmonics, then more of these on the grid of the run.
std::vector<Stage> stages_before(const Case& from) {
  const std::vector<int>& grids = from.run.warm_up;
  const std::vector<int>& harmonics = from.run.fewer_harmonics;
  const int fewest = harmonics.empty() ? from.time.harmonics : 1;
  std::vector<Stage> stages;
  for (std::size_t n = 0; n < grids.size(); ++n) {
    stages.push_back({grids.size() - n, fewest, grids[n]});
  }
  for (std::size_t n = 0; n < harmonics.size(); ++n) {
    stages.push_back({0, static_cast<int>(n) + 1, harmonics[n]});
  }
  return stages;
}

/// Collective. The run takes what the stages before it come to.
void warm_up(const comm::Comm& comm, const Case& from, std::span<const Grid> grids,
             std::FILE* lines, Course& run) {
  struct Before {
    Case trial;
    std::optional<Course> run;
  };
  std::list<Before> runs; // which stay where they are
  for (const Stage& stage : stages_before(from)) {
    Before& now = runs.emplace_back(Before{from, {}});
    now.trial.run.iterations = stage.iterations;
    now.trial.run.plots.every = 0;
    now.trial.time.harmonics = stage.harmonics;
    now.run.emplace(comm, now.trial, grids_from(stage.level, from, grids), lines);
    if (runs.size() > 1) {
      now.run->begin_from(*runs.front().run);
      runs.pop_front();
    } else {
      now.run->begin();
    }
    now.run->warm_up();
  }
  run.begin_from(*runs.back().run);
}

/// Collective. What Course::measure_work() finds in a run that is given up.
std::vector<double> measured_weights(const comm::Comm& comm, const Case& from,
                                     std::span<const Grid> grids,
                                     const std::filesystem::path& restart) {
  Case trial = from;
  if (from.coupling.is_on()) { // whose steps the partner knows; the work is the same
    trial.time.kind = TimeKind::steady;
  }
  Course first(comm, trial, grids_from(0, from, grids), nullptr);
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
  std::vector<Grid> grids = make_grids(comm, source, settings, num_grids(from));
  if (from.run.measures && comm.size() > 1) {
    settings.weights = measured_weights(comm, from, grids, restart);
    grids.clear();
    grids = make_grids(comm, source, settings, num_grids(from));
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
  Course run(comm, timed, grids_from(0, from, grids), lines);
  if (!restart.empty()) {
    run.restart(restart);
  } else if (!stages_before(from).empty()) {
    warm_up(comm, from, grids, lines, run);
  }
  RunResult result = coupling ? run.coupled(*coupling) : run.all();
  run.write_files(source);
  return result;
}

} // namespace isthmus::flow
