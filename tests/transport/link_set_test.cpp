// SPDX-License-Identifier: BSD-3-Clause
// The parts of a hub: its links, how it waits, and the links of an exchange. All in one thread.
#include "isthmus/transport/link_set.hpp"

#include "isthmus/transport/posted_links.hpp"
#include "isthmus/transport/waiter.hpp"
#include "transport/field.hpp"
#include "transport/narrow.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>

using namespace isthmus;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

namespace {

/// Links of one rank to `num` others, each of which is a set with one link.
struct Star {
  explicit Star(int num) : wires(static_cast<std::size_t>(num)), others(wires.size()) {
    for (std::size_t i = 0; i < wires.size(); ++i) {
      auto near = std::unique_ptr<Narrow>(new Narrow(wires[i].near("B")));
      ends.push_back(near.get());
      own.add(std::move(near), false);
      others[i].add(std::unique_ptr<Narrow>(new Narrow(wires[i].far("A"))), false);
    }
  }

  std::vector<Wires> wires;
  std::vector<Narrow*> ends; // ours
  LinkSet own;
  std::vector<LinkSet> others;
};

} // namespace

TEST_CASE("of several links the one that says why speaks for those that are lost") {
  Star star(3);
  CHECK(star.own.size() == 3);
  CHECK(star.own.last_moved() == nullptr);
  star.own.throw_unless_open(0, Kind::mesh_arrays);
  star.own.throw_if_broken(Kind::mesh_arrays);
  star.others[2].at(0).say_goodbye("the solver diverged");
  star.others[2].sweep();
  star.ends[0]->is_cut = true;
  CHECK(star.own.sweep());
  CHECK(star.own.has_trouble());
  CHECK(star.own.at(0).is_lost());
  CHECK(contains(error_of([&] { star.own.throw_if_hopeless(0, Kind::mesh_arrays); }),
                 "the solver diverged (while waiting for arrays of a mesh)"));
  CHECK(contains(error_of([&] { star.own.throw_unless_open(0, Kind::read); }),
                 "the wire is cut (while waiting for read)"));
  CHECK(error_of([&] { star.own.throw_if_hopeless(1, Kind::mesh_arrays); }) == "");
  star.own.clear();
  CHECK(star.own.size() == 0);
  CHECK_FALSE(star.own.has_trouble());
  CHECK(star.own.last_moved() == nullptr);
}

TEST_CASE("the links of an exchange are done when all that was posted on them is") {
  Star star(2);
  PostedLinks own(star.own);
  std::vector<PostedLinks> others(star.others.begin(), star.others.end());
  std::array<Field, 2> near{Field{numbered(900, 1), {}}, Field{numbered(31, 2), {}}};
  std::array<Field, 2> far{Field{numbered(5, 3), {}}, Field{numbered(2000, 4), {}}};
  std::array out{near[0].outgoing(0), near[1].outgoing(1)};
  std::array in{near[0].incoming(0), near[1].incoming(1)};
  own.post(out, in);
  CHECK(own.awaited() == Kind::data);
  CHECK_FALSE(own.is_done());
  for (std::size_t i = 0; i < 2; ++i) {
    std::array back{far[i].outgoing(0)};
    std::array there{far[i].incoming(0)};
    others[i].post(back, there);
    while (!others[i].is_done()) {
      own.pump();
      others[i].pump();
    }
    CHECK(far[i].in == near[i].out);
    CHECK(star.own.last_moved() == &star.own.at(static_cast<LinkId>(i)));
  }
  while (!own.is_done()) {
    own.pump();
  }
  CHECK(near[0].in == far[0].out);
  CHECK(near[1].in == far[1].out);
}

TEST_CASE("a wait ends when it is done, when its watch throws, and when its time is up") {
  Star star(1);
  Waiter waiter(star.own, {.seconds = 0});
  int looks = 0;
  const auto late = [](double limit_s) { fail("{} s are over", limit_s); };
  const auto nothing_moves = [] { return false; };
  waiter.set_watch([&looks] { check(++looks < 5, "somebody else has failed"); });
  waiter.wait(
      limit_s, [&looks] { return looks == 3; }, nothing_moves, late);
  CHECK(looks == 3);
  CHECK(waiter.seconds() > 0); // however short: it has slept three times
  const auto never = [] { return false; };
  CHECK(error_of([&] { waiter.wait(limit_s, never, nothing_moves, late); }) ==
        "somebody else has failed");
  waiter.set_watch({});
  CHECK(error_of([&] { waiter.wait(0, never, nothing_moves, late); }) == "0 s are over");
}
