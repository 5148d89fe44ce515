// SPDX-License-Identifier: BSD-3-Clause
// bench_dam_break N LAYERS STEPS ITERATIONS WEIGHT PATTERN…: time steps of a breaking dam (see
// discrete/dam_break.hpp) on N x N x LAYERS cells, the same work with several patterns of messages:
//   original  sizes of all pairs of ranks are combined on all ranks before each message of limits,
//             five iterations of the limiter for every face, gradients with three reductions, as in
//             OpenFOAM 2.3
//   paper     sizes are remembered, RePiPePCG (Lin et al.); paper_pipelined: PiPePCG
//   direct    sizes are known, gradients with three reductions, as in ESI's v2106
//   ours      limits grow from zero, faces that are done send nothing, reductions run beside the
//             products, the method is chosen by measured times
// Every corrector takes ITERATIONS iterations. Under the smpi preset work is simulated, that of a
// cell WEIGHT times: it stands for so many. One line of comma separated values for each pattern;
// times of the slowest rank, in microseconds; the time of a further iteration is apart, so that
// steps with more of them can be told.
// bench_dam_break N until T: the flow until time T; lines of time and front, then the bounds.
#include "isthmus/discrete/dam_break.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "size_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#ifdef ISTHMUS_SIMULATED
#include <smpi/smpi.h>
#endif

using namespace isthmus;
using discrete::DamBreak;

namespace {

// Seconds on one core of this machine, caches filled: bench_mules and bench_petsc.
[[maybe_unused]] constexpr double visit_seconds = 2.5e-9; // of a face of a cell
[[maybe_unused]] constexpr double product_seconds = 4e-9; // of a cell
[[maybe_unused]] constexpr double factor_seconds = 7e-9;
[[maybe_unused]] constexpr double vector_seconds = 0.25e-9; // of an entry that is read or written

/// Spends simulated time on the work; of loops over vectors of this length, too.
void account([[maybe_unused]] DamBreak::Settings& settings, [[maybe_unused]] double weight,
             [[maybe_unused]] double length) {
#ifdef ISTHMUS_SIMULATED
  const auto cost = [weight](double seconds) {
    return [time = weight * seconds](std::size_t count) {
      smpi_execute(time * static_cast<double>(count));
    };
  };
  settings.on_visits = settings.limiter.on_work = cost(visit_seconds);
  settings.on_product = cost(product_seconds);
  settings.on_factor = cost(factor_seconds);
  settings.solver.on_vectors = [time = weight * vector_seconds * length](double vectors) {
    smpi_execute(time * vectors);
  };
#endif
}

DamBreak::Settings settings_of(const comm::Comm& comm, std::string_view pattern,
                               std::optional<bench::SizeMatrix>& sizes) {
  DamBreak::Settings settings;
  settings.solver.norm = la::Norm::openfoam;
  if (pattern == "ours") {
    return settings;
  }
  settings.limiter = {
      .iterations = 5, .tolerance = -1, .negligible = -1, .from_one = true, .overlap = false};
  settings.packed = false;
  settings.solver.method = la::Method::cg_three;
  if (pattern == "original") {
    sizes.emplace(comm);
    settings.limiter.before_limits = [&sizes] { sizes->combine(); };
  } else if (pattern.starts_with("paper")) {
    settings.solver.method =
        pattern == "paper" ? la::Method::cg_repipelined : la::Method::cg_pipelined;
  } else {
    check(pattern == "direct", "there is no pattern {}", pattern);
  }
  return settings;
}

struct Figures {
  double step = 0, limiter = 0, iteration = 0; // seconds
  double reductions = 0;
  double messages = 0; // of the limiter, all ranks
  la::Method method = la::Method::automatic;
};

/// Means over the steps, after a first one.
Figures measure(const comm::Comm& comm, int n, int layers, int steps, int iterations,
                DamBreak::Settings settings) {
  constexpr int skipped = 2; // iterations of a corrector
  double since = 0;
  double counted = 0;
  settings.solver.progress = [&since, &counted, iterations](int iteration, double) {
    if (iteration == skipped) {
      since = MPI_Wtime();
    } else if (iteration == iterations - 1) { // the last one is followed by nothing
      counted += (MPI_Wtime() - since) / (iteration - skipped);
    }
    return true;
  };
  const int correctors = settings.correctors;
  settings.solver.relative = 0.05;
  settings.solver.max_iterations = 1;
  DamBreak flow(comm, n, layers, std::move(settings));
  const double dt = 0.2 * flow.time_step(1);
  Figures figures;
  figures.method = flow.step(dt).method; // chosen once
  flow.solver().method = figures.method;
  flow.solver().relative = 0;
  flow.solver().max_iterations = iterations;
  counted = 0;
  comm::barrier(comm);
  const double begin = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    const DamBreak::Report report = flow.step(dt);
    figures.limiter += report.limiter_seconds / steps;
    figures.reductions += static_cast<double>(report.reductions) / steps;
    figures.messages += static_cast<double>(report.limiter_messages) / steps;
  }
  figures.step = (MPI_Wtime() - begin) / steps;
  figures.iteration = counted / steps / correctors;
  std::array<double, 3> times{figures.step, figures.limiter, figures.iteration};
  comm::allreduce(comm, std::span<double>(times), comm::Op::max);
  figures.step = times[0];
  figures.limiter = times[1];
  figures.iteration = times[2];
  figures.messages = comm::allreduce(comm, figures.messages, comm::Op::sum);
  return figures;
}

