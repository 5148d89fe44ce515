// SPDX-License-Identifier: BSD-3-Clause
// Meshes, and what has changed of them, on their way between two hubs.
#include "isthmus/transfer/mesh_transfer.hpp"

#include "isthmus/transfer/bundles.hpp"
#include "isthmus/transfer/part_changes.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace isthmus;
using namespace isthmus::transfer;
using isthmus::transport::testing::both;
using isthmus::transport::testing::Pair;
using isthmus::transport::testing::transports;

namespace {

constexpr double timeout = 20;

mesh::Mesh two_triangles() {
  mesh::Mesh mesh("M", 2, {0, 0, 1, 0, 0, 1, 1, 1}, {}, {});
  mesh.add_triangles(std::vector<LocalIndex>{0, 1, 2, 2, 1, 3});
  mesh.add_edges(std::vector<LocalIndex>{0, 1});
  return mesh;
}

bool same(const mesh::Mesh& a, const mesh::Mesh& b) {
  const auto equal = [](auto x, auto y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  };
  return equal(a.coordinates(), b.coordinates()) && equal(a.edges(), b.edges()) &&
         equal(a.triangles(), b.triangles());
}

TransferredMesh send_all(Pair& pair, const mesh::Mesh& mesh) {
  TransferredMesh arrived;
  const Selection everything{
      .everything = true, .vertices = {}, .edges = {}, .triangles = {}, .tetrahedra = {}};
  const transport::LinkId link = 0;
  both([&] { send_mesh(pair.a, mesh, std::span(&everything, 1), std::span(&link, 1), timeout); },
       [&] {
         arrived = receive_mesh_parts(pair.b, "M", 2, {{0, 0, 0, 0}}, timeout);
       });
  return arrived;
}

} // namespace

TEST_CASE("a mesh arrives as it was, and so does what has changed of it") {
  Pair pair(transports[0]);
  mesh::Mesh mesh = two_triangles();
  TransferredMesh arrived = send_all(pair, mesh);
  CHECK(same(arrived.mesh, mesh));
  Selection everything;
  everything.everything = true;
  for (const bool in_bundles : {false, true}) {
    for (const bool is_new : {false, true}) {
      const mesh::Mesh before = mesh;
      const LocalIndex vertex = 2;
      mesh.move_vertices(std::span(&vertex, 1), std::vector<double>{0.25 + is_new, 0.75});
      if (is_new) {
        mesh.add_vertices(std::vector<double>{2.0 + in_bundles, 2.0});
      }
      const auto moved = moved_vertices(before, mesh);
      CHECK(moved.has_value() == !is_new);
      std::optional<std::vector<LocalIndex>> received;
      both(
          [&] {
            Bundles bundles(pair.a, timeout);
            ChangeMessages pieces =
                in_bundles ? ChangeMessages(bundles) : ChangeMessages(pair.a, timeout);
            Writer writer;
            write_part(writer, mesh, everything, moved ? &*moved : nullptr);
            pieces.send(0, protocol::PartChanges::kind, writer.take());
            bundles.send();
            pair.a.flush(timeout);
          },
          [&] {
            Bundles bundles(pair.b, timeout);
            ChangeMessages pieces =
                in_bundles ? ChangeMessages(bundles) : ChangeMessages(pair.b, timeout);
            received = receive_changes(pieces, arrived);
          });
      CHECK(received == moved);
      CHECK(arrived.parts[0].is_new == is_new);
      CHECK(same(arrived.mesh, mesh));
    }
  }
}

TEST_CASE("a transferred vertex is known by its part and its position there") {
  const std::vector<Part> parts{{4, 0, 0, 3}, {7, 1, 3, 0}, {9, 2, 3, 2}};
  CHECK(num_transferred(parts) == 5);
  CHECK(num_transferred({}) == 0);
  CHECK(provider_of(parts, 2) == 4);
  CHECK(provider_of(parts, 3) == 9); // nothing came from 7
  const std::vector<char> marks{0, 1, 1, 0, 1};
  CHECK(marked_positions(parts[0], marks) == std::vector<LocalIndex>{1, 2});
  CHECK(marked_positions(parts[1], marks).empty());
  CHECK(marked_positions(parts[2], marks) == std::vector<LocalIndex>{1});
}

TEST_CASE("several pieces for one rank are one message, taken in their order") {
  Pair pair(transports[0]);
  std::vector<std::vector<std::byte>> taken;
  both(
      [&] {
        Bundles bundles(pair.a, timeout);
        ChangeMessages pieces(bundles);
        for (const int number : {1, 2, 3}) {
          pieces.send(0, protocol::Read::kind, Writer().put(number).take());
        }
        bundles.send();
        pair.a.flush(timeout);
      },
      [&] {
        Bundles bundles(pair.b, timeout);
        ChangeMessages pieces(bundles);
        for (int i = 0; i < 3; ++i) {
          taken.push_back(pieces.receive(0, protocol::Read::kind));
        }
      });
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(Reader(taken[i]).get<int>() == static_cast<int>(i) + 1);
  }
}
