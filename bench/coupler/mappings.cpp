// SPDX-License-Identifier: BSD-3-Clause
// Errors and cost of the mappings between two curved sheets that do not match, and of one between
// two cubes, for Franke's function, on one core without communication:
//   bench_mappings REFINEMENTS
// Prints, for each mapping and refinement from 16 points along a side: set-up and step in seconds
// of the processor, once each, weights per point, root mean square and largest error.
#include "isthmus/comm/comm.hpp"
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/clusters/partition_of_unity.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>

using namespace isthmus;
using namespace isthmus::mapping;

namespace {

/// R. Franke, Naval Postgraduate School report NPS-53-79-003 (1979).
double franke(double x, double y) {
  const double a = 9 * x;
  const double b = 9 * y;
  return 0.75 * std::exp(-0.25 * ((a - 2) * (a - 2) + (b - 2) * (b - 2))) +
         0.75 * std::exp(-(a + 1) * (a + 1) / 49 - (b + 1) / 10) +
         0.5 * std::exp(-0.25 * ((a - 7) * (a - 7) + (b - 3) * (b - 3))) -
         0.2 * std::exp(-(a - 4) * (a - 4) - (b - 7) * (b - 7));
}

/// n x n jittered points over the unit square on a wavy surface, with triangles.
mesh::Mesh sheet(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> shift(-0.25 / n, 0.25 / n);
  mesh::Mesh mesh("Sheet", 3);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const double dx = i == 0 || i == n - 1 ? 0 : shift(engine);
      const double dy = j == 0 || j == n - 1 ? 0 : shift(engine);
      const double x = static_cast<double>(i) / (n - 1) + dx;
      const double y = static_cast<double>(j) / (n - 1) + dy;
      mesh.add_vertices(std::vector{x, y, 0.1 * std::sin(3 * x + 2 * y)});
    }
  }
  std::vector<LocalIndex> triangles;
  for (int j = 0; j + 1 < n; ++j) {
    for (int i = 0; i + 1 < n; ++i) {
      const LocalIndex a = j * n + i;
      triangles.insert(triangles.end(), {a, a + 1, a + n, a + 1, a + n + 1, a + n});
    }
  }
  mesh.add_triangles(triangles);
  return mesh;
}

/// n x n x n jittered points of the unit cube, six tetrahedra for each cell.
mesh::Mesh block(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> shift(-0.2 / n, 0.2 / n);
  mesh::Mesh mesh("Block", 3);
  for (int i = 0; i < n * n * n; ++i) {
    std::vector<double> place;
    for (const int k : {i % n, i / n % n, i / n / n}) {
      const bool inside = k > 0 && k < n - 1;
      place.push_back(static_cast<double>(k) / (n - 1) + (inside ? shift(engine) : 0));
    }
    mesh.add_vertices(place);
  }
  for (int i = 0; i < n * n * n; ++i) {
    int steps[3] = {1, n, n * n};
    const bool is_cell = i % n < n - 1 && i / n % n < n - 1 && i / n / n < n - 1;
    do { // the paths from the lowest corner of a cell to the highest one
      const LocalIndex second = i + steps[0];
      const std::vector<LocalIndex> path{i, second, second + steps[1],
                                         second + steps[1] + steps[2]};
      mesh.add_tetrahedra(is_cell ? std::span(path) : std::span<const LocalIndex>());
    } while (std::next_permutation(steps, steps + 3));
  }
  return mesh;
}

std::vector<double> sampled(const mesh::Mesh& mesh) {
  std::vector<double> values;
  for (LocalIndex i = 0; i < mesh.num_vertices(); ++i) {
    values.push_back(franke(mesh.vertex(i)[0], mesh.vertex(i)[1]));
  }
  return values;
}

double seconds_of(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

struct Figures {
  double setup;
  double step;
  double weights;
  std::vector<double> values;
};

Figures by_rows(const std::function<std::unique_ptr<Mapping>(const mesh::Mesh&)>& make,
                const mesh::Mesh& from, const mesh::Mesh& to) {
  Rows rows;
  Figures result{};
  result.setup = seconds_of([&] {
    const Interpolation found = make(from)->onto(to);
    rows = Rows(found.counts, found.columns, found.weights);
  });
  const std::vector<double> values = sampled(from);
  result.values.resize(static_cast<std::size_t>(to.num_vertices()));
  result.step = seconds_of([&] { rows.apply(1, values, result.values); });
  result.weights = static_cast<double>(rows.columns().size()) / to.num_vertices();
  return result;
}

Figures by_system(const radial::RadialBasisSettings& settings, const mesh::Mesh& from,
                  const mesh::Mesh& to) {
  const comm::Comm comm;
  std::unique_ptr<DistributedMapping> solver;
  Figures result{};
  result.setup = seconds_of([&] {
    solver = radial::make_global_radial_basis(from, settings)->distribute(comm, to.coordinates());
  });
  const std::vector<double> values = sampled(from);
  result.values.resize(static_cast<std::size_t>(to.num_vertices()));
  result.step = seconds_of([&] { solver->interpolate(1, values, result.values); });
  return result;
}

void print(const std::string& name, int n, const Figures& figures, const mesh::Mesh& to) {
  const std::vector<double> exact = sampled(to);
  double sum = 0;
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double error = std::abs(figures.values[i] - exact[i]);
    sum += error * error;
    largest = std::max(largest, error);
  }
  std::printf("%s,%d,%.4g,%.4g,%.4g,%.4g,%.4g\n", name.c_str(), n, figures.setup, figures.step,
              figures.weights, std::sqrt(sum / static_cast<double>(exact.size())), largest);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int refinements = argc > 1 ? std::atoi(argv[1]) : 3;
  std::printf("mapping,points,setup_s,step_s,weights,rms,largest\n");
  const radial::RadialBasisSettings basis{
      {radial::RadialFunction::Kind::compact_polynomial_c4, 0.2}};
  for (int k = 0, n = 16; k < refinements; ++k, n *= 2) {
    const mesh::Mesh from = sheet(n, 1);
    const mesh::Mesh to = sheet(n + n / 5, 2);
    print("nearest-neighbor", n,
          by_rows([](const mesh::Mesh& m) { return make_nearest_neighbor(m); }, from, to), to);
    print(
        "nearest-projection", n,
        by_rows([](const mesh::Mesh& m) { return make_nearest_projection(m, Outside::candidates); },
                from, to),
        to);
    print("linear-cell-interpolation", n,
          by_rows([](const mesh::Mesh& m) { return make_linear_cell(m); }, from, to), to);
    print("intersection", n, by_rows(make_intersection, from, to), to);
    const mesh::Mesh solid = block(n / 8 + 1, 1);
    const mesh::Mesh other = block(n / 8 + 2, 2);
    print("intersection of tetrahedra", n / 8 + 1, by_rows(make_intersection, solid, other), other);
    print(
        "rbf-pum-direct", n,
        by_rows([&](const mesh::Mesh& m) { return radial::make_partition_of_unity(m, basis, {}); },
                from, to),
        to);
    if (n <= 64) {
      print("rbf-global-direct", n, by_system(basis, from, to), to);
    }
  }
  MPI_Finalize();
}
