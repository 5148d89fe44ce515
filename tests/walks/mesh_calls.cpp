// SPDX-License-Identifier: BSD-3-Clause
#include "mesh_calls.hpp"

#include <limits>

namespace walks {

void MeshCalls::add_vertices(int p, int r, int count, Random& random) {
  std::vector<double>& points = scene_.rank(p, r).points;
  Call call{count == 1 && random.chance(0.5) ? Kind::set_vertex : Kind::set_vertices};
  call.mesh = mesh_of(p);
  for (int i = 0; i < count; ++i) {
    call.due.values.push_back(static_cast<double>(points.size()) / 2 + i);
  }
  for (int i = 0; i < 2 * count; ++i) {
    call.numbers.push_back(random.unit());
  }
  points.insert(points.end(), call.numbers.begin(), call.numbers.end());
  scene_.add(p, r, call);
}

/// The rank that always has vertices: places on a mesh are looked for. Any other one may be empty,
/// rank 0 as well.
int MeshCalls::filled_rank(int p) const {
  return Random{scene_.setting().seed, 77, static_cast<std::uint64_t>(p)}.below(
      scene_.options().allows("empty-root") ? scene_.setting().size(p) : 1);
}

void MeshCalls::draw_vertices(int p, int r, Random& random) {
  if (scene_.is_open(p, r) && random.chance(0.8)) {
    add_vertices(p, r, random.below(4), random);
    return;
  }
  Call call{random.chance(0.5) ? Kind::set_vertex : Kind::set_vertices};
  call.mesh = mesh_of(p);
  call.numbers = {random.unit(), random.unit()};
  call.count = 1;
  const std::string name = name_of(call.kind);
  const int wrong = random.below(4);
  if (!scene_.is_open(p, r)) {
    scene_.refuse(p, r, call, {name, scene_.actor(p).phase == Phase::finalized ? "" : call.mesh});
  } else if (wrong == 0) {
    call.numbers.push_back(0);
    scene_.refuse(p, r, call, {name, call.mesh});
  } else if (wrong == 1) {
    call.numbers[1] = random.chance(0.5) ? std::numeric_limits<double>::quiet_NaN()
                                         : -std::numeric_limits<double>::infinity();
    scene_.refuse(p, r, call, {call.mesh});
  } else if (wrong == 2) {
    call.mesh = "Ghost-Mesh";
    scene_.refuse(p, r, call, {name, call.mesh});
  } else if (scene_.other_mesh(p, true) >= 0) {
    call.mesh = mesh_of(scene_.other_mesh(p, true));
    scene_.refuse(p, r, call, {name, call.mesh});
  }
}

void MeshCalls::draw_element(int p, int r, Random& random) {
  Call call{random.chance(0.5) ? Kind::set_edge : Kind::set_triangle};
  call.mesh = mesh_of(p);
  const std::string name = name_of(call.kind);
  call.ids = {0, 1, random.chance(0.2) ? 1000 : 2};
  if (!scene_.is_open(p, r)) {
    scene_.refuse(p, r, call, {name, scene_.actor(p).phase == Phase::finalized ? "" : call.mesh});
  } else if (random.chance(0.3)) {
    const int other = scene_.other_mesh(p, true);
    call.mesh = random.chance(0.5) || other < 0 ? "Ghost-Mesh" : mesh_of(other);
    scene_.refuse(p, r, call, {name, call.mesh});
  } else { // nobody needs elements: nothing is looked at
    scene_.add(p, r, call);
  }
}

void MeshCalls::set_region(int p, int r, int of, Random& random) {
  Call call{Kind::set_region};
  call.mesh = mesh_of(of);
  const double x = random.chance(0.5) ? -1 : random.unit() - 0.5;
  const double y = random.chance(0.5) ? -1 : random.unit() - 0.5;
  call.numbers = {x, x + 1.2 + random.unit(), y, y + 1.2 + random.unit()};
  scene_.rank(p, r).regions[of] = {call.numbers[0], call.numbers[1], call.numbers[2],
                                   call.numbers[3]};
  scene_.add(p, r, call);
}

void MeshCalls::draw_region(int p, int r, Random& random) {
  int of = -1;
  for (const Flow& flow : scene_.setting().flows) {
    of = flow.accessor() == p ? flow.accessed() : of;
  }
  const Phase phase = scene_.actor(p).phase;
  Call call{Kind::set_region};
  call.mesh = mesh_of(of >= 0 ? of : p);
  call.numbers = {0, 1, 0, 1};
  const std::string name = name_of(call.kind);
  if (phase != Phase::defining || of < 0) {
    scene_.refuse(p, r, call, {name, call.mesh});
  } else if (scene_.rank(p, r).regions.count(of) != 0) {
    scene_.refuse(p, r, call, {name, call.mesh});
  } else if (random.chance(0.5)) {
    if (random.chance(0.5)) {
      call.numbers.pop_back();
    } else {
      call.numbers[0] = 2;
    }
    scene_.refuse(p, r, call, {name, call.mesh});
  } else {
    set_region(p, r, of, random);
  }
}

void MeshCalls::draw_fetch(int p, int r, Random& random) {
  int of = -1;
  for (const Flow& flow : scene_.setting().flows) {
    of = flow.accessor() == p ? flow.accessed() : of;
  }
  Call call{Kind::fetch};
  const bool running = scene_.actor(p).phase == Phase::running;
  call.mesh = mesh_of(of >= 0 ? of : p);
  if (of < 0 || !running) {
    call.count = -1;
    scene_.refuse(p, r, call, {name_of(call.kind)});
    return;
  }
  call.numbers = scene_.model().reading().accessed(p, r, of);
  call.count = static_cast<int>(call.numbers.size() / 2);
  if (random.chance(0.3)) {
    ++call.count;
    scene_.refuse(p, r, call, {name_of(call.kind), call.mesh});
  } else {
    call.due.values = call.numbers;
    scene_.add(p, r, call);
  }
}

} // namespace walks
