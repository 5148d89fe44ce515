// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"
#include "isthmus/config/validate/validate_parts.hpp"

#include <algorithm>

namespace isthmus::config {

namespace {

/// An exchange in which the participant takes part that decides about iterations.
const Exchange* find_exchange(const CouplingScheme& scheme, const std::string& data,
                              const std::string& mesh) {
  for (const Exchange& exchange : scheme.exchanges) {
    const bool leads = exchange.from == scheme.leader() || exchange.to == scheme.leader();
    if (exchange.data == data && exchange.mesh == mesh && leads) {
      return &exchange;
    }
  }
  return nullptr;
}

/// The exchange that carries data which a measure or an acceleration names.
const Exchange& exchanged(const Configuration& configuration, const CouplingScheme& scheme,
                          const std::string& data, const std::string& mesh, int line,
                          const std::string& tag) {
  known_data(configuration, data, line, tag);
  known_mesh(configuration, mesh, line, tag);
  const Exchange* exchange = find_exchange(scheme, data, mesh);
  grammar::check_at(
      exchange != nullptr, {configuration.file, line},
      "{} data \"{}\" on mesh \"{}\" is not exchanged in this scheme with participant \"{}\", "
      "which decides; name the mesh of its <exchange>",
      tag, data, mesh, scheme.leader());
  return *exchange;
}

void check_counts(const Configuration& configuration, const CouplingScheme& scheme) {
  const grammar::FileLine line{configuration.file, scheme.line};
  const std::string tag = fmt::format("<coupling-scheme:{}>", name(scheme.kind));
  grammar::check_at(
      !scheme.measures.empty() || scheme.max_iterations.has_value(), line,
      "{} would iterate forever; add a convergence measure, as in <relative-convergence-measure "
      "data=\"...\" mesh=\"...\" limit=\"1e-3\" />, or <max-iterations value=\"...\" />",
      tag);
  grammar::check_at(scheme.min_iterations >= 1, line, "{} min-iterations=\"{}\" must be at least 1",
                    tag, scheme.min_iterations);
  const int most = scheme.max_iterations.value_or(scheme.min_iterations);
  grammar::check_at(most >= 1, line,
                    "{} max-iterations=\"{}\" must be at least 1; without the tag there is no "
                    "limit",
                    tag, most);
  grammar::check_at(scheme.min_iterations <= most, line,
                    "{} min-iterations=\"{}\" exceeds max-iterations=\"{}\"", tag,
                    scheme.min_iterations, most);
}

void check_measure(const Configuration& configuration, const CouplingScheme& scheme,
                   const ConvergenceMeasure& measure) {
  constexpr double rounding = 1e-14; // rounding of values of order one
  const grammar::FileLine line{configuration.file, measure.line};
  const std::string tag =
      fmt::format("<{} data=\"{}\" mesh=\"{}\">", name(measure.kind), measure.data, measure.mesh);
  exchanged(configuration, scheme, measure.data, measure.mesh, measure.line, tag);
  const bool both = measure.kind == MeasureKind::absolute_or_relative;
  if (measure.kind != MeasureKind::absolute) {
    grammar::check_at(measure.limit > rounding && measure.limit <= 1, line,
                      "{} relative limit {} must be in ({}, 1], for example 1e-3", tag,
                      measure.limit, rounding);
  }
  if (both || measure.kind == MeasureKind::absolute) {
    const double limit = both ? measure.abs_limit : measure.limit;
    grammar::check_at(limit > rounding, line,
                      "{} absolute limit {} must exceed {}, which is rounding", tag, limit,
                      rounding);
  }
}

void check_accelerated(const Configuration& configuration, const CouplingScheme& scheme,
                       const Acceleration& acceleration, const std::string& tag) {
  for (const AccelerationData& data : acceleration.data) {
    const grammar::FileLine line{configuration.file, data.line};
    const std::string label =
        fmt::format("{} <data name=\"{}\" mesh=\"{}\">", tag, data.name, data.mesh);
    const Exchange& exchange =
        exchanged(configuration, scheme, data.name, data.mesh, data.line, label);
    grammar::check_at(
        scheme.kind != SchemeKind::serial_implicit || exchange.from == scheme.participants.back(),
        line,
        "{} goes from \"{}\" to \"{}\"; serial-implicit accelerates only data from the second "
        "participant (\"{}\") to the first: remove it, or use parallel-implicit",
        label, exchange.from, exchange.to, scheme.participants.back());
    grammar::check_at(data.scaling != 0, line,
                      "{} scaling=\"0\" switches the data off; remove it instead", label);
    for (const AccelerationData& other : acceleration.data) {
      grammar::check_at(&other == &data || other.name != data.name || other.mesh != data.mesh, line,
                        "{} stands twice, also in line {}; remove one", label, other.line);
    }
  }
}

/// Who decides about iterations accelerates what it sends, and, unless the scheme is serial, what
/// it gets.
void check_has_data(const Configuration& configuration, const CouplingScheme& scheme,
                    const Acceleration& acceleration, const std::string& tag) {
  const std::string& leader = scheme.leader();
  const bool serial = scheme.kind == SchemeKind::serial_implicit;
  const bool found =
      std::any_of(scheme.exchanges.begin(), scheme.exchanges.end(),
                  [&leader, serial](const Exchange& exchange) {
                    return exchange.from == leader || (!serial && exchange.to == leader);
                  });
  grammar::check_at(
      found, {configuration.file, acceleration.line},
      "{} there is no data to accelerate: nothing is exchanged from participant \"{}\", which "
      "decides, {}; add an <exchange>, or use an explicit scheme where data goes one way",
      tag, leader,
      serial ? fmt::format("to \"{}\", and serial-implicit accelerates nothing else",
                           scheme.participants.front())
             : "or to it");
}

void check_acceleration(const Configuration& configuration, const CouplingScheme& scheme,
                        const Acceleration& acceleration) {
  const grammar::FileLine line{configuration.file, acceleration.line};
  const QuasiNewton& newton = acceleration.quasi_newton;
  const std::string tag = fmt::format("<acceleration:{}>", name(acceleration.kind));
  grammar::check_at(acceleration.relaxation > 0 && acceleration.relaxation <= 1, line,
                    "{} relaxation {} must be in (0, 1]", tag, acceleration.relaxation);
  grammar::check_at(
      acceleration.kind != AccelerationKind::aitken || !acceleration.preconditioner.given, line,
      "{} uses no preconditioner; remove <preconditioner>", tag);
  grammar::check_at(newton.max_used_iterations > 0, line,
                    "{} max-used-iterations=\"{}\" must be positive", tag,
                    newton.max_used_iterations);
  grammar::check_at(newton.time_windows_reused >= 0, line,
                    "{} time-windows-reused=\"{}\" is negative", tag, newton.time_windows_reused);
  grammar::check_at(newton.filter.limit > 0, line, "{} <filter> limit=\"{}\" must be positive", tag,
                    newton.filter.limit);
  grammar::check_at(acceleration.preconditioner.freeze_after >= -1, line,
                    "{} <preconditioner> freeze-after=\"{}\" must be -1 (never) or more", tag,
                    acceleration.preconditioner.freeze_after);
  grammar::check_at(
      newton.restart.chunk_size > 0 && newton.restart.reused_time_windows >= 0, line,
      "{} <imvj-restart-mode> chunk-size must be positive and reused-time-windows-at-restart not "
      "negative",
      tag);
  grammar::check_at(!newton.always_build_jacobian || newton.restart.mode == RestartMode::none, line,
                    "{} cannot always build the Jacobian and restart with it, too; remove "
                    "always-build-jacobian, or choose <imvj-restart-mode type=\"no-restart\" />",
                    tag);
  grammar::check_at(newton.restart.truncation_threshold > 0, line,
                    "{} <imvj-restart-mode> truncation-threshold=\"{}\" must be positive", tag,
                    newton.restart.truncation_threshold);
  check_accelerated(configuration, scheme, acceleration, tag);
  check_has_data(configuration, scheme, acceleration, tag);
}

} // namespace

void validate_iterations(const Configuration& configuration, const CouplingScheme& scheme) {
  check_counts(configuration, scheme);
  for (const ConvergenceMeasure& measure : scheme.measures) {
    check_measure(configuration, scheme, measure);
  }
  if (scheme.acceleration) {
    check_acceleration(configuration, scheme, *scheme.acceleration);
  }
}

} // namespace isthmus::config
