// SPDX-License-Identifier: BSD-3-Clause
#include "local_calls.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace walks {

namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

} // namespace

void LocalCalls::draw(int p, int r, Random& random) {
  if (scene_.actor(p).phase == Phase::failed) {
    return;
  }
  struct Choice {
    const char* name;
    std::function<void()> draw;
    int weight;
  };
  const bool defines = scene_.is_open(p, r);
  const auto outgoing = scene_.flows(p, true);
  const bool has_gradients = std::any_of(outgoing.begin(), outgoing.end(),
                                         [this](int f) { return scene_.flow(f).gradients; });
  const std::array<Choice, 12> choices{
      {{"write", [&] { data_.draw_write(p, r, random); }, 8},
       {"read", [&] { data_.draw_read(p, r, random); }, 8},
       {"status", [&] { draw_status(p, r, random); }, 4},
       {"query", [&] { draw_query(p, r, random); }, 2},
       {"checkpoint", [&] { draw_checkpoint(p, r, random); }, 2},
       {"vertices", [&] { meshes_.draw_vertices(p, r, random); }, defines ? 8 : 1},
       {"element", [&] { meshes_.draw_element(p, r, random); }, defines ? 2 : 1},
       {"region", [&] { meshes_.draw_region(p, r, random); }, 1},
       {"fetch", [&] { meshes_.draw_fetch(p, r, random); }, 1},
       {"section", [&] { draw_section(p, r, random); }, 1},
       {"steering", [&] { draw_steering(p, r, random); }, 2},
       {"gradient", [&] { data_.draw_gradients(p, r, random); }, has_gradients ? 5 : 0}}};
  int sum = 0;
  for (const Choice& choice : choices) {
    sum += choice.weight;
  }
  int drawn = random.below(sum);
  for (const Choice& choice : choices) {
    drawn -= choice.weight;
    if (drawn < 0) {
      if (scene_.options().allows(choice.name)) {
        choice.draw();
      }
      return;
    }
  }
}

void LocalCalls::draw_status(int p, int r, Random& random) {
  const Actor& actor = scene_.actor(p);
  Call call{std::array{Kind::is_ongoing, Kind::is_complete,
                       Kind::max_step}[static_cast<std::size_t>(random.below(3))]};
  if (actor.phase != Phase::running) {
    scene_.refuse(p, r, call, {name_of(call.kind)});
    return;
  }
  call.due.values = {call.kind == Kind::is_ongoing    ? (scene_.model().is_ongoing(p) ? 1.0 : 0.0)
                     : call.kind == Kind::is_complete ? (actor.steered.complete ? 1.0 : 0.0)
                                                      : scene_.model().step_limit(p)};
  scene_.add(p, r, call);
}

void LocalCalls::draw_query(int p, int r, Random& random) {
  Call call{std::array{Kind::mesh_dimensions, Kind::data_dimensions, Kind::vertex_size,
                       Kind::requires_connectivity,
                       Kind::requires_gradient}[static_cast<std::size_t>(random.below(5))]};
  const auto outgoing = scene_.flows(p, true);
  const bool with_data = call.kind == Kind::data_dimensions || call.kind == Kind::requires_gradient;
  if ((outgoing.empty() && with_data) ||
      (scene_.actor(p).phase == Phase::finalized && call.kind == Kind::vertex_size)) {
    return;
  }
  call.mesh = mesh_of(p);
  if (with_data) {
    call.data = scene_.flow(outgoing[0]).data;
    const bool just_in_time = scene_.flow(outgoing[0]).kind == Flow::Kind::just_in_time_write;
    call.mesh = mesh_of(just_in_time ? scene_.flow(outgoing[0]).to : p);
  }
  if (random.chance(0.3)) { // unknown
    const int other = scene_.other_mesh(p, false);
    call.mesh = random.chance(0.5) || other < 0 ? "Ghost-Mesh" : mesh_of(other);
    scene_.refuse(p, r, call, {name_of(call.kind), call.mesh});
    return;
  }
  if (with_data && random.chance(0.3)) {
    call.data = "Ghost";
    scene_.refuse(
        p, r, call,
        {call.kind == Kind::data_dimensions ? name_of(call.kind) : "", call.mesh, "Ghost"});
    return;
  }
  if (call.kind == Kind::requires_connectivity && random.chance(0.3) &&
      scene_.other_mesh(p, true) >= 0) {
    call.mesh = mesh_of(scene_.other_mesh(p, true)); // of a received one, too
  }
  call.due.values = {
      call.kind == Kind::mesh_dimensions   ? 2.0
      : call.kind == Kind::data_dimensions ? scene_.flow(outgoing[0]).components
      : call.kind == Kind::vertex_size ? static_cast<double>(scene_.rank(p, r).points.size() / 2)
      : call.kind == Kind::requires_gradient && scene_.flow(outgoing[0]).gradients ? 1.0
                                                                                   : 0.0};
  scene_.add(p, r, call);
}

