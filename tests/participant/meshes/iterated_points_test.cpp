// SPDX-License-Identifier: BSD-3-Clause
// Just-in-time mapping in windows that are repeated, with steps within windows: what is read
// belongs to its iteration and time, what is written replaces that of the last iteration.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

using namespace couple;

namespace {

constexpr int side = 6;   // vertices of B per axis of the unit square
constexpr int points = 9; // of A
constexpr int iterations = 3;
constexpr int windows = 2;
constexpr double radius = 0.4; // of coarse graining

struct Case {
  std::string first = "A";
  std::string kind = "serial-implicit";
  std::string mapping = "nearest-neighbor";

  /// Whether A reads what B has given in this iteration, not in the one before.
  [[nodiscard]] bool a_follows() const { return kind == "serial-implicit" && first == "B"; }
  [[nodiscard]] bool b_follows() const { return kind == "serial-implicit" && first == "A"; }
  [[nodiscard]] bool is_radial() const { return mapping.starts_with("rbf"); }
  /// What all vertices together get of points that write 1.
  [[nodiscard]] double total() const;
  [[nodiscard]] std::string xml() const;
};

std::string Case::xml() const {
  Scheme scheme{.first = first,
                .second = first == "A" ? "B" : "A",
                .kind = kind,
                .max_windows = windows,
                .control = fmt::format("<max-iterations value=\"{}\"/>", iterations)};
  Flow forth{.from = "B",
             .to = "A",
             .data = "T",
             .vector = true,
             .mapping = {.kind = ""},
             .initialize = true,
             .substeps = true};
  Flow back{.from = "A",
            .to = "B",
            .data = "F",
            .vector = true,
            .mapping = {.kind = "", .direction = "write"},
            .substeps = true};
  Scenario scenario{{scheme}, {forth, back}};
  scenario.experimental = true;
  const std::string basis =
      is_radial() ? "<basis-function:compact-polynomial-c4 support-radius=\"0.9\"/>" : "";
  const std::string read = mapping == "coarse-graining" ? "nearest-neighbor" : mapping;
  const std::string more = mapping == read ? "" : fmt::format("radius=\"{}\"", radius);
  scenario.inside["A"] = fmt::format(
      R"(<mapping:{0} direction="read" from="B-Mesh" constraint="consistent">{2}</mapping:{0}>)"
      R"(<mapping:{1} direction="write" to="B-Mesh" constraint="conservative" {3}>{2}</mapping:{1}>)",
      read, mapping, basis, more);
  return scenario.xml();
}

/// Of a vertex or point; linear in its place.
double shape(double x, double y) {
  return 2 + x - 3 * y;
}

std::array<double, 2> vertex(int v) {
  return {v % side / (side - 1.0), v / side / (side - 1.0)};
}

std::array<double, 2> point(int p) {
  return {(p + 0.25) / points, 0.15 + 0.08 * p};
}

double Case::total() const {
  if (mapping != "coarse-graining") {
    return points;
  }
  double sum = 0;
  for (int v = 0; v < side * side; ++v) {
    for (int p = 0; p < points; ++p) {
      const double r = std::hypot(vertex(v)[0] - point(p)[0], vertex(v)[1] - point(p)[1]) / radius;
      sum += r < 1 ? 5 / (std::numbers::pi * radius * radius) * (1 + 3 * r) * std::pow(1 - r, 3)
                   : 0; // Lucy's kernel
    }
  }
  return sum;
}

/// In iteration k of window w, 1 first, so far within it: between what stands at its start, from
/// the last iteration of the window before, and what k gives.
double in_time(int window, int iteration, double part) {
  const auto given = [](int w, int k, double s) { return w == 0 ? 0 : w - 1 + s + 10 * k; };
  const double start = given(window - 1, iterations, 1);
  if (iteration == 0) { // nothing came yet: as it was
    return start;
  }
  return part < 0.5
             ? start + 2 * part * (given(window, iteration, 0.5) - start)
             : given(window, iteration, 0.5) +
                   2 * (part - 0.5) * (given(window, iteration, 1) - given(window, iteration, 0.5));
}

/// Two steps per window. `work`: with the window, the iteration and the part of the window that is
/// done.
template <typename Work>
void step_through(isthmus::Participant& participant, Work&& work) {
  int window = 1;
  int iteration = 1;
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    for (const double done : {0.0, 0.5}) {
      work(window, iteration, done);
      participant.advance(0.5);
    }
    const bool repeated = participant.requires_reading_checkpoint();
    CHECK(repeated == (iteration < iterations));
    iteration = repeated ? iteration + 1 : 1;
    window += repeated ? 0 : 1;
  }
  CHECK(window == windows + 1);
}

