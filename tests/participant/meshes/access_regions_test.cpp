// SPDX-License-Identifier: BSD-3-Clause
// Which vertices of a received mesh a solver has access to: with a region, without one beside usual
// mappings, in two and three dimensions; regions that overlap, touch or hold nothing.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <string>
#include <vector>

using namespace couple;

namespace {

using isthmus::Participant;

constexpr int num_vertices = 7; // of B, at x = 0, 1, 2, …

/// What A maps beside its access.
struct Mappings {
  bool reads = false;  // T onto its own mesh
  bool writes = false; // G from there
  [[nodiscard]] bool any() const { return reads || writes; }
};
constexpr Mappings none;
constexpr Mappings reading{.reads = true};
constexpr Mappings writing{.writes = true};
constexpr Mappings reading_and_writing{true, true};

/// A reads T and writes F on B's mesh.
std::string xml(int dimensions, const Mappings& mappings) {
  Scenario scenario{
      {{.first = "B", .second = "A", .kind = "serial-explicit", .max_windows = 2}},
      {{.from = "B", .to = "A", .data = "T", .mapping = {.kind = ""}},
       {.from = "A", .to = "B", .data = "F", .mapping = {.kind = "", .direction = "write"}}}};
  if (mappings.reads) {
    scenario.flows.push_back({.from = "B", .to = "A", .data = "T"});
  }
  if (mappings.writes) {
    scenario.flows.push_back({.from = "A",
                              .to = "B",
                              .data = "G",
                              .mapping = {.direction = "write", .constraint = "conservative"}});
  }
  for (Flow& flow : scenario.flows) {
    flow.meshes.dimensions = dimensions;
  }
  return scenario.xml();
}

std::vector<double> place(double x, int dimensions) {
  return dimensions == 2 ? std::vector<double>{x, 0} : std::vector<double>{x, 0, 0.1 * x};
}

/// B writes x + 100 t, and tells what it reads at the end.
struct Provider {
  int dimensions;
  bool reads_mapped;

  void operator()(const Seat& seat) const {
    Participant participant = seat.make();
    std::vector<double> positions;
    std::vector<double> x;
    for (int v = seat.launch.rank; v < num_vertices; v += seat.launch.size) {
      const auto at = place(v, dimensions);
      positions.insert(positions.end(), at.begin(), at.end());
      x.push_back(v);
    }
    std::vector<int> ids(x.size());
    participant.set_mesh_vertices("B-Mesh", positions, ids);
    participant.initialize();
    std::vector<double> values(ids.size());
    for (double t = 1; participant.is_coupling_ongoing(); ++t) {
      std::transform(x.begin(), x.end(), values.begin(), [t](double at) { return at + 100 * t; });
      participant.write_data("B-Mesh", "T", ids, values);
      participant.advance(1);
    }
    for (const std::string data : {"F", "G"}) {
      if (data == "F" || reads_mapped) {
        participant.read_data("B-Mesh", data, ids, 0, values);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          seat.put(data, static_cast<int>(x[i]), {values[i]});
        }
      }
    }
    participant.finalize();
  }
};

using Region = std::vector<double>;
using Regions = std::function<Region(int rank, int size)>;

/// A writes 1 + x where it has access; its own mesh has vertices near both ends, on each rank.
struct Accessor {
  int dimensions;
  Mappings mappings;
  Regions region; // null: none is set

  void operator()(const Seat& seat) const {
    Participant participant = seat.make();
    if (region) {
      participant.set_mesh_access_region("B-Mesh", region(seat.launch.rank, seat.launch.size));
    }
    std::vector<int> own(mappings.any() ? 2 : 0);
    if (mappings.any()) {
      std::vector<double> positions = place(0.2, dimensions);
      const auto end = place(5.9, dimensions);
      positions.insert(positions.end(), end.begin(), end.end());
      participant.set_mesh_vertices("A-Mesh", positions, own);
    }
    participant.initialize();
    const auto count = static_cast<std::size_t>(participant.mesh_vertex_size("B-Mesh"));
    std::vector<int> ids(count);
    std::vector<double> places(count * static_cast<std::size_t>(dimensions));
    participant.mesh_vertex_ids_and_coordinates("B-Mesh", ids, places);
    std::vector<double> values(count);
    for (double t = 1; participant.is_coupling_ongoing(); ++t) {
      participant.read_data("B-Mesh", "T", ids, 1, values);
      for (std::size_t i = 0; i < count; ++i) {
        const double x = places[i * static_cast<std::size_t>(dimensions)];
        CHECK(values[i] == x + 100 * t);
        values[i] = 1 + x;
        if (t == 1) {
          seat.put("access", static_cast<int>(x), {1});
        }
      }
      participant.write_data("B-Mesh", "F", ids, values);
      if (mappings.reads) {
        std::vector<double> mapped(2);
        participant.read_data("A-Mesh", "T", own, 1, mapped);
        CHECK(mapped == std::vector<double>{100 * t, 6 + 100 * t});
      }
      if (mappings.writes) {
        participant.write_data("A-Mesh", "G", own, std::vector<double>{1, 2});
      }
      participant.advance(1);
    }
    participant.finalize();
  }
};

