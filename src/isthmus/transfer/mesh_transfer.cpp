// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/mesh_transfer.hpp"

#include "isthmus/geometry/cover.hpp"
#include "isthmus/protocol/messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

namespace isthmus::transfer {

namespace {

using geometry::Box;
using geometry::Point;

Point point(const mesh::Mesh& mesh, LocalIndex vertex) {
  return geometry::point_at(mesh.dimensions(), mesh.coordinates(),
                            static_cast<std::size_t>(vertex));
}

bool touches_any(const Box& box, std::span<const Box> boxes) {
  return std::any_of(boxes.begin(), boxes.end(),
                     [&box](const Box& b) { return b.intersects(box); });
}

/// Elements whose box touches one of `boxes`, as that of those with a vertex `inside` does; marks
/// their vertices.
std::vector<LocalIndex> select_elements(const mesh::Mesh& mesh,
                                        std::span<const LocalIndex> elements, std::size_t corners,
                                        std::span<const Box> boxes, const std::vector<char>& inside,
                                        std::vector<char>& marked) {
  std::vector<LocalIndex> chosen;
  for (std::size_t e = 0; e < elements.size(); e += corners) {
    const std::span<const LocalIndex> element = elements.subspan(e, corners);
    bool touches = std::any_of(element.begin(), element.end(), [&inside](LocalIndex vertex) {
      return inside[static_cast<std::size_t>(vertex)] != 0;
    });
    if (!touches) {
      Box box;
      for (const LocalIndex vertex : element) {
        box.expand(point(mesh, vertex));
      }
      touches = touches_any(box, boxes);
    }
    if (touches) {
      for (const LocalIndex vertex : element) {
        chosen.push_back(vertex);
        marked[static_cast<std::size_t>(vertex)] = 1;
      }
    }
  }
  return chosen;
}

void fill(void* stream, std::size_t offset, std::span<std::byte> piece) {
  static_cast<const protocol::MeshStream*>(stream)->write(offset, piece);
}

void begin(void* arriving, std::size_t bytes) {
  static_cast<const protocol::ArrivingMesh*>(arriving)->check_bytes(bytes);
}

void drain(void* arriving, std::size_t offset, std::span<const std::byte> piece) {
  static_cast<const protocol::ArrivingMesh*>(arriving)->read(offset, piece);
}

/// The part of an array that belongs to one partner.
template <typename T>
std::span<T> piece_of(std::vector<T>& values, std::uint64_t& first, std::uint64_t count) {
  const auto piece = std::span(values).subspan(first, count);
  first += count;
  return piece;
}

} // namespace

bool lie_in(const mesh::Mesh& mesh, std::span<const Box> boxes) {
  for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
    const Point x = point(mesh, v);
    if (std::none_of(boxes.begin(), boxes.end(), [&x](const Box& b) { return b.contains(x); })) {
      return false;
    }
  }
  return true;
}

std::vector<Box> boxes_around(const mesh::Mesh& mesh, bool with_room) {
  constexpr int most = 16;
  constexpr int few = 256;       // vertices
  constexpr double share = 0.03; // of the diagonal
  const int number = with_room ? std::clamp(mesh.num_vertices() / few, 1, most) : most;
  std::vector<Box> boxes = geometry::cover(mesh.dimensions(), mesh.coordinates(), number);
  for (Box& box : boxes) {
    box.expand(with_room ? share * box.diagonal() : 0.0);
  }
  return boxes;
}

Selection select(const mesh::Mesh& mesh, std::span<const Box> boxes, bool with_connectivity) {
  Selection selection;
  const Box whole = geometry::bounding_box(mesh.dimensions(), mesh.coordinates());
  const bool inside_one = std::any_of(boxes.begin(), boxes.end(), [&whole](const Box& box) {
    return box.contains(whole.lo) && box.contains(whole.hi);
  });
  if (inside_one && !whole.empty()) {
    selection.everything = true;
    return selection;
  }
  std::vector<Box> near; // others hold nothing of the mesh
  std::copy_if(boxes.begin(), boxes.end(), std::back_inserter(near),
               [&whole](const Box& box) { return box.intersects(whole); });
  const auto count = static_cast<std::size_t>(mesh.num_vertices());
  std::vector<char> inside(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Point x = point(mesh, static_cast<LocalIndex>(i));
    inside[i] = std::any_of(near.begin(), near.end(), [&x](const Box& b) { return b.contains(x); });
  }
  std::vector<char> marked = inside;
  if (with_connectivity) {
    selection.edges = select_elements(mesh, mesh.edges(), 2, near, inside, marked);
    selection.triangles = select_elements(mesh, mesh.triangles(), 3, near, inside, marked);
    selection.tetrahedra = select_elements(mesh, mesh.tetrahedra(), 4, near, inside, marked);
  }
  std::vector<LocalIndex> position(count, -1);
  for (std::size_t i = 0; i < count; ++i) {
    if (marked[i] != 0) {
      position[i] = static_cast<LocalIndex>(selection.vertices.size());
      selection.vertices.push_back(static_cast<LocalIndex>(i));
    }
  }
  for (auto* list : {&selection.edges, &selection.triangles, &selection.tetrahedra}) {
    for (LocalIndex& vertex : *list) {
      vertex = position[static_cast<std::size_t>(vertex)];
    }
  }
  return selection;
}

