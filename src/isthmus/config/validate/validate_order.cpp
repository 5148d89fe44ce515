// SPDX-License-Identifier: BSD-3-Clause
// Whether the participants of all schemes together come to the end, or wait for each other.
#include "isthmus/config/validate/validate_parts.hpp"

#include "isthmus/base/rounding.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <set>

namespace isthmus::config {

namespace {

bool is_serial(const CouplingScheme& scheme) {
  return scheme.kind == SchemeKind::serial_explicit || scheme.kind == SchemeKind::serial_implicit;
}

/// What participants wait for: data, or also word that meshes were reset, which comes with the data
/// or alone.
enum class Awaited { data, word };

Awaited awaited_in(const Configuration& configuration) {
  return configuration.run.allow_remeshing ? Awaited::word : Awaited::data;
}

/// Whether a participant waits for what another sends: that, or the verdict on an iteration.
bool awaits(const CouplingScheme& scheme, const std::string& name, const std::string& other,
            Awaited what) {
  const bool decides = scheme.implicit() && scheme.leader() == other;
  const bool gets_word = what == Awaited::word && scheme.joins(name, other);
  return decides || gets_word ||
         std::any_of(scheme.exchanges.begin(), scheme.exchanges.end(),
                     [&](const Exchange& exchange) {
                       return exchange.from == other && exchange.to == name;
                     });
}

/// Whether something holds for all whom a participant waits for in a scheme.
template <typename Predicate>
bool all_awaited(const CouplingScheme& scheme, const std::string& name, Awaited what,
                 Predicate holds) {
  return std::all_of(scheme.participants.begin(), scheme.participants.end(),
                     [&](const std::string& other) {
                       return other == name || !awaits(scheme, name, other, what) || holds(other);
                     });
}

/// The second participant of a serial scheme starts when the first one has done a window.
bool waits(const CouplingScheme& scheme, Awaited what) {
  return is_serial(scheme) &&
         (scheme.time_window.set_by_first_participant ||
          awaits(scheme, scheme.participants.back(), scheme.participants.front(), what));
}

/// Somebody has to be able to begin.
void check_begin(const Configuration& configuration) {
  const Awaited what = awaited_in(configuration);
  std::set<std::string> left;
  for (const Participant& participant : configuration.participants) {
    left.insert(participant.name);
  }
  const auto is_ready = [&](const std::string& name) {
    return std::none_of(configuration.schemes.begin(), configuration.schemes.end(),
                        [&](const CouplingScheme& scheme) {
                          return waits(scheme, what) && scheme.participants.back() == name &&
                                 left.count(scheme.participants.front()) != 0;
                        });
  };
  for (auto ready = left.begin(); ready != left.end();) {
    ready = std::find_if(left.begin(), left.end(), is_ready);
    if (ready != left.end()) {
      left.erase(ready);
      ready = left.begin();
    }
  }
  for (const CouplingScheme& scheme : configuration.schemes) {
    grammar::check_at(
        !waits(scheme, what) || left.count(scheme.participants.front()) == 0 ||
            left.count(scheme.participants.back()) == 0,
        {configuration.file, scheme.line},
        "participants {} would wait for each other in initialize(), because each is the "
        "second one in a serial scheme with another of them; exchange first and second of one "
        "scheme, or make it parallel",
        fmt::join(left, ", "));
  }
}

/// Plays the windows of all schemes, as far as time is concerned.
class Rehearsal {
 public:
  Rehearsal(const Configuration& configuration, double smallest_window)
      : schemes_(configuration.schemes),
        awaited_(awaited_in(configuration)),
        smallest_window_(smallest_window) {
    for (const Participant& participant : configuration.participants) {
      at_[participant.name] = 0;
    }
  }

  /// False if nobody can go on although somebody is not at the end. Stops after many windows, by
  /// when all have met in every way.
  bool play() {
    constexpr int many = 2000;
    bool moved = true;
    for (int round = 0; moved && round < many; ++round) {
      moved = false;
      for (auto& [name, time] : at_) {
        const double next = next_end(name);
        if (next < infinity && may_go_on(name)) {
          time = next;
          moved = true;
        }
      }
    }
    return moved || stuck().empty();
  }

  [[nodiscard]] std::vector<std::string> stuck() const {
    std::vector<std::string> names;
    for (const auto& [name, time] : at_) {
      if (next_end(name) < infinity) {
        names.push_back(fmt::format("\"{}\" at time {}", name, time));
      }
    }
    return names;
  }

