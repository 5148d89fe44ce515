// SPDX-License-Identifier: BSD-3-Clause
// bench_mules N STEPS NS PLANE [VERSION…]: a column of water carried through N x N cells (see
// discrete/collapse.hpp) with a limiter, the same work in several versions:
//   announced   a message with the size before each, largest and smallest values apart, five
//               iterations for every face from one downwards, nothing overlapped
//   remembered  the same without sizes after the first step (Lin et al.)
//   planned     no sizes at all, values in one message, otherwise the same
//   ours        limits grow from zero and faces that are done send nothing; inner work overlaps
//   one3        three iterations for every face from one downwards; zero3: from zero upwards
// Under the smpi preset a visit of a face takes NS simulated nanoseconds. One line of comma
// separated values for each version: counts of a step, all but the first; times of the slowest
// rank.
#include "isthmus/discrete/mules.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/discrete/collapse.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#ifdef ISTHMUS_SIMULATED
#include <smpi/smpi.h>
#endif

using namespace isthmus;
using discrete::Mules;

namespace {

/// Every face in every iteration, one message after the other.
Mules::Settings classic(std::string_view version) {
  Mules::Settings settings{
      .iterations = 5, .tolerance = -1, .negligible = -1, .from_one = true, .overlap = false};
  if (version == "announced") {
    settings.sizes = discrete::Sizes::announced;
    settings.split = true;
  } else if (version == "remembered") {
    settings.sizes = discrete::Sizes::remembered;
    settings.split = true;
  } else if (version != "planned") {
    settings.iterations = version.back() - '0';
    settings.from_one = version.starts_with("one");
    check(settings.iterations >= 0 && settings.iterations <= 9, "there is no version {}", version);
  }
  return settings;
}

Mules::Settings settings_of(std::string_view version, [[maybe_unused]] double seconds_of_visit) {
  Mules::Settings settings = version == "ours" ? Mules::Settings{} : classic(version);
#ifdef ISTHMUS_SIMULATED
  settings.on_work = [seconds_of_visit](std::size_t visits) {
    smpi_execute(seconds_of_visit * static_cast<double>(visits));
  };
#endif
  return settings;
}

/// Means over the steps of what all ranks do, where nothing else is said.
struct Figures {
  double iterations = 0; // most of a rank
  double busiest = 0;    // messages of a rank
  double messages = 0, bytes = 0, sizes = 0, work = 0, hidden = 0;
  double overshoot = 0, mixed = 0, mass_change = 0; // at any time; at the end
  double seconds = 0, least_seconds = 0;
};

double sum(const comm::Comm& comm, double value) {
  return comm::allreduce(comm, value, comm::Op::sum);
}

double max(const comm::Comm& comm, double value) {
  return comm::allreduce(comm, value, comm::Op::max);
}

/// What ranks and steps share is found at the end: nothing else is sent between steps.
void summarize(Figures& figures, const comm::Comm& comm, std::span<const Mules::Report> reports,
               std::vector<double> seconds) {
  const auto steps = static_cast<double>(reports.size());
  std::vector<double> iterations;
  std::array<double, 5> sums{};
  for (const Mules::Report& report : reports) {
    iterations.push_back(report.iterations);
    const std::array<std::int64_t, 5> terms = {report.messages, report.bytes, report.size_messages,
                                               report.work, report.hidden};
    for (std::size_t k = 0; k < terms.size(); ++k) {
      sums[k] += static_cast<double>(terms[k]) / steps;
    }
  }
  figures.busiest = max(comm, sums[0] + sums[2]);
  comm::allreduce(comm, std::span<double>(sums), comm::Op::sum);
  comm::allreduce(comm, std::span<double>(iterations), comm::Op::max);
  comm::allreduce(comm, std::span<double>(seconds), comm::Op::max);
  figures.messages = sums[0];
  figures.bytes = sums[1];
  figures.sizes = sums[2];
  figures.work = sums[3];
  figures.hidden = sums[4];
  figures.iterations = std::accumulate(iterations.begin(), iterations.end(), 0.0) / steps;
  figures.least_seconds = *std::min_element(seconds.begin(), seconds.end());
}

double mass_of(const comm::Comm& comm, std::span<const double> fractions) {
  double mass = 0;
  for (const double fraction : fractions) {
    mass += fraction;
  }
  return sum(comm, mass);
}

Figures measure(const comm::Comm& comm, const discrete::Collapse& collapse,
                const discrete::FaceMesh& mesh, std::vector<double>& own, int steps,
                const Mules::Settings& settings) {
  Mules mules(comm, mesh, settings);
  const std::vector<double> flux = collapse.fluxes(mesh);
  const double mass = mass_of(comm, own);
  Figures figures;
  std::vector<Mules::Report> reports;
  std::vector<double> seconds;
  mules.step(collapse.time_step(), flux, own); // sizes are known from now on
  comm::barrier(comm);
  const double begin = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    const double before = MPI_Wtime();
    reports.push_back(mules.step(collapse.time_step(), flux, own));
    seconds.push_back(MPI_Wtime() - before);
    for (const double fraction : own) {
      figures.overshoot = std::max({figures.overshoot, fraction - 1, -fraction});
    }
  }
  figures.seconds = max(comm, MPI_Wtime() - begin) / steps;
  summarize(figures, comm, reports, std::move(seconds));
  figures.overshoot = max(comm, figures.overshoot);
  figures.mass_change = mass_of(comm, own) / mass - 1;
  for (const double fraction : own) {
    figures.mixed += fraction * (1 - fraction);
  }
  figures.mixed = sum(comm, figures.mixed) / mass;
  return figures;
}

