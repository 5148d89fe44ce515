// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/steps.hpp"

#include "isthmus/base/error.hpp"

namespace isthmus::convection {

namespace {

void start_at_guess(const Differences& past, std::span<const char> is_fixed,
                    std::span<double> values) {
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n] = is_fixed[n] != 0 ? values[n] : past.extrapolated(n);
  }
}

} // namespace

Differences::Differences(int order, double step) : order_(order), step_(step), step_before_(step) {
  check(order == 1 || order == 2, "steps in time are of order 1 or 2, not {}", order);
}

void Differences::begin(std::span<const double> values, double step) {
  if (order_ == 2 && !last_.empty()) {
    earlier_.swap(last_);
    step_before_ = step_;
  }
  last_.assign(values.begin(), values.end());
  repeat(step);
}

void Differences::repeat(double step) {
  step_ = step;
  before_.resize(last_.size());
  const double r = ratio();
  for (std::size_t n = 0; n < last_.size(); ++n) {
    before_[n] =
        (earlier_.empty() ? -last_[n] : r * r / (1 + r) * earlier_[n] - (1 + r) * last_[n]) / step_;
  }
}

TimeDerivative Differences::derivative() const {
  return {(earlier_.empty() ? 1.0 : (1 + 2 * ratio()) / (1 + ratio())) / step_, before_};
}

void Differences::resume(std::vector<double> last, double step) {
  last_ = std::move(last);
  step_ = step;
}

Steps::Steps(Flow& flow, Heat& heat, int order, double step)
    : flow_(flow), heat_(heat), of_flow_(order, step), of_heat_(order, step) {}

void Steps::begin(std::span<const double> values, std::span<const double> temperature,
                  double step) {
  of_flow_.begin(values, step);
  of_heat_.begin(temperature, step);
}

void Steps::repeat(double step) {
  of_flow_.repeat(step);
  of_heat_.repeat(step);
}

StepReport Steps::solve(const StepTerms& terms, const NewtonSettings& newton,
                        std::span<double> values, std::span<double> temperature) {
  start_at_guess(of_flow_, flow_.is_fixed(), values);
  start_at_guess(of_heat_, heat_.is_fixed(), temperature);
  force_.resize(3 * temperature.size());
  velocity_.resize(force_.size());
  StepReport report;
  for (int n = 0; n < terms.corrections; ++n) {
    for (std::size_t k = 0; k < force_.size(); ++k) {
      force_[k] =
          terms.buoyancy[k % 3] * temperature[k / 3] + (terms.force.empty() ? 0 : terms.force[k]);
    }
    report.flow = flow_.solve({terms.viscosity, force_}, of_flow_.derivative(), newton, values);
    for (std::size_t k = 0; k < velocity_.size(); ++k) {
      velocity_[k] = values[4 * (k / 3) + k % 3];
    }
    report.heat =
        heat_.solve(heat_terms(terms), of_heat_.derivative(), terms.heat_tolerance, temperature);
  }
  return report;
}

HeatTerms Steps::heat_terms(const StepTerms& terms) const {
  return {terms.diffusivity, velocity_, terms.source, terms.captures, terms.solid, terms.reference};
}

void Steps::flux(const StepTerms& terms, std::span<const double> temperature,
                 std::span<double> flux) {
  heat_.flux(heat_terms(terms), of_heat_.derivative(), temperature, flux);
}

void Steps::force(const StepTerms& terms, std::span<const double> values, std::span<double> force) {
  flow_.force({terms.viscosity, force_}, of_flow_.derivative(), values, force);
}

} // namespace isthmus::convection