/// Runs both; each vertex must have got 1 + x as often as somebody had access. How often that was.
std::vector<int> access(int dimensions, const Mappings& mappings, const Regions& region,
                        const Deal& deal) {
  const Table table = run(
      xml(dimensions, mappings),
      {{"A", Accessor{dimensions, mappings, region}}, {"B", Provider{dimensions, mappings.writes}}},
      deal);
  const int ranks = deal.empty() ? 1 : deal[0];
  std::vector<int> counts(num_vertices, 0);
  if (table.count("access") != 0) {
    for (const auto& [vertex, one] : table.at("access")) {
      ++counts[static_cast<std::size_t>(vertex)];
    }
  }
  for (const auto& [vertex, force] : table.at("F")) {
    CHECK(force[0] == counts[static_cast<std::size_t>(vertex)] * (1.0 + vertex));
  }
  if (mappings.writes) {
    for (const auto& [vertex, got] : table.at("G")) {
      CHECK(got[0] == ranks * (vertex == 0 ? 1.0 : vertex == 6 ? 2.0 : 0.0));
    }
  }
  return counts;
}

bool says(const std::string& text, const std::string& part) {
  CAPTURE(text);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

} // namespace

TEST_CASE("without a region a single rank has access to the whole mesh that it maps") {
  for (const Deal& deal : deals(2)) {
    if (!deal.empty() && deal[0] > 1) {
      continue;
    }
    for (const int dimensions : {2, 3}) {
      for (const Mappings& mappings : {reading, writing, reading_and_writing}) {
        CAPTURE(mappings.reads);
        CAPTURE(mappings.writes);
        CHECK(access(dimensions, mappings, {}, deal) == std::vector<int>(num_vertices, 1));
      }
    }
  }
}

TEST_CASE("without a region several ranks map, and are told what is missing where they ask" *
          on_ranks(3)) {
  for (const Deal& deal : deals(2)) {
    if (deal.empty() || deal[0] == 1) {
      continue;
    }
    const auto mapper = [](const Seat& seat) {
      Participant participant = seat.make();
      std::vector<int> own(1);
      participant.set_mesh_vertices("A-Mesh", place(2.2, 2), own);
      participant.initialize();
      for (double t = 1; participant.is_coupling_ongoing(); ++t) {
        std::vector<double> mapped(1);
        participant.read_data("A-Mesh", "T", own, 1, mapped);
        CHECK(mapped[0] == 2 + 100 * t);
        participant.advance(1);
      }
      std::string said;
      try {
        static_cast<void>(participant.mesh_vertex_size("B-Mesh"));
      } catch (const std::exception& error) {
        said = error.what();
      }
      says(said, "set_mesh_access_region(\"B-Mesh\"");
      participant.finalize();
    };
    static_cast<void>(run(xml(2, reading), {{"A", mapper}, {"B", Provider{2, false}}}, deal));
  }
}

TEST_CASE("a region holds what lies in it, whatever a mapping needs beside it") {
  for (const Deal& deal : deals(2)) {
    const int ranks = deal.empty() ? 1 : deal[0];
    for (const Mappings& mappings : {none, reading, writing, reading_and_writing}) {
      CAPTURE(mappings.reads);
      CAPTURE(mappings.writes);
      const auto counts = access(
          2, mappings,
          [](int, int) {
            return Region{1.5, 4.5, -1, 1};
          },
          deal);
      CHECK(counts == std::vector<int>{0, 0, ranks, ranks, ranks, 0, 0});
      const auto lower = access(
          3, mappings, [](int, int) { return Region{-1, 9, -1, 1, 0.05, 0.25}; }, deal);
      CHECK(lower == std::vector<int>{0, ranks, ranks, 0, 0, 0, 0});
    }
  }
}

