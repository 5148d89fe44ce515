// SPDX-License-Identifier: BSD-3-Clause
#include "flow/program/output.hpp"

#include "flow/grid/pieces/whole_blocks.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/blocks/block_file.hpp"
#ifdef ISTHMUS_WITH_VTKHDF
#include "isthmus/io/vtkhdf/vtkhdf.hpp"
#include "isthmus/la/global_ids.hpp"
#endif

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

namespace isthmus::flow {

namespace {

/// Conserved values, then those of turbulence.
const std::vector<std::string> names{"density", "momentum_x", "momentum_y", "momentum_z",
                                     "energy",  "k",          "omega"};

/// `step` in time lies between two levels.
io::BlockGrid describe(const Solution& solution, std::size_t levels, std::size_t width,
                       double step) {
  io::BlockGrid grid;
  grid.cells = cells_of_blocks(solution.grid().blocks.topology);
  for (std::size_t level = 0; level < levels; ++level) {
    for (std::size_t v = 0; v < width; ++v) {
      grid.variables.push_back(level == 0 ? names[v] : fmt::format("{}_{}_before", names[v], step));
    }
  }
  grid.snapshots = static_cast<std::uint64_t>(solution.num_snapshots());
  return grid;
}

/// The `step` that describe() was given, from the name of the first value of the second level; 0:
/// it is none.
double step_of(const std::string& name) {
  const std::string begin = names.front() + "_";
  return name.rfind(begin, 0) == 0 ? std::strtod(name.c_str() + begin.size(), nullptr) : 0;
}

std::size_t width_of(bool is_turbulent) {
  return num_conserved + (is_turbulent ? num_turbulent : 0);
}

/// The values of one time, of all own blocks.
template <typename Values>
struct Level {
  Values* flow;
  Values* turbulence; // or nothing
};

/// Calls visit(begin of a row in the block's array of the file, its values, their number) for all
/// rows of an own block, times and snapshots.
template <typename StateType, typename LevelType, typename Visit>
void for_each_field_row(const StateType& state, std::size_t own, std::span<const LevelType> levels,
                        Visit&& visit) {
  const Extent& extent = state.solution.grid().own[own].extent;
  const auto n = static_cast<std::size_t>(extent.count(0));
  std::size_t there = 0;
  for (int s = 0; s < state.solution.num_snapshots(); ++s) {
    for (const LevelType& level : levels) {
      for (std::size_t v = 0; v < width_of(state.turbulence != nullptr); ++v) {
        auto* const field =
            v < num_conserved
                ? level.flow->data() + state.solution.begin_of(own, s) + v * extent.stored()
                : level.turbulence->data() + state.turbulence->field().begin_of(own, s) +
                      (v - num_conserved) * extent.stored();
        extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
          visit(there, field + first, n);
          there += n;
        });
      }
    }
  }
}

/// Collective. What a restart file holds, per own piece, becomes the state. Throws Error on all
/// ranks.
void take_values(const comm::Comm& comm, const std::filesystem::path& path, const State& state,
                 std::size_t count, std::span<const std::vector<double>> values) {
  using OneLevel = Level<std::vector<double>>;
  const auto& [solution, time, turbulence] = state;
  std::vector<OneLevel> levels{
      {&solution.conserved(), turbulence == nullptr ? nullptr : &turbulence->field().all()}};
  if (count > 1) {
    time.before() = solution.conserved();
    levels.push_back({&time.before(), nullptr});
    if (turbulence != nullptr) {
      turbulence->before() = turbulence->field().all();
      levels.back().turbulence = &turbulence->before();
    }
  }
  comm::agree(comm, [&] {
    for (std::size_t own = 0; own < values.size(); ++own) {
      const int number = solution.grid().own[own].number + 1;
      check(std::all_of(values[own].begin(), values[own].end(),
                        [](double value) { return std::isfinite(value); }),
            "block {} of \"{}\" has values that are no numbers; restart from an earlier file",
            number, path.string());
      for_each_field_row(state, own, std::span<const OneLevel>(levels),
                         [&](std::size_t there, double* here, std::size_t n) {
                           std::copy_n(values[own].data() + there, n, here);
                         });
      if (turbulence != nullptr) {
        check(turbulence->is_positive(own),
              "block {} of \"{}\" has k or omega that is not positive; restart from an earlier "
              "file",
              number, path.string());
      }
    }
  });
}

/// What there is without turbulence, or with it.
void check_turbulence(const std::vector<std::string>& variables, bool is_turbulent,
                      const std::filesystem::path& path) {
  const bool has_k = std::find(variables.begin(), variables.end(), "k") != variables.end();
  check(has_k || !is_turbulent,
        "\"{}\" is a flow without k and omega, which [turbulence] needs; take that out, or start "
        "without a restart",
        path.string());
  check(is_turbulent || !has_k,
        "\"{}\" is a flow with k and omega of turbulence; give the case its [turbulence]",
        path.string());
}

} // namespace