void LocalCalls::draw_checkpoint(int p, int r, Random& random) {
  const Actor& actor = scene_.actor(p);
  Rank& rank = scene_.rank(p, r);
  Call call{std::array{Kind::requires_initial, Kind::requires_writing,
                       Kind::requires_reading}[static_cast<std::size_t>(random.below(3))]};
  const bool initial = call.kind == Kind::requires_initial;
  if (actor.phase != (initial ? Phase::defining : Phase::running)) {
    scene_.refuse(p, r, call, {name_of(call.kind)});
    return;
  }
  const bool writing = call.kind == Kind::requires_writing;
  (initial ? rank.owes_initial : writing ? rank.owes_writing : rank.owes_reading) = false;
  call.due.values = {(initial   ? scene_.model().rules().provides_initial(p)
                      : writing ? actor.steered.starts
                                : actor.steered.repeats)
                         ? 1.0
                         : 0.0};
  scene_.add(p, r, call);
}

void LocalCalls::draw_section(int p, int r, Random& random) {
  Rank& rank = scene_.rank(p, r);
  if (scene_.actor(p).phase == Phase::finalized) {
    return;
  }
  const int what = random.below(4);
  Call call{what < 2 ? Kind::start_section : Kind::stop_section};
  call.data = what == 0 ? "of/the user" : "of the user";
  if (what == 0) {
    scene_.refuse(p, r, call, {call.data});
  } else if (what == 1) {
    ++rank.sections;
    scene_.add(p, r, call);
  } else if (rank.sections > 0) {
    --rank.sections;
    scene_.add(p, r, call);
  } else {
    scene_.refuse(p, r, call, {name_of(call.kind)});
  }
}

/// Steering calls that are refused before anything happens.
void LocalCalls::draw_steering(int p, int r, Random& random) {
  const Actor& actor = scene_.actor(p);
  const int what = random.below(3);
  Call call{what == 0 ? Kind::initialize : what == 1 ? Kind::finalize : Kind::advance};
  call.time = 1;
  if (actor.phase == Phase::finalized) {
    scene_.refuse(p, r, call, {name_of(call.kind)});
  } else if (actor.phase == Phase::running) {
    call.kind = what == 0 ? Kind::initialize : Kind::advance;
    if (what == 0) {
      scene_.refuse(p, r, call, {"initialize"});
      return;
    }
    const double limit = scene_.model().longest_step(p);
    const std::array wrong{0.0, -0.25, nan, std::numeric_limits<double>::infinity(), limit + 0.5};
    call.time = wrong[static_cast<std::size_t>(random.below(5))];
    scene_.refuse(p, r, call, {"advance"});
  } else if (actor.phase == Phase::defining && what == 2) {
    scene_.refuse(p, r, call, {"advance"});
  }
}

} // namespace walks
