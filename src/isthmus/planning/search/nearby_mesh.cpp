// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/nearby_mesh.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/geometry/cover.hpp"
#include "isthmus/rendezvous/wanted_boxes.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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

/// Edges, triangles and tetrahedra, by the number of their corners less two.
using Elements = std::array<std::vector<LocalIndex>, 3>;

mesh::Mesh mesh_of(const mesh::Mesh& like, std::vector<double> coordinates, Elements elements) {
  return {like.name(),
          like.dimensions(),
          std::move(coordinates),
          std::move(elements[0]),
          std::move(elements[1]),
          std::move(elements[2])};
}

/// The own vertices in some boxes, with elements those of these that touch them, too.
std::vector<std::byte> vertices_in(const mesh::Mesh& own, std::span<const geometry::Box> boxes,
                                   bool with_elements) {
  const transfer::Selection selection = transfer::select(own, boxes, with_elements);
  std::vector<LocalIndex> numbers;
  std::vector<double> coordinates;
  for (LocalIndex i = 0; i < selection.num_vertices(own); ++i) {
    const auto x = own.vertex(numbers.emplace_back(selection.vertex(i)));
    coordinates.insert(coordinates.end(), x.begin(), x.end());
  }
  Writer writer;
  writer.put_array(numbers).put_array(coordinates);
  const bool all = with_elements && selection.everything;
  writer.put_array(all ? own.edges() : std::span<const LocalIndex>(selection.edges));
  writer.put_array(all ? own.triangles() : std::span<const LocalIndex>(selection.triangles));
  writer.put_array(all ? own.tetrahedra() : std::span<const LocalIndex>(selection.tetrahedra));
  return numbers.empty() ? std::vector<std::byte>() : writer.take();
}

/// Collective.
NearbyMesh mesh_around(const comm::Comm& comm, const mesh::Mesh& own, bool with_elements,
                       std::span<const geometry::Box> boxes) {
  std::vector<geometry::Box> has = geometry::cover(own.dimensions(), own.coordinates(), most_boxes);
  const double beyond = with_elements ? transfer::longest_element(own) : 0.0; // of their vertices
  for (geometry::Box& box : has) {
    box.expand(beyond);
  }
  std::vector<comm::Parcel> parcels;
  for (const rendezvous::WantedBoxes& wanted : rendezvous::wanted_boxes(comm, has, boxes)) {
    std::vector<std::byte> bytes = vertices_in(own, wanted.boxes, with_elements);
    if (!bytes.empty()) {
      parcels.push_back({wanted.rank, std::move(bytes)});
    }
  }
  NearbyMesh nearby;
  std::vector<double> all(own.coordinates().begin(), own.coordinates().end());
  Elements elements;
  if (with_elements) {
    elements = {std::vector<LocalIndex>(own.edges().begin(), own.edges().end()),
                std::vector<LocalIndex>(own.triangles().begin(), own.triangles().end()),
                std::vector<LocalIndex>(own.tetrahedra().begin(), own.tetrahedra().end())};
  }
  for (const comm::Parcel& parcel : comm::sparse_exchange(comm, std::move(parcels))) {
    const LocalIndex first = own.num_vertices() + static_cast<LocalIndex>(nearby.others.size());
    Reader reader(parcel.bytes);
    for (const LocalIndex vertex : reader.get_array<LocalIndex>()) {
      nearby.others.push_back({parcel.rank, vertex});
    }
    const auto coordinates = reader.get_array<double>();
    all.insert(all.end(), coordinates.begin(), coordinates.end());
    for (std::vector<LocalIndex>& list : elements) {
      for (const LocalIndex corner : reader.get_array<LocalIndex>()) {
        list.push_back(first + corner);
      }
    }
  }
  nearby.mesh = mesh_of(own, std::move(all), std::move(elements));
  return nearby;
}

/// The received vertices that this rank got, with elements those of these around them, too.
struct Asking {
  mesh::Mesh mesh;
  std::vector<LocalIndex> vertices; // by its vertex
};

Asking asking_for(const mesh::Mesh& received, std::span<const LocalIndex> awarded,
                  bool with_elements) {
  const auto is_awarded = [awarded](LocalIndex v) {
    return awarded[static_cast<std::size_t>(v)] > 0;
  };
  const std::array<std::span<const LocalIndex>, 3> all{received.edges(), received.triangles(),
                                                       received.tetrahedra()};
  Elements elements;
  std::vector<char> marked(awarded.size());
  std::transform(awarded.begin(), awarded.end(), marked.begin(),
                 [](LocalIndex count) -> char { return count > 0 ? 1 : 0; });
  for (std::size_t kind = 0; with_elements && kind < all.size(); ++kind) {
    for (std::size_t i = 0; i < all[kind].size(); i += kind + 2) {
      const auto corners = all[kind].subspan(i, kind + 2);
      if (std::any_of(corners.begin(), corners.end(), is_awarded)) {
        elements[kind].insert(elements[kind].end(), corners.begin(), corners.end());
        for (const LocalIndex corner : corners) {
          marked[static_cast<std::size_t>(corner)] = 1;
        }
      }
    }
  }
  Asking asking;
  std::vector<double> coordinates;
  std::vector<LocalIndex> positions(marked.size(), -1);
  for (LocalIndex v = 0; v < received.num_vertices(); ++v) {
    if (marked[static_cast<std::size_t>(v)] != 0) {
      const auto x = received.vertex(v);
      positions[static_cast<std::size_t>(v)] = static_cast<LocalIndex>(asking.vertices.size());
      asking.vertices.push_back(v);
      coordinates.insert(coordinates.end(), x.begin(), x.end());
    }
  }
  for (std::vector<LocalIndex>& list : elements) {
    for (LocalIndex& corner : list) {
      corner = positions[static_cast<std::size_t>(corner)];
    }
  }
  asking.mesh = mesh_of(received, std::move(coordinates), std::move(elements));
  return asking;
}

