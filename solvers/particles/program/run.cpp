// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/run.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/export/exporter.hpp"
#include "particles/fluid/explicit_scheme.hpp"
#include "particles/program/fill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace isthmus::mps {

namespace {

double length(const Vector& of) {
  return std::sqrt(of[0] * of[0] + of[1] * of[1] + of[2] * of[2]);
}

/// Of a fall through the tank.
double fastest(const Case& from) {
  Vector size{};
  for (std::size_t d = 0; d < 3; ++d) {
    size[d] = from.tank.upper[d] - from.tank.lower[d];
  }
  return std::sqrt(2 * length(from.liquid.gravity) * length(size));
}

double sound(const Case& from) {
  return from.speed_of_sound > 0 ? from.speed_of_sound : 10 * fastest(from);
}

class Run {
 public:
  Run(const comm::Comm& comm, const Case& from)
      : comm_(comm),
        from_(from),
        kernel_(from.dimensions, from.spacing, from.radius),
        migration_(comm, exchange::balanced_bricks(comm, comm.size(), {}, from.spacing),
                   {kernel_.radius(), 0.5 * from.spacing, comm::Opening::at_once}) {
    if (from.is_explicit) {
      scheme_ = std::make_unique<ExplicitScheme>(kernel_, from_.liquid, sound(from));
    } else {
      scheme_ = std::make_unique<Projection>(comm, kernel_, from_.liquid, from.projection);
    }
    if (!from.output.empty()) {
      exporter_.emplace(
          comm, io::Exporter::Settings{io::ExportFormat::vtp, from.output, "particles", true});
    }
    fill(comm, from, result_.state);
    migrate(true);
    measure();
  }

  RunResult operator()(std::FILE* lines) {
    write();
    while (result_.time < from_.end * (1 - 1e-12)) {
      step(lines);
    }
    if (written_ != result_.steps) { // the end is always written
      write();
    }
    if (exporter_) {
      exporter_->finish();
    }
    return std::move(result_);
  }

 private:
  void migrate(bool divides) {
    exchange::Particles& particles = result_.state.particles();
    if (divides) {
      const auto own = result_.state.positions().first(particles.num_owned());
      migration_.divide(exchange::balanced_bricks(comm_, comm_.size(), own, from_.spacing));
    }
    migration_.migrate(particles);
    comm::agree(comm_, [this] { neighbours_.find(kernel_, result_.state.particles()); });
  }

  /// Collective. Removes, or refuses, what left the tank, and measures what is in it.
  void measure() {
    State& state = result_.state;
    std::array<std::int64_t, 2> sums{};                                      // fluid, lost
    std::array<double, 2> most{0, -std::numeric_limits<double>::infinity()}; // speed, front
    comm::agree(comm_, [&] {
      std::vector<LocalIndex> lost;
      for (std::size_t row = 0; row < state.num_owned(); ++row) {
        if (state.kinds()[row] != Kind::fluid) {
          continue;
        }
        const exchange::Position& at = state.positions()[row];
        if (is_outside(state.particles().ids()[row], at)) {
          lost.push_back(static_cast<LocalIndex>(row));
          continue;
        }
        ++sums[0];
        const auto v = state.velocities().subspan(3 * row, 3);
        most[0] = std::max(most[0], length({v[0], v[1], v[2]}));
        most[1] = std::max(most[1], at[0]);
      }
      sums[1] = static_cast<std::int64_t>(lost.size());
      if (!lost.empty()) {
        state.particles().erase(lost);
      }
    });
    comm::allreduce(comm_, std::span<double>(most), comm::Op::max);
    comm::allreduce(comm_, std::span<std::int64_t>(sums), comm::Op::sum);
    speed_ = most[0];
    result_.front = most[1] + from_.spacing / 2;
    result_.num_fluid = sums[0];
    result_.num_lost += sums[1];
  }

