// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/iteration/convergence.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isthmus::iteration {

namespace {

using config::ConvergenceMeasure;
using config::MeasureKind;

/// Infinite also for 0 / 0, as in preCICE's logs; the limit is met then all the same.
double quotient(double residual, double scale) {
  return scale == 0 ? std::numeric_limits<double>::infinity() : residual / scale;
}

const char* prefix(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::absolute:
      return "ResAbs";
    case MeasureKind::relative:
      return "ResRel";
    case MeasureKind::residual_relative:
      return "ResDrop";
    case MeasureKind::absolute_or_relative:
      break;
  }
  return "ResAbsOrRel";
}

std::vector<std::string> data_of(const std::vector<ConvergenceMeasure>& measures) {
  std::vector<std::string> names;
  std::transform(measures.begin(), measures.end(), std::back_inserter(names),
                 [](const ConvergenceMeasure& measure) { return measure.data; });
  return names;
}

/// What a measure compares with its limits, for people: "0.02 > 1e-05 (relative)".
std::string comparison(const ConvergenceMeasure& measure, const acceleration::Norms& norms,
                       double first) {
  const auto [residual, value] = norms;
  const auto beside = [](double shown, double limit) {
    return fmt::format("{:.3g} {} {:.3g}", shown, shown <= limit ? "<=" : ">", limit);
  };
  const double relative = residual == 0 ? 0 : quotient(residual, value);
  switch (measure.kind) {
    case MeasureKind::absolute:
      return beside(residual, measure.limit) + " (absolute)";
    case MeasureKind::relative:
      return beside(relative, measure.limit) + " (relative)";
    case MeasureKind::residual_relative:
      return beside(residual == 0 ? 0 : residual / first, measure.limit) +
             " (of the first residual)";
    case MeasureKind::absolute_or_relative:
      break;
  }
  return beside(residual, measure.abs_limit) + " (absolute) or " + beside(relative, measure.limit) +
         " (relative)";
}

/// A further sentence, if there is one.
std::string then(const std::string& sentence) {
  return sentence.empty() ? sentence : ". " + sentence;
}

} // namespace

Convergence::Convergence(std::vector<ConvergenceMeasure> measures)
    : measures_(std::move(measures)),
      states_(measures_.size()),
      values_(measures_.size()),
      history_(data_of(measures_)) {}

bool Convergence::judge(std::span<const acceleration::Norms> norms, int iteration) {
  if (iteration == 1) {
    history_.complete_window();
  }
  bool all = !measures_.empty();
  bool enough = false;
  bool refused = false; // by a strict one, whatever suffices
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const ConvergenceMeasure& measure = measures_[i];
    const auto [residual, value] = norms[i];
    State& state = states_[i];
    state.norms = norms[i];
    if (!std::isfinite(residual) || !std::isfinite(value)) {
      fail(
          "data \"{}\" on mesh \"{}\" is no longer finite in iteration {}: the iteration diverges. "
          "Use a smaller time window, a smaller relaxation or another acceleration{}",
          measure.data, measure.mesh, iteration, then(diagnosis()));
    }
    if (iteration == 1) {
      state.first = residual;
    }
    switch (measure.kind) {
      case MeasureKind::absolute:
        state.value = residual;
        state.met = residual <= measure.limit;
        break;
      case MeasureKind::relative:
        state.value = quotient(residual, value);
        state.met = residual <= measure.limit * value;
        break;
      case MeasureKind::residual_relative:
        state.value = quotient(residual, state.first);
        state.met = residual <= measure.limit * state.first;
        break;
      case MeasureKind::absolute_or_relative:
        state.value = 0; // as in preCICE's logs: it stands for one of two things
        state.met = residual <= measure.abs_limit || residual <= measure.limit * value;
        break;
    }
    all &= state.met;
    enough |= state.met && measure.suffices;
    refused |= !state.met && measure.strict;
  }
  history_.add(norms);
  std::transform(states_.begin(), states_.end(), values_.begin(),
                 [](const State& state) { return state.value; });
  return (all || enough) && !refused;
}

std::string Convergence::report() const {
  std::string text;
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const ConvergenceMeasure& measure = measures_[i];
    text += fmt::format("{}{} on {} {}", text.empty() ? "" : "; ", measure.data, measure.mesh,
                        comparison(measure, states_[i].norms, states_[i].first));
  }
  return text;
}

std::vector<std::string> Convergence::names() const {
  std::vector<std::string> names;
  for (const ConvergenceMeasure& measure : measures_) {
    names.push_back(fmt::format("{}({}:{})", prefix(measure.kind), measure.mesh, measure.data));
  }
  return names;
}

void Convergence::check_strict(int iterations) const {
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const ConvergenceMeasure& measure = measures_[i];
    if (measure.strict && !states_[i].met) {
      fail(
          "the strict convergence measure of data \"{}\" on mesh \"{}\" is not met after {} "
          "iterations (max-iterations): {}. Allow more iterations, use another acceleration, or "
          "remove strict=\"true\"{}",
          measure.data, measure.mesh, iterations,
          comparison(measure, states_[i].norms, states_[i].first), then(diagnosis()));
    }
  }
}

} // namespace isthmus::iteration
