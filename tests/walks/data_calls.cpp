// SPDX-License-Identifier: BSD-3-Clause
#include "data_calls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace walks {

namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

/// Some of the ids 0 to count - 1, in any order.
std::vector<int> draw_ids(int count, Random& random) {
  std::vector<int> ids;
  const bool all = random.chance(0.6);
  for (int id = 0; id < count; ++id) {
    if (all || random.chance(0.5)) {
      ids.push_back(id);
    }
  }
  if (!ids.empty() && random.chance(0.3)) {
    std::rotate(ids.begin(), ids.begin() + random.below(static_cast<int>(ids.size())), ids.end());
  }
  return ids;
}

/// Multiples of 1/8, of which sums are exact.
std::vector<double> draw_numbers(std::size_t count, Random& random) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(std::floor(random.unit() * 1000) / 8);
  }
  return numbers;
}

/// What a call writes, `width` numbers for each of its ids, among those of all vertices.
void note_written(const Call& call, std::size_t width, int count, std::vector<double>& written) {
  written.resize(static_cast<std::size_t>(count) * width, 0);
  for (std::size_t k = 0; k < call.ids.size(); ++k) {
    std::copy_n(call.numbers.begin() + static_cast<std::ptrdiff_t>(k * width), width,
                written.begin() +
                    static_cast<std::ptrdiff_t>(static_cast<std::size_t>(call.ids[k]) * width));
  }
}

} // namespace

void DataCalls::draw_write(int p, int r, Random& random) {
  const Actor& actor = scene_.actor(p);
  const auto outgoing = scene_.flows(p, true);
  if (outgoing.empty()) {
    return;
  }
  const int f = outgoing[static_cast<std::size_t>(random.below(static_cast<int>(outgoing.size())))];
  if (scene_.flow(f).kind == Flow::Kind::just_in_time_write) {
    draw_write_just_in_time(p, r, f, random);
    return;
  }
  Rank& rank = scene_.rank(p, r);
  const auto width = static_cast<std::size_t>(scene_.flow(f).components);
  const int count = static_cast<int>(rank.points.size() / 2);
  Call call{Kind::write};
  call.mesh = mesh_of(p);
  call.data = scene_.flow(f).data;
  call.ids = draw_ids(count, random);
  call.numbers = draw_numbers(call.ids.size() * width, random);
  const std::string name = name_of(call.kind);
  if (actor.phase == Phase::finalized || scene_.has_ended(p)) {
    scene_.refuse(p, r, call, {name});
    return;
  }
  const int wrong = random.chance(0.25) ? random.below(6) : -1;
  if (wrong == 0) {
    call.ids.push_back(random.chance(0.5) ? count : -1);
    call.numbers.resize(call.ids.size() * width, 1);
    scene_.refuse(p, r, call, {name, call.mesh, std::to_string(call.ids.back())});
  } else if (wrong == 1) {
    call.numbers.push_back(1);
    scene_.refuse(p, r, call, {name, call.mesh, call.data});
  } else if (wrong == 2) {
    call.mesh = "Ghost-Mesh";
    scene_.refuse(p, r, call, {name, call.mesh});
  } else if (wrong == 3) {
    call.data = "Ghost";
    scene_.refuse(p, r, call, {name, call.mesh, call.data});
  } else if (wrong == 4) {
    const auto incoming = scene_.flows(p, false);
    if (!incoming.empty() && !scene_.flow(incoming[0]).reads_there()) {
      call.data = scene_.flow(incoming[0]).data;
      scene_.refuse(p, r, call, {name, call.mesh, call.data});
    }
  } else if (wrong == 5 && !call.numbers.empty() && scene_.options().allows("nan")) {
    call.numbers.back() = random.chance(0.5) ? nan : std::numeric_limits<double>::infinity();
    scene_.refuse(p, r, call, {call.mesh, call.data});
  } else {
    note_written(call, width, count, rank.written[f]);
    scene_.add(p, r, call);
  }
}

void DataCalls::draw_gradients(int p, int r, Random& random) {
  const auto outgoing = scene_.flows(p, true);
  const auto found = std::find_if(outgoing.begin(), outgoing.end(),
                                  [this](int f) { return scene_.flow(f).gradients; });
  if (found == outgoing.end()) {
    return;
  }
  Rank& rank = scene_.rank(p, r);
  const auto width = 2 * static_cast<std::size_t>(scene_.flow(*found).components);
  const int count = static_cast<int>(rank.points.size() / 2);
  Call call{Kind::write_gradients};
  call.mesh = mesh_of(p);
  call.data = scene_.flow(*found).data;
  call.ids = draw_ids(count, random);
  call.numbers = draw_numbers(call.ids.size() * width, random);
  const std::string name = name_of(call.kind);
  const int wrong = random.chance(0.25) ? random.below(3) : -1;
  if (scene_.actor(p).phase == Phase::finalized || scene_.has_ended(p)) {
    scene_.refuse(p, r, call, {name});
  } else if (wrong == 0) {
    call.ids.push_back(random.chance(0.5) ? count : -1);
    call.numbers.resize(call.ids.size() * width, 1);
    scene_.refuse(p, r, call, {name, call.mesh, std::to_string(call.ids.back())});
  } else if (wrong == 1) {
    call.numbers.push_back(1);
    scene_.refuse(p, r, call, {name, call.mesh, call.data});
  } else if (wrong == 2 && !call.numbers.empty()) {
    call.numbers.back() = nan;
    scene_.refuse(p, r, call, {call.mesh, call.data});
  } else {
    note_written(call, width, count, rank.gradients[*found]);
    scene_.add(p, r, call);
  }
}

