// SPDX-License-Identifier: BSD-3-Clause
// Calls of one rank that no other rank needs to know of.
#include "walker.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace walks {

namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

} // namespace

std::vector<int> Walker::flows(int p, bool outgoing) const {
  std::vector<int> found;
  for (std::size_t f = 0; f < setting_.flows.size(); ++f) {
    if ((outgoing ? setting_.flows[f].from : setting_.flows[f].to) == p) {
      found.push_back(static_cast<int>(f));
    }
  }
  return found;
}

void Walker::refuse(int p, int r, Call call, std::vector<std::string> words) {
  call.wrong = call.wrong || false;
  call.outcome = Outcome::refused;
  call.words = std::move(words);
  add(p, r, std::move(call));
}

bool Walker::is_open(int p, int r) {
  const Phase phase = model_->actor(p).phase;
  return phase == Phase::defining || (phase == Phase::running && rank(p, r).is_reset);
}

void Walker::local(int p, int r, Random& random) {
  if (model_->actor(p).phase == Phase::failed) {
    return;
  }
  using Draw = void (Walker::*)(int, int, Random&);
  struct Choice {
    const char* name;
    Draw draw;
    int weight;
  };
  const bool defines = is_open(p, r);
  const auto outgoing = flows(p, true);
  const bool has_gradients =
      std::any_of(outgoing.begin(), outgoing.end(), [this](int f) { return flow(f).gradients; });
  const std::array<Choice, 12> choices{
      {{"write", &Walker::draw_write, 8},
       {"read", &Walker::draw_read, 8},
       {"status", &Walker::draw_status, 4},
       {"query", &Walker::draw_query, 2},
       {"checkpoint", &Walker::draw_checkpoint, 2},
       {"vertices", &Walker::draw_vertices, defines ? 8 : 1},
       {"element", &Walker::draw_element, defines ? 2 : 1},
       {"region", &Walker::draw_region, 1},
       {"fetch", &Walker::draw_fetch, 1},
       {"section", &Walker::draw_section, 1},
       {"steering", &Walker::draw_steering, 2},
       {"gradient", &Walker::draw_gradients, has_gradients ? 5 : 0}}};
  int sum = 0;
  for (const Choice& choice : choices) {
    sum += choice.weight;
  }
  int drawn = random.below(sum);
  for (const Choice& choice : choices) {
    drawn -= choice.weight;
    if (drawn < 0) {
      if (options_.allows(choice.name)) {
        (this->*choice.draw)(p, r, random);
      }
      return;
    }
  }
}

void Walker::draw_status(int p, int r, Random& random) {
  const Actor& actor = model_->actor(p);
  Call call{std::array{Kind::is_ongoing, Kind::is_complete,
                       Kind::max_step}[static_cast<std::size_t>(random.below(3))]};
  if (actor.phase != Phase::running) {
    refuse(p, r, call, {name_of(call.kind)});
    return;
  }
  call.expected = {call.kind == Kind::is_ongoing    ? (model_->is_ongoing(p) ? 1.0 : 0.0)
                   : call.kind == Kind::is_complete ? (actor.complete ? 1.0 : 0.0)
                                                    : model_->step_limit(p)};
  add(p, r, call);
}

/// A mesh that the participant receives, or one that it does not know; -1: there is none.
int Walker::other_mesh(int p, bool received) const {
  for (int other = 0; other < setting_.num_participants(); ++other) {
    bool is_received = false;
    for (const Flow& flow : setting_.flows) {
      is_received |= flow.ends_there() ? flow.from == p && flow.to == other
                                       : flow.to == p && flow.from == other;
    }
    if (other != p && is_received == received) {
      return other;
    }
  }
  return -1;
}

