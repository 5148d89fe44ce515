// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/nearby_search.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/exchange/make_halo.hpp"
#include "isthmus/geometry/cover.hpp"
#include "isthmus/protocol/mesh_arrays.hpp"
#include "isthmus/rendezvous/meetings.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

namespace isthmus::planning {

namespace {

/// The own vertices in some boxes; where elements matter, also all corners of those that touch the
/// boxes.
std::vector<std::byte> vertices_in(const mesh::Mesh& own, std::span<const geometry::Box> boxes,
                                   bool with_elements) {
  const transfer::Selection selection = transfer::select(own, boxes, with_elements);
  std::vector<LocalIndex> numbers;
  for (LocalIndex i = 0; i < selection.num_vertices(own); ++i) {
    numbers.push_back(selection.vertex(i));
  }
  Writer writer;
  writer.put_array(numbers);
  protocol::write_arrays(writer, transfer::SelectedArrays(own, selection, with_elements).view);
  return numbers.empty() ? std::vector<std::byte>() : writer.take();
}

/// Collective. Around the boxes of all ranks.
geometry::Box box_of_all(const comm::Comm& comm, geometry::Box box) {
  comm::allreduce_bounds(comm, box.lo, box.hi);
  return box;
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

/// Who was awarded what.
struct Numbers {
  std::vector<LocalIndex> asking;  // received vertices, as they ask
  std::vector<LocalIndex> awarded; // by received vertex: 0 where another rank got it

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
  LateNearby(std::unique_ptr<mapping::LateInterpolation> late, Numbers numbers,
             exchange::EntriesAtHand columns)
      : late_(std::move(late)), numbers_(std::move(numbers)), columns_(std::move(columns)) {}

  std::vector<LocalIndex> vertices() const override {
    std::vector<LocalIndex> taken = late_->vertices();
    columns_.renumber(taken);
    return taken;
  }
  mapping::Interpolation find() const override {
    mapping::Interpolation rows = numbers_.rows_of(late_->find());
    columns_.renumber(rows.columns);
    return rows;
  }

 private:
  std::unique_ptr<mapping::LateInterpolation> late_;
  Numbers numbers_;
  exchange::EntriesAtHand columns_;
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
  NearbySearch(const comm::Comm& comm, const protocol::MappingUse& use, const mesh::Mesh& asking,
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
    const protocol::Survey survey = mappings.survey(comm_, *use_.mapping, own_);
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
  const protocol::MappingUse& use_;
  const mesh::Mesh& asking_;
  const mesh::Mesh& own_;
  std::vector<geometry::Box> cover_; // of the vertices that ask
  geometry::Box mesh_box_;           // of all own vertices
  double largest_ = 0;               // then everything is at hand
  NearbyMesh nearby_;
};

} // namespace

Asking asking_for(const mesh::Mesh& received, std::span<const LocalIndex> awarded,
                  bool with_elements) {
  const auto is_awarded = [awarded](LocalIndex v) {
    return awarded[static_cast<std::size_t>(v)] > 0;
  };
  const protocol::Elements all = protocol::elements_of(received);
  protocol::MeshArrays arrays;
  std::vector<char> marked(awarded.size());
  std::transform(awarded.begin(), awarded.end(), marked.begin(),
                 [](LocalIndex count) -> char { return count > 0 ? 1 : 0; });
  for (std::size_t kind = 0; with_elements && kind < all.size(); ++kind) {
    for (std::size_t i = 0; i < all[kind].size(); i += kind + 2) {
      const auto corners = all[kind].subspan(i, kind + 2);
      if (std::any_of(corners.begin(), corners.end(), is_awarded)) {
        arrays.elements[kind].insert(arrays.elements[kind].end(), corners.begin(), corners.end());
        transfer::mark(corners, marked);
      }
    }
  }
  Asking asking;
  std::vector<LocalIndex> positions(marked.size(), -1);
  for (LocalIndex v = 0; v < received.num_vertices(); ++v) {
    if (marked[static_cast<std::size_t>(v)] != 0) {
      positions[static_cast<std::size_t>(v)] = static_cast<LocalIndex>(asking.vertices.size());
      asking.vertices.push_back(v);
    }
  }
  for (std::vector<LocalIndex>& list : arrays.elements) {
    for (LocalIndex& corner : list) {
      corner = positions[static_cast<std::size_t>(corner)];
    }
  }
  arrays.coordinates = mesh::coordinates_of(received, asking.vertices);
  asking.mesh = arrays.take(received.name(), received.dimensions());
  return asking;
}

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
  protocol::MeshArrays all(
      {own.coordinates(), with_elements ? protocol::elements_of(own) : protocol::Elements()});
  for (const comm::Parcel& parcel : comm::sparse_exchange(comm, std::move(parcels))) {
    Reader reader(parcel.bytes);
    for (const LocalIndex vertex : reader.get_array<LocalIndex>()) {
      nearby.others.push_back({parcel.rank, vertex});
    }
    all.append(own.dimensions(),
               protocol::read_arrays(reader, own.dimensions(), "a message about a near mesh"));
  }
  nearby.mesh = all.take(own.name(), own.dimensions());
  return nearby;
}

mapping::Interpolation nearest_own(const mesh::Mesh& received, const mesh::Mesh& own) {
  return mapping::make_nearest_neighbor(own, geometry::Ties::by_place)
      ->interpolate(received.coordinates());
}

FoundNearby find_nearby(const comm::Comm& comm, const protocol::MappingUse& use,
                        const mesh::Mesh& received, std::span<const LocalIndex> awarded,
                        const mesh::Mesh& own, const MappingFactory& mappings) {
  Asking asking = asking_for(received, awarded, use.needs_connectivity);
  NearbySearch search(comm, use, asking.mesh, own);
  Attempt attempt = search.run(mappings);
  Numbers numbers{std::move(asking.vertices), {awarded.begin(), awarded.end()}};
  FoundNearby result;
  if (!attempt.late) {
    result.found = numbers.rows_of(attempt.found);
  }
  const LocalIndex num_own = own.num_vertices();
  exchange::EntriesAtHand columns(0, num_own,
                                  attempt.late ? attempt.late->vertices() : result.found.columns);
  columns.renumber(result.found.columns);
  const NearbyMesh& nearby = search.nearby();
  result.ghosts.coordinates = mesh::coordinates_of(nearby.mesh, columns.ghosts());
  result.ghosts.halo = columns.halo(comm, [&nearby, num_own](LocalIndex vertex) {
    return nearby.others[static_cast<std::size_t>(vertex - num_own)];
  });
  if (attempt.late) {
    result.late = std::make_unique<LateNearby>(std::move(attempt.late), std::move(numbers),
                                               std::move(columns));
  }
  return result;
}

} // namespace isthmus::planning
