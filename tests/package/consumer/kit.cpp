// SPDX-License-Identifier: BSD-3-Clause
// A solver that couples nothing and uses the kit: points are dealt to the ranks along a curve and
// by a partition of their graph, and a halo fills the ghosts of the neighbours' values.
#include <isthmus/base/error.hpp>
#include <isthmus/comm/comm.hpp>
#include <isthmus/exchange/halo.hpp>
#ifdef WITH_VTKHDF
#include <isthmus/io/vtkhdf/vtkhdf.hpp>
#endif
#include <isthmus/partition/multilevel/divide.hpp>
#include <isthmus/partition/points.hpp>

#include <mpi.h>

#include <cstdio>
#include <exception>
#include <vector>

namespace {

using namespace isthmus;

// A line of 100 points, of which each rank has some.
void deal_points(const comm::Comm& comm) {
  std::vector<double> coords;
  for (int i = comm.rank(); i < 100; i += comm.size()) {
    coords.insert(coords.end(), {0.01 * i, 0.0});
  }
  for (const int part : partition::cut_curve(comm, {2, coords, {}}, 5)) {
    check(part >= 0 && part < 5, "a point is in part {}", part);
  }
}

void divide_line() {
  std::vector<partition::Edge> edges;
  for (int i = 0; i + 1 < 60; ++i) {
    edges.push_back({i, i + 1});
  }
  const partition::Parts of = partition::divide(partition::make_graph(60, edges), 3);
  int cut = 0;
  for (std::size_t i = 0; i + 1 < of.size(); ++i) {
    cut += of[i] != of[i + 1] ? 1 : 0;
  }
  check(cut == 2, "{} edges of a line are cut into 3 parts", cut);
}

// Each rank sends its only value to the next one.
void pass_on(const comm::Comm& comm) {
  const int size = comm.size();
  const int next = (comm.rank() + 1) % size;
  const int before = (comm.rank() + size - 1) % size;
  exchange::Halo halo({{next, {0}}}, {{before, 1}});
  const double value = comm.rank();
  double ghost = -1.0;
  halo.forward(comm, 1, {&value, 1}, {&ghost, 1});
  check(ghost == before, "the ghost is {}, not {}", ghost, before);
}

#ifdef WITH_VTKHDF
// Each rank has a vertex and a cell that is that vertex.
void write_and_read(const comm::Comm& comm) {
  io::HdfMesh part;
  part.coordinates = {static_cast<double>(comm.rank()), 0.0, 0.0};
  part.connectivity = {comm.rank()};
  part.cell_ends = {1};
  part.cell_types = {1};
  io::write_vtkhdf(comm, "kit.vtkhdf", part, io::Durability::process);
  check(io::read_vtkhdf(comm, "kit.vtkhdf").coordinates == part.coordinates,
        "another mesh is read");
}
#endif

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    const comm::Comm comm(MPI_COMM_WORLD);
    deal_points(comm);
    divide_line();
#ifdef WITH_VTKHDF
    write_and_read(comm);
#endif
    if (comm.size() > 1) {
      pass_on(comm);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    failed = 1;
  }
  MPI_Finalize();
  return failed;
}
