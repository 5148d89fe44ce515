// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"
#include "isthmus/config/read/read_parts.hpp"

namespace isthmus::config {

namespace {

Exchange read_exchange(const grammar::Node& node) {
  return {node.text("data"),       node.text("mesh"),     node.text("from"), node.text("to"),
          node.flag("initialize"), node.flag("substeps"), node.line()};
}

ConvergenceMeasure read_measure(const grammar::Node& node) {
  ConvergenceMeasure measure;
  measure.kind = from_name<MeasureKind>(node.tag().name);
  measure.data = node.text("data");
  measure.mesh = node.text("mesh");
  if (node.has("limit")) {
    measure.limit = node.real("limit");
  } else {
    measure.limit = node.real("rel-limit");
    measure.abs_limit = node.real("abs-limit");
  }
  measure.suffices = node.flag("suffices");
  measure.strict = node.flag("strict");
  measure.line = node.line();
  return measure;
}

/// What holds where a tag is absent.
void set_defaults(Acceleration& acceleration) {
  const bool least_squares = acceleration.kind == AccelerationKind::iqn_ils;
  acceleration.relaxation = acceleration.is_quasi_newton() ? 0.1 : 0.5;
  acceleration.quasi_newton.max_used_iterations = least_squares ? 100 : 20;
  acceleration.quasi_newton.time_windows_reused = least_squares ? 10 : 0;
}

void read_quasi_newton(const grammar::Node& node, QuasiNewton& newton) {
  if (const auto columns = node.child("max-used-iterations")) {
    newton.max_used_iterations = columns->integer("value");
  }
  if (const auto windows = node.child("time-windows-reused")) {
    newton.time_windows_reused = windows->integer("value");
  }
  if (const auto filter = node.child("filter")) {
    newton.filter = {from_name<FilterType>(filter->text("type")), filter->real("limit")};
  }
  if (node.has("reduced-time-grid")) {
    newton.reduced_time_grid = node.flag("reduced-time-grid");
    newton.on_bound_violation = from_name<OnBoundViolation>(node.text("on-bound-violation"));
  }
  if (node.has("always-build-jacobian")) {
    newton.always_build_jacobian = node.flag("always-build-jacobian");
  }
  if (const auto restart = node.child("imvj-restart-mode")) {
    newton.restart = {from_name<RestartMode>(restart->text("type")), restart->integer("chunk-size"),
                      restart->integer("reused-time-windows-at-restart"),
                      restart->real("truncation-threshold")};
  } else if (newton.always_build_jacobian) {
    newton.restart.mode = RestartMode::none; // as preCICE, unless a restart is asked for
  }
}

Preconditioner read_preconditioner(const grammar::Node& node) {
  Preconditioner preconditioner;
  preconditioner.given = true;
  preconditioner.type = from_name<PreconditionerType>(node.text("type"));
  preconditioner.freeze_after = node.integer("freeze-after");
  if (node.has("update-on-threshold")) {
    preconditioner.update_on_threshold = node.flag("update-on-threshold");
  }
  return preconditioner;
}

Acceleration read_acceleration(const grammar::Node& node) {
  Acceleration acceleration;
  acceleration.kind = from_name<AccelerationKind>(node.kind());
  set_defaults(acceleration);
  if (const auto relaxation = node.child("relaxation")) {
    acceleration.relaxation = relaxation->real("value");
  }
  if (const auto relaxation = node.child("initial-relaxation")) {
    acceleration.relaxation = relaxation->real("value");
    acceleration.enforce_initial_relaxation =
        relaxation->has("enforce") && relaxation->flag("enforce");
  }
  for (const grammar::Node& data : node.children("data")) {
    acceleration.data.push_back(
        {data.text("name"), data.text("mesh"), data.real("scaling"), data.line()});
  }
  if (const auto preconditioner = node.child("preconditioner")) {
    acceleration.preconditioner = read_preconditioner(*preconditioner);
  }
  read_quasi_newton(node, acceleration.quasi_newton);
  acceleration.line = node.line();
  return acceleration;
}

/// The controller stays empty unless there is exactly one.
void read_members(const grammar::Node& node, CouplingScheme& scheme) {
  int controllers = 0;
  if (const auto pair = node.child("participants")) {
    scheme.participants = {pair->text("first"), pair->text("second")};
  }
  for (const grammar::Node& member : node.children("participant")) {
    scheme.participants.push_back(member.text("name"));
    if (member.flag("control")) {
      scheme.controller = member.text("name");
      ++controllers;
    }
  }
  if (controllers > 1) {
    scheme.controller.clear();
  }
}

void read_time(const grammar::Node& node, CouplingScheme& scheme) {
  if (const auto end = node.child("max-time")) {
    scheme.max_time = end->real("value");
  }
  if (const auto end = node.child("max-time-windows")) {
    scheme.max_time_windows = end->integer("value");
  }
  const grammar::Node window = node.child("time-window-size").value();
  scheme.time_window = {window.real("value"),
                        window.has("method") && window.text("method") == "first-participant"};
}

} // namespace

CouplingScheme read_scheme(const grammar::Node& node) {
  CouplingScheme scheme;
  scheme.kind = from_name<SchemeKind>(node.kind());
  read_members(node, scheme);
  read_time(node, scheme);
  for (const grammar::Node& exchange : node.children("exchange")) {
    scheme.exchanges.push_back(read_exchange(exchange));
  }
  for (const grammar::Node& child : node.children()) {
    if (child.tag().name.ends_with("convergence-measure")) {
      scheme.measures.push_back(read_measure(child));
    }
  }
  if (const auto least = node.child("min-iterations")) {
    scheme.min_iterations = least->integer("value");
  }
  if (const auto most = node.child("max-iterations")) {
    scheme.max_iterations = most->integer("value");
  }
  if (const auto acceleration = node.child("acceleration")) {
    scheme.acceleration = read_acceleration(*acceleration);
  }
  scheme.line = node.line();
  return scheme;
}

} // namespace isthmus::config
