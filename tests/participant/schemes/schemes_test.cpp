// SPDX-License-Identifier: BSD-3-Clause
// What solvers read at every moment of a coupled run, for each kind of explicit scheme.
#include "participant/setup/timeline.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace couple;

namespace {

Flow flow(const std::string& from, const std::string& to) {
  return {from, to, "Of-" + from};
}

Flow initialized(Flow flow) {
  flow.initialize = true;
  return flow;
}

Flow with_substeps(Flow flow) {
  flow.substeps = true;
  return flow;
}

struct Reading {
  std::string series;
  Expected expected;
};

struct Case {
  std::string name;
  Scenario scenario;
  std::vector<Actor> actors;
  std::vector<Reading> readings;
};

void check_cases(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    for (const Deal& deal : deals(static_cast<int>(one.actors.size()))) {
      CAPTURE(one.name);
      const Table table = timeline(one.scenario, one.actors, deal);
      for (const Reading& reading : one.readings) {
        CHECK(mismatch(table, reading.series, reading.expected) == "");
      }
    }
  }
}

const Windows three{{0, 1, 2, 3}};
const std::vector<Actor> a_and_b{{"A", of_a}, {"B", of_b}};

} // namespace

TEST_CASE("a parallel scheme hands over what the partner had at the end of the last window") {
  const Scheme scheme{"A", "B", "parallel-explicit", 1, 3};
  Flow vector = initialized(flow("A", "B"));
  vector.vector = true;
  vector.meshes.dimensions = 3;
  Flow back = flow("B", "A");
  back.meshes.dimensions = 3;
  check_cases({
      {"no initial data",
       {{scheme}, {flow("A", "B"), flow("B", "A")}},
       a_and_b,
       {{"B/Of-A", three.held(of_a)}, {"A/Of-B", three.held(of_b)}}},
      {"initial data both ways",
       {{scheme}, {initialized(flow("A", "B")), initialized(flow("B", "A"))}},
       a_and_b,
       {{"B/Of-A", three.held(of_a, of_a(0))}, {"A/Of-B", three.held(of_b, of_b(0))}}},
      {"initial data one way, vectors in 3D",
       {{scheme}, {vector, back}},
       a_and_b,
       {{"B/Of-A", three.held(of_a, of_a(0))}, {"A/Of-B", three.held(of_b)}}},
      {"one way", {{scheme}, {flow("B", "A")}}, a_and_b, {{"A/Of-B", three.held(of_b)}}},
      {"subcycling on both sides, with and without substeps",
       {{scheme}, {with_substeps(flow("A", "B")), flow("B", "A")}},
       {{"A", of_a, 0.25}, {"B", of_b, 0.3}},
       {{"B/Of-A", three.held(of_a)}, {"A/Of-B", three.held(of_b)}}},
  });
}

TEST_CASE("the second participant of a serial scheme sees the window that the first has computed") {
  const Scheme scheme{"A", "B", "serial-explicit", 1, 3};
  check_cases({
      {"no initial data",
       {{scheme}, {flow("A", "B"), flow("B", "A")}},
       a_and_b,
       {{"B/Of-A", three.linear(of_a)}, {"A/Of-B", three.held(of_b)}}},
      {"initial data of the first",
       {{scheme}, {initialized(flow("A", "B")), flow("B", "A")}},
       a_and_b,
       {{"B/Of-A", three.linear(of_a, of_a(0))}, {"A/Of-B", three.held(of_b)}}},
      {"initial data of the second",
       {{scheme}, {flow("A", "B"), initialized(flow("B", "A"))}},
       a_and_b,
       {{"B/Of-A", three.linear(of_a)}, {"A/Of-B", three.held(of_b, of_b(0))}}},
      {"initial data both ways, subcycling",
       {{scheme}, {initialized(flow("A", "B")), initialized(flow("B", "A"))}},
       {{"A", of_a, 0.4}, {"B", of_b, 0.3}},
       {{"B/Of-A", three.linear(of_a, of_a(0))}, {"A/Of-B", three.held(of_b, of_b(0))}}},
      {"one way, forward", {{scheme}, {flow("A", "B")}}, a_and_b, {{"B/Of-A", three.linear(of_a)}}},
      {"one way, backward", {{scheme}, {flow("B", "A")}}, a_and_b, {{"A/Of-B", three.held(of_b)}}},
  });
}

