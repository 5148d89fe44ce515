// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/protocol/mesh_arrays.hpp"

#include "message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

using isthmus::LocalIndex;
using isthmus::Reader;
using isthmus::Writer;
using isthmus::mesh::Mesh;
using isthmus::protocol::elements_of;
using isthmus::protocol::MeshArrays;
using isthmus::protocol::read_arrays;
using isthmus::protocol::write_arrays;

namespace {

/// Four vertices in space with an element of each kind.
Mesh one_of_each() {
  Mesh mesh("M", 3);
  mesh.add_vertices(std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
  mesh.add_edges(std::vector<LocalIndex>{0, 1});
  mesh.add_triangles(std::vector<LocalIndex>{1, 2, 3});
  mesh.add_tetrahedra(std::vector<LocalIndex>{0, 1, 2, 3});
  return mesh;
}

} // namespace

TEST_CASE("arrays of a mesh are read as they were written") {
  const Mesh mesh = one_of_each();
  Writer writer;
  write_arrays(writer, {mesh.coordinates(), elements_of(mesh)});
  const std::vector<std::byte> bytes = writer.take();
  Reader reader(bytes);
  MeshArrays arrays = read_arrays(reader, 3, "a mesh message");
  reader.finish();
  CHECK(arrays.num_vertices(3) == 4);
  const Mesh read = arrays.take("R", 3);
  CHECK(read.name() == "R");
  CHECK(std::ranges::equal(read.coordinates(), mesh.coordinates()));
  CHECK(std::ranges::equal(read.edges(), mesh.edges()));
  CHECK(std::ranges::equal(read.triangles(), mesh.triangles()));
  CHECK(std::ranges::equal(read.tetrahedra(), mesh.tetrahedra()));
}

TEST_CASE("corners of an appended part are numbered from its first vertex on") {
  const Mesh mesh = one_of_each();
  const MeshArrays part({mesh.coordinates(), elements_of(mesh)});
  MeshArrays all;
  all.append(3, part);
  all.append(3, MeshArrays());
  all.append(3, part);
  CHECK(all.num_vertices(3) == 8);
  CHECK(all.elements[0] == std::vector<LocalIndex>{0, 1, 4, 5});
  CHECK(all.elements[1] == std::vector<LocalIndex>{1, 2, 3, 5, 6, 7});
  CHECK(all.elements[2] == std::vector<LocalIndex>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("a corner that is no vertex of the part is an error") {
  for (const LocalIndex wrong : {-1, 2}) {
    Writer writer;
    const std::vector<double> coordinates{0, 0, 1, 0};
    const std::vector<LocalIndex> edge{0, wrong};
    write_arrays(writer, {coordinates, {edge, {}, {}}});
    const std::vector<std::byte> bytes = writer.take();
    CHECK(isthmus::message_of([&bytes] {
            Reader reader(bytes);
            (void)read_arrays(reader, 2, "a mesh message");
          }) == "a mesh message names a vertex that it does not have");
  }
}
