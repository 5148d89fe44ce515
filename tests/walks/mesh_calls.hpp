// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scene.hpp"

namespace walks {

/// Draws calls that define meshes and elements, and access to meshes of others.
class MeshCalls {
 public:
  explicit MeshCalls(Scene& scene) : scene_(scene) {}

  void add_vertices(int p, int r, int count, Random& random);
  [[nodiscard]] int filled_rank(int p) const;
  void set_region(int p, int r, int of, Random& random);

  void draw_vertices(int p, int r, Random& random);
  void draw_element(int p, int r, Random& random);
  void draw_region(int p, int r, Random& random);
  void draw_fetch(int p, int r, Random& random);

 private:
  Scene& scene_;
};

} // namespace walks
