// SPDX-License-Identifier: BSD-3-Clause
// Participants that have to plan with several partners at once, some of which wait for each other.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace couple;

namespace {

using isthmus::Participant;

constexpr int num_steps = 6; // of 1

/// A participant resets its mesh of the scheme of this number before this step.
struct Reset {
  std::string participant;
  int scheme = 0;
  int step = 0;
};

/// Each scheme has a mesh of its own at both ends, and data both ways.
struct Case {
  std::vector<Scheme> schemes;
  std::vector<Reset> resets;

  [[nodiscard]] std::vector<Flow> flows() const {
    std::vector<Flow> all;
    for (std::size_t i = 0; i < schemes.size(); ++i) {
      for (Flow& flow : between_all(schemes[i])) {
        flow.scheme = static_cast<int>(i);
        flow.meshes.suffix = fmt::format("{}", i);
        flow.data += flow.meshes.suffix;
        all.push_back(flow);
      }
    }
    return all;
  }
  [[nodiscard]] std::string xml() const {
    return Scenario{.schemes = schemes, .flows = flows(), .remeshing = true}.xml();
  }
  [[nodiscard]] bool is_second(const Flow& flow, const std::string& participant) const {
    const Scheme& scheme = schemes.at(static_cast<std::size_t>(flow.scheme));
    return scheme.kind.starts_with("serial") && scheme.second == participant;
  }
  [[nodiscard]] int window_of(const Flow& flow) const {
    return static_cast<int>(schemes.at(static_cast<std::size_t>(flow.scheme)).window);
  }
  /// How often the mesh was reset before the end of a step.
  [[nodiscard]] int version(const std::string& participant, int scheme, int step) const {
    return static_cast<int>(std::count_if(resets.begin(), resets.end(), [&](const Reset& reset) {
      return reset.participant == participant && reset.scheme == scheme && reset.step <= step;
    }));
  }
};

/// All vertices of a mesh, no two pairs of which are equally far from each other.
std::vector<double> points(const std::string& participant, int version) {
  std::vector<double> x;
  for (int i = 0; i < 7 + version; ++i) {
    const double place = 0.6180339887 * (i + 1) + 0.137 * participant.front() + 0.2113 * version;
    x.push_back(place - std::floor(place));
  }
  return x;
}

double written(const std::string& participant, double x, int time) {
  return participant.front() + x + 10.0 * time;
}

/// One rank.
class Solver {
 public:
  Solver(const Case& all, const Seat& seat)
      : case_(all), seat_(seat), participant_(seat.make()), flows_(all.flows()) {}

  void play() {
    for (const Flow& flow : flows_) {
      if (flow.from == seat_.participant) {
        define(flow, 0);
      }
    }
    participant_.initialize();
    bool repeats = false;
    for (int step = 0; participant_.is_coupling_ongoing(); step += repeats ? 0 : 1) {
      static_cast<void>(participant_.requires_writing_checkpoint());
      if (!repeats) {
        read(step, true);
        reset(step);
      }
      write(step);
      participant_.advance(1);
      repeats = participant_.requires_reading_checkpoint();
      if (!repeats) {
        read(step, false);
      }
    }
    participant_.finalize();
  }

 private:
  struct Piece {
    std::vector<double> x;
    std::vector<int> ids;
  };

  void define(const Flow& flow, int version) {
    Piece& piece = pieces_[flow.from_mesh()];
    piece = {};
    std::vector<double> places;
    const std::vector<double> all = points(seat_.participant, version);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (static_cast<int>(i) % seat_.launch.size == seat_.launch.rank) {
        piece.x.push_back(all[i]);
        places.insert(places.end(), {all[i], 0.0});
      }
    }
    piece.ids.resize(piece.x.size());
    participant_.set_mesh_vertices(flow.from_mesh(), places, piece.ids);
  }
  void reset(int step) {
    for (const Flow& flow : flows_) {
      const int version = case_.version(seat_.participant, flow.scheme, step);
      if (flow.from == seat_.participant &&
          version > case_.version(seat_.participant, flow.scheme, step - 1)) {
        participant_.reset_mesh(flow.from_mesh());
        define(flow, version);
      }
    }
  }
  void write(int step) {
    for (const Flow& flow : flows_) {
      if (flow.from == seat_.participant) {
        const Piece& piece = pieces_.at(flow.from_mesh());
        std::vector<double> values;
        for (const double x : piece.x) {
          values.push_back(written(flow.from, x, step + 1));
        }
        participant_.write_data(flow.from_mesh(), flow.data, piece.ids, values);
      }
    }
  }
  /// What is there for the end of the step: for the second participant of a serial scheme before
  /// it.
  void read(int step, bool before) {
    for (const Flow& flow : flows_) {
      if (flow.to != seat_.participant || case_.is_second(flow, flow.to) != before ||
          (step + 1) % case_.window_of(flow) != 0) {
        continue;
      }
      const Piece& piece = pieces_.at(flow.to_mesh());
      std::vector<double> values(piece.x.size());
      participant_.read_data(flow.to_mesh(), flow.data, piece.ids, before ? 1 : 0, values);
      for (std::size_t i = 0; i < values.size(); ++i) {
        seat_.put(fmt::format("{} {}", flow.data, step),
                  static_cast<int>(std::lround(piece.x[i] * 1e6)), {piece.x[i], values[i]});
      }
    }
  }

