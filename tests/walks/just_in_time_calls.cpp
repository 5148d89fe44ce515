// SPDX-License-Identifier: BSD-3-Clause
// Writing to and reading from anywhere in a received mesh.
#include "data_calls.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace walks {

namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

} // namespace

/// Places in the region of this rank; none where the region has no vertices, as mapping there is an
/// error unless some lie around it.
std::vector<double> DataCalls::draw_places(int p, int r, int f, Random& random) {
  const int of = scene_.flow(f).accessed();
  const auto& region = scene_.rank(p, r).regions.at(of);
  std::vector<double> places;
  for (int i = random.below(4); i > 0; --i) {
    places.push_back(region[0] + random.unit() * (region[1] - region[0]));
    places.push_back(region[2] + random.unit() * (region[3] - region[2]));
  }
  if (scene_.model().reading().accessed(p, r, of).empty()) {
    places.clear();
  }
  return places;
}

/// Of another mesh, of unknown data, or at a place outside: the calls that are wrong whether they
/// read or write.
bool DataCalls::refuse_just_in_time(int p, int r, int wrong, Call call, Random& random) {
  const std::string name = name_of(call.kind);
  if (wrong == 1) {
    call.mesh = random.chance(0.5) ? mesh_of(p) : "Ghost-Mesh";
    scene_.refuse(p, r, call, {name, call.mesh});
  } else if (wrong == 2) {
    call.data = "Ghost";
    scene_.refuse(p, r, call, {name, call.mesh, call.data});
  } else if (wrong == 3 && !call.places.empty()) {
    call.places.back() = random.chance(0.5) ? 77 : nan;
    scene_.refuse(p, r, call, {name, call.mesh});
  } else {
    return false;
  }
  return true;
}

void DataCalls::draw_write_just_in_time(int p, int r, int f, Random& random) {
  Call call{Kind::write_and_map};
  call.mesh = mesh_of(scene_.flow(f).to);
  call.data = scene_.flow(f).data;
  const std::string name = name_of(call.kind);
  if (scene_.actor(p).phase != Phase::running || scene_.has_ended(p)) {
    scene_.refuse(p, r, call, {name});
    return;
  }
  call.places = draw_places(p, r, f, random);
  const auto width = static_cast<std::size_t>(scene_.flow(f).components);
  for (std::size_t i = 0; i < call.places.size() / 2 * width; ++i) {
    call.numbers.push_back(std::floor(random.unit() * 1000) / 8);
  }
  const int wrong = random.chance(0.25) ? random.below(5) : -1;
  if (wrong == 0) {
    call.numbers.push_back(1);
    scene_.refuse(p, r, call, {name, call.mesh, call.data});
  } else if (refuse_just_in_time(p, r, wrong, call, random)) {
    return;
  } else if (wrong == 4 && !call.numbers.empty()) {
    call.numbers.back() = nan;
    scene_.refuse(p, r, call, {name, call.data});
  } else {
    Rank& rank = scene_.rank(p, r);
    auto& values = rank.written[f];
    auto& places = rank.places[f];
    values.insert(values.end(), call.numbers.begin(), call.numbers.end());
    places.insert(places.end(), call.places.begin(), call.places.end());
    scene_.add(p, r, call);
  }
}

void DataCalls::draw_read_just_in_time(int p, int r, int f, Random& random) {
  Call call{Kind::map_and_read};
  call.mesh = mesh_of(scene_.flow(f).from);
  call.data = scene_.flow(f).data;
  const std::string name = name_of(call.kind);
  if (scene_.actor(p).phase != Phase::running) {
    scene_.refuse(p, r, call, {name});
    return;
  }
  call.places = draw_places(p, r, f, random);
  call.count = static_cast<int>(call.places.size() / 2) * scene_.flow(f).components;
  const double limit = scene_.model().step_limit(p);
  const int wrong = random.chance(0.25) ? random.below(6) : -1;
  if (wrong == 0) {
    ++call.count;
    scene_.refuse(p, r, call, {name, call.mesh, call.data});
  } else if (refuse_just_in_time(p, r, wrong, call, random)) {
    return;
  } else if (wrong >= 4) {
    const std::array times{-0.25, limit + 0.25, nan, std::numeric_limits<double>::infinity()};
    call.time = times[static_cast<std::size_t>(random.below(4))];
    scene_.refuse(p, r, call, {name});
  } else {
    const std::array parts{0.0, 0.0, 1.0, 0.5, 0.25};
    call.time = limit * parts[static_cast<std::size_t>(random.below(5))];
    call.due.tolerance = scene_.model().reading().tolerance(f);
    if (scene_.model().reading().knows(f, call.time)) {
      call.due.values = scene_.model().reading().read_at(f, call.time, call.places);
    }
    scene_.add(p, r, call);
  }
}

} // namespace walks