void Walker::draw_query(int p, int r, Random& random) {
  Call call{std::array{Kind::mesh_dimensions, Kind::data_dimensions, Kind::vertex_size,
                       Kind::requires_connectivity,
                       Kind::requires_gradient}[static_cast<std::size_t>(random.below(5))]};
  const auto outgoing = flows(p, true);
  const bool with_data = call.kind == Kind::data_dimensions || call.kind == Kind::requires_gradient;
  if ((outgoing.empty() && with_data) ||
      (model_->actor(p).phase == Phase::finalized && call.kind == Kind::vertex_size)) {
    return;
  }
  call.mesh = mesh_of(p);
  if (with_data) {
    call.data = flow(outgoing[0]).data;
    const bool just_in_time = flow(outgoing[0]).kind == Flow::Kind::just_in_time_write;
    call.mesh = mesh_of(just_in_time ? flow(outgoing[0]).to : p);
  }
  if (random.chance(0.3)) { // unknown
    const int other = other_mesh(p, false);
    call.mesh = random.chance(0.5) || other < 0 ? "Ghost-Mesh" : mesh_of(other);
    refuse(p, r, call, {name_of(call.kind), call.mesh});
    return;
  }
  if (with_data && random.chance(0.3)) {
    call.data = "Ghost";
    refuse(p, r, call,
           {call.kind == Kind::data_dimensions ? name_of(call.kind) : "", call.mesh, "Ghost"});
    return;
  }
  if (call.kind == Kind::requires_connectivity && random.chance(0.3) && other_mesh(p, true) >= 0) {
    call.mesh = mesh_of(other_mesh(p, true));
    refuse(p, r, call, {name_of(call.kind), call.mesh});
    return;
  }
  call.expected = {call.kind == Kind::mesh_dimensions   ? 2.0
                   : call.kind == Kind::data_dimensions ? flow(outgoing[0]).components
                   : call.kind == Kind::vertex_size
                       ? static_cast<double>(rank(p, r).points.size() / 2)
                   : call.kind == Kind::requires_gradient && flow(outgoing[0]).gradients ? 1.0
                                                                                         : 0.0};
  add(p, r, call);
}

void Walker::draw_checkpoint(int p, int r, Random& random) {
  const Actor& actor = model_->actor(p);
  Rank& rank = this->rank(p, r);
  Call call{std::array{Kind::requires_initial, Kind::requires_writing,
                       Kind::requires_reading}[static_cast<std::size_t>(random.below(3))]};
  const bool initial = call.kind == Kind::requires_initial;
  if (actor.phase != (initial ? Phase::defining : Phase::running)) {
    refuse(p, r, call, {name_of(call.kind)});
    return;
  }
  const bool writing = call.kind == Kind::requires_writing;
  (initial ? rank.owes_initial : writing ? rank.owes_writing : rank.owes_reading) = false;
  call.expected = {(initial   ? model_->provides_initial(p)
                    : writing ? actor.starts
                              : actor.repeats)
                       ? 1.0
                       : 0.0};
  add(p, r, call);
}

void Walker::draw_section(int p, int r, Random& random) {
  Rank& rank = this->rank(p, r);
  if (model_->actor(p).phase == Phase::finalized) {
    return;
  }
  const int what = random.below(4);
  Call call{what < 2 ? Kind::start_section : Kind::stop_section};
  call.data = what == 0 ? "of/the user" : "of the user";
  if (what == 0) {
    refuse(p, r, call, {call.data});
  } else if (what == 1) {
    ++rank.sections;
    add(p, r, call);
  } else if (rank.sections > 0) {
    --rank.sections;
    add(p, r, call);
  } else {
    refuse(p, r, call, {name_of(call.kind)});
  }
}

/// Steering calls that are refused before anything happens.
void Walker::draw_steering(int p, int r, Random& random) {
  const Actor& actor = model_->actor(p);
  const int what = random.below(3);
  Call call{what == 0 ? Kind::initialize : what == 1 ? Kind::finalize : Kind::advance};
  call.time = 1;
  if (actor.phase == Phase::finalized) {
    refuse(p, r, call, {name_of(call.kind)});
  } else if (actor.phase == Phase::running) {
    call.kind = what == 0 ? Kind::initialize : Kind::advance;
    if (what == 0) {
      refuse(p, r, call, {"initialize"});
      return;
    }
    const double limit = model_->step_limit(p);
    const std::array wrong{0.0, -0.25, nan, std::numeric_limits<double>::infinity(), limit + 0.5};
    call.time = wrong[static_cast<std::size_t>(random.below(5))];
    refuse(p, r, call, {"advance"});
  } else if (actor.phase == Phase::defining && what == 2) {
    refuse(p, r, call, {"advance"});
  }
}

} // namespace walks