void compare(const comm::Comm& comm, int argc, char** argv) {
  const int n = std::atoi(argv[1]);
  const int layers = std::atoi(argv[2]);
  const int iterations = std::atoi(argv[4]);
  check(iterations >= 5, "{} iterations are too few to tell the time of one", iterations);
  std::optional<bench::SizeMatrix> sizes;
  if (comm.is_root()) {
    std::puts(
        "ranks,cells,pattern,method,iterations,step_us,limiter_us,iteration_us,reductions,"
        "limiter_messages");
  }
  const double weight = std::atof(argv[5]);
  const double cells = static_cast<double>(n) * n * layers;
  for (int k = 6; k < argc; ++k) {
    DamBreak::Settings settings = settings_of(comm, argv[k], sizes);
    account(settings, weight, cells / comm.size());
    const Figures f = measure(comm, n, layers, std::atoi(argv[3]), iterations, settings);
    if (comm.is_root()) {
      std::printf("%d,%.0f,%s,%s,%d,%.3f,%.3f,%.3f,%g,%g\n", comm.size(), weight * cells, argv[k],
                  std::string(name(f.method)).c_str(), iterations, 1e6 * f.step, 1e6 * f.limiter,
                  1e6 * f.iteration, f.reductions, f.messages);
      std::fflush(stdout);
    }
  }
}

void run(const comm::Comm& comm, int n, double until) {
  constexpr double courant = 0.4;
  DamBreak flow(comm, n, 1, {.correctors = 2, .solver = {.relative = 1e-7}});
  double time = 0;
  double before = -1;
  double overshoot = 0;
  double volume = 0;
  double first_volume = 0;
  int steps = 0;
  while (time < until) {
    const double dt = std::min(flow.time_step(courant), 0.25 / n);
    const DamBreak::Report report = flow.step(dt);
    check(report.converged, "no pressure at time {}", time);
    time += dt;
    overshoot = std::max({overshoot, -report.least, report.largest - 1});
    volume = report.volume;
    first_volume = steps++ == 0 ? volume : first_volume;
    if (const double front = flow.front(); front != before && comm.is_root()) {
      std::printf("%.4f,%.4f\n", time, front);
      before = front;
    }
  }
  if (comm.is_root()) {
    std::printf("steps,overshoot,volume_change\n%d,%.3g,%.3g\n", steps, overshoot,
                std::abs(volume / first_volume - 1));
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool runs = argc == 4 && std::string_view(argv[2]) == "until";
  if (!runs && argc < 7) {
    std::fprintf(
        stderr, "usage: bench_dam_break N LAYERS STEPS ITERATIONS WEIGHT PATTERN... | N until T\n");
    return 2;
  }
  {
    const comm::Comm comm(MPI_COMM_WORLD);
    if (runs) {
      run(comm, std::atoi(argv[1]), std::atof(argv[3]));
    } else {
      compare(comm, argc, argv);
    }
  }
  MPI_Finalize();
}
