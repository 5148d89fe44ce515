// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/run.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "particles/fluid/explicit_scheme.hpp"
#include "particles/program/balance.hpp"
#include "particles/program/coupling.hpp"
#include "particles/program/domains.hpp"
#include "particles/program/measured.hpp"
#include "particles/program/output.hpp"
#include "particles/program/restart.hpp"
#include "particles/program/tank/fill.hpp"
#include "particles/program/tank/walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

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
  return from.scheme.speed_of_sound > 0 ? from.scheme.speed_of_sound : 10 * fastest(from);
}

class Run {
 public:
  Run(const comm::Comm& comm, const Case& from, const std::filesystem::path& restart)
      : comm_(comm),
        from_(from),
        kernel_(from.dimensions, from.spacing, from.radius),
        domains_(comm, from, kernel_.radius()),
        walls_(from),
        neighbours_(from.scheme.is_explicit, from.tank.planes(from.dimensions)),
        balance_(comm, {0.25 * from.spacing, from.domains.measures}),
        output_(comm, from) {
    if (from.scheme.is_explicit) {
      scheme_ = std::make_unique<ExplicitScheme>(kernel_, from_.liquid, sound(from));
    } else {
      scheme_ = std::make_unique<Projection>(comm, kernel_, from_.liquid, from.scheme.projection);
    }
    if (restart.empty()) {
      fill(comm, from, result_.state);
    } else {
      const Moment moment = read_restart(comm, restart, from, result_.state);
      result_.steps = first_ = moment.steps;
      result_.time = moment.time;
      result_.num_lost = moment.num_lost;
      output_.resume(moment);
    }
    domains_.divide(exchange::balanced_bricks(
        comm, comm.size(), result_.state.positions().first(result_.state.num_owned()),
        from.spacing));
    migrate();
    domains_.divide(balance_.divide(result_.state, neighbours_)); // by their neighbours
    migrate();
    measure();
  }

  /// The whole run as a participant.
  RunResult coupled(std::FILE* lines) {
    Coupling coupling(comm_, from_, result_.state, neighbours_);
    walls_.set([&coupling](GlobalIndex id) { return coupling.displacement(id); });
    output_.write(result_.state, moment());
    result_.migrations.clear();
    result_.traffic = {};
    const double start = now();
    try {
      while (coupling.is_ongoing()) {
        step(coupling, lines);
        output_.write(result_.state, moment());
      }
    } catch (...) {
      coupling.give_up(current_reason());
      throw;
    }
    result_.seconds = now() - start;
    output_.finish(result_.state, moment());
    return std::move(result_);
  }

  RunResult operator()(std::FILE* lines) {
    output_.write(result_.state, moment());
    result_.migrations.clear();
    result_.traffic = {};
    const double start = now();
    while (result_.time < from_.time.end * (1 - 1e-12) &&
           (result_.num_fluid > 0 || !from_.tank.inflows.empty()) &&
           (from_.time.most_steps == 0 || result_.steps < first_ + from_.time.most_steps)) {
      step(lines);
      output_.write(result_.state, moment());
    }
    result_.seconds = now() - start;
    output_.finish(result_.state, moment());
    return std::move(result_);
  }

 private:
  [[nodiscard]] Moment moment() const { return {result_.steps, result_.time, result_.num_lost}; }

  void migrate() {
    result_.migrations.push_back(domains_.migrate(result_.state, &result_.traffic));
    comm::agree(comm_, [this] { neighbours_.find(kernel_, result_.state); });
  }

  void measure() {
    measured_ = mps::measure(comm_, from_, result_.time, result_.state);
    result_.front = measured_.front;
    result_.num_fluid = measured_.num_fluid;
    result_.num_lost += measured_.num_lost;
  }

