// SPDX-License-Identifier: BSD-3-Clause
// bench_fluxes REPEAT: what the fluxes of the flow solver take, beside the bandwidth of the same
// core: lines of case, cells, bytes per cell, quartiles and median of the ns per cell, those of the
// bandwidth in GB/s. bench_fluxes REPEAT CASE: computes one so often, for who counts instructions,
// and says its number of cells.
#include "flow/grid/grid.hpp"
#include "flow/multiblock/shapes.hpp"
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

/// A flow in one block.
struct Trial {
  std::string name;
  Index3 cells;
  Limiter limiter;
  double viscosity;
};

const std::vector<Trial> trials{{"plane", {768, 384, 1}, Limiter::none, 0.001},
                                {"plane, limited", {768, 384, 1}, Limiter::van_albada, 0.001},
                                {"plane, no viscosity", {768, 384, 1}, Limiter::none, 0},
                                {"plane, in caches", {128, 48, 1}, Limiter::none, 0.001},
                                {"space", {64, 64, 64}, Limiter::none, 0.001},
                                {"space, in caches", {32, 16, 16}, Limiter::none, 0.001}};

GridSettings far_field() {
  GridSettings settings;
  BoundaryNames names;
  names.boundary = {"far", BoundaryKind::far_field};
  names.sides = {"*:i-min", "*:i-max", "*:j-min", "*:j-max", "*:k-min", "*:k-max"};
  names.place = "bench";
  settings.boundaries = {names};
  return settings;
}

/// A flow under way in a box.
class Flow {
 public:
  Flow(const comm::Comm& comm, const Trial& trial)
      : grid_(make(comm, trial)), solution_(comm, grid_, physics_of(trial), 0.3, 1) {
    const bool is_flat = trial.cells[2] == 1;
    solution_.set([is_flat](const Vector& x) {
      const double wave = 0.1 * std::sin(4 * x[0] + 2 * x[1] + x[2]);
      return Primitive{1 + wave, 0.3 + wave, 0.2 * wave, is_flat ? 0 : 0.1 * wave,
                       (1 + wave) / 1.4};
    });
    solution_.complete();
    residual_.resize(num_conserved * block().extent.stored());
  }

  void evaluate() {
    set_residual(block(), solution_.physics(), {}, solution_.primitive(0, 0), rows_, residual_);
  }
  [[nodiscard]] double cells() const { return static_cast<double>(block().extent.interior()); }
  /// Each array once, without velocities and areas along z in a plane.
  [[nodiscard]] int bytes_per_cell() const {
    const int axes = block().extent.is_flat() ? 2 : 3;
    const int values =
        axes + 2 + (axes + 2) * axes; // with density and pressure; areas, sizes, turning
    const int viscous = solution_.physics().gas.viscosity > 0 ? 2 : 0; // temperatures, volumes
    return 8 * (values + viscous + num_conserved);
  }

 private:
  static Grid make(const comm::Comm& comm, const Trial& trial) {
    Shape shape;
    shape.cells = trial.cells;
    shape.wave = 0.03;
    GridSettings settings = far_field();
    settings.boundaries[0].sides.resize(trial.cells[2] == 1 ? 4 : 6);
    return make_grid(comm, make_shape(shape), settings);
  }
  static Physics physics_of(const Trial& trial) {
    Physics physics;
    physics.gas.viscosity = trial.viscosity;
    physics.flux.limiter = trial.limiter;
    return physics;
  }
  [[nodiscard]] const Block& block() const { return grid_.own.front(); }

  Grid grid_;
  Solution solution_;
  FluxRows rows_;
  std::vector<double> residual_;
};

void measure(const comm::Comm& comm, const Trial& trial, Triad& triad, int repeat) {
  Flow flow(comm, trial);
  std::vector<double> times;
  std::vector<double> bandwidths;
  for (int n = 0; n < repeat + 1; ++n) {
    bandwidths.push_back(triad.bandwidth());
    const double start = thread_time();
    flow.evaluate();
    times.push_back(1e9 * (thread_time() - start) / flow.cells());
  }
  times.erase(times.begin()); // the first ones find nothing in caches
  bandwidths.erase(bandwidths.begin());
  const Quartiles t = quartiles(times);
  const Quartiles b = quartiles(bandwidths);
  std::printf("%s,%.0f,%d,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g\n", trial.name.c_str(), flow.cells(),
              flow.bytes_per_cell(), t.low, t.median, t.high, b.low, b.median, b.high);
}

void measure_all(const comm::Comm& comm, int repeat) {
  Triad triad;
  for (const Trial& trial : trials) {
    measure(comm, trial, triad, repeat);
  }
}

/// False if there is no such flow.
bool repeat_one(const comm::Comm& comm, const std::string& name, int repeat) {
  for (const Trial& trial : trials) {
    if (trial.name == name) {
      Flow flow(comm, trial);
      for (int n = 0; n < repeat; ++n) {
        flow.evaluate();
      }
      std::printf("%.0f\n", flow.cells());
      return true;
    }
  }
  return false;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool is_known = true;
  {
    const comm::Comm comm(MPI_COMM_WORLD);
    const int repeat = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 9;
    if (argc > 2) {
      is_known = repeat_one(comm, argv[2], repeat);
    } else {
      measure_all(comm, repeat);
    }
  }
  MPI_Finalize();
  return is_known ? 0 : 1;
}
