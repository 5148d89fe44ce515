// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/nearby_mesh.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/geometry/cover.hpp"
#include "isthmus/rendezvous/wanted_boxes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace isthmus::planning {

namespace {

constexpr int most_boxes = 16;

/// Own vertices, then those that other ranks have in some boxes, by rank.
struct NearbyMesh {
  struct Other {
    int rank;
    LocalIndex vertex;
  };
  mesh::Mesh mesh;
  std::vector<Other> others; // where the vertices behind the own ones are
};

/// Collective. Around the boxes of all ranks.
geometry::Box box_of_all(const comm::Comm& comm, const geometry::Box& own) {
  std::array<double, 6> ends{own.lo[0], own.lo[1], own.lo[2], -own.hi[0], -own.hi[1], -own.hi[2]};
  comm::allreduce(comm, std::span<double>(ends), comm::Op::min);
  return {{ends[0], ends[1], ends[2]}, {-ends[3], -ends[4], -ends[5]}};
}

/// What lies in a box of the mesh.
geometry::Box cut(const geometry::Box& box, const geometry::Box& mesh) {
  geometry::Box both = box;
  for (std::size_t k = 0; k < 3; ++k) {
    both.lo[k] = std::max(box.lo[k], mesh.lo[k]);
    both.hi[k] = std::min(box.hi[k], mesh.hi[k]);
  }
  return both;
}

/// Collective.
NearbyMesh mesh_around(const comm::Comm& comm, const mesh::Mesh& own,
                       std::span<const geometry::Box> boxes) {
  const std::vector<geometry::Box> has =
      geometry::cover(own.dimensions(), own.coordinates(), most_boxes);
  std::vector<comm::Parcel> parcels;
  for (const rendezvous::WantedBoxes& wanted : rendezvous::wanted_boxes(comm, has, boxes)) {
    std::vector<LocalIndex> numbers;
    std::vector<double> coordinates;
    for (LocalIndex v = 0; v < own.num_vertices(); ++v) {
      const auto at =
          geometry::point_at(own.dimensions(), own.coordinates(), static_cast<std::size_t>(v));
      if (std::any_of(wanted.boxes.begin(), wanted.boxes.end(),
                      [&at](const geometry::Box& box) { return box.contains(at); })) {
        const auto x = own.vertex(v);
        numbers.push_back(v);
        coordinates.insert(coordinates.end(), x.begin(), x.end());
      }
    }
    parcels.push_back({wanted.rank, Writer().put_array(numbers).put_array(coordinates).take()});
  }
  NearbyMesh nearby;
  std::vector<double> all(own.coordinates().begin(), own.coordinates().end());
  for (const comm::Parcel& parcel : comm::sparse_exchange(comm, std::move(parcels))) {
    Reader reader(parcel.bytes);
    for (const LocalIndex vertex : reader.get_array<LocalIndex>()) {
      nearby.others.push_back({parcel.rank, vertex});
    }
    const auto coordinates = reader.get_array<double>();
    all.insert(all.end(), coordinates.begin(), coordinates.end());
  }
  nearby.mesh = mesh::Mesh(own.name(), own.dimensions(), std::move(all), {}, {});
  return nearby;
}

/// The received vertices that this rank got, as a mesh.
mesh::Mesh awarded_mesh(const mesh::Mesh& received, std::span<const LocalIndex> awarded) {
  std::vector<double> coordinates;
  for (LocalIndex v = 0; v < received.num_vertices(); ++v) {
    if (awarded[static_cast<std::size_t>(v)] > 0) {
      const auto x = received.vertex(v);
      coordinates.insert(coordinates.end(), x.begin(), x.end());
    }
  }
  return {received.name(), received.dimensions(), std::move(coordinates), {}, {}};
}

/// What a part of the mesh gives.
struct Attempt {
  std::unique_ptr<mapping::LateInterpolation> late; // finds it; or it is found
  mapping::Interpolation found;
  double needed = 0; // up to this distance nothing may be missed

  void find() {
    if (late) {
      found = late->find();
      late.reset();
    }
  }
};

Attempt attempt_on(const mapping::Mapping& mapping, const mesh::Mesh& asking) {
  Attempt attempt{mapping.later(asking), {}, 0};
  if (attempt.late) {
    attempt.needed = attempt.late->needed();
    return attempt;
  }
  attempt.found = mapping.onto(asking);
  double needed2 = 0;
  for (const std::vector<double>* all : {&attempt.found.distances2, &attempt.found.needed2}) {
    for (const double distance2 : *all) {
      needed2 = std::max(needed2, distance2);
    }
  }
  attempt.needed = std::sqrt(needed2);
  return attempt;
}

/// Searches more and more around the vertices that ask, until nothing is missing.
class NearbySearch {
 public:
  NearbySearch(const comm::Comm& comm, const transfer::MappingUse& use, const mesh::Mesh& asking,
               const mesh::Mesh& own)
      : comm_(comm),
        use_(use),
        asking_(asking),
        own_(own),
        cover_(geometry::cover(asking.dimensions(), asking.coordinates(), most_boxes)),
        mesh_box_(box_of_all(comm, geometry::bounding_box(own.dimensions(), own.coordinates()))) {
    geometry::Box all = mesh_box_;
    for (const geometry::Box& box : cover_) {
      all.expand(box);
    }
    largest_ = box_of_all(comm, all).diagonal() * (1 + 1e-9);
  }