/// What reading a flow at the time of a call gives, as far as the model knows.
void DataCalls::expect_values(int r, int f, Call& call) const {
  const auto width = static_cast<std::size_t>(scene_.flow(f).components);
  call.due.tolerance = scene_.model().reading().tolerance(f);
  const std::vector<double> all = scene_.model().reading().read(f, r, call.time);
  for (const int id : call.ids) {
    for (std::size_t c = 0; c < width && scene_.model().reading().knows(f, call.time); ++c) {
      call.due.values.push_back(all[static_cast<std::size_t>(id) * width + c]);
    }
  }
}

void DataCalls::draw_read(int p, int r, Random& random) {
  const Actor& actor = scene_.actor(p);
  const auto incoming = scene_.flows(p, false);
  if (incoming.empty()) {
    return;
  }
  const int f = incoming[static_cast<std::size_t>(random.below(static_cast<int>(incoming.size())))];
  if (scene_.flow(f).kind == Flow::Kind::just_in_time_read) {
    draw_read_just_in_time(p, r, f, random);
    return;
  }
  Rank& rank = scene_.rank(p, r);
  const bool direct = scene_.flow(f).kind == Flow::Kind::direct;
  const auto width = static_cast<std::size_t>(scene_.flow(f).components);
  Call call{Kind::read};
  call.mesh = mesh_of(direct ? scene_.flow(f).from : p);
  call.data = scene_.flow(f).data;
  const std::string name = name_of(call.kind);
  if (actor.phase != Phase::running) {
    scene_.refuse(p, r, call, {name});
    return;
  }
  if (direct) { // to find the ids of the vertices
    call.numbers = scene_.model().reading().accessed(p, r, scene_.flow(f).from);
  }
  const int count = static_cast<int>((direct ? call.numbers : rank.points).size() / 2);
  call.ids = draw_ids(count, random);
  call.count = static_cast<int>(call.ids.size() * width);
  const double limit = scene_.model().step_limit(p);
  if (rank.is_reset && !direct) {
    scene_.refuse(p, r, call, {name, call.mesh});
    return;
  }
  const int wrong = random.chance(0.25) ? random.below(7) : -1;
  if (wrong >= 0) {
    read_wrongly(p, r, f, wrong, call, random);
  } else {
    const std::array parts{0.0, 0.0, 1.0, 0.5, 0.25};
    call.time = limit * parts[static_cast<std::size_t>(random.below(5))];
    expect_values(r, f, call);
    scene_.add(p, r, call);
  }
}

/// One of the ways in which a read is wrong, drawn from 0 to 6.
void DataCalls::read_wrongly(int p, int r, int f, int wrong, Call call, Random& random) {
  const bool direct = scene_.flow(f).kind == Flow::Kind::direct;
  const std::string name = name_of(call.kind);
  if (wrong == 0) {
    const int count =
        static_cast<int>((direct ? call.numbers : scene_.rank(p, r).points).size() / 2);
    call.ids.push_back(random.chance(0.5) && !direct ? count : -1);
    call.count += scene_.flow(f).components;
    scene_.refuse(p, r, call, {name, call.mesh});
  } else if (wrong == 1) {
    call.count += 1;
    scene_.refuse(p, r, call, {name, call.mesh, call.data});
  } else if (wrong == 2) {
    call.mesh = "Ghost-Mesh";
    call.numbers.clear();
    scene_.refuse(p, r, call, {name, call.mesh});
  } else if (wrong == 3) {
    call.data = "Ghost";
    scene_.refuse(p, r, call, {name, call.mesh, call.data});
  } else if (wrong == 4) {
    const auto outgoing = scene_.flows(p, true);
    if (!outgoing.empty() && scene_.flow(outgoing[0]).kind != Flow::Kind::just_in_time_write) {
      call.mesh = mesh_of(p);
      call.data = scene_.flow(outgoing[0]).data;
      call.numbers.clear();
      scene_.refuse(p, r, call, {name, call.mesh, call.data});
    }
  } else {
    const double limit = scene_.model().step_limit(p);
    const std::array times{-0.25, limit + 0.25, nan, std::numeric_limits<double>::infinity()};
    call.time = times[static_cast<std::size_t>(random.below(4))];
    scene_.refuse(p, r, call, {name});
  }
}

} // namespace walks
