// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/run.hpp"

#include "convection/numerics/steps.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/exchange/owned_nodes.hpp"
#include "isthmus/io/export/exporter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace isthmus::convection {

namespace {

void check_groups(const Mesh& mesh, const std::vector<Condition>& conditions) {
  for (const Condition& condition : conditions) {
    try {
      static_cast<void>(mesh.group(condition.group));
    } catch (const Error& error) {
      fail("{}: {}", condition.place, error.what());
    }
  }
  for (const Group& group : mesh.groups) {
    const bool is_named = std::any_of(conditions.begin(), conditions.end(),
                                      [&group](const auto& c) { return c.group == group.name; });
    check(is_named, "group \"{}\" of the mesh has no condition; add [[boundary]] with it",
          group.name);
  }
}

class Run {
 public:
  Run(const comm::Comm& comm, const Case& from)
      : comm_(comm),
        from_(from),
        mesh_(from.mesh_file.empty() ? make_box(comm, from.box) : open_gmsh(comm, from.mesh_file)),
        edges_(make_edges(mesh_)),
        flow_(comm, mesh_, edges_, from.sums, from.preparation),
        heat_(comm, mesh_, edges_, from.sums),
        steps_(flow_, heat_, from.order, from.step) {
    comm::agree(comm, [this] { check_groups(mesh_, from_.conditions); });
    const std::size_t nodes = mesh_.tets.num_nodes();
    result_.values.assign(4 * nodes, 0);
    result_.temperature.assign(nodes, 0);
    set_conditions();
    if (!from.output.empty()) {
      exporter_.emplace(
          comm, io::Exporter::Settings{io::ExportFormat::vtu, from.output, "convection", true});
    }
  }

  RunResult operator()(std::FILE* lines) {
    write();
    while (result_.steps < from_.steps && !result_.is_steady) {
      step(lines);
      if (time() >= next_output_ - 0.5 * from_.step) {
        write();
      }
    }
    finish();
    return std::move(result_);
  }

 private:
  void set_conditions() {
    std::vector<char> held(result_.values.size(), 0);
    std::vector<char> hot(result_.temperature.size(), 0);
    result_.has_level = false;
    for (const Condition& condition : from_.conditions) {
      result_.has_level = result_.has_level || condition.is_open;
      for (const LocalIndex node : mesh_.group(condition.group).nodes) {
        const auto n = static_cast<std::size_t>(node);
        for (std::size_t c = 0; c < 3; ++c) {
          if (condition.holds[c]) {
            held[4 * n + c] = 1;
            result_.values[4 * n + c] = condition.velocity[c];
          }
        }
        if (condition.temperature) {
          hot[n] = 1;
          result_.temperature[n] = *condition.temperature;
        }
      }
    }
    flow_.set_fixed(std::move(held), result_.has_level);
    heat_.set_fixed(std::move(hot));
  }

  [[nodiscard]] double time() const { return result_.steps * from_.step; }

  /// Collective. What ParaView reads: velocity, pressure and temperature at the nodes.
  void write() {
    constexpr double never = std::numeric_limits<double>::infinity();
    next_output_ = from_.output_every > 0 ? next_output_ + from_.output_every : never;
    if (!exporter_) {
      return;
    }
    const std::size_t nodes = mesh_.tets.num_nodes();
    std::vector<double> velocity, pressure;
    for (std::size_t n = 0; n < nodes; ++n) {
      const double* const values = &result_.values[4 * n];
      velocity.insert(velocity.end(), values, values + 3);
      pressure.push_back(values[3]);
    }
    const std::vector<io::PieceField> fields{{"velocity", 3, velocity},
                                             {"pressure", 1, pressure},
                                             {"temperature", 1, result_.temperature}};
    io::MeshPiece piece;
    piece.coordinates = mesh_.tets.coords;
    std::vector<LocalIndex> corners;
    for (const auto& tet : mesh_.tets.tets) {
      corners.insert(corners.end(), tet.begin(), tet.end());
    }
    piece.tetrahedra = corners;
    piece.fields = fields;
    exporter_->write(fmt::format("{}", num_written_++), time(), piece);
    written_ = result_.steps;
  }

  /// Collective. The end is always written.
  void finish() {
    if (written_ != result_.steps) {
      write();
    }
    if (exporter_) {
      exporter_->finish();
    }
  }

  /// Relative change of the values since the step began.
  double change(int width, const std::vector<double>& values, std::span<const double> last) {
    std::vector<double> difference = values;
    std::vector<double> sized = values;
    for (std::size_t n = 0; n < values.size(); ++n) {
      const bool is_pressure = width == 4 && n % 4 == 3;
      difference[n] = is_pressure ? 0 : values[n] - last[n];
      sized[n] = is_pressure ? 0 : values[n];
    }
    const auto square = [&](const std::vector<double>& of) {
      return exchange::owned_dot(comm_, mesh_.plan, width, of, of);
    };
    const double size = square(sized);
    return size > 0 ? std::sqrt(square(difference) / size) : 0;
  }

  void step(std::FILE* lines) {
    steps_.begin(result_.values, result_.temperature);
    StepTerms terms{from_.viscosity, from_.diffusivity, from_.buoyancy};
    terms.corrections = from_.corrections;
    const auto [newton, heat] =
        steps_.solve(terms, from_.newton, result_.values, result_.temperature);
    ++result_.steps;
    find_heat();
    const double of_flow = change(4, result_.values, steps_.of_flow().last());
    const double of_heat = change(1, result_.temperature, steps_.of_heat().last());
    result_.is_steady = std::max(of_flow, of_heat) < from_.steady;
    if (lines != nullptr && comm_.is_root()) {
      fmt::print(lines, "{},{:.6g},{:.3e},{},{},{},{:.3e},{:.3e}", result_.steps, time(),
                 newton.first, newton.iterations, newton.linear_iterations, heat.iterations,
                 of_flow, of_heat);
      for (const double entering : result_.heat) {
        fmt::print(lines, ",{:.6f}", entering);
      }
      fmt::print(lines, "\n");
      std::fflush(lines);
    }
  }

  void find_heat() {
    std::vector<double> flux(result_.temperature.size());
    heat_.flux({from_.diffusivity, steps_.velocity(), {}}, steps_.of_heat().derivative(),
               result_.temperature, flux);
    result_.heat.clear();
    for (const Condition& condition : from_.conditions) {
      std::vector<double> inside(flux.size(), 0);
      if (condition.temperature) {
        for (const LocalIndex node : mesh_.group(condition.group).nodes) {
          inside[static_cast<std::size_t>(node)] = 1;
        }
      }
      result_.heat.push_back(exchange::owned_dot(comm_, mesh_.plan, 1, flux, inside));
    }
  }

  const comm::Comm& comm_;
  const Case& from_;
  Mesh mesh_;
  Edges edges_;
  Flow flow_;
  Heat heat_;
  Steps steps_;
  RunResult result_;
  std::optional<io::Exporter> exporter_;
  double next_output_ = 0;
  int num_written_ = 0;
  int written_ = -1; // the last step that was
};

} // namespace

RunResult run(const comm::Comm& comm, const Case& from, std::FILE* lines) {
  Run work(comm, from);
  if (lines != nullptr && comm.is_root()) {
    fmt::print(lines, "step,time,residual,newton,flow_gmres,heat_gmres,flow_change,heat_change");
    for (const Condition& condition : from.conditions) {
      fmt::print(lines, ",heat_{}", condition.group);
    }
    fmt::print(lines, "\n");
  }
  return work(lines);
}

} // namespace isthmus::convection
