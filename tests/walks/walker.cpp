// SPDX-License-Identifier: BSD-3-Clause
#include "walker.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <stdexcept>

namespace walks {

namespace {

constexpr int most_slots = 80;

} // namespace

Walker::Walker(const Setting& setting, const Options& options) : scene_(setting, options) {
  for (life_ = 0; life_ < setting.lives; ++life_) {
    live();
    if (is_early_) { // the next life of one could meet this one of another
      for (auto& participant : scene_.scripts()) {
        for (auto& script : participant) {
          script.push_back({Kind::barrier});
        }
      }
    }
  }
}

void Walker::live() {
  scene_.begin_life();
  slots_.assign(scene_.setting().ranks.size(), 0);
  steered_.clear();
  steered_.reserve(1000);
  current_.assign(scene_.setting().ranks.size(), nullptr);
  is_early_ = false;
  bool moves = true;
  std::vector<char> is_done(scene_.setting().ranks.size(), 0);
  for (long messages = -1; moves || messages != scene_.model().num_messages();) {
    moves = false;
    messages = scene_.model().num_messages();
    for (int p = 0; p < scene_.setting().num_participants(); ++p) {
      while (is_done[static_cast<std::size_t>(p)] == 0 && step(p)) {
        moves = true;
        const Actor& actor = scene_.actor(p);
        is_done[static_cast<std::size_t>(p)] =
            actor.phase == Phase::absent && actor.is_gone ? 1 : 0;
      }
    }
  }
  if (std::find(is_done.begin(), is_done.end(), 0) != is_done.end()) {
    throw std::logic_error("the model of the walk has come to a stop");
  }
  judge();
}

/// One slot of a participant. False: it waits.
bool Walker::step(int p) {
  Actor& actor = scene_.actor(p);
  if (actor.wait.what != Wait::For::nothing) {
    return wait(p);
  }
  const int slot = slots_[static_cast<std::size_t>(p)]++;
  const auto place = [&](int r, int k) {
    return Random{scene_.setting().seed,         static_cast<std::uint64_t>(life_),
                  static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(slot),
                  static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(k)};
  };
  for (int r = 0; r < scene_.setting().size(p) && actor.phase != Phase::absent; ++r) {
    const int count = place(r, 100).below(5);
    for (int k = 0; k < count; ++k) {
      const int number = counter_++;
      scene_.number(number);
      Random random = place(r, k);
      if (!scene_.options().drops(number)) {
        local_.draw(p, r, random);
      }
      scene_.number(-1);
    }
  }
  Random random = place(scene_.setting().size(p), 0);
  if (slot >= std::min(most_slots, scene_.options().max_slots) && actor.phase != Phase::absent) {
    end(p, Kind::destroy);
    return true;
  }
  switch (actor.phase) {
    case Phase::absent:
      if (random.chance(0.1)) {
        Call call{Kind::construct};
        call.wrong = true;
        call.count = random.below(4);
        for (int r = 0; r < scene_.setting().size(p); ++r) {
          scene_.refuse(p, r, call, {});
        }
      }
      scene_.model().construct(p);
      for (int r = 0; r < scene_.setting().size(p); ++r) {
        scene_.add(p, r, {Kind::construct});
      }
      local_.meshes().add_vertices(p, local_.meshes().filled_rank(p), 2, random);
      break;
    case Phase::defining:
      define(p, random);
      break;
    case Phase::running:
      go_on(p, random);
      break;
    case Phase::finalized:
    case Phase::failed:
      end(p, random.chance(0.1) && actor.phase == Phase::finalized ? Kind::unwind : Kind::destroy);
      break;
  }
  return true;
}

bool Walker::wait(int p) {
  const Model::Progress progress = scene_.model().proceed(p);
  if (progress == Model::Progress::waits) {
    return false;
  }
  Steering& steering = *current_[static_cast<std::size_t>(p)];
  Actor& actor = scene_.actor(p);
  steering.sent = actor.wait.sent;
  if (progress == Model::Progress::never) {
    steering.is_broken = true;
    actor.phase = Phase::failed;
    scene_.model().leave(p);
    is_early_ = true;
    return true;
  }
  for (Rank& rank : actor.ranks) {
    rank.owes_writing = actor.steered.starts;
    rank.owes_reading = actor.steered.repeats;
  }
  return true;
}

void Walker::steer(int p, Call call) {
  Steering steering{p, {}, {}, false};
  for (int r = 0; r < scene_.setting().size(p); ++r) {
    scene_.add(p, r, call);
    steering.at.push_back(scene_.script(p, r).size() - 1);
  }
  steered_.push_back(std::move(steering));
  if (steered_.size() == steered_.capacity()) {
    throw std::logic_error("the walk is too long");
  }
  current_[static_cast<std::size_t>(p)] = &steered_.back();
}

/// Does on each rank what is owed, mostly; refused calls where something is. False: some rank is
/// not ready.
bool Walker::prepare(int p, Random& random) {
  bool is_ready = true;
  const bool begins = scene_.actor(p).phase == Phase::defining;
  for (int r = 0; r < scene_.setting().size(p); ++r) {
    Rank& rank = scene_.rank(p, r);
    const bool diligent = random.chance(0.85) || !scene_.options().allows("forgets");
    for (; diligent && rank.sections > 0; --rank.sections) {
      scene_.add(p, r, {Kind::stop_section});
    }
    for (const Flow& flow : scene_.setting().flows) {
      if (begins && flow.accessor() == p && rank.regions.count(flow.accessed()) == 0) {
        local_.meshes().set_region(p, r, flow.accessed(), random);
      }
    }
    if (diligent && begins && rank.owes_initial) {
      Call call{Kind::requires_initial};
      call.due.values = {1};
      scene_.add(p, r, call);
      rank.owes_initial = false;
    }
    if (diligent && rank.owes_writing) {
      Call call{Kind::requires_writing};
      call.due.values = {1};
      scene_.add(p, r, call);
      rank.owes_writing = false;
    }
    if (diligent && rank.owes_reading) {
      Call call{Kind::requires_reading};
      call.due.values = {1};
      scene_.add(p, r, call);
      rank.owes_reading = false;
    }
    const char* missing = rank.sections > 0                        ? "section"
                          : rank.owes_initial && begins            ? "initial"
                          : rank.owes_writing || rank.owes_reading ? "checkpoint"
                                                                   : nullptr;
    if (missing != nullptr) {
      is_ready = false;
      Call call{begins ? Kind::initialize : Kind::advance};
      call.time = begins ? 0 : std::min(1.0, scene_.model().longest_step(p));
      scene_.refuse(p, r, call, {missing});
    }
  }
  return is_ready;
}

void Walker::define(int p, Random& random) {
  if (scene_.setting().is_rude && random.chance(0.05) &&
      scene_.options().allows("before-initialize")) {
    leave_early(p, random);
    return;
  }
  if (random.chance(0.4)) {
    return;
  }
  if (prepare(p, random)) {
    steer(p, {Kind::initialize});
    scene_.model().begin_initialize(p);
  }
}

void Walker::go_on(int p, Random& random) {
  Actor& actor = scene_.actor(p);
  if (!scene_.model().is_ongoing(p)) {
    const double drawn = random.unit();
    if (drawn < 0.2) {
      return;
    }
    const bool unwinds = drawn > 0.95 && scene_.options().allows("overtaking");
    end(p, drawn < 0.8 ? Kind::finalize : unwinds ? Kind::unwind : Kind::destroy);
    return;
  }
  if (scene_.setting().is_rude && random.chance(0.05)) {
    leave_early(p, random);
    return;
  }
  if (scene_.setting().remeshing && actor.steered.complete && !actor.is_reset &&
      random.chance(0.3)) {
    reset(p, random);
    return;
  }
  if (random.chance(0.2) || !prepare(p, random)) {
    return;
  }
  const double limit = scene_.model().longest_step(p);
  const int part = actor.is_reset ? 0 : random.below(5);
  Call call{Kind::advance};
  call.time = part < 3 ? limit : part == 3 ? limit / 2 : limit / 4;
  call.time = std::min(call.time, limit); // 2: limit
  if (std::ldexp(call.time, 12) != std::floor(std::ldexp(call.time, 12))) {
    call.time = limit; // sums of steps stay exact
  }
  steer(p, call);
  scene_.model().begin_advance(p, call.time);
}

/// In the middle of everything, by any way out.
void Walker::leave_early(int p, Random& random) {
  is_early_ = true;
  if (scene_.setting().size(p) > 1 && random.chance(0.4) && scene_.options().allows("one-rank")) {
    leave_alone(p, random.below(scene_.setting().size(p)));
    return;
  }
  const int how = random.below(3);
  end(p, how == 0 ? Kind::finalize : how == 1 ? Kind::destroy : Kind::unwind);
}

/// One rank leaves by an exception, and the others go on until they learn it.
void Walker::leave_alone(int p, int who) {
  const bool defines = scene_.actor(p).phase == Phase::defining;
  for (int r = 0; r < scene_.setting().size(p); ++r) {
    if (r != who) {
      Call call{defines ? Kind::initialize : Kind::advance};
      call.time = scene_.model().longest_step(p);
      call.due.outcome = Outcome::maybe_broken;
      scene_.add(p, r, call);
    }
    scene_.add(p, r, {r == who ? Kind::unwind : Kind::destroy});
  }
  scene_.actor(p).phase = Phase::absent;
  scene_.model().leave(p);
}

void Walker::end(int p, Kind how) {
  Actor& actor = scene_.actor(p);
  is_early_ = is_early_ || actor.phase == Phase::defining ||
              (actor.phase == Phase::running && scene_.model().is_ongoing(p));
  if (how == Kind::finalize) {
    steer(p, {Kind::finalize});
    actor.phase = Phase::finalized;
  } else {
    for (int r = 0; r < scene_.setting().size(p); ++r) {
      scene_.add(p, r, {how});
    }
    actor.phase = Phase::absent;
  }
  scene_.model().leave(p);
}

void Walker::reset(int p, Random& random) {
  Actor& actor = scene_.actor(p);
  actor.is_reset = true;
  const int certain = random.below(scene_.setting().size(p));
  for (int r = 0; r < scene_.setting().size(p); ++r) {
    if (r != certain && random.chance(0.4) && scene_.options().allows("some-ranks")) {
      continue; // it keeps its part
    }
    Call call{Kind::reset_mesh};
    call.mesh = mesh_of(p);
    scene_.add(p, r, call);
    Rank& rank = scene_.rank(p, r);
    rank.is_reset = true;
    rank.points.clear();
    rank.written.clear();
    rank.gradients.clear();
    if (random.chance(0.5)) {
      local_.meshes().add_vertices(p, r, random.below(4), random);
    }
  }
  if (scene_.rank(p, local_.meshes().filled_rank(p)).is_reset) {
    local_.meshes().add_vertices(p, local_.meshes().filled_rank(p), 2, random);
  }
}

/// What can be said of steering calls only now: whether somebody was there to receive.
void Walker::judge() {
  const bool any_broken =
      std::any_of(steered_.begin(), steered_.end(), [](const Steering& s) { return s.is_broken; });
  std::vector<char> tainted(scene_.setting().ranks.size(), 0);
  for (const Steering& steering : steered_) {
    const auto p = static_cast<std::size_t>(steering.participant);
    const bool lost = std::any_of(steering.sent.begin(), steering.sent.end(),
                                  [](const auto& message) { return !message->is_consumed; });
    const Kind kind = scene_.scripts()[p][0][steering.at[0]].kind;
    tainted[p] |=
        lost || (is_early_ && kind != Kind::advance) || (any_broken && kind == Kind::initialize)
            ? 1
            : 0;
    const bool alone = steering.at.size() == 1; // else ranks without partners may learn it later
    for (std::size_t r = 0; r < steering.at.size(); ++r) {
      scene_.scripts()[p][r][steering.at[r]].due.outcome =
          steering.is_broken && alone && tainted[p] == 0 ? Outcome::broken
          : steering.is_broken || tainted[p] != 0        ? Outcome::maybe_broken
                                                         : Outcome::ok;
    }
    tainted[p] |= steering.is_broken ? 1 : 0;
  }
}

} // namespace walks