TEST_CASE("initial data goes through write mappings") {
  Flow forth = initialized(flow("A", "B"));
  Flow back = initialized(flow("B", "A"));
  forth.mapping.direction = back.mapping.direction = "write";
  check_cases({
      {"parallel",
       {{{"A", "B", "parallel-explicit", 1, 3}}, {forth, back}},
       a_and_b,
       {{"B/Of-A", three.held(of_a, of_a(0))}, {"A/Of-B", three.held(of_b, of_b(0))}}},
      {"serial",
       {{{"A", "B", "serial-explicit", 1, 3}}, {forth, back}},
       a_and_b,
       {{"B/Of-A", three.linear(of_a, of_a(0))}, {"A/Of-B", three.held(of_b, of_b(0))}}},
  });
}

TEST_CASE("the end of a run") {
  const Windows cut{{0, 0.4, 0.8, 1}};
  const Windows two{{0, 0.5, 1}};
  const std::vector<Flow> flows{flow("A", "B"), flow("B", "A")};
  check_cases({
      {"max-time cuts the last window",
       {{{"A", "B", "serial-explicit", 0.4, 1}}, flows},
       a_and_b,
       {{"B/Of-A", cut.linear(of_a)}, {"A/Of-B", cut.held(of_b)}}},
      {"max-time cuts the last window, parallel",
       {{{"A", "B", "parallel-explicit", 0.4, 1}}, flows},
       a_and_b,
       {{"B/Of-A", cut.held(of_a)}, {"A/Of-B", cut.held(of_b)}}},
      {"max-time-windows",
       {{{"A", "B", "serial-explicit", 0.5, 0, 2}}, flows},
       a_and_b,
       {{"B/Of-A", two.linear(of_a)}, {"A/Of-B", two.held(of_b)}}},
      {"whichever comes first",
       {{{"A", "B", "parallel-explicit", 0.5, 10, 2}}, flows},
       a_and_b,
       {{"B/Of-A", two.held(of_a)}, {"A/Of-B", two.held(of_b)}}},
  });
}

TEST_CASE("the first participant sets the windows with its steps") {
  const Windows steps{{0, 0.35, 0.7, 1}};
  check_cases({
      {"max-time",
       {{{"A", "B", "serial-explicit", 0, 1}}, {flow("A", "B"), flow("B", "A")}},
       {{"A", of_a, 0.35}, {"B", of_b, 0.2}},
       {{"B/Of-A", steps.linear(of_a)}, {"A/Of-B", steps.held(of_b)}}},
      {"max-time-windows",
       {{{"A", "B", "serial-explicit", 0, 0, 3}},
        {initialized(flow("A", "B")), initialized(flow("B", "A"))}},
       {{"A", of_a, 1}, {"B", of_b}},
       {{"B/Of-A", three.linear(of_a, of_a(0))}, {"A/Of-B", three.held(of_b, of_b(0))}}},
  });
}

TEST_CASE("waveforms") {
  const auto power = [](int n) { return [n](double t) { return 3 + std::pow(t, n); }; };
  for (int degree = 0; degree <= 3; ++degree) {
    CAPTURE(degree);
    Flow forth = initialized(flow("A", "B"));
    forth.degree = degree;
    forth.substeps = degree > 0;
    const Function f = power(degree);
    const Expected exact = [f](double t, double relative_time) { return f(t + relative_time); };
    check_cases({{"polynomials of the degree are exact with substeps",
                  {{{"A", "B", "serial-explicit", 1, 3}}, {forth, flow("B", "A")}},
                  {{"A", f, 0.25}, {"B", of_b, 0.4}},
                  {{"B/Of-A", exact}, {"A/Of-B", three.held(of_b)}}}});
  }
  Flow constant = flow("A", "B");
  constant.degree = 0;
  check_cases({{"degree 0 steps to the end of the window",
                {{{"A", "B", "serial-explicit", 1, 3}}, {constant}},
                a_and_b,
                {{"B/Of-A", three.stepwise(of_a)}}}});
}

