// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"
#include "isthmus/config/read/read_parts.hpp"

namespace isthmus::config {

namespace {

BasisFunction read_basis(const grammar::Node& node) {
  BasisFunction basis;
  basis.kind = node.kind();
  if (node.has("support-radius")) {
    basis.support_radius = node.real("support-radius");
  }
  if (node.has("shape-parameter")) {
    basis.shape_parameter = node.real("shape-parameter");
  }
  basis.line = node.line();
  return basis;
}

Executor read_executor(const grammar::Node& node) {
  Executor executor;
  executor.kind = node.kind();
  if (node.has("gpu-device-id")) {
    executor.gpu_device_id = node.text("gpu-device-id");
  }
  if (node.has("execution-mode")) {
    executor.execution_mode = node.text("execution-mode");
  }
  if (node.has("n-threads")) {
    executor.threads = node.integer("n-threads");
  }
  executor.line = node.line();
  return executor;
}

void read_radial_basis(const grammar::Node& node, Mapping& mapping) {
  if (node.has("polynomial")) {
    mapping.polynomial = node.text("polynomial");
  }
  if (node.has("x-dead")) {
    mapping.dead = {node.flag("x-dead"), node.flag("y-dead"), node.flag("z-dead")};
  }
  if (node.has("solver-rtol")) {
    mapping.solver_rtol = node.real("solver-rtol");
  }
  if (node.has("vertices-per-cluster")) {
    mapping.vertices_per_cluster = node.integer("vertices-per-cluster");
    mapping.relative_overlap = node.real("relative-overlap");
    mapping.project_to_input = node.flag("project-to-input");
  }
  if (mapping.kind == MappingKind::rbf) { // defaults of its own
    mapping.vertices_per_cluster = 100;
    mapping.relative_overlap = 0.3;
  }
  if (const auto basis = node.child("basis-function")) {
    mapping.basis = read_basis(*basis);
  }
  if (const auto executor = node.child("executor")) {
    mapping.executor = read_executor(*executor);
  }
}

void read_multiscale(const grammar::Node& node, Mapping& mapping) {
  if (node.has("multiscale-type")) {
    mapping.multiscale_type = node.text("multiscale-type");
    mapping.multiscale_axis = node.text("multiscale-axis");
    mapping.multiscale_radius = node.real("multiscale-radius");
  }
  if (node.has("multiscale-dimension")) {
    mapping.multiscale_dimension = node.text("multiscale-dimension");
    mapping.multiscale_profile = node.text("multiscale-cross-section-profile");
    mapping.multiscale_cross_section = node.text("multiscale-cross-section");
  }
}

} // namespace

Mapping read_mapping(const grammar::Node& node) {
  Mapping mapping;
  mapping.kind = from_name(node.kind(), MappingKind::automatic);
  mapping.direction = from_name(node.text("direction"), Direction::read);
  mapping.constraint = from_name(node.text("constraint"), Constraint::scaled_consistent_volume);
  mapping.from = node.text("from");
  mapping.to = node.text("to");
  read_radial_basis(node, mapping);
  read_multiscale(node, mapping);
  if (node.has("gradients")) {
    mapping.gradients = node.flag("gradients");
  }
  if (node.has("search")) {
    mapping.projects_onto_candidates = node.text("search") == "candidates";
  }
  if (node.has("outside")) {
    mapping.closest_outside = node.text("outside") == "closest";
  }
  if (node.has("radius")) {
    mapping.radius = node.real("radius");
  }
  mapping.line = node.line();
  return mapping;
}

} // namespace isthmus::config