 private:
  /// What separates no ends of windows at that time, as in the run.
  [[nodiscard]] double tolerance(double time) const {
    return negligible_rest(smallest_window_, time);
  }
  [[nodiscard]] bool same(double a, double b) const {
    return std::abs(a - b) <= tolerance(std::min(a, b));
  }
  /// How many windows have ended.
  [[nodiscard]] double num_ended(const CouplingScheme& scheme, double time) const {
    return std::floor((time + tolerance(time)) / scheme.time_window.size);
  }

  static double last_end(const CouplingScheme& scheme) {
    return std::min(scheme.max_time.value_or(infinity),
                    scheme.max_time_windows.value_or(1e9) * scheme.time_window.size);
  }

  /// The first end of a window later than `time`, infinity after the last one.
  [[nodiscard]] double end_after(const CouplingScheme& scheme, double time) const {
    const double end = (num_ended(scheme, time) + 1) * scheme.time_window.size;
    const double limit = last_end(scheme);
    return time > limit || same(time, limit) ? infinity : std::min(end, limit);
  }

  [[nodiscard]] double next_end(const std::string& name) const {
    double next = infinity;
    for (const CouplingScheme& scheme : schemes_) {
      if (scheme.involves(name)) {
        next = std::min(next, end_after(scheme, at_.at(name)));
      }
    }
    return next;
  }

  [[nodiscard]] bool has_reached(const std::string& name, double time) const {
    return at_.at(name) > time || same(at_.at(name), time);
  }

  /// Whether a participant has come to a time and no longer iterates there: only then it sends what
  /// it exchanges without iterating.
  [[nodiscard]] bool has_done(const std::string& name, double time) const {
    return has_reached(name, time) &&
           std::all_of(schemes_.begin(), schemes_.end(), [&](const CouplingScheme& scheme) {
             return !scheme.implicit() || !scheme.involves(name) || is_answered(scheme, name, time);
           });
  }

  /// Whether those whom a participant awaits in a scheme have come to its last window until `time`.
  [[nodiscard]] bool is_answered(const CouplingScheme& scheme, const std::string& name,
                                 double time) const {
    const double last = last_end(scheme); // of a window that may be shorter
    const double end =
        time + tolerance(time) > last ? last : num_ended(scheme, time) * scheme.time_window.size;
    return all_awaited(scheme, name, awaited_,
                       [&](const std::string& other) { return has_reached(other, end); });
  }

  [[nodiscard]] bool has_sent(const CouplingScheme& scheme, const std::string& name,
                              double time) const {
    return scheme.implicit() ? has_reached(name, time) : has_done(name, time);
  }

  /// Whether everybody is where a participant needs them that has come to the end of some windows.
  [[nodiscard]] bool may_go_on(const std::string& name) const {
    const double now = at_.at(name);
    return std::all_of(schemes_.begin(), schemes_.end(), [&](const CouplingScheme& scheme) {
      const bool at_end = same(now, 0) || same(end_after(scheme, now - 2 * tolerance(now)), now);
      if (!scheme.involves(name) || !at_end) {
        return true;
      }
      const std::string& first = scheme.participants.front();
      if (is_serial(scheme) && name != first) {
        const double next = end_after(scheme, now);
        return !waits(scheme, awaited_) || next == infinity || has_sent(scheme, first, next);
      }
      return all_awaited(scheme, name, awaited_,
                         [&](const std::string& other) { return has_sent(scheme, other, now); });
    });
  }

  const std::vector<CouplingScheme>& schemes_;
  Awaited awaited_;
  double smallest_window_;
  std::map<std::string, double> at_; // participants: the end of the window that they have come to
};

} // namespace

void validate_order(const Configuration& configuration) {
  check_begin(configuration);
  double smallest = infinity;
  for (const CouplingScheme& scheme : configuration.schemes) {
    if (scheme.time_window.set_by_first_participant) {
      return; // nobody knows them
    }
    smallest = std::min(smallest, scheme.time_window.size);
  }
  Rehearsal rehearsal(configuration, smallest);
  check(rehearsal.play(),
        "{}: the time windows of the coupling schemes do not fit: participants would wait for each "
        "other, {}; where a serial scheme joins participants that meet in another scheme, too, let "
        "the windows of the other one end where windows of the serial one do{}",
        configuration.file, fmt::join(rehearsal.stuck(), ", "),
        configuration.run.allow_remeshing
            ? "; with allow-remeshing both participants of a scheme wait for each other in each "
              "window, also where data go one way only: make schemes of a circle parallel, or "
              "do without it"
            : "");
}

} // namespace isthmus::config
