// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"
#include "isthmus/config/read/read_parts.hpp"

namespace isthmus::config {

namespace {

BasisFunction read_basis(const grammar::Node& node) {
  BasisFunction basis;
  basis.kind = from_name<BasisKind>(node.kind());
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
  executor.kind = from_name<ExecutorKind>(node.kind());
  if (node.has("n-threads")) {
    executor.threads = node.integer("n-threads");
  }
  executor.line = node.line();
  return executor;
}

Clusters read_clusters(const grammar::Node& node) {
  if (node.kind() == name(MappingKind::rbf)) { // defaults of its own
    return {100, 0.3, true};
  }
  if (node.has("vertices-per-cluster")) {
    return {node.integer("vertices-per-cluster"), node.real("relative-overlap"),
            node.flag("project-to-input")};
  }
  return {};
}

RadialBasis read_radial_basis(const grammar::Node& node) {
  RadialBasis radial;
  if (node.has("polynomial")) {
    radial.polynomial = from_name<Polynomial>(node.text("polynomial"));
  }
  if (node.has("x-dead")) {
    radial.dead = {node.flag("x-dead"), node.flag("y-dead"), node.flag("z-dead")};
  }
  if (node.has("solver-rtol")) {
    radial.solver_rtol = node.real("solver-rtol");
  }
  radial.clusters = read_clusters(node);
  if (const auto basis = node.child("basis-function")) {
    radial.function = read_basis(*basis);
  }
  if (const auto executor = node.child("executor")) {
    radial.executor = read_executor(*executor);
  }
  return radial;
}

Multiscale read_multiscale(const grammar::Node& node) {
  Multiscale multiscale;
  if (node.has("multiscale-type")) {
    multiscale.type = from_name<MultiscaleType>(node.text("multiscale-type"));
    multiscale.axis = from_name<Axis>(node.text("multiscale-axis"));
    multiscale.radius = node.real("multiscale-radius");
  }
  if (node.has("multiscale-dimension")) {
    multiscale.dimension = from_name<MultiscaleDimension>(node.text("multiscale-dimension"));
    multiscale.profile =
        from_name<CrossSectionProfile>(node.text("multiscale-cross-section-profile"));
    multiscale.cross_section = from_name<CrossSection>(node.text("multiscale-cross-section"));
  }
  return multiscale;
}

} // namespace

Mapping read_mapping(const grammar::Node& node) {
  Mapping mapping;
  mapping.kind = from_name<MappingKind>(node.kind());
  mapping.direction = from_name<Direction>(node.text("direction"));
  mapping.constraint = from_name<Constraint>(node.text("constraint"));
  mapping.from = node.text("from");
  mapping.to = node.text("to");
  mapping.radial_basis = read_radial_basis(node);
  mapping.multiscale = read_multiscale(node);
  if (node.has("gradients")) {
    mapping.gradients = node.flag("gradients");
  }
  for (const char* const where : {"search", "outside"}) {
    mapping.closest = mapping.closest || (node.has(where) && node.text(where) == "closest");
  }
  if (node.has("radius")) {
    mapping.radius = node.real("radius");
  }
  mapping.parallel = node.has("parallel") && node.flag("parallel");
  mapping.line = node.line();
  return mapping;
}

} // namespace isthmus::config
