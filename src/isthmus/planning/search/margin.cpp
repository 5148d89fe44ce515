// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/margin.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/config/names.hpp"
#include "isthmus/geometry/morton.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace isthmus::planning {

namespace {

/// 0 where one is empty.
double gap(const geometry::Box& a, const geometry::Box& b) {
  if (a.empty() || b.empty()) {
    return 0;
  }
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double d = std::max({a.lo[k] - b.hi[k], b.lo[k] - a.hi[k], 0.0});
    sum += d * d;
  }
  return std::sqrt(sum);
}

/// Where nobody asks a mesh may be empty.
void check_searched(const protocol::MeshRelation& relation, const protocol::MeshExtent& provided,
                    const protocol::MeshExtent& received) {
  const std::vector<std::string> meshes = relation.mapped_meshes();
  for (const protocol::MappingUse& use : relation.uses) {
    if (use.direct) {
      continue;
    }
    const auto i = std::find(meshes.begin(), meshes.end(), use.own_mesh) - meshes.begin();
    const bool is_own_filled = i >= 64 || (received.filled >> i & 1U) != 0;
    const bool is_searched_filled =
        use.searches_received ? provided.num_vertices > 0 : is_own_filled;
    const bool asks = use.searches_received ? is_own_filled : provided.num_vertices > 0;
    const std::string& searched = use.searches_received ? relation.mesh : use.own_mesh;
    const std::string& asking = use.searches_received ? use.own_mesh : relation.mesh;
    check(is_searched_filled || !asks,
          "<mapping:{}> in line {}: mesh \"{}\" of participant \"{}\" has no vertices on any rank, "
          "so "
          "those of mesh \"{}\" of participant \"{}\" have no place on it; define vertices before "
          "initialize(), or anew where the mesh is reset",
          config::name(use.mapping->kind), use.mapping->line, searched,
          use.searches_received ? relation.provider : relation.receiver, asking,
          use.searches_received ? relation.receiver : relation.provider);
  }
}

/// A mapping finds the nearest vertex however far it is; that one is far may be an error of units.
void warn_if_apart(const Log& log, const protocol::MeshRelation& relation,
                   const protocol::MeshExtent& provided, const protocol::MeshExtent& received,
                   double apart) {
  const double sizes = provided.box.diagonal() + received.box.diagonal();
  const std::vector<std::string> meshes = relation.mapped_meshes();
  if (!meshes.empty() && sizes > 0 && apart > sizes) { // a region may lie anywhere
    log.warning(
        "mesh \"{}\" of participant \"{}\" and mesh \"{}\" of participant \"{}\" do not overlap: "
        "they "
        "are {:.4g} apart, their diagonals are {:.4g} and {:.4g}; values are mapped from the "
        "nearest "
        "places, check the units and the origin of both geometries",
        relation.mesh, relation.provider, fmt::join(meshes, "\", \""), relation.receiver, apart,
        provided.box.diagonal(), received.box.diagonal());
  }
}

void widen(const protocol::MeshRelation& relation, const std::vector<protocol::Survey>& surveys,
           Margin& margin) {
  for (const protocol::Survey& survey : surveys) {
    margin.widen(survey.reach, relation.may_change);
  }
}

} // namespace

double typical_spacing(const mesh::Mesh& mesh) {
  const int dim = mesh.dimensions();
  const auto coords = mesh.coordinates();
  if (mesh.num_vertices() < 2) {
    return 0;
  }
  const std::vector<LocalIndex> order = geometry::curve_order(dim, coords);
  std::vector<double> distances(order.size() - 1);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const auto a = geometry::point_at(dim, coords, static_cast<std::size_t>(order[i]));
    const auto b = geometry::point_at(dim, coords, static_cast<std::size_t>(order[i + 1]));
    distances[i] = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

protocol::MeshExtent extent_of(const comm::Comm& comm, const std::vector<const mesh::Mesh*>& meshes,
                               const geometry::Box& region, bool with_spacing, bool keeps) {
  protocol::MeshExtent extent;
  extent.num_ranks = comm.size();
  if (!region.empty() && geometry::finite(region.lo) && geometry::finite(region.hi)) {
    extent.box = region;
  }
  for (const mesh::Mesh* mesh : meshes) {
    extent.box.expand(geometry::bounding_box(mesh->dimensions(), mesh->coordinates()));
    if (with_spacing) {
      extent.spacing = std::max(extent.spacing, typical_spacing(*mesh));
    }
  }
  // 6 for the box and one each for the spacing and the objections, then one of each mesh
  constexpr std::size_t spacing = 6;
  constexpr std::size_t objection = 7;
  constexpr std::size_t first_mesh = 8;
  std::vector<comm::LargestAndSum> all(first_mesh + meshes.size());
  for (std::size_t k = 0; k < 3; ++k) {
    all[k].largest = extent.box.hi[k];
    all[k + 3].largest = -extent.box.lo[k];
  }
  all[spacing].largest = extent.spacing;
  all[objection].largest = keeps ? 0.0 : 1.0;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    all[first_mesh + i].sum = static_cast<double>(meshes[i]->num_vertices()); // exact below 2^53
  }
  comm::allreduce(comm, std::span(all));
  for (std::size_t k = 0; k < 3; ++k) {
    extent.box.hi[k] = all[k].largest;
    extent.box.lo[k] = -all[k + 3].largest;
  }
  extent.spacing = all[spacing].largest;
  extent.keeps = all[objection].largest == 0;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const double count = all[first_mesh + i].sum;
    extent.num_vertices += static_cast<std::int64_t>(count);
    extent.filled |= count > 0 && i < 64 ? std::uint64_t{1} << i : 0;
  }
  return extent;
}

