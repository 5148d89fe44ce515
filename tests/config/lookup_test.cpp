// SPDX-License-Identifier: BSD-3-Clause
// Questions to a coupled run as plain data, made without a file.
#include "isthmus/base/error.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/config/named.hpp"

#include <doctest/doctest.h>

using namespace isthmus::config;

namespace {

Participant participant(const std::string& name) {
  Participant result;
  result.name = name;
  return result;
}

M2N m2n(const std::string& acceptor, const std::string& connector) {
  M2N result;
  result.acceptor = acceptor;
  result.connector = connector;
  return result;
}

/// A gives MA with P to B and to C.
Configuration run() {
  Configuration all;
  Data pressure;
  pressure.name = "P";
  all.data = {pressure};
  all.meshes = {{"MA", 2, {"P"}, 3}, {"MB", 2, {}, 4}};
  all.participants = {participant("A"), participant("B"), participant("C")};
  all.participants[0].provided = {{"MA", 5}};
  all.participants[0].written = {{"P", "MA", 6}};
  all.participants[1].provided = {{"MB", 7}};
  all.participants[1].received = {{"MA", "A"}};
  all.participants[1].read = {{"P", "MB", 8}};
  all.m2ns = {m2n("B", "A"), m2n("A", "C")};
  return all;
}

} // namespace

TEST_CASE("what is asked for by name is the one in the list, or nothing") {
  const Configuration all = run();
  CHECK(all.find_data("P") == &all.data[0]);
  CHECK(all.find_data("p") == nullptr);
  CHECK(all.find_mesh("MB") == &all.meshes[1]);
  CHECK(all.find_mesh("") == nullptr);
  CHECK(all.find_participant("C") == &all.participants[2]);
  CHECK(all.find_participant("D") == nullptr);
  CHECK(all.find_provider("MA") == &all.participants[0]);
  CHECK(all.find_provider("MB") == &all.participants[1]);
  CHECK(all.find_provider("MC") == nullptr);
  CHECK(Configuration().find_provider("MA") == nullptr);
}

TEST_CASE("two participants are joined whoever of them accepts") {
  const Configuration all = run();
  CHECK(all.find_m2n("A", "B") == &all.m2ns[0]);
  CHECK(all.find_m2n("B", "A") == &all.m2ns[0]);
  CHECK(all.find_m2n("C", "A") == &all.m2ns[1]);
  CHECK(all.find_m2n("B", "C") == nullptr);
  CHECK(all.find_m2n("A", "A") == nullptr);
}

TEST_CASE("a participant reads, writes, provides and receives what stands in its lists") {
  const Configuration all = run();
  const Participant& a = all.participants[0];
  const Participant& b = all.participants[1];
  CHECK(a.writes("P", "MA"));
  CHECK_FALSE(a.writes("P", "MB"));
  CHECK_FALSE(a.reads("P", "MA"));
  CHECK(b.reads("P", "MB"));
  CHECK_FALSE(b.reads("MB", "P"));
  CHECK(a.provides("MA"));
  CHECK_FALSE(b.provides("MA"));
  CHECK(b.receives("MA") == &b.received[0]);
  CHECK(a.receives("MA") == nullptr);
  CHECK(all.meshes[0].uses("P"));
  CHECK_FALSE(all.meshes[1].uses("P"));
}

TEST_CASE("a scheme knows its members, whom data joins, and who decides") {
  CouplingScheme scheme;
  scheme.participants = {"A", "B", "C"};
  scheme.exchanges = {{"P", "MA", "A", "B"}};
  CHECK(scheme.involves("C"));
  CHECK_FALSE(scheme.involves("D"));
  CHECK(scheme.joins("A", "B"));
  CHECK(scheme.joins("B", "A"));
  CHECK_FALSE(scheme.joins("A", "C"));
  CHECK_FALSE(scheme.joins("A", "A"));
  scheme.kind = SchemeKind::multi;
  scheme.controller = "C";
  CHECK(scheme.implicit());
  CHECK(scheme.leader() == "C");
  for (const SchemeKind kind : {SchemeKind::serial_implicit, SchemeKind::parallel_implicit}) {
    scheme.kind = kind;
    CHECK(scheme.implicit());
    CHECK(scheme.leader() == "B"); // the second one
  }
  for (const SchemeKind kind : {SchemeKind::serial_explicit, SchemeKind::parallel_explicit}) {
    scheme.kind = kind;
    CHECK_FALSE(scheme.implicit());
  }
}

TEST_CASE("data without bounds may have every value") {
  const Data data;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    CHECK(data.lower[axis] == -infinity);
    CHECK(data.upper[axis] == infinity);
  }
}

TEST_CASE("one of a list is found by its name, or the name is in the error") {
  const Configuration all = run();
  CHECK(&participant_named("B", all.participants) == &all.participants[1]);
  CHECK(&mesh_named("MB", all.meshes) == &all.meshes[1]);
  CHECK_THROWS_WITH_AS(static_cast<void>(participant_named("D", all.participants)),
                       "there is no participant \"D\"", isthmus::Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(mesh_named("A", all.meshes)), "there is no mesh \"A\"",
                       isthmus::Error);
}