/// Who was awarded what, and which of the vertices nearby are ghosts: those of other ranks that are
/// taken, in their order.
struct Numbers {
  std::vector<LocalIndex> asking;  // received vertices, as they ask
  std::vector<LocalIndex> awarded; // by received vertex: 0 where another rank got it
  LocalIndex num_own = 0;
  std::vector<LocalIndex> foreign; // ascending, so by rank

  /// Of these vertices nearby.
  void choose_foreign(std::span<const LocalIndex> taken) {
    std::copy_if(taken.begin(), taken.end(), std::back_inserter(foreign),
                 [this](LocalIndex vertex) { return vertex >= num_own; });
    std::sort(foreign.begin(), foreign.end());
    foreign.erase(std::unique(foreign.begin(), foreign.end()), foreign.end());
  }
  void make_ghosts(std::span<LocalIndex> vertices) const {
    for (LocalIndex& vertex : vertices) {
      if (vertex >= num_own) {
        const auto at = std::lower_bound(foreign.begin(), foreign.end(), vertex);
        vertex = num_own + static_cast<LocalIndex>(at - foreign.begin());
      }
    }
  }

  /// By received vertex, of those that were awarded.
  [[nodiscard]] mapping::Interpolation rows_of(const mapping::Interpolation& found) const {
    mapping::Interpolation rows;
    rows.counts.assign(awarded.size(), 0);
    rows.distances2.assign(awarded.size(), 0.0);
    std::ptrdiff_t entry = 0;
    for (std::size_t i = 0; i < asking.size(); ++i) {
      const auto vertex = static_cast<std::size_t>(asking[i]);
      const std::ptrdiff_t next = entry + found.counts[i];
      if (awarded[vertex] > 0) {
        rows.counts[vertex] = found.counts[i];
        rows.columns.insert(rows.columns.end(), found.columns.begin() + entry,
                            found.columns.begin() + next);
        rows.weights.insert(rows.weights.end(), found.weights.begin() + entry,
                            found.weights.begin() + next);
      }
      entry = next;
    }
    return rows;
  }
};

/// The weights of vertices that were awarded, on own vertices and ghosts.
class LateNearby final : public mapping::LateInterpolation {
 public:
  LateNearby(std::unique_ptr<mapping::LateInterpolation> late, Numbers numbers)
      : late_(std::move(late)), numbers_(std::move(numbers)) {}

  std::vector<LocalIndex> vertices() const override {
    std::vector<LocalIndex> taken = late_->vertices();
    numbers_.make_ghosts(taken);
    return taken;
  }
  mapping::Interpolation find() const override {
    mapping::Interpolation rows = numbers_.rows_of(late_->find());
    numbers_.make_ghosts(rows.columns);
    return rows;
  }

 private:
  std::unique_ptr<mapping::LateInterpolation> late_;
  Numbers numbers_;
};

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
      nearby_ = mesh_around(comm_, own_, use_.needs_connectivity, boxes(reach));
      Attempt attempt;
      comm::agree(comm_, [&] {
        attempt = attempt_on(*mappings.make_for_part(*use_.mapping, nearby_.mesh, survey), asking_);
      });
      const double needed = comm::allreduce(comm_, attempt.needed, comm::Op::max);
      if (needed <= reach || reach >= largest_) {
        if (!use_.is_late()) {
          comm::agree(comm_, [&] { attempt.find(); });
        }
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

/// Collective.
GatheredGhosts ghosts_of(const comm::Comm& comm, const NearbyMesh& nearby, const Numbers& numbers) {
  std::map<int, std::vector<LocalIndex>> wanted;
  GatheredGhosts ghosts;
  for (const LocalIndex vertex : numbers.foreign) {
    const NearbyMesh::Other& other =
        nearby.others[static_cast<std::size_t>(vertex - numbers.num_own)];
    wanted[other.rank].push_back(other.vertex);
    const auto x = nearby.mesh.vertex(vertex);
    ghosts.coordinates.insert(ghosts.coordinates.end(), x.begin(), x.end());
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
  Asking asking = asking_for(received, awarded, use.needs_connectivity);
  NearbySearch search(comm, use, asking.mesh, own);
  Attempt attempt = search.run(mappings);
  Numbers numbers{
      std::move(asking.vertices), {awarded.begin(), awarded.end()}, own.num_vertices(), {}};
  FoundNearby result;
  if (!attempt.late) {
    result.found = numbers.rows_of(attempt.found);
  }
  numbers.choose_foreign(attempt.late ? attempt.late->vertices() : result.found.columns);
  numbers.make_ghosts(result.found.columns);
  result.ghosts = ghosts_of(comm, search.nearby(), numbers);
  if (attempt.late) {
    result.late = std::make_unique<LateNearby>(std::move(attempt.late), std::move(numbers));
  }
  return result;
}

} // namespace isthmus::planning
