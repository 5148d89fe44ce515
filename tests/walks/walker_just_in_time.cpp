// SPDX-License-Identifier: BSD-3-Clause
// Writing to and reading from anywhere in a received mesh.
#include "walker.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace walks {

namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

} // namespace

/// Places in the region of this rank; none where the region has no vertices, as mapping there is an
/// error unless some lie around it.
std::vector<double> Walker::draw_places(int p, int r, int f, Random& random) {
  const int of = flow(f).accessed();
  const auto& region = rank(p, r).regions.at(of);
  std::vector<double> places;
  for (int i = random.below(4); i > 0; --i) {
    places.push_back(region[0] + random.unit() * (region[1] - region[0]));
    places.push_back(region[2] + random.unit() * (region[3] - region[2]));
  }
  if (model_->accessed(p, r, of).empty()) {
    places.clear();
  }
  return places;
}

void Walker::draw_write_just_in_time(int p, int r, int f, Random& random) {
  Call call{Kind::write_and_map};
  call.mesh = mesh_of(flow(f).to);
  call.data = flow(f).data;
  const std::string name = name_of(call.kind);
  if (model_->actor(p).phase != Phase::running || has_ended(p)) {
    refuse(p, r, call, {name});
    return;
  }
  call.places = draw_places(p, r, f, random);
  const auto width = static_cast<std::size_t>(flow(f).components);
  for (std::size_t i = 0; i < call.places.size() / 2 * width; ++i) {
    call.numbers.push_back(std::floor(random.unit() * 1000) / 8);
  }
  const int wrong = random.chance(0.25) ? random.below(5) : -1;
  if (wrong == 0) {
    call.numbers.push_back(1);
    refuse(p, r, call, {name, call.mesh, call.data});
  } else if (wrong == 1) {
    call.mesh = random.chance(0.5) ? mesh_of(p) : "Ghost-Mesh";
    refuse(p, r, call, {name, call.mesh});
  } else if (wrong == 2) {
    call.data = "Ghost";
    refuse(p, r, call, {name, call.mesh, call.data});
  } else if (wrong == 3 && !call.places.empty()) {
    call.places.back() = random.chance(0.5) ? 77 : nan;
    refuse(p, r, call, {name, call.mesh});
  } else if (wrong == 4 && !call.numbers.empty()) {
    call.numbers.back() = nan;
    refuse(p, r, call, {name, call.data});
  } else {
    Rank& rank = this->rank(p, r);
    auto& values = rank.written[f];
    auto& places = rank.places[f];
    values.insert(values.end(), call.numbers.begin(), call.numbers.end());
    places.insert(places.end(), call.places.begin(), call.places.end());
    add(p, r, call);
  }
}

void Walker::draw_read_just_in_time(int p, int r, int f, Random& random) {
  Call call{Kind::map_and_read};
  call.mesh = mesh_of(flow(f).from);
  call.data = flow(f).data;
  const std::string name = name_of(call.kind);
  if (model_->actor(p).phase != Phase::running) {
    refuse(p, r, call, {name});
    return;
  }
  call.places = draw_places(p, r, f, random);
  call.count = static_cast<int>(call.places.size() / 2) * flow(f).components;
  const double limit = model_->step_limit(p);
  const int wrong = random.chance(0.25) ? random.below(6) : -1;
  if (wrong == 0) {
    ++call.count;
    refuse(p, r, call, {name, call.mesh, call.data});
  } else if (wrong == 1) {
    call.mesh = random.chance(0.5) ? mesh_of(p) : "Ghost-Mesh";
    refuse(p, r, call, {name, call.mesh});
  } else if (wrong == 2) {
    call.data = "Ghost";
    refuse(p, r, call, {name, call.mesh, call.data});
  } else if (wrong == 3 && !call.places.empty()) {
    call.places.back() = random.chance(0.5) ? 77 : nan;
    refuse(p, r, call, {name, call.mesh});
  } else if (wrong >= 4) {
    const std::array times{-0.25, limit + 0.25, nan, std::numeric_limits<double>::infinity()};
    call.time = times[static_cast<std::size_t>(random.below(4))];
    refuse(p, r, call, {name});
  } else {
    const std::array parts{0.0, 0.0, 1.0, 0.5, 0.25};
    call.time = limit * parts[static_cast<std::size_t>(random.below(5))];
    call.tolerance = model_->tolerance(f);
    if (model_->knows(f, call.time)) {
      call.expected = model_->read_at(f, call.time, call.places);
    }
    add(p, r, call);
  }
}

} // namespace walks
