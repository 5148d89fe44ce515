// SPDX-License-Identifier: BSD-3-Clause
// bench_krylov WORK ITERATIONS METHOD[:LIMIT]…: time per iteration of the solvers of isthmus::la
// where an iteration of plain conjugate gradients computes for WORK microseconds: half of it
// products with the rows that need no other rank, a tenth those that do, a tenth the
// preconditioner, 30 % loops over vectors (13 vectors read or written; other methods take as much
// longer as they touch more). Every rank exchanges 1 kB with each of 6 neighbours. The solvers are
// those of the library, the operator is made up; under the smpi preset the work is simulated, else
// spun away. One line of comma separated values for each method; time is that of the slowest rank,
// after the first iterations.
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/halo.hpp"
#include "isthmus/la/krylov/solve.hpp"
#include "isthmus/la/operator.hpp"
#include "method.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#ifdef ISTHMUS_SIMULATED
#include <smpi/smpi.h>
#else
#include "isthmus/base/clock.hpp"
#endif

using namespace isthmus;
using namespace isthmus::la;

namespace {

constexpr int rows = 1024;
constexpr int entries = 128; // to each neighbour, 1 kB
constexpr double inner_share = 0.5;
constexpr double border_share = 0.1;
constexpr double preconditioner_share = 0.1;
constexpr double vector_share = 0.3;
constexpr int vectors_of_cg = 13;

void compute(double seconds) {
#ifdef ISTHMUS_SIMULATED
  smpi_execute(seconds);
#else
  const double end = now() + seconds;
  while (now() < end) {
  }
#endif
}

/// Ranks on a ring; the six nearest are neighbours, as far as there are so many.
exchange::Halo ring(const comm::Comm& comm) {
  std::vector<int> ranks;
  for (const int distance : {1, 2, 3}) {
    for (const int rank : {comm.rank() + distance, comm.rank() - distance}) {
      const int wrapped = (rank + 3 * comm.size()) % comm.size();
      if (wrapped != comm.rank() && std::find(ranks.begin(), ranks.end(), wrapped) == ranks.end()) {
        ranks.push_back(wrapped);
      }
    }
  }
  std::sort(ranks.begin(), ranks.end());
  std::vector<exchange::Halo::Neighbour> targets;
  std::vector<exchange::Halo::Source> sources;
  for (const int rank : ranks) {
    targets.push_back({rank, {}});
    for (LocalIndex i = 0; i < entries; ++i) {
      targets.back().entries.push_back(i);
    }
    sources.push_back({rank, entries});
  }
  return {std::move(targets), std::move(sources)};
}

/// Multiplies by a diagonal whose condition keeps the solvers busy; the halo is moved, not used.
class Model final : public Operator {
 public:
  Model(const comm::Comm& comm, double work)
      : comm_(comm),
        work_(work),
        halo_(ring(comm)),
        ghosts_(static_cast<std::size_t>(halo_.num_ghosts())) {}

  [[nodiscard]] const comm::Comm& comm() const override { return comm_; }
  [[nodiscard]] LocalIndex num_rows() const override { return rows; }
  void apply(std::span<const double> x, std::span<double> y, Overlap overlap = {}) override {
    auto arriving = halo_.begin_forward(comm_, 1, x, ghosts_);
    in_pieces(x.size(), overlap, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        y[i] = x[i] * (1 + 1e4 * static_cast<double>(i * i) / (rows * rows));
      }
      compute(inner_share * work_ * static_cast<double>(last - first) / rows);
    });
    arriving.finish();
    in_pieces(rows, overlap.part(border_share / inner_share),
              [this](std::size_t first, std::size_t last) {
                compute(border_share * work_ * static_cast<double>(last - first) / rows);
              });
  }

 private:
  const comm::Comm& comm_;
  double work_; // seconds
  exchange::Halo halo_;
  std::vector<double> ghosts_;
};

/// The identity, at the price of something better.
class ModelPreconditioner final : public Preconditioner {
 public:
  explicit ModelPreconditioner(double work) : work_(work) {}
  void apply(std::span<const double> r, std::span<double> z, Overlap overlap = {}) override {
    std::copy(r.begin(), r.end(), z.begin());
    in_pieces(r.size(), overlap, [this](std::size_t first, std::size_t last) {
      compute(preconditioner_share * work_ * static_cast<double>(last - first) / rows);
    });
  }

 private:
  double work_; // seconds
};

void measure(const comm::Comm& comm, double work, int iterations, const std::string& label) {
  const std::size_t colon = std::min(label.find(':'), label.size());
  const Method method = method_named(label.substr(0, colon));
  const double limit = colon < label.size() ? std::atof(label.c_str() + colon + 1) : 0;
  Model matrix(comm, work);
  ModelPreconditioner preconditioner(work);
  const std::vector<double> b(rows, 1.0);
  std::vector<double> x(rows);
  constexpr int skipped = 2;
  double begin = 0;
  double end = 0;
  Settings settings{.method = method, .relative = limit, .max_iterations = iterations};
  settings.monitor.progress = [&](int iteration, double) {
    (iteration <= skipped ? begin : end) = MPI_Wtime();
    return true;
  };
  settings.monitor.on_vectors = [work](double vectors) {
    compute(vector_share * work * vectors / vectors_of_cg);
  };
  comm::barrier(comm);
  const Report report = solve(matrix, preconditioner, b, x, settings);
  const int counted = report.iterations - skipped - (report.iterations == iterations ? 1 : 0);
  const double longest = comm::allreduce(comm, (end - begin) / counted, comm::Op::max);
  if (comm.rank() == 0) {
    const double n = report.iterations;
    std::printf("%d,%g,%s,%s,%d,%.3f,%.2f,%.2f,%.2f,%.3f,%.1f\n", comm.size(), 1e6 * work,
                label.c_str(), std::string(name(report.method)).c_str(), report.iterations,
                1e6 * longest, static_cast<double>(report.reductions) / n,
                static_cast<double>(report.messages) / n, static_cast<double>(report.polls) / n,
                static_cast<double>(report.products.extra) / n, report.vectors / n);
    std::fflush(stdout);
  }
}

void run(int argc, char** argv) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const double work = 1e-6 * std::atof(argv[1]);
  if (comm.rank() == 0) {
    std::printf(
        "ranks,work,method,ran,iterations,microseconds,reductions,messages,polls,extra,"
        "vectors\n");
  }
  for (int i = 3; i < argc; ++i) {
    measure(comm, work, std::atoi(argv[2]), argv[i]);
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 4) {
    std::fprintf(stderr, "usage: bench_krylov WORK ITERATIONS METHOD[:LIMIT]...\n");
    return 2;
  }
  run(argc, argv);
  MPI_Finalize();
}