TEST_CASE("several schemes of one participant" * on_ranks_for(3)) {
  const auto parallel = [](const char* first, const char* second) {
    return Scheme{first, second, "parallel-explicit", 1, 3};
  };
  const auto serial = [](const char* first, const char* second) {
    return Scheme{first, second, "serial-explicit", 1, 3};
  };
  const std::vector<Actor> all{{"A", of_a}, {"B", of_b}, {"C", of_c}};
  const auto flows = [](std::initializer_list<const char*> pairs) { // "AB": from A to B and back
    std::vector<Flow> result;
    for (const char* pair : pairs) {
      const std::string one(1, pair[0]);
      const std::string other(1, pair[1]);
      result.push_back({one, other, "Of-" + one + "-to-" + other});
      result.push_back({other, one, "Of-" + other + "-to-" + one});
    }
    return result;
  };
  check_cases({
      {"serial chain",
       {{serial("A", "B"), serial("B", "C")}, flows({"AB", "BC"})},
       all,
       {{"B/Of-A-to-B", three.linear(of_a)},
        {"A/Of-B-to-A", three.held(of_b)},
        {"C/Of-B-to-C", three.linear(of_b)},
        {"B/Of-C-to-B", three.held(of_c)}}},
      {"mixed star",
       {{parallel("B", "A"), serial("B", "C")}, flows({"AB", "BC"})},
       all,
       {{"B/Of-A-to-B", three.held(of_a)},
        {"A/Of-B-to-A", three.held(of_b)},
        {"C/Of-B-to-C", three.linear(of_b)},
        {"B/Of-C-to-B", three.held(of_c)}}},
      {"parallel ring",
       {{parallel("A", "B"), parallel("B", "C"), parallel("C", "A")}, flows({"AB", "BC", "CA"})},
       all,
       {{"B/Of-A-to-B", three.held(of_a)},
        {"C/Of-B-to-C", three.held(of_b)},
        {"A/Of-C-to-A", three.held(of_c)},
        {"C/Of-A-to-C", three.held(of_a)}}},
      {"one field for two readers",
       {{parallel("A", "B"), parallel("A", "C")}, {flow("A", "B"), flow("A", "C")}},
       all,
       {{"B/Of-A", three.held(of_a)}, {"C/Of-A", three.held(of_a)}}},
      {"one field whose initial values go to one of its readers",
       {{serial("A", "B"), parallel("A", "C"), serial("A", "D")},
        {initialized(flow("A", "B")), flow("A", "C"), flow("A", "D")}},
       {{"A", of_a}, {"B", of_b}, {"C", of_c}, {"D", of_c}},
       {{"B/Of-A", three.linear(of_a, of_a(0))},
        {"C/Of-A", three.held(of_a)},
        {"D/Of-A", three.linear(of_a)}}},
  });
}