  /// Collective.
  Attempt run(const MappingFactory& mappings) {
    const Survey survey = mappings.survey(comm_, *use_.mapping, own_);
    double reach = std::min(std::max(survey.reach, 1e-4 * largest_), largest_);
    while (true) {
      nearby_ = mesh_around(comm_, own_, boxes(reach));
      Attempt attempt;
      comm::agree(comm_, [&] {
        attempt = attempt_on(*mappings.make_for_part(*use_.mapping, nearby_.mesh, survey), asking_);
      });
      const double needed = comm::allreduce(comm_, attempt.needed, comm::Op::max);
      if (needed <= reach || reach >= largest_) {
        comm::agree(comm_, [&] { attempt.find(); });
        return attempt;
      }
      reach = std::min(largest_, std::isfinite(needed) ? std::max(needed * (1 + 1e-9), 1.25 * reach)
                                                       : 4 * reach);
    }
  }

  /// Where columns behind the own vertices are.
  [[nodiscard]] const NearbyMesh& nearby() const { return nearby_; }

 private:
  /// Where this rank wants vertices of others: all along axes whose coordinates do not count.
  [[nodiscard]] std::vector<geometry::Box> boxes(double reach) const {
    std::vector<geometry::Box> result;
    for (geometry::Box box : cover_) {
      box.expand(reach);
      for (std::size_t k = 0; k < 3; ++k) {
        if (use_.mapping->radial_basis.dead[k]) {
          box.lo[k] = mesh_box_.lo[k];
          box.hi[k] = mesh_box_.hi[k];
        }
      }
      result.push_back(cut(box, mesh_box_));
    }
    return result;
  }

  const comm::Comm& comm_;
  const transfer::MappingUse& use_;
  const mesh::Mesh& asking_;
  const mesh::Mesh& own_;
  std::vector<geometry::Box> cover_; // of the vertices that ask
  geometry::Box mesh_box_;           // of all own vertices
  double largest_ = 0;               // then everything is at hand
  NearbyMesh nearby_;
};

/// Collective. Makes columns from vertices nearby own ones and ghosts.
GatheredGhosts ghosts_of(const comm::Comm& comm, const NearbyMesh& nearby, LocalIndex num_own,
                         std::span<LocalIndex> columns) {
  std::vector<LocalIndex> foreign; // ascending, so by rank
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(foreign),
               [num_own](LocalIndex column) { return column >= num_own; });
  std::sort(foreign.begin(), foreign.end());
  foreign.erase(std::unique(foreign.begin(), foreign.end()), foreign.end());
  std::map<int, std::vector<LocalIndex>> wanted;
  GatheredGhosts ghosts;
  for (const LocalIndex vertex : foreign) {
    const NearbyMesh::Other& other = nearby.others[static_cast<std::size_t>(vertex - num_own)];
    wanted[other.rank].push_back(other.vertex);
    const auto x = nearby.mesh.vertex(vertex);
    ghosts.coordinates.insert(ghosts.coordinates.end(), x.begin(), x.end());
  }
  for (LocalIndex& column : columns) {
    if (column >= num_own) {
      column =
          num_own + static_cast<LocalIndex>(
                        std::lower_bound(foreign.begin(), foreign.end(), column) - foreign.begin());
    }
  }
  ghosts.halo = halo_of(comm, wanted);
  return ghosts;
}

} // namespace

mapping::Interpolation nearest_own(const mesh::Mesh& received, const mesh::Mesh& own) {
  return mapping::make_nearest_neighbor(own, geometry::Ties::by_place)
      ->interpolate(received.coordinates());
}

FoundNearby find_nearby(const comm::Comm& comm, const transfer::MappingUse& use,
                        const mesh::Mesh& received, std::span<const LocalIndex> awarded,
                        const mesh::Mesh& own, const MappingFactory& mappings) {
  const mesh::Mesh asking = awarded_mesh(received, awarded);
  NearbySearch search(comm, use, asking, own);
  FoundNearby result{search.run(mappings).found, {}};
  std::vector<LocalIndex> counts(awarded.size(), 0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = awarded[i] > 0 ? result.found.counts[next++] : 0;
  }
  result.found.counts = std::move(counts);
  result.found.distances2.assign(result.found.counts.size(), 0.0);
  result.found.needed2 = {};
  result.ghosts = ghosts_of(comm, search.nearby(), own.num_vertices(), result.found.columns);
  return result;
}

} // namespace isthmus::planning
