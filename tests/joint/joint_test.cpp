// SPDX-License-Identifier: BSD-3-Clause
// Two participants in one job split by ranks, given the communicator of all: the whole library over
// MPI alone, so that it also runs on simulated clusters.
#include "isthmus/participant/participant.hpp"

#include "joint_launch.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

using namespace isthmus;

namespace {

constexpr int side = 24; // points per side of the provider's sheet

/// A maps both ways: S from B, and F to it.
std::string configuration(const std::string& mapping, const std::string& initialization) {
  couple::Scenario scenario{
      {{.first = "A", .second = "B", .max_windows = 3}},
      {{.from = "B",
        .to = "A",
        .data = "S",
        .mapping = {.kind = mapping},
        .meshes = {.dimensions = 3}},
       {.from = "A",
        .to = "B",
        .data = "F",
        .vector = true,
        .mapping = {.kind = mapping, .direction = "write", .constraint = "conservative"},
        .meshes = {.dimensions = 3}}}};
  scenario.connections.initialization = initialization;
  return scenario.xml();
}

double f(const double* x) {
  return 1 + 2 * x[0] - 3 * x[1];
}

/// This rank's strip of a planar sheet of n x n points over the unit square, with triangles; border
/// rows stand on both ranks.
struct Strip {
  std::vector<double> points;
  std::vector<int> triangles;

  Strip(int n, int rank, int size) {
    const int first = (n - 1) * rank / size;
    const int last = (n - 1) * (rank + 1) / size;
    for (int j = first; j <= last && last > first; ++j) {
      for (int i = 0; i < n; ++i) {
        points.insert(points.end(), {double(i) / (n - 1), double(j) / (n - 1), 0.0});
      }
    }
    for (int j = 0; j < last - first; ++j) {
      for (int i = 0; i + 1 < n; ++i) {
        const int a = j * n + i;
        triangles.insert(triangles.end(), {a, a + 1, a + n, a + 1, a + n + 1, a + n});
      }
    }
  }
};

void run(const std::string& mapping, const std::string& initialization) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int num_b = std::max(1, size / 4); // split 1:3
  const bool is_b = rank < num_b;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, is_b ? 0 : 1, rank, &own);
  const MPI_Comm joint = MPI_COMM_WORLD;
  const Launch launch = joint_launch(own, joint);
  const std::string file = "joint-" + mapping + "-" + initialization + ".xml";
  if (rank == 0) {
    std::ofstream(file) << configuration(mapping, initialization);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  {
    Participant participant(is_b ? "B" : "A", file, launch);
    const Strip strip(is_b ? side : side - 5, launch.rank, launch.size);
    const std::string mesh = is_b ? "B-Mesh" : "A-Mesh";
    const std::size_t count = strip.points.size() / 3;
    std::vector<int> ids(count);
    participant.set_mesh_vertices(mesh, strip.points, ids);
    if (participant.requires_mesh_connectivity_for(mesh)) {
      participant.set_mesh_triangles(mesh, strip.triangles);
    }
    participant.initialize();
    std::vector<double> scalar(count);
    std::vector<double> force(3 * count, 1.0);
    for (std::size_t i = 0; i < count; ++i) {
      scalar[i] = f(&strip.points[3 * i]);
    }
    while (participant.is_coupling_ongoing()) {
      participant.write_data(mesh, is_b ? "S" : "F", ids, is_b ? scalar : force);
      participant.advance(participant.max_time_step_size());
    }
    participant.read_data(mesh, is_b ? "F" : "S", ids, 0, is_b ? force : scalar);
    double error = 0;
    double sums[2] = {0, 0}; // force read by B, vertices of A that sent 1
    for (std::size_t i = 0; i < count; ++i) {
      error = std::max(error, is_b ? 0.0 : std::abs(scalar[i] - f(&strip.points[3 * i])));
      sums[is_b ? 0 : 1] += is_b ? force[3 * i] : 1.0;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sums[0] == doctest::Approx(sums[1]).epsilon(1e-12)); // nothing is lost on the way
    const double h = 1.0 / (side - 1);
    CHECK(error <= (mapping == "nearest-projection" ? 1e-12 : 5 * h / 2 * 1.001));
    participant.finalize();
  }
  MPI_Comm_free(&own);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    std::remove(file.c_str());
  }
}

} // namespace

TEST_CASE("consistent and conservative mappings over a joint communicator") {
  for (const char* initialization : {"rendezvous", "two-level", "one-level"}) {
    for (const char* mapping : {"nearest-neighbor", "nearest-projection"}) {
      CAPTURE(initialization);
      CAPTURE(mapping);
      run(mapping, initialization);
    }
  }
}
