// SPDX-License-Identifier: BSD-3-Clause
#include "flow/program/case.hpp"
#include "flow/program/rigid_motion.hpp"
#include "flows.hpp"
#include "message_of.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <string>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

/// 36 points, dealt to the ranks in turn.
std::vector<Vector> body(const comm::Comm& comm) {
  std::vector<Vector> points;
  for (int n = comm.rank(); n < 36; n += comm.size()) {
    const double angle = 0.7 * n;
    points.push_back({2 + std::cos(angle), 0.3 * std::sin(angle), 0.1 * angle});
  }
  return points;
}

/// How far points move when a body turns about `pivot` and is shifted.
std::vector<Vector> moved(const std::vector<Vector>& points, const Vector& pivot,
                          const Place& place) {
  std::vector<Vector> result;
  for (const Vector& p : points) {
    const double x = p[0] - pivot[0];
    const double y = p[1] - pivot[1];
    const double c = std::cos(place.angle);
    const double s = std::sin(place.angle);
    result.push_back(
        {c * x - s * y - x + place.shift[0], s * x + c * y - y + place.shift[1], place.shift[2]});
  }
  return result;
}

const std::string coupled = R"([flow]
mach = 0.2
[grid]
shape = "cylinder"
)" + wall_and_far("cylinder", R"("*:j-max")") +
                            R"([time]
kind = "dual"
[coupling]
configuration = "config.xml"
boundary = "cylinder"
length = 0.1
speed = 3
)";

std::string refusal(const std::string& text) {
  std::ofstream("case.toml") << text;
  return message_of([] { static_cast<void>(read_case("case.toml")); });
}

std::string with(std::string text, const std::string& old, const std::string& now) {
  return text.replace(text.find(old), old.size(), now);
}

} // namespace

TEST_CASE("the motion of a rigid body is found from its points, with the same bits on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::vector<Vector> points = body(comm);
  const Vector pivot{0.25, -1, 0};
  for (const double angle : {0.0, 0.3, -2.8}) {
    const Place place{{0.4, -0.2, 0.1}, angle};
    const Place found = fit_place(comm, points, pivot, moved(points, pivot, place));
    CHECK(found.angle == doctest::Approx(angle).epsilon(1e-12));
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(found.shift[c] == doctest::Approx(place.shift[c]).epsilon(1e-11));
    }
    const comm::Comm alone;
    const std::vector<Vector> all = body(alone);
    const Place serial = fit_place(alone, all, pivot, moved(all, pivot, place));
    CHECK(found.angle == serial.angle);
    CHECK(found.shift == serial.shift);
  }
}

TEST_CASE("displacements of no rigid body are refused on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::vector<Vector> points = body(comm);
  std::vector<Vector> stretched;
  for (const Vector& p : points) {
    stretched.push_back({0.01 * p[0], 0, 0});
  }
  CHECK(message_of([&] {
          static_cast<void>(fit_place(comm, points, {}, stretched));
        }).starts_with("the displacements that were read are those of no rigid body"));
}

TEST_CASE("a body that swings and turns has the velocity of its motion, to second order") {
  constexpr double step = 0.01;
  Track track;
  const auto at = [](double t) { return Place{{0, std::sin(t), 0}, 0.5 * t}; };
  for (int n = 1; n <= 3; ++n) {
    track.begin_step();
    track.set(at(n * step));
  }
  const Attitude found = track.attitude(0.1, step);
  const double angle = 0.5 * 3 * step;
  CHECK(found.incidence == doctest::Approx(0.1 - angle));
  CHECK(found.turning_speed == doctest::Approx(0.5));
  CHECK(found.velocity[0] == doctest::Approx(std::sin(angle) * std::cos(3 * step)).epsilon(1e-4));
  CHECK(found.velocity[1] == doctest::Approx(std::cos(angle) * std::cos(3 * step)).epsilon(1e-4));
  Track first; // from rest: what it has moved over the step
  first.begin_step();
  first.set({{0.02, 0, 0}, 0});
  CHECK(first.attitude(0, step).velocity[0] == doctest::Approx(2));
}

TEST_CASE("a coupled case takes its names and units, and refuses what the partner decides") {
  const WorkingFolder folder;
  CHECK(refusal(coupled) == "no error");
  const Case read = read_case("case.toml");
  CHECK(read.coupling.boundary == 0);
  CHECK(read.coupling.speed == 3);
  CHECK(read.coupling.participant == "Fluid");
  CHECK(refusal(with(coupled, "boundary = \"cylinder\"", "boundary = \"cylindre\"")) ==
        "case.toml:17: \"boundary\" of [coupling] cannot be \"cylindre\"; did you mean "
        "\"cylinder\"? Known: cylinder");
  CHECK(refusal(with(coupled, "configuration = \"config.xml\"", "")) ==
        "case.toml:15: [coupling] needs \"configuration\"");
  CHECK(refusal(with(coupled, "\"dual\"", "\"steady\""))
            .starts_with("case.toml:14: a coupled flow is one in time"));
  CHECK(refusal(with(coupled, "\"dual\"", "\"dual\"\nstep = 0.1"))
            .starts_with("case.toml:15: \"step\" of a coupled flow is what the configuration"));
  CHECK(refusal(coupled + "[motion]\namplitude = 2\n")
            .starts_with("case.toml:21: the partner moves the grid"));
}

TEST_CASE("a body that pitches and plunges has the velocity of its path, across the free stream") {
  Motion motion;
  motion.mean = 0.1;
  motion.amplitude = 0.4;
  motion.frequency = 0.3;
  motion.plunge = 0.8;
  motion.phase = 1.2;
  constexpr double h = 1e-5;
  for (const double time : {0.0, 2.0, 9.0}) {
    const Attitude now = motion.at(time);
    const auto place = [&](double t) {
      return motion.plunge * std::sin(motion.frequency * t + motion.phase);
    };
    const double speed = (place(time + h) - place(time - h)) / (2 * h);
    const double turning =
        (motion.at(time + h).incidence - motion.at(time - h).incidence) / (2 * h);
    CHECK(now.turning_speed == doctest::Approx(-turning));
    const double c = std::cos(now.incidence);
    const double s = std::sin(now.incidence);
    CHECK(c * now.velocity[1] - s * now.velocity[0] == doctest::Approx(speed)); // as lift
    CHECK(c * now.velocity[0] + s * now.velocity[1] == doctest::Approx(0));     // as drag
  }
}