  /// Whether it left through an open side. Throws Error if it must not.
  [[nodiscard]] bool is_outside(GlobalIndex id, const exchange::Position& at) const {
    bool is_in = true, is_through = false;
    for (std::size_t d = 0; d < static_cast<std::size_t>(from_.dimensions); ++d) {
      const double beyond[2] = {from_.tank.lower[d] - at[d], at[d] - from_.tank.upper[d]};
      for (std::size_t side = 0; side < 2; ++side) {
        is_in = is_in && beyond[side] < from_.spacing;
        is_through = is_through || (from_.is_open[d][side] && beyond[side] > 0);
      }
    }
    check(is_in || is_through,
          "particle {} went through a wall of the tank to ({}, {}, {}) at time {}; a smaller "
          "\"courant\" in [time] may keep it inside",
          id, at[0], at[1], at[2], result_.time);
    check(is_in || from_.deletes_outside,
          "particle {} left the tank through an open side, to ({}, {}, {}) at time {}; a larger "
          "tank keeps it, outside = \"delete\" in [tank] removes it",
          id, at[0], at[1], at[2], result_.time);
    return !is_in;
  }

  [[nodiscard]] double next_step() const {
    double most = from_.largest_step;
    const double still = std::max(speed_, std::sqrt(length(from_.liquid.gravity) * from_.spacing));
    const double speed = from_.is_explicit ? sound(from_) + speed_ : still;
    if (speed > 0) {
      most = std::min(most, from_.courant * from_.spacing / speed);
    }
    if (from_.liquid.viscosity > 0) {
      most = std::min(most, 0.2 * from_.spacing * from_.spacing / from_.liquid.viscosity);
    }
    const double left = from_.end - result_.time;
    check(most > 1e-9 * from_.end,
          "the run diverged: at time {} a particle moves at {}, and the step would be {}",
          result_.time, speed_, most);
    return left < 2 * most ? left / std::ceil(left / most) : most; // the last two are alike
  }

  void step(std::FILE* lines) {
    const double step = next_step();
    const StepReport report = scheme_->advance(result_.state, neighbours_, migration_, step);
    result_.time += step;
    ++result_.steps;
    measure();
    migrate(result_.steps % from_.balance_every == 0);
    if (lines != nullptr) {
      const auto own = static_cast<std::int64_t>(result_.state.num_owned());
      const auto most = comm::allreduce(comm_, own, comm::Op::max);
      const auto all = comm::allreduce(comm_, own, comm::Op::sum);
      if (comm_.is_root()) {
        fmt::print(lines, "{},{:.6g},{:.3e},{},{:.4f},{:.4f},{},{:.3f}\n", result_.steps,
                   result_.time, step, result_.num_fluid, speed_, result_.front, report.iterations,
                   static_cast<double>(most) * comm_.size() / static_cast<double>(all));
        std::fflush(lines);
      }
    }
    if (result_.time >= next_output_ - 1e-12 * from_.end) {
      write();
    }
  }

  /// Collective.
  void write() {
    if (!exporter_) {
      return;
    }
    next_output_ += from_.output_every > 0 ? from_.output_every : from_.end;
    State& state = result_.state;
    const std::size_t own = state.num_owned();
    std::vector<double> places, kinds;
    for (std::size_t row = 0; row < own; ++row) {
      places.insert(places.end(), state.positions()[row].begin(), state.positions()[row].end());
      kinds.push_back(static_cast<double>(state.kinds()[row]));
    }
    const std::vector<io::PieceField> fields{{"velocity", 3, state.velocities().first(3 * own)},
                                             {"pressure", 1, state.pressures().first(own)},
                                             {"kind", 1, kinds}};
    io::MeshPiece piece;
    piece.coordinates = places;
    piece.fields = fields;
    exporter_->write(fmt::format("{}", num_written_++), result_.time, piece);
    written_ = result_.steps;
  }

  const comm::Comm& comm_;
  const Case& from_;
  Kernel kernel_;
  exchange::Migration migration_;
  std::unique_ptr<Scheme> scheme_;
  Neighbours neighbours_;
  std::optional<io::Exporter> exporter_;
  RunResult result_;
  double speed_ = 0; // the largest of all ranks
  double next_output_ = 0;
  int num_written_ = 0;
  std::int64_t written_ = -1; // the last step that was
};

} // namespace

RunResult run(const comm::Comm& comm, const Case& from, std::FILE* lines) {
  Run work(comm, from);
  if (lines != nullptr && comm.is_root()) {
    fmt::print(lines, "step,time,length,fluid,speed,front,iterations,imbalance\n");
  }
  return work(lines);
}

} // namespace isthmus::mps
