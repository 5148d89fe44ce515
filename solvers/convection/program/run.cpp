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
        control_(from.time.adaptive, from.time.step),
        history_(comm, from, equations_, lines) {}

  void resume(const std::filesystem::path& path) {
    state_ = output_.resume(path);
    equations_.resume(state_);
    if (control_.is_on() && state_.next_step > 0) {
      control_.resume(state_.next_step, state_.last_change);
    }
  }

  RunResult operator()() {
    begin();
    const std::int64_t last = state_.steps + from_.time.steps;
    while (state_.steps < last && !result_.is_steady) {
      const double start = now();
      equations_.begin(state_, control_.next());
      StepReport report = equations_.solve(state_);
      Change change = history_.change_of(state_);
      while (const auto shorter = control_.shorter(change.of_length(), state_.step)) {
        equations_.repeat(state_, *shorter);
        report = equations_.solve(state_);
        change = history_.change_of(state_);
      }
      control_.add(change.of_length(), state_.step);
      end_step(report, change, start);
    }
    return finish();
  }

  /// The whole run as a participant, whose windows are its steps.
  RunResult coupled() {
    Coupling coupling(comm_, from_.coupling, equations_.mesh(), from_.time.step);
    try {
      begin();
      while (coupling.is_ongoing()) {
        const double start = now();
        equations_.begin(state_, from_.time.step);
        StepReport report;
        do {
          coupling.read(state_);
          report = equations_.solve(state_);
        } while (coupling.advance(from_.coupling.is_of_motion ? equations_.force(state_)
                                                              : equations_.flux(state_)));
        end_step(report, history_.change_of(state_), start);
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

  void end_step(const StepReport& report, const Change& change, double start) {
    equations_.end(state_);
    if (control_.is_on()) {
      state_.next_step = control_.next();
      state_.last_change = control_.last_change();
    }
    result_.heat = equations_.heat_of_conditions(state_);
    result_.is_steady = change.most() < from_.time.steady;
    history_.add(state_, report, change, result_.heat, now() - start);
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
  StepControl control_;
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
