// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/run.hpp"

#include "convection/program/equations.hpp"
#include "convection/program/history.hpp"
#include "convection/program/output.hpp"
#include "isthmus/base/reason.hpp"

#include <cstdint>
#include <utility>

namespace isthmus::convection {

namespace {

class Run {
 public:
  Run(const comm::Comm& comm, const Case& from, std::FILE* lines)
      : comm_(comm),
        from_(from),
        equations_(comm, from),
        output_(comm, equations_.mesh(), from.output),
        state_(equations_.start()),
        history_(comm, from, equations_, lines) {}

  void resume(const std::filesystem::path& path) {
    state_ = output_.resume(path);
    equations_.resume(state_);
  }

  RunResult operator()() {
    begin();
    const std::int64_t last = state_.steps + from_.time.steps;
    while (state_.steps < last && !result_.is_steady) {
      const double start = now();
      equations_.begin(state_);
      end_step(equations_.solve(state_), start);
    }
    return finish();
  }

  /// The whole run as a participant.
  RunResult coupled() {
    Coupling coupling(comm_, from_.coupling, equations_.mesh(), from_.time.step);
    try {
      begin();
      while (coupling.is_ongoing()) {
        const double start = now();
        equations_.begin(state_);
        StepReport report;
        do {
          coupling.read(state_);
          report = equations_.solve(state_);
        } while (coupling.advance(from_.coupling.is_of_motion ? equations_.force(state_)
                                                              : equations_.flux(state_)));
        end_step(report, start);
      }
    } catch (...) {
      coupling.give_up(current_reason());
      throw;
    }
    return finish();
  }

 private:
  void begin() {
    output_.write(state_);
    equations_.exchange() = {};
  }

  void end_step(const StepReport& report, double start) {
    equations_.end(state_);
    result_.heat = equations_.heat_of_conditions(state_);
    result_.is_steady = history_.add(state_, report, result_.heat, now() - start);
    result_.seconds += now() - start;
    output_.write(state_);
  }

  RunResult finish() {
    result_.exchange = equations_.exchange();
    output_.finish(state_);
    result_.has_level = equations_.has_level();
    result_.steps = static_cast<int>(state_.steps);
    result_.time = state_.time;
    result_.values = std::move(state_.values);
    result_.temperature = std::move(state_.temperature);
    return std::move(result_);
  }

  const comm::Comm& comm_;
  const Case& from_;
  Equations equations_;
  Output output_;
  State state_;
  History history_;
  RunResult result_;
};

} // namespace

RunResult run(const comm::Comm& comm, const Case& from, const std::filesystem::path& restart,
              std::FILE* lines) {
  Run work(comm, from, lines);
  if (!restart.empty()) {
    work.resume(restart);
  }
  return from.coupling.is_on() ? work.coupled() : work();
}

} // namespace isthmus::convection
