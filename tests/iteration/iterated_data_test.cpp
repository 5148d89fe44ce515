// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/iteration/iterated_data.hpp"

#include "isthmus/base/exception.hpp"
#include "isthmus/iteration/sample_queue.hpp"
#include "isthmus/iteration/state_arrays.hpp"
#include "iteration/one_mesh.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace isthmus::iteration {

namespace {

using Values = std::vector<double>;

IteratedData with_x(OneMesh& one, bool all_samples) {
  IteratedData data;
  data.add({&one.field("x"), all_samples, true, {}});
  data.forget(0);
  return data;
}

} // namespace

TEST_CASE("the grid has all samples of a window, or the last one") {
  OneMesh one(1);
  one.append("x", 0, {0});
  IteratedData all = with_x(one, true);
  IteratedData last = with_x(one, false);
  one.append("x", 0.5, {1});
  one.append("x", 2, {2});
  CHECK(all.lay_out(0, true));
  CHECK(last.lay_out(0, true));
  CHECK(all[0].grid == Values{0.25, 1});
  CHECK(last[0].grid == Values{1});
  one.field("x").wave().drop_after(0);
  one.append("x", 1, {1});
  one.append("x", 2, {2});
  CHECK(!all.lay_out(0, true)); // it stays
  CHECK(all.lay_out(0, false));
  CHECK(all[0].grid == Values{0.5, 1});
  CHECK(!all.lay_out(0, false)); // it is the same
}

TEST_CASE("what is put back stands at the times of the answers and is what was given next") {
  OneMesh one(1);
  one.append("x", 0, {0});
  IteratedData data = with_x(one, true);
  one.append("x", 1, {10});
  one.append("x", 2, {20});
  CHECK(data.lay_out(0, true));
  data.gather(0);
  std::vector<acceleration::Iterate> iterates;
  data.list_iterates(1, iterates);
  CHECK(Values(iterates[0].input.begin(), iterates[0].input.end()) == Values{0, 0});
  CHECK(Values(iterates[0].output.begin(), iterates[0].output.end()) == Values{10, 20});
  iterates[0].output[0] = 3;
  iterates[0].output[1] = 4;
  data.put_back(0, 1);
  data.remember(0, false);
  const time::Waveform& wave = one.field("x").wave();
  CHECK(wave.num_samples() == 3);
  CHECK(wave.time(1) == 1);
  CHECK(wave.values(1)[0] == 3);
  CHECK(wave.time(2) == 2);
  CHECK(wave.values(2)[0] == 4);
  data.gather(0);
  CHECK(Values(iterates[0].input.begin(), iterates[0].input.end()) == Values{3, 4});
}

TEST_CASE("samples are taken in the order in which they were kept") {
  OneMesh one(2);
  SampleQueue queue;
  queue.keep(one.field("x"), Values{1, 2});
  queue.keep(one.field("y"), Values{3, 4});
  queue.keep(one.field("x"), Values{5, 6});
  CHECK(queue.take(one.field("x")) == Values{1, 2});
  CHECK(queue.take(one.field("x")) == Values{5, 6});
  CHECK(queue.take(one.field("y")) == Values{3, 4});
  CHECK_THROWS_WITH_AS(static_cast<void>(queue.take(one.field("y"))),
                       "the restart file lacks values of B-Mesh:y", Error);
  queue.keep(one.field("y"), Values{3}); // of a smaller mesh
  CHECK_THROWS_AS(static_cast<void>(queue.take(one.field("y"))), Error);
}

TEST_CASE("arrays of an acceleration survive as samples of the fields") {
  OneMesh one(2);
  one.append("x", 0, {0, 0});
  one.append("y", 0, {0, 0});
  IteratedData data;
  data.add({&one.field("x"), false, true, {}});
  data.add({&one.field("y"), false, false, {}});
  data.forget(0);
  std::vector<acceleration::StateArray> arrays{
      {"factor", {0.5, 0.25}}, {"columns", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2, {2, 1}}};
  const std::vector<int> counts = counts_of(arrays);
  CHECK(counts == std::vector{0, 2, 2, 1});
  Writer shared;
  SampleQueue kept;
  save(arrays, counts, data, shared, kept);
  CHECK(kept.all()[&one.field("x")].size() == 4);
  CHECK(kept.all()[&one.field("y")] == SampleQueue::Samples::mapped_type{{5, 6}, {11, 12}});
  const std::vector<std::byte> bytes = shared.take();
  Reader reader(bytes);
  const auto restored = restore(counts, data, reader, kept);
  reader.finish();
  REQUIRE(restored.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(restored[i].name == arrays[i].name);
    CHECK(restored[i].values == arrays[i].values);
  }
}

} // namespace isthmus::iteration
