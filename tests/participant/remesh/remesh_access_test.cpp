// SPDX-License-Identifier: BSD-3-Clause
// Who maps just in time, accesses a received mesh and maps it as usual, too, while its own mesh,
// the received one, or both are reset.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_vertices = 8; // of B, at x = 0, 1, 2, …
constexpr int num_windows = 5;

/// A maps T and G between B's mesh and its own, S and F just in time, and accesses U and H.
std::string xml(const std::string& kind, bool radial) {
  Scheme scheme{.first = "A", .second = "B", .kind = kind, .max_windows = num_windows};
  scheme.control = scheme.is_implicit() ? "<max-iterations value=\"2\"/>" : "";
  const FlowMapping accessed{.kind = ""};
  const FlowMapping written{.kind = "", .direction = "write"};
  Scenario scenario{{scheme},
                    {{.from = "B", .to = "A", .data = "T"},
                     {.from = "B", .to = "A", .data = "S", .mapping = accessed},
                     {.from = "B", .to = "A", .data = "U", .mapping = accessed},
                     {.from = "A",
                      .to = "B",
                      .data = "G",
                      .mapping = {.direction = "write", .constraint = "conservative"}},
                     {.from = "A", .to = "B", .data = "F", .mapping = written},
                     {.from = "A", .to = "B", .data = "H", .mapping = written}}};
  scenario.remeshing = true;
  const std::string inside =
      R"(<mapping:{0} direction="read" from="B-Mesh" constraint="consistent">{1}</mapping:{0}>)"
      R"(<mapping:{0} direction="write" to="B-Mesh" constraint="conservative">{1}</mapping:{0}>)";
  scenario.inside["A"] =
      fmt::format(fmt::runtime(inside), radial ? "rbf-pum-direct" : "nearest-neighbor",
                  radial ? R"(<basis-function:compact-polynomial-c4 support-radius="3"/>)" : "");
  return scenario.xml();
}

/// What either gives in a window, data being numbered from 1.
double given(int data, double vertex, int window) {
  return data * vertex + 100 * window;
}

bool resets(const std::string& participant, int window) {
  return window == 4 || (participant == "A" ? window == 2 || window == 5 : window == 3);
}

/// The vertices stay where they are, but are with other ranks, in another order.
std::vector<int> part_of_b(const isthmus::Launch& launch, int window) {
  std::vector<int> part;
  for (int v = 0; v < num_vertices; ++v) {
    if ((v + window) % launch.size == launch.rank) {
      part.push_back(v);
    }
  }
  std::rotate(part.begin(), part.begin() + window % std::ssize(part), part.end());
  return part;
}

void write(isthmus::Participant& participant, const std::string& mesh, const std::string& name,
           const std::vector<isthmus::VertexId>& ids, const std::vector<double>& values) {
  participant.write_data(mesh, name, ids, values);
}

std::vector<double> all_given(int data, const std::vector<int>& vertices, int window) {
  std::vector<double> values;
  for (const int v : vertices) {
    values.push_back(given(data, v, window));
  }
  return values;
}

void provide(const Seat& seat, bool radial) {
  isthmus::Participant participant = seat.make();
  std::vector<int> part;
  std::vector<isthmus::VertexId> ids;
  const auto define = [&](int window) {
    part = part_of_b(seat.launch, window);
    std::vector<double> places;
    for (const int v : part) {
      places.insert(places.end(), {1.0 * v, 0.0});
    }
    ids.resize(part.size());
    participant.set_mesh_vertices("B-Mesh", places, ids);
  };
  define(1);
  participant.initialize();
  bool repeats = false;
  for (int window = 1; participant.is_coupling_ongoing(); window += repeats ? 0 : 1) {
    static_cast<void>(participant.requires_writing_checkpoint());
    if (!repeats && resets("B", window)) {
      participant.reset_mesh("B-Mesh");
      define(window);
    }
    for (const auto& [data, name] : {std::pair(1, "T"), {2, "S"}, {3, "U"}}) {
      write(participant, "B-Mesh", name, ids, all_given(data, part, window));
    }
    participant.advance(1);
    repeats = participant.requires_reading_checkpoint();
    for (const auto& [data, name] : {std::pair(4, "G"), {5, "F"}, {6, "H"}}) {
      std::vector<double> values(ids.size());
      participant.read_data("B-Mesh", name, ids, repeats ? 1 : 0, values);
      if (data == 5 && radial) { // spread over vertices around
        for (std::size_t i = 0; !repeats && i < values.size(); ++i) {
          seat.put("F", window, {values[i]});
        }
      } else {
        CHECK(values == all_given(data, part, window));
      }
    }
  }
  participant.finalize();
}

