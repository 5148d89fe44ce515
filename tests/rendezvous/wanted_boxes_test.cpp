// SPDX-License-Identifier: BSD-3-Clause
// Ranks of one participant find out who wants something where they have something.
#include "isthmus/rendezvous/meetings.hpp"

#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

using namespace isthmus;
using geometry::Box;

namespace {

/// Boxes of a rank, the same wherever they are asked for; `wide`: how large at most.
std::vector<Box> boxes_of_rank(int rank, int kind, double wide) {
  std::mt19937 engine(static_cast<unsigned>(2 * rank + kind));
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Box> boxes(static_cast<std::size_t>((rank + kind) % 4)); // some have none
  for (Box& box : boxes) {
    const geometry::Point at{uniform(engine), uniform(engine), 0};
    box.expand(at);
    box.expand(wide * uniform(engine));
  }
  boxes.emplace_back(); // an empty one
  return boxes;
}

} // namespace

TEST_CASE(
    "each rank learns of those that want something where it has something, and of no others") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const double wide : {0.0, 1e-3, 0.1, 0.5, 30.0}) {
    CAPTURE(wide);
    const std::vector<Box> has = boxes_of_rank(comm.rank(), 0, wide);
    const auto found = rendezvous::wanted_boxes(comm, has, boxes_of_rank(comm.rank(), 1, 2 * wide));
    std::map<int, std::vector<Box>> expected;
    for (int rank = 0; rank < comm.size(); ++rank) {
      for (const Box& wanted : boxes_of_rank(rank, 1, 2 * wide)) {
        if (rank != comm.rank() && std::any_of(has.begin(), has.end(), [&wanted](const Box& box) {
              return box.intersects(wanted);
            })) {
          expected[rank].push_back(wanted);
        }
      }
    }
    REQUIRE(found.size() == expected.size());
    auto next = expected.begin();
    for (const rendezvous::WantedBoxes& one : found) {
      CHECK(one.rank == next->first);
      CHECK(one.boxes.size() == next->second.size());
      for (const Box& box : next->second) {
        CHECK(std::find(one.boxes.begin(), one.boxes.end(), box) != one.boxes.end());
      }
      ++next;
    }
  }
}
