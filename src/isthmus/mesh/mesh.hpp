// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <span>
#include <string>
#include <vector>

namespace isthmus::mesh {

/// The part of a mesh that one rank holds: vertices with interleaved coordinates and connectivity
/// by local vertex numbers. What a solver defines is checked here; after that it is plain data.
class Mesh {
 public:
  Mesh() = default;
  Mesh(std::string name, int dimensions) : name_(std::move(name)), dimensions_(dimensions) {}

  /// Takes over checked arrays, as they come from another participant.
  Mesh(std::string name, int dimensions, std::vector<double> coordinates,
       std::vector<LocalIndex> edges, std::vector<LocalIndex> triangles,
       std::vector<LocalIndex> tetrahedra = {})
      : name_(std::move(name)),
        dimensions_(dimensions),
        coordinates_(std::move(coordinates)),
        edges_(std::move(edges)),
        triangles_(std::move(triangles)),
        tetrahedra_(std::move(tetrahedra)) {}

  /// Appends vertices; returns the number of the first. Error on NaN or infinite coordinates.
  LocalIndex add_vertices(std::span<const double> coordinates);
  /// Pairs, triples or quadruples of vertex numbers. Error on unknown numbers and on elements that
  /// name a vertex twice.
  void add_edges(std::span<const LocalIndex> pairs);
  void add_triangles(std::span<const LocalIndex> triples);
  /// Each quad becomes two triangles along its shorter diagonal.
  void add_quads(std::span<const LocalIndex> quadruples);
  void add_tetrahedra(std::span<const LocalIndex> quadruples);
  /// Moves vertices to other points, which are checked already.
  void move_vertices(std::span<const LocalIndex> vertices, std::span<const double> coordinates);
  /// Drops edges, triangles and tetrahedra and gives their memory back.
  void drop_connectivity();
  void clear();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int dimensions() const { return dimensions_; }
  [[nodiscard]] LocalIndex num_vertices() const {
    return dimensions_ == 0 ? 0
                            : static_cast<LocalIndex>(coordinates_.size() /
                                                      static_cast<std::size_t>(dimensions_));
  }
  [[nodiscard]] std::span<const double> coordinates() const { return coordinates_; }
  [[nodiscard]] std::span<const double> vertex(LocalIndex i) const;
  [[nodiscard]] std::span<const LocalIndex> edges() const { return edges_; }
  [[nodiscard]] std::span<const LocalIndex> triangles() const { return triangles_; }
  [[nodiscard]] std::span<const LocalIndex> tetrahedra() const { return tetrahedra_; }
  [[nodiscard]] bool has_connectivity() const {
    return !edges_.empty() || !triangles_.empty() || !tetrahedra_.empty();
  }

 private:
  void check_elements(const char* kind, int corners, std::span<const LocalIndex> vertices) const;

  std::string name_;
  int dimensions_ = 0;
  std::vector<double> coordinates_;
  std::vector<LocalIndex> edges_;      // pairs
  std::vector<LocalIndex> triangles_;  // triples
  std::vector<LocalIndex> tetrahedra_; // quadruples
};

/// The coordinates of some vertices, interleaved, in the order of the list.
[[nodiscard]] std::vector<double> coordinates_of(int dimensions,
                                                 std::span<const double> coordinates,
                                                 std::span<const LocalIndex> vertices);
[[nodiscard]] std::vector<double> coordinates_of(const Mesh& mesh,
                                                 std::span<const LocalIndex> vertices);

} // namespace isthmus::mesh