std::vector<io::Cells> cells_of_blocks(const Topology& topology) {
  std::vector<io::Cells> cells;
  for (int b = 0; b < topology.num_blocks(); ++b) {
    const Index3& n = topology.cells(b);
    cells.push_back({static_cast<std::uint32_t>(n[0]), static_cast<std::uint32_t>(n[1]),
                     static_cast<std::uint32_t>(n[2])});
  }
  return cells;
}

std::vector<Load> wall_loads(const comm::Comm& comm, const Solution& solution) {
  const Grid& grid = solution.grid();
  constexpr std::size_t width = std::tuple_size_v<LoadSum>;
  std::vector<Twofold> sums; // per snapshot
  for (int s = 0; s < solution.num_snapshots(); ++s) {
    LoadSum sum;
    for (const BoundarySide& side : grid.sides) {
      if (is_wall(side.kind)) {
        add_load(grid.own[side.own], side, solution.physics(), solution.turning(s),
                 solution.primitive(side.own, s), sum);
      }
    }
    for (const LongSum& component : sum) {
      sums.push_back(component.value());
    }
  }
  comm::allreduce_sum(comm, sums);
  const double pressure = 0.5 * solution.mach() * solution.mach();
  std::vector<Load> loads(static_cast<std::size_t>(solution.num_snapshots()));
  for (std::size_t n = 0; n < sums.size(); ++n) {
    loads[n / width].values[n % width] = sums[n].value / pressure;
  }
  return loads;
}

void write_restart(const comm::Comm& comm, const std::filesystem::path& path,
                   const ConstState& state, const io::BlockMoment& moment) {
  const auto& [solution, time, turbulence] = state;
  using OneLevel = Level<const std::vector<double>>;
  std::vector<OneLevel> levels{
      {&solution.conserved(), turbulence == nullptr ? nullptr : &turbulence->field().all()}};
  if (time.settings().kind == TimeKind::dual && !time.before().empty()) {
    levels.push_back({&time.before(), turbulence == nullptr ? nullptr : &turbulence->before()});
  }
  const auto count = static_cast<std::size_t>(comm::allreduce(
      comm, static_cast<int>(levels.size()), comm::Op::max)); // ranks without blocks
  const std::size_t width = width_of(turbulence != nullptr);
  const std::size_t fields = count * width * static_cast<std::size_t>(solution.num_snapshots());
  std::vector<std::vector<double>> values;
  for (std::size_t own = 0; own < solution.grid().own.size(); ++own) {
    values.emplace_back(fields * solution.grid().own[own].extent.interior());
    for_each_field_row(state, own, std::span<const OneLevel>(levels),
                       [&](std::size_t there, const double* here, std::size_t n) {
                         std::copy_n(here, n, values.back().data() + there);
                       });
  }
  const WholeBlocks whole(comm, solution.grid().blocks);
  values = whole.join(std::move(values), fields);
  const std::vector<std::span<const double>> views(values.begin(), values.end());
  io::BlockWriter writer(comm, describe(solution, count, width, time.last_step()), whole.written(),
                         0);
  writer.write(path, moment, views, io::Durability::process);
}

io::BlockMoment read_restart(const comm::Comm& comm, const std::filesystem::path& path,
                             const State& state) {
  const auto& [solution, time, turbulence] = state;
  const io::BlockReader reader(comm, path);
  check_turbulence(reader.grid().variables, turbulence != nullptr, path);
  const std::size_t width = width_of(turbulence != nullptr);
  const std::size_t count = reader.grid().variables.size() / width;
  const double step = count == 2 ? step_of(reader.grid().variables[width]) : 0;
  const io::BlockGrid wanted = describe(solution, std::max<std::size_t>(count, 1), width, step);
  check(count >= 1 && count <= 2 && (count == 1 || (std::isfinite(step) && step > 0)) &&
            reader.grid().variables == wanted.variables,
        "\"{}\" is a block file, but none of a flow", path.string());
  check(reader.grid().cells == wanted.cells,
        "\"{}\" is the flow of another grid: it has {} blocks, this one {}, or blocks differ in "
        "cells; restart with the grid that it was written with",
        path.string(), reader.grid().cells.size(), wanted.cells.size());
  check(reader.grid().snapshots == wanted.snapshots,
        "\"{}\" has {} snapshots, this case has {}; restart with the same \"harmonics\"",
        path.string(), reader.grid().snapshots, wanted.snapshots);
  std::vector<std::vector<double>> values;
  const std::size_t fields = count * width * wanted.snapshots;
  const WholeBlocks whole(comm, solution.grid().blocks);
  for (const std::size_t block : whole.read()) {
    values.emplace_back(fields * static_cast<std::size_t>(solution.grid().blocks.topology.num_cells(
                                     static_cast<int>(block))));
  }
  reader.read(whole.read(), 0, std::vector<std::span<double>>(values.begin(), values.end()));
  values = whole.divide(std::move(values), fields);
  take_values(comm, path, state, count, values);
  time.set_last_step(step);
  return reader.moment();
}

