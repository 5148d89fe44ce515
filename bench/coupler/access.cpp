// SPDX-License-Identifier: BSD-3-Clause
// What write_data() and read_data() take: bench_access CONFIGURATION REPETITIONS [SIZE…]
// Two participants in two threads; A writes to and reads from meshes of SIZE vertices, mesh by
// mesh.
#include "isthmus/participant/participant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Side {
  std::string name;
  std::vector<int> sizes;
  int repetitions = 0; // 0: does not measure
};

template <typename Call>
double best_seconds(int repetitions, Call&& call) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int i = 0; i < repetitions; ++i) {
    const Clock::time_point start = Clock::now();
    call();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

void play(const Side& side, const std::string& configuration) {
  isthmus::Participant participant(side.name, configuration, {});
  std::vector<std::vector<int>> ids;
  for (const int size : side.sizes) {
    const std::string mesh = fmt::format("{}-{}", side.name, size);
    std::vector<double> points;
    for (int i = 0; i < size; ++i) {
      points.insert(points.end(), {static_cast<double>(i), 0.0});
    }
    participant.set_mesh_vertices(mesh, points, ids.emplace_back(size));
  }
  participant.initialize();
  for (std::size_t k = 0; k < ids.size() && side.repetitions > 0; ++k) {
    const std::string mesh = fmt::format("{}-{}", side.name, side.sizes[k]);
    std::vector<double> values(ids[k].size(), 1.5);
    fmt::print("{},write_data,{}\n", side.sizes[k], best_seconds(side.repetitions, [&] {
                 participant.write_data(mesh, "Out", ids[k], values);
               }));
    fmt::print("{},read_data,{}\n", side.sizes[k], best_seconds(side.repetitions, [&] {
                 participant.read_data(mesh, "In", ids[k], 0, values);
               }));
  }
  participant.advance(participant.max_time_step_size());
  participant.finalize();
}

} // namespace

int main(int argc, char** argv) {
  const std::string configuration = argc > 1 ? argv[1] : "";
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 100;
  std::vector<int> sizes;
  for (int i = 3; i < argc; ++i) {
    sizes.push_back(std::atoi(argv[i]));
  }
  std::thread other([&] { play({"B", sizes, 0}, configuration); });
  play({"A", sizes, repetitions}, configuration);
  other.join();
}