/// One rank of A. It maps and accesses a block of the line; its own mesh has a vertex near each of
/// another block from time to time.
class Looker {
 public:
  Looker(const Seat& seat, bool radial)
      : participant_(seat.make()),
        is_radial_(radial),
        rank_(seat.launch.rank),
        size_(seat.launch.size) {
    block_ = block(rank_);
    participant_.set_mesh_access_region(
        "B-Mesh", std::vector<double>{block_.front() - 0.3, block_.back() + 0.3, -1, 1});
    define(1);
    participant_.initialize();
    look();
  }

  void run() {
    bool repeats = false;
    for (int window = 1; participant_.is_coupling_ongoing(); window += repeats ? 0 : 1) {
      static_cast<void>(participant_.requires_writing_checkpoint());
      if (!repeats && resets("A", window)) {
        participant_.reset_mesh("A-Mesh");
        define(window);
      }
      write(participant_, "A-Mesh", "G", own_ids_, all_given(4, own_, window));
      participant_.write_and_map_data("B-Mesh", "F", points(), all_given(5, block_, window));
      write(participant_, "B-Mesh", "H", ids_, all_given(6, seen_, window));
      participant_.advance(1);
      repeats = participant_.requires_reading_checkpoint();
      look();
      read(window, repeats ? 1 : 0);
    }
    participant_.finalize();
  }

 private:
  [[nodiscard]] std::vector<int> block(int number) const {
    std::vector<int> vertices;
    for (int v = 0; v < num_vertices; ++v) {
      if (v * size_ / num_vertices == number) {
        vertices.push_back(v);
      }
    }
    return vertices;
  }

  void define(int window) {
    own_ = block((rank_ + window) % size_);
    std::reverse(own_.begin(), own_.begin() + window % std::ssize(own_));
    std::vector<double> places;
    for (const int v : own_) {
      places.insert(places.end(), {v + 0.1 * (window % 4), -0.1});
    }
    own_ids_.resize(own_.size());
    participant_.set_mesh_vertices("A-Mesh", places, own_ids_);
  }

  void look() {
    ids_.resize(static_cast<std::size_t>(participant_.mesh_vertex_size("B-Mesh")));
    std::vector<double> places(2 * ids_.size());
    participant_.mesh_vertex_ids_and_coordinates("B-Mesh", ids_, places);
    seen_.clear();
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      seen_.push_back(static_cast<int>(places[2 * i]));
    }
    std::vector<int> sorted = seen_;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == block_);
  }

  [[nodiscard]] std::vector<double> points() const {
    std::vector<double> places;
    for (const int v : block_) {
      places.insert(places.end(), {v + 0.2, 0.3});
    }
    return places;
  }

  void read(int window, double when) const {
    std::vector<double> t(own_ids_.size());
    participant_.read_data("A-Mesh", "T", own_ids_, when, t);
    CHECK(t == all_given(1, own_, window));
    std::vector<double> s(block_.size());
    participant_.map_and_read_data("B-Mesh", "S", points(), when, s);
    for (std::size_t i = 0; i < s.size(); ++i) { // radial functions keep linear ones
      const double x = block_[i] + (is_radial_ ? 0.2 : 0.0);
      CHECK(s[i] == doctest::Approx(given(2, x, window)).epsilon(1e-9));
    }
    std::vector<double> u(ids_.size());
    participant_.read_data("B-Mesh", "U", ids_, when, u);
    CHECK(u == all_given(3, seen_, window));
  }

  isthmus::Participant participant_;
  bool is_radial_;
  int rank_;
  int size_;
  std::vector<int> block_; // vertices of B in the region
  std::vector<int> own_;   // those that the own ones are near to
  std::vector<isthmus::VertexId> own_ids_;
  std::vector<int> seen_; // the block in the order of its ids
  std::vector<isthmus::VertexId> ids_;
};

} // namespace

TEST_CASE("access, points and usual mappings of one mesh follow resets of either side") {
  for (const std::string kind : {"parallel-explicit", "parallel-implicit"}) {
    for (const bool radial : {false, true}) {
      CAPTURE(kind);
      CAPTURE(radial);
      const Role looker{"A", [radial](const Seat& seat) { Looker(seat, radial).run(); }};
      const Role provider{"B", [radial](const Seat& seat) { provide(seat, radial); }};
      for (const Deal& deal : deals(2)) {
        const Table table = run(xml(kind, radial), {looker, provider}, deal);
        for (int window = 1; radial && window <= num_windows; ++window) {
          const auto [first, last] = table.at("F").equal_range(window);
          const double sum = std::accumulate(
              first, last, 0.0,
              [](double all, const auto& of_vertex) { return all + of_vertex.second[0]; });
          CHECK(sum == doctest::Approx(5 * 28 + 8 * 100 * window)); // of all points
        }
      }
    }
  }
}
