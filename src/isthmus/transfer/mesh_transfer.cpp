// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/mesh_transfer.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/geometry/cover.hpp"
#include "isthmus/protocol/mesh_arrays.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>

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

struct Sizes {
  std::uint64_t coordinates; // numbers, not vertices
  std::uint64_t edges;
  std::uint64_t triangles;
  std::uint64_t tetrahedra;
};

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

/// Four arrays as one stream of bytes, each padded to whole words.
template <typename Byte>
struct Stream {
  std::array<std::span<Byte>, 4> arrays;

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& array : arrays) {
      sum += padded(array.size());
    }
    return sum;
  }
  /// Calls copy(bytes of an array, bytes of the chunk) for each piece of a chunk at `offset`.
  template <typename Chunk, typename Copy>
  void walk(std::size_t offset, Chunk chunk, Copy copy) const {
    for (const auto& array : arrays) {
      const std::size_t whole = padded(array.size());
      if (offset < whole && !chunk.empty()) {
        const std::size_t run = std::min(whole - offset, chunk.size());
        const std::size_t real = offset < array.size() ? std::min(run, array.size() - offset) : 0;
        if (real > 0) {
          copy(array.subspan(offset, real), chunk.first(real));
        }
        chunk = chunk.subspan(run);
        offset = whole;
      }
      offset -= std::min(offset, whole);
    }
  }
};

struct Sending {
  std::vector<double> coordinates; // of a partial selection
  Stream<const std::byte> stream;

  Sending(const mesh::Mesh& mesh, const Selection& selection) {
    std::span<const double> x = mesh.coordinates();
    std::span<const LocalIndex> edges = mesh.edges();
    std::span<const LocalIndex> triangles = mesh.triangles();
    std::span<const LocalIndex> tetrahedra = mesh.tetrahedra();
    if (!selection.everything) {
      coordinates = mesh::coordinates_of(mesh, selection.vertices);
      x = coordinates;
      edges = selection.edges;
      triangles = selection.triangles;
      tetrahedra = selection.tetrahedra;
    }
    stream = {{std::as_bytes(x), std::as_bytes(edges), std::as_bytes(triangles),
               std::as_bytes(tetrahedra)}};
  }

  [[nodiscard]] Sizes sizes() const {
    return {stream.arrays[0].size() / sizeof(double), stream.arrays[1].size() / sizeof(LocalIndex),
            stream.arrays[2].size() / sizeof(LocalIndex),
            stream.arrays[3].size() / sizeof(LocalIndex)};
  }

  static void fill(void* context, std::size_t offset, std::span<std::byte> chunk) {
    static_cast<Sending*>(context)->stream.walk(
        offset, chunk, [](std::span<const std::byte> from, std::span<std::byte> to) {
          std::memcpy(to.data(), from.data(), from.size());
        });
  }
};

struct Receiving {
  Stream<std::byte> stream;

  static void begin(void* context, std::size_t bytes) {
    const std::size_t expected = static_cast<Receiving*>(context)->stream.bytes();
    check(bytes == expected, "a mesh message has {} bytes instead of {}", bytes, expected);
  }
  static void drain(void* context, std::size_t offset, std::span<const std::byte> chunk) {
    static_cast<Receiving*>(context)->stream.walk(
        offset, chunk, [](std::span<std::byte> to, std::span<const std::byte> from) {
          std::memcpy(to.data(), from.data(), from.size());
        });
  }
};

/// The part of an array that belongs to one partner.
template <typename T>
std::span<std::byte> piece(std::vector<T>& values, std::size_t& first, std::size_t count) {
  const auto bytes = std::as_writable_bytes(std::span(values).subspan(first, count));
  first += count;
  return bytes;
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

void write_selection(Writer& writer, const mesh::Mesh& mesh, const Selection& selection,
                     bool with_connectivity) {
  if (selection.everything) {
    protocol::write_arrays(writer, mesh.coordinates(),
                           with_connectivity ? protocol::elements_of(mesh) : protocol::Elements());
  } else {
    protocol::write_arrays(writer, mesh::coordinates_of(mesh, selection.vertices),
                           {selection.edges, selection.triangles, selection.tetrahedra});
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

void send_mesh(transport::Hub& hub, const mesh::Mesh& mesh, std::span<const Selection> selections,
               std::span<const transport::LinkId> links, double timeout) {
  std::vector<Sending> sendings;
  sendings.reserve(selections.size()); // requests point into it
  std::vector<transport::Outgoing> requests;
  for (std::size_t i = 0; i < selections.size(); ++i) {
    Sending& sending = sendings.emplace_back(mesh, selections[i]);
    Writer writer;
    writer.put(sending.sizes());
    hub.send(links[i], transport::Kind::mesh_sizes, writer.take());
    requests.push_back(
        {links[i], transport::Kind::mesh_arrays, sending.stream.bytes(), &sending, &Sending::fill});
  }
  hub.exchange(requests, {}, timeout);
}

TransferredMesh receive_mesh_parts(transport::Hub& hub, const std::string& name, int dimensions,
                                   std::vector<Part> parts, double timeout) {
  std::vector<Sizes> sizes;
  Sizes total{};
  for (Part& part : parts) {
    const auto bytes = hub.receive(part.link, transport::Kind::mesh_sizes, timeout);
    Reader reader(bytes);
    sizes.push_back(reader.get<Sizes>());
    reader.finish();
    part.first = static_cast<LocalIndex>(total.coordinates / static_cast<std::size_t>(dimensions));
    part.count =
        static_cast<LocalIndex>(sizes.back().coordinates / static_cast<std::size_t>(dimensions));
    total.coordinates += sizes.back().coordinates;
    total.edges += sizes.back().edges;
    total.triangles += sizes.back().triangles;
    total.tetrahedra += sizes.back().tetrahedra;
  }
  std::vector<double> coordinates(total.coordinates);
  std::vector<LocalIndex> edges(total.edges);
  std::vector<LocalIndex> triangles(total.triangles);
  std::vector<LocalIndex> tetrahedra(total.tetrahedra);
  std::vector<Receiving> receivings;
  receivings.reserve(parts.size()); // requests point into it
  std::vector<transport::Incoming> requests;
  Sizes at{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    receivings.push_back({{{piece(coordinates, at.coordinates, sizes[i].coordinates),
                            piece(edges, at.edges, sizes[i].edges),
                            piece(triangles, at.triangles, sizes[i].triangles),
                            piece(tetrahedra, at.tetrahedra, sizes[i].tetrahedra)}}});
    requests.push_back({parts[i].link, transport::Kind::mesh_arrays, &receivings.back(),
                        &Receiving::begin, &Receiving::drain});
  }
  hub.exchange({}, requests, timeout);
  at = {};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (auto [list, first, count] :
         {std::tuple(&edges, &at.edges, sizes[i].edges),
          std::tuple(&triangles, &at.triangles, sizes[i].triangles),
          std::tuple(&tetrahedra, &at.tetrahedra, sizes[i].tetrahedra)}) {
      const std::span<LocalIndex> corners(list->data() + *first, count);
      protocol::check_corners("a mesh message", corners, parts[i].count);
      for (LocalIndex& vertex : corners) {
        vertex += parts[i].first;
      }
      *first += count;
    }
  }
  return {mesh::Mesh(name, dimensions, std::move(coordinates), std::move(edges),
                     std::move(triangles), std::move(tetrahedra)),
          std::move(parts)};
}

} // namespace isthmus::transfer