  const Case& case_;
  const Seat& seat_;
  Participant participant_;
  std::vector<Flow> flows_;
  std::map<std::string, Piece> pieces_;
};

/// That of the nearest vertex of the other one.
double expected(const Case& all, const Flow& flow, int step, double x) {
  const std::vector<double> others = points(flow.from, all.version(flow.from, flow.scheme, step));
  const double nearest = *std::min_element(others.begin(), others.end(), [x](double a, double b) {
    return std::abs(a - x) < std::abs(b - x);
  });
  return written(flow.from, nearest, step + 1);
}

void check_case(const Case& all) {
  std::set<std::string> names;
  for (const Scheme& scheme : all.schemes) {
    names.insert({scheme.first, scheme.second});
  }
  std::vector<Role> roles;
  for (const std::string& name : names) {
    roles.push_back({name, [&all](const Seat& seat) { Solver(all, seat).play(); }});
  }
  for (const Deal& deal : deals(static_cast<int>(roles.size()))) {
    const Table table = run(all.xml(), roles, deal);
    for (const Flow& flow : all.flows()) {
      CAPTURE(flow.data);
      for (int step = 0; step < num_steps; ++step) {
        CAPTURE(step);
        if ((step + 1) % all.window_of(flow) == 0) {
          const auto& values = table.at(fmt::format("{} {}", flow.data, step));
          CHECK(!values.empty());
          for (const auto& [entry, value] : values) {
            CHECK(value[1] == doctest::Approx(expected(all, flow, step, value[0])));
          }
        }
      }
    }
  }
}

Scheme scheme(const std::string& kind, const std::string& first, const std::string& second,
              int window = 1) {
  return {.first = first,
          .second = second,
          .kind = kind,
          .window = static_cast<double>(window),
          .max_windows = num_steps / window,
          .control = kind.ends_with("implicit") ? "<max-iterations value=\"2\"/>" : ""};
}

} // namespace

TEST_CASE("a second participant plans with those who wait for it, in no order of its own" *
          on_ranks_for(3)) {
  // C gives its answer to A before A has done the next window, B its own to both
  std::vector<Scheme> schemes{scheme("serial-explicit", "A", "B"),
                              scheme("serial-explicit", "A", "C"),
                              scheme("serial-explicit", "C", "B")};
  const auto before = [](const Scheme& a, const Scheme& b) {
    return std::pair(a.first, a.second) < std::pair(b.first, b.second);
  };
  do { // what B shares with A, with C, and both
    for (const int which : {1, 2, 3}) {
      Case all{schemes, {}};
      for (int i = 0; i < 3; ++i) {
        const Scheme& one = schemes[static_cast<std::size_t>(i)];
        if (one.second == "B" && (which & (one.first == "A" ? 1 : 2)) != 0) {
          all.resets.push_back({"B", i, 1});
          all.resets.push_back({"B", i, 3});
        }
      }
      CAPTURE(which);
      CAPTURE(schemes.front().second);
      check_case(all);
    }
  } while (std::next_permutation(schemes.begin(), schemes.end(), before));
}

TEST_CASE("participants that have all reset meshes plan in a circle, whatever waits for what" *
          on_ranks_for(4)) {
  for (const std::string kind : {"parallel-explicit", "serial-explicit"}) {
    Case all{{scheme(kind, "A", "B"), scheme(kind, "B", "C"), scheme(kind, "C", "D"),
              scheme(kind, "A", "D")},
             {}};
    for (int i = 0; i < 4; ++i) {
      const Scheme& one = all.schemes[static_cast<std::size_t>(i)];
      all.resets.push_back({one.first, i, 1});
      all.resets.push_back({one.first, i, 4});
      all.resets.push_back({one.second, i, 2});
      if (kind == "parallel-explicit") {
        all.resets.push_back({one.second, i, 1});
      }
    }
    check_case(all);
  }
}

TEST_CASE("who waits for several others plans with each as it comes, in windows of two sizes" *
          on_ranks_for(3)) {
  Case all{{scheme("parallel-explicit", "A", "B", 2), scheme("serial-explicit", "A", "C"),
            scheme("serial-explicit", "B", "C")},
           {}};
  for (const int step : {1, 2, 5}) { // others cannot: their windows do not end together
    all.resets.push_back({"C", 1, step});
    all.resets.push_back({"C", 2, step});
  }
  check_case(all);
}

TEST_CASE("meshes of explicit schemes change beside one that iterates, whoever waits for whom" *
          on_ranks_for(3)) {
  for (const std::string kind : {"serial-implicit", "parallel-implicit"}) {
    for (const std::string resetting : {"A", "B", "C"}) {
      Case all{{scheme("serial-explicit", "B", "C"), scheme(kind, "A", "B"),
                scheme("serial-explicit", "A", "C")},
               {}};
      for (int i = 0; i < 3; ++i) {
        const Scheme& one = all.schemes[static_cast<std::size_t>(i)];
        if (one.first == resetting || one.second == resetting) {
          all.resets.push_back({resetting, i, 1});
          all.resets.push_back({resetting, i, 3});
        }
      }
      CAPTURE(kind);
      CAPTURE(resetting);
      check_case(all);
    }
  }
}