/// The second component is another multiple.
std::vector<double> vectors(const std::vector<double>& shapes, double factor) {
  std::vector<double> result;
  for (const double value : shapes) {
    result.insert(result.end(), {value * factor, -3 * value * factor});
  }
  return result;
}

void provide(const Case& one, const Seat& seat) {
  isthmus::Participant participant = seat.make();
  std::vector<double> positions;
  std::vector<double> shapes;
  for (int v = seat.launch.rank; v < side * side; v += seat.launch.size) {
    const auto [x, y] = vertex(v);
    positions.insert(positions.end(), {x, y});
    shapes.push_back(shape(x, y));
  }
  std::vector<isthmus::VertexId> ids(shapes.size());
  participant.set_mesh_vertices("B-Mesh", positions, ids);
  CHECK(participant.requires_initial_data());
  participant.write_data("B-Mesh", "T", ids, std::vector<double>(2 * ids.size(), 0));
  participant.initialize();
  std::vector<double> forces(2 * ids.size());
  step_through(participant, [&](int window, int iteration, double done) {
    for (const double part : {0.0, 0.2}) {
      participant.read_data("B-Mesh", "F", ids, part, forces);
      std::vector<double> sum(3);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        sum[0] += forces[2 * i];
        sum[1] += forces[2 * i + 1];
      }
      const int seen = one.b_follows() ? iteration : iteration - 1;
      sum[2] = in_time(window, seen, done + part) / seat.launch.size;
      seat.put("force", ((window * 10 + iteration) * 10 + int(2 * done)) * 10 + int(10 * part),
               sum);
    }
    const double factor = in_time(window, iteration, done + 0.5);
    participant.write_data("B-Mesh", "T", ids, vectors(shapes, factor));
  });
  participant.finalize();
}

/// Points of a rank lie in its strip; on vertices where the nearest one is taken.
void map_points(const Case& one, const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const double low = double(seat.launch.rank) / seat.launch.size;
  const double high = double(seat.launch.rank + 1) / seat.launch.size;
  participant.set_mesh_access_region("B-Mesh", std::vector{low, high, 0.0, 1.0});
  std::vector<double> places;
  std::vector<double> shapes;
  for (int p = 0; p < points; ++p) {
    const auto [x, y] = point(p);
    if (x >= low && x < high) {
      places.insert(places.end(), {x, y});
      const auto snap = [&one](double at) {
        return one.is_radial() ? at : std::round(at * (side - 1)) / (side - 1);
      };
      shapes.push_back(shape(snap(x), snap(y)));
    }
  }
  participant.initialize();
  step_through(participant, [&](int window, int iteration, double done) {
    const int seen = one.a_follows() ? iteration : iteration - 1;
    for (const double part : {0.0, 0.2, 0.5}) {
      std::vector<double> values(2 * shapes.size());
      participant.map_and_read_data("B-Mesh", "T", places, part, values);
      const std::vector<double> exact = vectors(shapes, in_time(window, seen, done + part));
      for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(values[i] == doctest::Approx(exact[i]).epsilon(1e-9));
      }
    }
    const double factor = in_time(window, iteration, done + 0.5);
    std::vector<double> forces(2 * shapes.size(), factor);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      forces[2 * i + 1] = -2 * factor;
    }
    participant.write_and_map_data("B-Mesh", "F", places, forces);
  });
  participant.finalize();
}

/// Of all ranks together, whatever they are dealt.
void check_forces(const Table& table, double total) {
  std::map<int, std::vector<double>> sums;
  for (const auto& [moment, sum] : table.at("force")) {
    std::vector<double>& all = sums[moment];
    all.resize(3);
    for (std::size_t c = 0; c < 3; ++c) {
      all[c] += sum[c];
    }
  }
  CHECK(sums.size() == windows * iterations * 4);
  for (const auto& [moment, sum] : sums) {
    CAPTURE(moment);
    CHECK(sum[0] == doctest::Approx(total * sum[2]).epsilon(1e-9));
    CHECK(sum[1] == doctest::Approx(-2 * total * sum[2]).epsilon(1e-9));
  }
}

} // namespace

TEST_CASE("points are mapped in each iteration and at each time of a window that is repeated") {
  for (const std::string mapping :
       {"nearest-neighbor", "rbf", "rbf-pum-direct", "coarse-graining"}) {
    for (const Case& one :
         {Case{"A", "serial-implicit", mapping}, Case{"B", "serial-implicit", mapping},
          Case{"A", "parallel-implicit", mapping}}) {
      CAPTURE(mapping);
      CAPTURE(one.first);
      CAPTURE(one.kind);
      for (const Deal& deal : deals(2)) {
        check_forces(run(one.xml(),
                         {{"A", [&](const Seat& seat) { map_points(one, seat); }},
                          {"B", [&](const Seat& seat) { provide(one, seat); }}},
                         deal),
                     one.total());
      }
    }
  }
}