  [[nodiscard]] double largest_step() const {
    double most = from_.time.largest_step;
    const double still = std::max({measured_.speed, walls_.inflow_speed(),
                                   std::sqrt(length(from_.liquid.gravity) * from_.spacing)});
    const double speed = from_.scheme.is_explicit ? sound(from_) + measured_.speed : still;
    if (speed > 0) {
      most = std::min(most, from_.time.courant * from_.spacing / speed);
    }
    if (from_.liquid.viscosity > 0) {
      most = std::min(most, 0.2 * from_.spacing * from_.spacing / from_.liquid.viscosity);
    }
    if (from_.liquid.tension > 0) { // waves as long as two spacings
      const double cube = from_.spacing * from_.spacing * from_.spacing;
      most = std::min(most, 0.4 * std::sqrt(from_.liquid.density * cube /
                                            (2 * std::numbers::pi * from_.liquid.tension)));
    }
    check(most > 1e-9 * from_.time.end,
          "the run diverged: at time {} a particle moves at {}, and the step would be {}",
          result_.time, measured_.speed, most);
    return most;
  }

  [[nodiscard]] double next_step() const {
    const double most = largest_step(), left = from_.time.end - result_.time;
    return left < 2 * most ? left / std::ceil(left / most) : most; // the last two are alike
  }

  void step(std::FILE* lines) {
    balance_.begin_step();
    const double step = next_step();
    const StepReport report = move(step);
    end_step(lines, step, report);
  }

  /// A window of the coupling, which is a step. It is repeated with what was there before it.
  void step(Coupling& coupling, std::FILE* lines) {
    balance_.begin_step();
    const double step = coupling.begin_window(result_.state, neighbours_);
    const double most = largest_step();
    check(step <= most * (1 + 1e-9),
          "a window of the coupled run has the size {}, and at time {} no particle may go on for "
          "longer than {}; make its time-window-size smaller",
          step, result_.time, most);
    const State before = result_.state;
    StepReport report;
    for (bool is_repeated = false, ends = false; !ends; is_repeated = true) {
      if (is_repeated) {
        result_.state = before;
      }
      coupling.read();
      report = move(step);
      ends = !coupling.advance(result_.state, neighbours_);
    }
    end_step(lines, step, report);
  }

  StepReport move(double step) {
    walls_.begin_step(result_.state, domains_.migration(), result_.time + step, step);
    const StepReport report =
        scheme_->advance(result_.state, neighbours_, domains_.migration(), step);
    result_.num_poured += walls_.end_step(result_.state, result_.time, step);
    return report;
  }

  void end_step(std::FILE* lines, double step, const StepReport& report) {
    result_.time += step;
    ++result_.steps;
    measure();
    migrate();
    balance_.end_step(result_.state, neighbours_);
    if (lines != nullptr) {
      print(lines, step, report);
    }
    if (result_.steps % from_.domains.every == 0) {
      domains_.divide(balance_.divide(result_.state, neighbours_));
    }
  }

  /// Collective.
  void print(std::FILE* lines, double step, const StepReport& report) const {
    const Balance::Imbalance imbalance = balance_.imbalance();
    if (!comm_.is_root()) {
      return;
    }
    fmt::print(lines, "{},{:.6g},{:.3e},{},{:.4f},{:.4f},{:.6g},{},{:.3f},{:.3f}", result_.steps,
               result_.time, step, result_.num_fluid, measured_.speed, result_.front,
               measured_.energy, report.iterations, imbalance.busy, imbalance.pairs);
    for (const double pressure : measured_.gauges) {
      fmt::print(lines, ",{:.6g}", pressure);
    }
    fmt::print(lines, "\n");
    std::fflush(lines);
  }

  const comm::Comm& comm_;
  const Case& from_;
  Kernel kernel_;
  Domains domains_;
  std::unique_ptr<Scheme> scheme_;
  Walls walls_;
  Neighbours neighbours_;
  Balance balance_;
  Output output_;
  RunResult result_;
  Measured measured_;
  std::int64_t first_ = 0; // the step that a restart goes on from
};

} // namespace

RunResult run(const comm::Comm& comm, const Case& from, std::FILE* lines,
              const std::filesystem::path& restart) {
  Run work(comm, from, restart);
  if (lines != nullptr && comm.is_root()) {
    fmt::print(lines, "step,time,length,fluid,speed,front,energy,iterations,imbalance,pairs");
    for (std::size_t n = 1; n <= from.tank.gauges.size(); ++n) {
      fmt::print(lines, ",gauge{}", n);
    }
    fmt::print(lines, "\n");
  }
  return from.coupling.is_on() ? work.coupled(lines) : work(lines);
}

} // namespace isthmus::mps
