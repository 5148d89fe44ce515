// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/mapped_data.hpp"
#include "isthmus/config/names.hpp"
#include "isthmus/config/validate/validate_parts.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::config {

namespace {

/// A mapping with what its rules need.
struct Case {
  const Configuration& configuration;
  const Participant& participant;
  const Mapping& mapping;
  std::string tag;

  template <typename... Args>
  void require(bool condition, fmt::format_string<Args...> advice, Args&&... args) const {
    grammar::check_at(condition, {configuration.file, mapping.line}, "{} {}", tag,
                      fmt::format(advice, std::forward<Args>(args)...));
  }
};

void check_meshes(const Case& one) {
  const auto& [configuration, participant, mapping, tag] = one;
  const Mesh& from = known_mesh(configuration, mapping.from, mapping.line, tag);
  const Mesh& to = known_mesh(configuration, mapping.to, mapping.line, tag);
  one.require(from.name != to.name, "maps mesh \"{}\" to itself; one of the two must be received",
              from.name);
  for (const Mesh* mesh : {&from, &to}) {
    one.require(
        participant.provides(mesh->name) || participant.receives(mesh->name) != nullptr,
        "participant \"{}\" neither provides nor receives mesh \"{}\"; add <provide-mesh> or "
        "<receive-mesh>",
        participant.name, mesh->name);
  }
  const bool writes = mapping.direction == Direction::write;
  const Mesh& local = writes ? from : to;
  const Mesh& remote = writes ? to : from;
  one.require(participant.provides(local.name) && participant.receives(remote.name) != nullptr,
              "maps in the wrong direction: direction=\"{}\" goes from a {} mesh to a {} mesh, but "
              "\"{}\" is {} and \"{}\" is {}; exchange from and to, or change the direction",
              name(mapping.direction), writes ? "provided" : "received",
              writes ? "received" : "provided", from.name,
              participant.provides(from.name) ? "provided" : "received", to.name,
              participant.provides(to.name) ? "provided" : "received");
  one.require(from.dimensions == to.dimensions,
              "maps between meshes of different dimensions: \"{}\" has {}, \"{}\" has {}",
              from.name, from.dimensions, to.name, to.dimensions);
}

void check_just_in_time(const Case& one) {
  const auto& [configuration, participant, mapping, tag] = one;
  const bool writes = mapping.direction == Direction::write;
  const std::string& remote = writes ? mapping.to : mapping.from;
  one.require(!remote.empty(), "lacks {}=\"...\"; a just-in-time mapping omits only the other end",
              writes ? "to" : "from");
  known_mesh(configuration, remote, mapping.line, tag);
  one.require(
      configuration.run.experimental,
      "omits {0}, which makes it a just-in-time mapping; name the mesh in {0}=\"...\", or add "
      "experimental=\"true\" to <precice-configuration>",
      writes ? "from" : "to");
  const ReceiveMesh* received = participant.receives(remote);
  one.require(received != nullptr && received->api_access,
              "maps just in time, so participant \"{}\" must have <receive-mesh name=\"{}\" "
              "from=\"...\" api-access=\"true\" />",
              participant.name, remote);
  one.require(mapping.constraint == (writes ? Constraint::conservative : Constraint::consistent),
              "maps just in time, which needs constraint=\"{}\" for direction=\"{}\"",
              writes ? "conservative" : "consistent", name(mapping.direction));
  const bool coarse = mapping.kind == MappingKind::coarse_graining && writes;
  one.require(mapping.kind == MappingKind::nearest_neighbor || coarse ||
                  mapping.kind == MappingKind::rbf || mapping.kind == MappingKind::rbf_pum_direct,
              "cannot map just in time; use nearest-neighbor, rbf, rbf-pum-direct or, to write, "
              "coarse-graining");
  one.require(mapping.radial_basis.executor.kind == ExecutorKind::cpu,
              "maps just in time, which needs <executor:cpu />");
}

void check_basis(const Case& one, const BasisFunction& basis) {
  const bool has_radius = !std::isnan(basis.support_radius);
  const bool has_shape = !std::isnan(basis.shape_parameter);
  one.require(basis.kind != BasisKind::gaussian || has_radius != has_shape,
              "<basis-function:gaussian> needs either shape-parameter or support-radius, not {}",
              has_radius ? "both" : "none");
  one.require(!has_radius || basis.support_radius > 0,
              "<basis-function:{}> support-radius=\"{}\" must be positive", name(basis.kind),
              basis.support_radius);
  one.require(!has_shape || basis.shape_parameter > 0,
              "<basis-function:{}> shape-parameter=\"{}\" must be positive", name(basis.kind),
              basis.shape_parameter);
}

void check_radial_basis(const Case& one) {
  const Mapping& mapping = one.mapping;
  const RadialBasis& radial = mapping.radial_basis;
  one.require(radial.function.has_value(),
              "lacks a <basis-function:... />; add one inside, for example "
              "<basis-function:compact-polynomial-c6 support-radius=\"...\" />");
  check_basis(one, *radial.function);
  one.require(
      radial.polynomial != Polynomial::on || mapping.kind == MappingKind::rbf_global_iterative ||
          !is_positive_definite(radial.function->kind),
      "polynomial=\"on\" cannot be used with the positive definite <basis-function:{}>; use "
      "\"separate\" or \"off\", or <mapping:rbf-global-iterative>",
      name(radial.function->kind));
  one.require(radial.solver_rtol > 0, "solver-rtol=\"{}\" must be positive", radial.solver_rtol);
  one.require(radial.clusters.vertices_per_cluster > 0,
              "vertices-per-cluster=\"{}\" must be positive", radial.clusters.vertices_per_cluster);
  one.require(radial.clusters.relative_overlap > 0 && radial.clusters.relative_overlap < 1,
              "relative-overlap=\"{}\" must be between 0 and 1", radial.clusters.relative_overlap);
  one.require(mapping.kind != MappingKind::rbf_pum_direct || radial.executor.is_host() ||
                  mapping.constraint == Constraint::consistent,
              "<executor:{}> needs constraint=\"consistent\"", name(radial.executor.kind));
  one.require(radial.executor.threads >= 0, "n-threads=\"{}\" is negative",
              radial.executor.threads);
  const Mesh& mesh = *one.configuration.find_mesh(mapping.from.empty() ? mapping.to : mapping.from);
  bool alive = false;
  for (int axis = 0; axis < mesh.dimensions; ++axis) {
    alive = alive || !radial.dead[static_cast<std::size_t>(axis)];
  }
  one.require(alive, "ignores all axes of mesh \"{}\"; leave at least one", mesh.name);
}

void check_special(const Case& one) {
  const Mapping& mapping = one.mapping;
  const bool coarse = mapping.kind == MappingKind::coarse_graining;
  const bool gradient = mapping.kind == MappingKind::nearest_neighbor_gradient;
  one.require(
      one.configuration.run.experimental || !(coarse || gradient || mapping.is_multiscale()),
      "is experimental; add experimental=\"true\" to <precice-configuration>");
  one.require(!gradient || mapping.constraint != Constraint::conservative,
              "cannot be conservative; use constraint=\"consistent\"");
  one.require(!mapping.gradients || mapping.constraint == Constraint::consistent,
              "uses gradients, which needs constraint=\"consistent\"");
  one.require(!coarse || mapping.radius > 0, "radius=\"{}\" must be positive", mapping.radius);
  one.require(!mapping.is_multiscale() || mapping.constraint != Constraint::conservative,
              "cannot be conservative; use constraint=\"consistent\"");
  const Mesh* mesh = one.configuration.find_mesh(mapping.from);
  one.require(!mapping.is_multiscale() || mapping.multiscale.axis != Axis::z || mesh == nullptr ||
                  mesh->dimensions == 3,
              "has the axis z, but mesh \"{}\" has 2 dimensions", mapping.from);
  one.require(
      mapping.kind != MappingKind::axial_geometric_multiscale || mapping.multiscale.radius > 0,
      "multiscale-radius=\"{}\" must be positive", mapping.multiscale.radius);
}

/// No second mapping between the same meshes, also just in time, none that brings the same data to
/// the same mesh.
void check_others(const Case& one) {
  const auto& [configuration, participant, mapping, tag] = one;
  const std::vector<std::string> carried = mapped_data(configuration, participant, mapping);
  for (const Mapping& other : participant.mappings) {
    if (&other == &mapping || mapping.to != other.to) {
      continue;
    }
    const bool in_time = mapping.just_in_time();
    one.require(mapping.from != other.from || !in_time,
                "is a second mapping just in time of mesh \"{}\", see line {}; remove one",
                mapping.to.empty() ? mapping.from : mapping.to, other.line);
    one.require(mapping.from != other.from || in_time,
                "is a second mapping from \"{}\" to \"{}\", see line {}; remove one", mapping.from,
                mapping.to, other.line);
    if (mapping.to.empty()) {
      continue;
    }
    for (const std::string& data : mapped_data(configuration, participant, other)) {
      one.require(std::count(carried.begin(), carried.end(), data) == 0,
                  "brings data \"{}\" to mesh \"{}\", as does the mapping in line {}; one mesh can "
                  "receive data from one mapping only",
                  data, mapping.to, other.line);
    }
  }
}

} // namespace

void validate_mappings(const Configuration& configuration, const Participant& participant) {
  for (const Mapping& mapping : participant.mappings) {
    const Case one{
        configuration, participant, mapping,
        fmt::format("<mapping:{} direction=\"{}\" from=\"{}\" to=\"{}\">", name(mapping.kind),
                    name(mapping.direction), mapping.from, mapping.to)};
    one.require(!mapping.from.empty() || !mapping.to.empty(),
                "names no mesh; give from=\"...\" and to=\"...\"");
    if (mapping.just_in_time()) {
      check_just_in_time(one);
    } else {
      check_meshes(one);
    }
    if (mapping.is_radial_basis()) {
      check_radial_basis(one);
    }
    check_special(one);
    check_others(one);
  }
}

} // namespace isthmus::config