/// One line of values for each row of cells.
void write_plane(const comm::Comm& comm, const discrete::FaceGrid& grid,
                 const discrete::FaceMesh& mesh, const std::vector<double>& own, const char* path) {
  const auto ids = comm::gather(comm, std::span<const GlobalIndex>(mesh.cell_ids)).values;
  const auto values = comm::gather(comm, std::span<const double>(own)).values;
  std::FILE* const file = comm.is_root() ? std::fopen(path, "w") : nullptr;
  if (file == nullptr) {
    return;
  }
  std::vector<double> all(ids.size());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    all[static_cast<std::size_t>(ids[k])] = values[k];
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::fprintf(file, "%.4f%c", all[k],
                 (k + 1) % static_cast<std::size_t>(grid.cells[0]) == 0 ? '\n' : ',');
  }
  std::fclose(file);
}

void run(int argc, char** argv) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const discrete::Collapse collapse(std::atoi(argv[1]));
  const int steps = std::atoi(argv[2]);
  const discrete::FaceMesh mesh =
      discrete::make_face_block(collapse.grid, comm.size(), comm.rank());
  const double neighbours = sum(comm, static_cast<double>(mesh.patches.size()));
  if (comm.is_root()) {
    std::printf(
        "ranks,cells,neighbours,version,iterations,messages_busiest,messages,bytes,"
        "size_messages,work,hidden,overshoot,mixed,mass_change,step_us,"
        "least_step_us\n");
  }
  std::vector<std::string_view> versions(argv + 5, argv + argc);
  if (versions.empty()) {
    versions = {"announced", "remembered", "planned", "ours"};
  }
  std::vector<double> own;
  for (const std::string_view version : versions) {
    own = collapse.fractions(mesh);
    const Figures f =
        measure(comm, collapse, mesh, own, steps, settings_of(version, 1e-9 * std::atof(argv[3])));
    if (comm.is_root()) {
      std::printf("%d,%ld,%g,%s,%g,%g,%g,%g,%g,%g,%.4f,%.3g,%.5g,%.3g,%.3f,%.3f\n", comm.size(),
                  collapse.grid.num_cells(), neighbours, std::string(version).c_str(), f.iterations,
                  f.busiest, f.messages, f.bytes, f.sizes, f.work, f.hidden / f.work, f.overshoot,
                  f.mixed, f.mass_change, 1e6 * f.seconds, 1e6 * f.least_seconds);
      std::fflush(stdout);
    }
  }
  if (std::string_view(argv[4]) != "-") {
    write_plane(comm, collapse.grid, mesh, own, argv[4]);
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 5) {
    std::fprintf(stderr, "usage: bench_mules N STEPS NS PLANE|- [VERSION...]\n");
    return 2;
  }
  run(argc, argv);
  MPI_Finalize();
}
