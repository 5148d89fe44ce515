// SPDX-License-Identifier: BSD-3-Clause
// bench_fluxes REPEAT: what the fluxes of the flow solver take, beside the bandwidth of the same
// core: lines of case, cells, bytes per cell, quartiles and median of the ns per cell, those of the
// bandwidth in GB/s.
#include "flow/grid/grid.hpp"
#include "flow/grid/shapes.hpp"
#include "flow/numerics/solution.hpp"
#include "isthmus/base/clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

struct Quartiles {
  double low;
  double median;
  double high;
};

Quartiles quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](std::size_t quarter) { return values[quarter * (values.size() - 1) / 4]; };
  return {at(1), at(2), at(3)};
}

/// STREAM's triad on arrays that no cache holds; 24 bytes for each element, as STREAM counts.
class Triad {
 public:
  double bandwidth() {
    const double start = thread_time();
    for (std::size_t i = 0; i < size; ++i) {
      a_[i] = b_[i] + 3.0 * c_[i];
    }
    return 24e-9 * static_cast<double>(size) / (thread_time() - start);
  }

 private:
  static constexpr std::size_t size = std::size_t{1} << 24;
  std::vector<double> a_ = std::vector<double>(size, 0.0);
  std::vector<double> b_ = std::vector<double>(size, 1.0);
  std::vector<double> c_ = std::vector<double>(size, 2.0);
};

/// A flow in one block, and what its fluxes must read and write at least: each array once.
struct Trial {
  std::string name;
  Index3 cells;
  Limiter limiter;
  double viscosity;
};

GridSettings far_field() {
  GridSettings settings;
  BoundaryNames names;
  names.boundary = {"far", BoundaryKind::far_field};
  names.sides = {"*:i-min", "*:i-max", "*:j-min", "*:j-max", "*:k-min", "*:k-max"};
  names.place = "bench";
  settings.boundaries = {names};
  return settings;
}

void measure(const comm::Comm& comm, const Trial& trial, Triad& triad, int repeat) {
  Shape shape;
  shape.cells = trial.cells;
  shape.wave = 0.03;
  const bool is_flat = trial.cells[2] == 1;
  GridSettings settings = far_field();
  settings.boundaries[0].sides.resize(is_flat ? 4 : 6);
  const Grid grid = make_grid(comm, make_shape(shape), settings);
  Physics physics;
  physics.gas.viscosity = trial.viscosity;
  physics.flux.limiter = trial.limiter;
  Solution solution(comm, grid, physics, 0.3, 1);
  solution.set([is_flat](const Vector& x) {
    const double wave = 0.1 * std::sin(4 * x[0] + 2 * x[1] + x[2]);
    return Primitive{1 + wave, 0.3 + wave, 0.2 * wave, is_flat ? 0 : 0.1 * wave, (1 + wave) / 1.4};
  });
  solution.complete();
  const Block& block = grid.own.front();
  const auto cells = static_cast<double>(block.extent.interior());
  std::vector<double> residual(num_conserved * block.extent.stored());
  FluxRows rows;
  std::vector<double> times;
  std::vector<double> bandwidths;
  for (int n = 0; n < repeat + 1; ++n) {
    bandwidths.push_back(triad.bandwidth());
    const double start = thread_time();
    set_residual(block, physics, {}, solution.primitive(0, 0), rows, residual);
    times.push_back(1e9 * (thread_time() - start) / cells);
  }
  times.erase(times.begin()); // the first ones find nothing in caches
  bandwidths.erase(bandwidths.begin());
  const int axes = is_flat ? 2 : 3; // without the velocity and areas along z
  const int values =
      axes + 2 + (axes + 2) * axes; // with density and pressure; areas, sizes, turning
  const int viscous = trial.viscosity > 0 ? 2 : 0; // temperatures, volumes
  const int bytes = 8 * (values + viscous + num_conserved);
  const Quartiles t = quartiles(times);
  const Quartiles b = quartiles(bandwidths);
  std::printf("%s,%.0f,%d,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g\n", trial.name.c_str(), cells, bytes, t.low,
              t.median, t.high, b.low, b.median, b.high);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const comm::Comm comm(MPI_COMM_WORLD);
    const int repeat = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 9;
    Triad triad;
    for (const Trial& trial : {Trial{"plane", {768, 384, 1}, Limiter::none, 0.001},
                               Trial{"plane, limited", {768, 384, 1}, Limiter::van_albada, 0.001},
                               Trial{"plane, no viscosity", {768, 384, 1}, Limiter::none, 0},
                               Trial{"plane, in caches", {128, 48, 1}, Limiter::none, 0.001},
                               Trial{"space", {64, 64, 64}, Limiter::none, 0.001}}) {
      measure(comm, trial, triad, repeat);
    }
  }
  MPI_Finalize();
  return 0;
}
