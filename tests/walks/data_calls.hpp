// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scene.hpp"

#include <vector>

namespace walks {

/// Draws calls that read and write.
class DataCalls {
 public:
  explicit DataCalls(Scene& scene) : scene_(scene) {}

  void draw_write(int p, int r, Random& random);
  void draw_gradients(int p, int r, Random& random);
  void draw_read(int p, int r, Random& random);

 private:
  void expect_values(int r, int f, Call& call) const;
  void read_wrongly(int p, int r, int f, int wrong, Call call, Random& random);

  // just_in_time_calls.cpp
  [[nodiscard]] std::vector<double> draw_places(int p, int r, int f, Random& random);
  [[nodiscard]] bool refuse_just_in_time(int p, int r, int wrong, Call call, Random& random);
  void draw_write_just_in_time(int p, int r, int f, Random& random);
  void draw_read_just_in_time(int p, int r, int f, Random& random);

  Scene& scene_;
};

} // namespace walks