TEST_CASE("two schemes between the same participants") {
  const auto in_scheme = [](int number, const char* from, const char* to, const char* data) {
    Flow result{from, to, data};
    result.scheme = number;
    return result;
  };
  const std::vector<Flow> flows{in_scheme(0, "A", "B", "T1"), in_scheme(0, "B", "A", "F1"),
                                initialized(in_scheme(1, "A", "B", "T2")),
                                initialized(in_scheme(1, "B", "A", "F2"))};
  const Windows small{{0, 0.5, 1, 1.5, 2}};
  const Windows large{{0, 1, 2}};
  check_cases({
      {"both led by the first",
       {{{"A", "B", "serial-explicit", 1, 3}, {"A", "B", "serial-explicit", 1, 3}}, flows},
       {{"A", of_a}, {"B", of_b, 0.4}},
       {{"B/T1", three.linear(of_a)},
        {"B/T2", three.linear(of_a, of_a(0))},
        {"A/F1", three.held(of_b)},
        {"A/F2", three.held(of_b, of_b(0))}}},
      {"parallel, named in two orders",
       {{{"A", "B", "parallel-explicit", 1, 3}, {"B", "A", "parallel-explicit", 1, 3}}, flows},
       {{"A", of_a}, {"B", of_b, 0.5}},
       {{"B/T1", three.held(of_a)},
        {"B/T2", three.held(of_a, of_a(0))},
        {"A/F1", three.held(of_b)},
        {"A/F2", three.held(of_b, of_b(0))}}},
      {"serial and parallel",
       {{{"A", "B", "serial-explicit", 1, 3}, {"A", "B", "parallel-explicit", 1, 3}}, flows},
       a_and_b,
       {{"B/T1", three.linear(of_a)},
        {"B/T2", three.held(of_a, of_a(0))},
        {"A/F1", three.held(of_b)},
        {"A/F2", three.held(of_b, of_b(0))}}},
      {"parallel and serial",
       {{{"A", "B", "parallel-explicit", 1, 3}, {"A", "B", "serial-explicit", 1, 3}}, flows},
       a_and_b,
       {{"B/T1", three.held(of_a)},
        {"B/T2", three.linear(of_a, of_a(0))},
        {"A/F1", three.held(of_b)},
        {"A/F2", three.held(of_b, of_b(0))}}},
      {"windows of different sizes",
       {{{"A", "B", "serial-explicit", 0.5, 2}, {"A", "B", "parallel-explicit", 1, 2}}, flows},
       {{"A", of_a}, {"B", of_b}},
       {{"B/T1", small.linear(of_a)}, {"A/F1", small.held(of_b)}}},
      {"windows of different sizes, parallel",
       {{{"A", "B", "parallel-explicit", 0.5, 2}, {"B", "A", "parallel-explicit", 1, 2}}, flows},
       a_and_b,
       {{"B/T1", small.held(of_a)},
        {"B/T2", large.held(of_a, of_a(0))},
        {"A/F1", small.held(of_b)},
        {"A/F2", large.held(of_b, of_b(0))}}},
  });
}

TEST_CASE("windows that end together but for rounding take no step of their own" *
          on_ranks_for(3)) {
  const Windows small{{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}};
  const Windows large{{0, 0.3, 0.6, 0.9}};
  const Scenario scenario{
      {{"A", "B", "serial-explicit", 0.1, 0, 9}, {"C", "A", "parallel-explicit", 0.3, 0.9}},
      {flow("A", "B"), flow("B", "A"), flow("A", "C"), flow("C", "A")}};
  for (const Deal& deal : deals(3)) {
    const Table table = timeline(scenario, {{"A", of_a}, {"B", of_b}, {"C", of_c}}, deal);
    CHECK(mismatch(table, "B/Of-A", small.linear(of_a)) == "");
    CHECK(mismatch(table, "A/Of-B", small.held(of_b)) == "");
    CHECK(mismatch(table, "C/Of-A", large.held(of_a)) == "");
    CHECK(mismatch(table, "A/Of-C", large.held(of_c)) == "");
    for (const auto& [participant, count] :
         {std::pair("A", 9), std::pair("B", 9), std::pair("C", 3)}) {
      CHECK(table.at(std::string(participant) + "/steps").begin()->second.size() == 2U * count);
    }
  }
}

TEST_CASE("schemes with windows of different sizes and ends" * on_ranks_for(3)) {
  const std::vector<Actor> all{{"A", of_a}, {"B", of_b}, {"C", of_c}};
  const Windows small{{0, 0.5, 1, 1.5, 2}};
  const Windows large{{0, 2, 4}};
  const Flow samples = with_substeps(initialized(flow("A", "C")));
  const auto square = [](double t) { return t * t; };
  check_cases({
      {"the first of both",
       {{{"A", "B", "parallel-explicit", 0.5, 2}, {"A", "C", "serial-explicit", 2, 4}},
        {flow("A", "B"), flow("B", "A"), {"A", "C", "More"}, flow("C", "A")}},
       all,
       {{"B/Of-A", small.held(of_a)},
        {"A/Of-B", small.held(of_b)},
        {"C/More", large.linear(of_a)},
        {"A/Of-C", large.held(of_c)}}},
      {"one field, samples of the longer window outlive the shorter one",
       {{{"A", "B", "serial-explicit", 0.5, 2}, {"A", "C", "serial-explicit", 2, 2}},
        {initialized(flow("A", "B")), samples}},
       {{"A", square}, {"B", of_b}, {"C", of_c, 0.3}},
       {{"B/Of-A", small.linear(square)}, {"C/Of-A", small.piecewise(square)}}},
  });
}
