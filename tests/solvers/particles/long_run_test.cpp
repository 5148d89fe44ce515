// SPDX-License-Identifier: BSD-3-Clause
#include "allocations.hpp"
#include "isthmus/comm/collective.hpp"
#include "particles/program/measured.hpp"
#include "ranks.hpp"
#include "waters.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <vector>

using namespace isthmus;
using namespace isthmus::mps;
using waters::case_of;
using waters::with;

namespace {

/// A stream that keeps how many bytes of the heap are ours, without those of MPI, each time
/// something is flushed to it.
class HeapPerLine {
 public:
  HeapPerLine() : file_(fopencookie(this, "w", {nullptr, write, nullptr, nullptr})) {}
  HeapPerLine(const HeapPerLine&) = delete;
  HeapPerLine& operator=(const HeapPerLine&) = delete;
  ~HeapPerLine() { std::fclose(file_); }

  [[nodiscard]] std::FILE* file() const { return file_; }
  [[nodiscard]] const std::vector<double>& bytes() const { return bytes_; }

 private:
  static ssize_t write(void* self, const char* /*text*/, std::size_t length) {
    static_cast<HeapPerLine*>(self)->bytes_.push_back(static_cast<double>(bytes_allocated()));
    return static_cast<ssize_t>(length);
  }

  std::FILE* file_;
  std::vector<double> bytes_;
};

double mean(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t n = begin; n < end; ++n) {
    sum += values[n];
  }
  return sum / static_cast<double>(end - begin);
}

} // namespace

TEST_CASE("thousands of steps cost no memory and lose no particle" * on_ranks(1, 2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from = case_of(
      with(with(waters::at_rest, "upper = [0.3, 0.2]", "upper = [0.3, 0.2]\ndisturbance = 0.2"),
           "[time]\nend = 0.5",
           "[[gauge]]\nlower = [0.04, 0]\nupper = [0.26, 0]\n"
           "[time]\nend = 100\nsteps = 3000\n"
           "balance = \"counted\"")); // measured domains follow how busy the machine is
  HeapPerLine heap;
  RunResult result = run(comm, from, heap.file());
  CHECK(result.steps == 3000);
  CHECK(result.num_fluid == 150);
  CHECK(result.num_lost == 0);
  const Measured measured = measure(comm, from, result.time, result.state);
  CHECK(measured.gauges.at(0) == doctest::Approx(1962).epsilon(0.03));
  CHECK(measured.speed < 0.1);
  if (comm.is_root()) {
    REQUIRE(heap.bytes().size() >= 3000);
    const double early = mean(heap.bytes(), 500, 1000), late = mean(heap.bytes(), 2500, 3000);
    // but the time of each migration, in a vector that doubles, as that of the neighbours may
    CHECK(late - early < 3000 * 4 * sizeof(double));
  }
}