TEST_CASE("a vertex on the border of two regions belongs to both, and some hold nothing") {
  for (const Deal& deal : deals(2)) {
    const int ranks = deal.empty() ? 1 : deal[0];
    const auto touching = access(
        2, none,
        [](int rank, int) {
          return Region{3.0 * rank, 3.0 * rank + 3, 0, 0};
        },
        deal);
    for (int v = 0; v < num_vertices; ++v) {
      int expected = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        expected += v >= 3 * rank && v <= 3 * rank + 3 ? 1 : 0;
      }
      CHECK(touching[static_cast<std::size_t>(v)] == expected);
    }
    const auto with_holes = access(
        2, none,
        [](int rank, int) {
          return rank == 0 ? Region{-1, 9, -1, 1} : Region{2.2, 2.4, -1, 1}; // between vertices
        },
        deal);
    CHECK(with_holes == std::vector<int>(num_vertices, 1));
    const auto a_point = access(
        2, none,
        [](int, int) {
          return Region{2, 2, 0, 0};
        },
        deal);
    CHECK(a_point == std::vector<int>{0, 0, ranks, 0, 0, 0, 0});
  }
}

namespace {

const Region box{-1, 9, -1, 1};

struct WrongAccess {
  std::string words;
  std::function<void(Participant&)> call;
  bool initialized;
};

std::vector<WrongAccess> wrong_accesses() {
  return {
      {"set only once",
       [](auto& a) {
         a.set_mesh_access_region("B-Mesh", box), a.set_mesh_access_region("B-Mesh", box);
       },
       false},
      {"before initialize() only", [](auto& a) { a.set_mesh_access_region("B-Mesh", box); }, true},
      {"needs 4 numbers",
       [](auto& a) {
         a.set_mesh_access_region("B-Mesh", Region{0, 1, 2});
       },
       false},
      {"provided", [](auto& a) { a.set_mesh_access_region("A-Mesh", box); }, false},
      {"before initialize()", [](auto& a) { static_cast<void>(a.mesh_vertex_size("B-Mesh")); },
       false},
      {"before initialize()", [](auto& a) { a.mesh_vertex_ids_and_coordinates("B-Mesh", {}, {}); },
       false},
      {"7 vertices",
       [](auto& a) {
         std::vector<int> ids(6);
         std::vector<double> places(12);
         a.mesh_vertex_ids_and_coordinates("B-Mesh", ids, places);
       },
       true},
      {"7 vertices",
       [](auto& a) {
         std::vector<int> ids(7);
         std::vector<double> places(13);
         a.mesh_vertex_ids_and_coordinates("B-Mesh", ids, places);
       },
       true},
      {"provided", [](auto& a) { a.mesh_vertex_ids_and_coordinates("A-Mesh", {}, {}); }, true},
      {"vertex id 7",
       [](auto& a) {
         std::vector<double> value(1);
         a.read_data("B-Mesh", "T", std::vector<int>{7}, 0, value);
       },
       true},
  };
}

} // namespace

TEST_CASE("wrong calls of direct access are told by what they lack" * on_ranks(1, 1)) {
  for (const WrongAccess& call : wrong_accesses()) {
    CAPTURE(call.words);
    const auto accessor = [&](const Seat& seat) {
      Participant participant = seat.make();
      std::vector<int> own(1);
      participant.set_mesh_vertices("A-Mesh", place(1, 2), own);
      std::string said;
      const auto attempt = [&] {
        try {
          call.call(participant);
        } catch (const std::exception& error) {
          said = error.what();
        }
      };
      if (!call.initialized) {
        attempt();
      }
      if (said.find("only once") == std::string::npos) {
        participant.set_mesh_access_region("B-Mesh", box);
      }
      participant.initialize(); // nothing is lost by a wrong call
      if (call.initialized) {
        attempt();
      }
      says(said, call.words);
      while (participant.is_coupling_ongoing()) {
        participant.advance(1);
      }
      participant.finalize();
    };
    static_cast<void>(
        run(xml(2, reading), {{"A", accessor}, {"B", Provider{2, false}}}, in_threads));
  }
}