SelectedArrays::SelectedArrays(const mesh::Mesh& mesh, const Selection& selection,
                               bool with_connectivity) {
  if (selection.everything) {
    view.coordinates = mesh.coordinates();
    view.elements = with_connectivity ? protocol::elements_of(mesh) : protocol::Elements();
  } else {
    coordinates = mesh::coordinates_of(mesh, selection.vertices);
    view = {coordinates, {selection.edges, selection.triangles, selection.tetrahedra}};
  }
}

double longest_element(const mesh::Mesh& mesh) {
  double longest2 = 0;
  const auto measure = [&mesh, &longest2](LocalIndex a, LocalIndex b) {
    const Point x = point(mesh, a);
    const Point y = point(mesh, b);
    const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    longest2 = std::max(longest2, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  };
  const auto measure_all = [&measure](std::span<const LocalIndex> elements, std::size_t corners) {
    for (std::size_t e = 0; e < elements.size(); e += corners) {
      for (std::size_t i = 0; i < corners; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          measure(elements[e + i], elements[e + j]);
        }
      }
    }
  };
  measure_all(mesh.edges(), 2);
  measure_all(mesh.triangles(), 3);
  measure_all(mesh.tetrahedra(), 4);
  return std::sqrt(longest2);
}

void mark(std::span<const LocalIndex> vertices, std::vector<char>& marks) {
  for (const LocalIndex vertex : vertices) {
    marks[static_cast<std::size_t>(vertex)] = 1;
  }
}

std::vector<LocalIndex> marked_positions(const Part& part, std::span<const char> marks) {
  std::vector<LocalIndex> positions;
  for (LocalIndex i = 0; i < part.count; ++i) {
    if (marks[static_cast<std::size_t>(part.first + i)] != 0) {
      positions.push_back(i);
    }
  }
  return positions;
}

std::size_t num_transferred(std::span<const Part> parts) {
  return parts.empty() ? 0 : static_cast<std::size_t>(parts.back().first + parts.back().count);
}

int provider_of(std::span<const Part> parts, LocalIndex vertex) {
  return std::find_if(parts.begin(), parts.end(),
                      [vertex](const Part& part) {
                        return vertex >= part.first && vertex < part.first + part.count;
                      })
      ->rank;
}

void send_mesh(transport::Hub& hub, const mesh::Mesh& mesh, std::span<const Selection> selections,
               std::span<const transport::LinkId> links, double timeout) {
  std::vector<SelectedArrays> selected;
  std::vector<protocol::MeshStream> streams;
  selected.reserve(selections.size()); // streams point into it
  streams.reserve(selections.size());  // requests do
  std::vector<transport::Outgoing> requests;
  for (std::size_t i = 0; i < selections.size(); ++i) {
    selected.emplace_back(mesh, selections[i], true);
    protocol::MeshStream& stream = streams.emplace_back(selected.back().view);
    hub.send(links[i], protocol::MeshSizes::kind, protocol::bytes_of(stream.sizes()));
    requests.push_back({links[i], protocol::MeshStream::kind, stream.bytes(), &stream, &fill});
  }
  hub.exchange(requests, {}, timeout);
}

TransferredMesh receive_mesh_parts(transport::Hub& hub, const std::string& name, int dimensions,
                                   std::vector<Part> parts, double timeout) {
  std::vector<protocol::MeshSizes> sizes;
  protocol::MeshSizes total;
  for (Part& part : parts) {
    const auto bytes = hub.receive(part.link, protocol::MeshSizes::kind, timeout);
    const auto& of_part = sizes.emplace_back(protocol::read_message<protocol::MeshSizes>(bytes));
    part.first = static_cast<LocalIndex>(total.coordinates / static_cast<std::size_t>(dimensions));
    part.count =
        static_cast<LocalIndex>(of_part.coordinates / static_cast<std::size_t>(dimensions));
    total.coordinates += of_part.coordinates;
    for (std::size_t kind = 0; kind < total.elements.size(); ++kind) {
      total.elements[kind] += of_part.elements[kind];
    }
  }
  protocol::MeshArrays all;
  all.coordinates.resize(total.coordinates);
  for (std::size_t kind = 0; kind < all.elements.size(); ++kind) {
    all.elements[kind].resize(total.elements[kind]);
  }
  std::vector<protocol::ArrivingMesh> arriving(parts.size()); // requests point into it
  std::vector<transport::Incoming> requests;
  protocol::MeshSizes at;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    arriving[i].coordinates = piece_of(all.coordinates, at.coordinates, sizes[i].coordinates);
    for (std::size_t kind = 0; kind < all.elements.size(); ++kind) {
      arriving[i].elements[kind] =
          piece_of(all.elements[kind], at.elements[kind], sizes[i].elements[kind]);
    }
    requests.push_back({parts[i].link, protocol::MeshStream::kind, &arriving[i], &begin, &drain});
  }
  hub.exchange({}, requests, timeout);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const std::span<LocalIndex> corners : arriving[i].elements) {
      protocol::check_corners("a mesh message", corners, parts[i].count);
      for (LocalIndex& vertex : corners) {
        vertex += parts[i].first;
      }
    }
  }
  return {all.take(name, dimensions), std::move(parts)};
}

} // namespace isthmus::transfer
