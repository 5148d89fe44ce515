// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "data_calls.hpp"
#include "mesh_calls.hpp"
#include "scene.hpp"

namespace walks {

/// Draws calls of one rank that no other rank needs to know of.
class LocalCalls {
 public:
  explicit LocalCalls(Scene& scene) : scene_(scene), data_(scene), meshes_(scene) {}

  /// One of any kind.
  void draw(int p, int r, Random& random);
  [[nodiscard]] MeshCalls& meshes() { return meshes_; }

 private:
  void draw_status(int p, int r, Random& random);
  void draw_query(int p, int r, Random& random);
  void draw_checkpoint(int p, int r, Random& random);
  void draw_section(int p, int r, Random& random);
  void draw_steering(int p, int r, Random& random);

  Scene& scene_;
  DataCalls data_;
  MeshCalls meshes_;
};

} // namespace walks