Margin::Margin(partner::Connection& partner, const protocol::MeshRelation& relation,
               const protocol::MeshExtent& own, bool is_receiver, double last) {
  const protocol::MeshExtent other = partner.swap(own);
  keeps_ = own.keeps && other.keeps;
  const protocol::MeshExtent& received = is_receiver ? own : other;
  const protocol::MeshExtent& provided = is_receiver ? other : own;
  check_searched(relation, provided, received);
  const double apart = gap(provided.box, received.box);
  if (is_receiver && partner.context().comm.is_root()) {
    warn_if_apart(partner.context().log, relation, provided, received, apart);
  }
  joint_ = own.box;
  joint_.expand(other.box);
  unlimited_ = !protocol::margin_has_limit(relation, received.num_ranks);
  num_provided_ = provided.num_vertices;
  // more than the diagonal: a box around one end that is moved by just as much may miss the other
  largest_ = std::max(joint_.diagonal() * (1 + 1e-9), std::numeric_limits<double>::min());
  const double guess = last > 0 ? last : apart + 1.5 * std::max(own.spacing, other.spacing);
  value_ = std::min(largest_, std::max(guess, 1e-4 * largest_));
}

bool Margin::suffices(partner::Connection& partner, double needed) {
  if (unlimited_) {
    return true;
  }
  const comm::Comm& comm = partner.context().comm;
  const double own = comm::allreduce(comm, needed, comm::Op::max);
  const double other = partner.swap(protocol::Farthest{own}).distance;
  most_ = std::max(own, other);
  if (most_ <= value_ || value_ >= largest_) {
    return true;
  }
  value_ = std::isfinite(most_) ? std::max(most_ * (1 + 1e-9), growth_ * value_)
                                : std::min(largest_, 4 * value_);
  return false;
}

void Margin::widen(double least, bool may_grow) {
  constexpr double room = 1.03;
  is_widened_ = true;
  growth_ = 1.25;
  if (std::min(least, largest_) > value_) {
    value_ = std::min(largest_, may_grow ? room * least : least);
    keeps_ = false;
  }
}

double Margin::left() const {
  if (is_widened_) {
    return 0;
  }
  return unlimited_ ? std::numeric_limits<double>::infinity() : std::max(value_ - most_, 0.0);
}

void send_surveys(partner::Connection& receiver, const protocol::MeshRelation& relation,
                  const mesh::Mesh& own, const MappingFactory* mappings, Margin& margin) {
  protocol::Surveys surveys;
  check(mappings != nullptr, "nobody surveys mesh \"{}\"", relation.mesh);
  for (const protocol::MappingUse& use : relation.uses) {
    surveys.list.push_back(use.is_surveyed()
                               ? mappings->survey(receiver.context().comm, *use.mapping, own)
                               : protocol::Survey());
  }
  static_cast<void>(receiver.swap(surveys));
  widen(relation, surveys.list, margin);
}

std::vector<protocol::Survey> receive_surveys(partner::Connection& provider,
                                              const protocol::MeshRelation& relation,
                                              Margin& margin) {
  std::vector<protocol::Survey> surveys = provider.swap(protocol::Surveys()).list;
  check(surveys.size() == relation.uses.size(),
        "participant \"{}\" has sent {} surveys of mesh \"{}\" for {} uses", provider.partner(),
        surveys.size(), relation.mesh, relation.uses.size());
  widen(relation, surveys, margin);
  return surveys;
}

geometry::Box along_dead_axes(geometry::Box box, const protocol::MappingUse& use,
                              const Margin& margin) {
  constexpr double room = 0.04; // of the diagonal, for vertices that move: see boxes_around()
  const double beyond = room * margin.joint().diagonal();
  for (std::size_t k = 0; k < 3; ++k) {
    if (use.mapping->radial_basis.dead[k]) {
      box.lo[k] = std::min(box.lo[k], margin.joint().lo[k] - beyond);
      box.hi[k] = std::max(box.hi[k], margin.joint().hi[k] + beyond);
    }
  }
  return box;
}

} // namespace isthmus::planning