#ifdef ISTHMUS_WITH_VTKHDF
namespace {

/// Appends the nodes and cells of a block, whose first node has the number `first` among those of
/// all ranks.
void append_block(const Block& block, GlobalIndex first, io::HdfMesh& mesh) {
  const Extent& nodes = block.node_extent;
  const int planes = nodes.is_flat() ? 1 : nodes.count(2);
  const GlobalIndex row = nodes.count(0);
  const GlobalIndex plane = row * nodes.count(1);
  Extent::for_each_in({0, 0, 0}, {nodes.count(0), nodes.count(1), planes}, [&](const Index3& n) {
    const Vector& point = block.node(n[0], n[1], n[2]);
    mesh.coordinates.insert(mesh.coordinates.end(), point.begin(), point.end());
  });
  Extent::for_each_in({0, 0, 0}, block.extent.counts(), [&](const Index3& c) {
    const GlobalIndex at = first + c[2] * plane + c[1] * row + c[0];
    for (int layer = 0; layer < (nodes.is_flat() ? 1 : 2); ++layer) {
      const GlobalIndex corner = at + layer * plane;
      for (const GlobalIndex node : {corner, corner + 1, corner + row + 1, corner + row}) {
        mesh.connectivity.push_back(node);
      }
    }
    mesh.cell_ends.push_back(static_cast<GlobalIndex>(mesh.connectivity.size()));
    mesh.cell_types.push_back(nodes.is_flat() ? 9 : 12); // quadrilateral, hexahedron
  });
}

void append_values(const Extent& extent, const Gas& gas, std::span<const double> w,
                   io::HdfMesh& mesh) {
  const std::size_t stored = extent.stored();
  Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
    const std::size_t at = extent.at(c);
    const double x = w[stored + at];
    const double y = w[2 * stored + at];
    const double z = w[3 * stored + at];
    const double pressure = w[4 * stored + at];
    mesh.cell_fields[0].values.push_back(w[at]);
    for (const double component : {x, y, z}) {
      mesh.cell_fields[1].values.push_back(component);
    }
    mesh.cell_fields[2].values.push_back(pressure);
    mesh.cell_fields[3].values.push_back(
        std::sqrt((x * x + y * y + z * z) * w[at] / (gas.gamma * pressure)));
    if (gas.is_turbulent) {
      mesh.cell_fields[4].values.push_back(w[eddy_field * stored + at] / gas.viscosity);
    }
  });
}

} // namespace

bool write_fields(const comm::Comm& comm, const std::filesystem::path& path,
                  const Solution& solution, int snapshot, const io::BlockMoment& moment) {
  const Grid& grid = solution.grid();
  io::HdfMesh mesh;
  mesh.time = moment.time;
  mesh.step = static_cast<std::int64_t>(moment.step);
  mesh.cell_fields = {
      {"density", 1, {}}, {"velocity", 3, {}}, {"pressure", 1, {}}, {"mach", 1, {}}};
  if (solution.physics().gas.is_turbulent) {
    mesh.cell_fields.push_back({"eddy_viscosity", 1, {}});
  }
  GlobalIndex nodes = 0;
  for (const Block& block : grid.own) {
    const Extent& extent = block.node_extent;
    nodes += static_cast<GlobalIndex>(extent.count(0)) * extent.count(1) *
             (extent.is_flat() ? 1 : extent.count(2));
  }
  const GlobalIndex first = la::number(comm, nodes).first;
  for (std::size_t own = 0; own < grid.own.size(); ++own) {
    const Block& block = grid.own[own];
    append_block(block, first + static_cast<GlobalIndex>(mesh.num_vertices()), mesh);
    append_values(block.extent, solution.physics().gas, solution.primitive(own, snapshot), mesh);
  }
  io::write_vtkhdf(comm, path, mesh, io::Durability::process);
  return true;
}
#else
bool write_fields(const comm::Comm& /*comm*/, const std::filesystem::path& /*path*/,
                  const Solution& /*solution*/, int /*snapshot*/,
                  const io::BlockMoment& /*moment*/) {
  return false;
}
#endif

} // namespace isthmus::flow
