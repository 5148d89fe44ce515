// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/restart.hpp"
#include "cases.hpp"
#include "convection/program/output.hpp"
#include "convection/program/run.hpp"
#include "folder_of_root.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/checkpoint.hpp"
#include "message_of.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace isthmus;
using namespace isthmus::convection;

namespace {

/// The cavity, started with noise, solved so exactly that results differ only by round-off.
Case exact_case(int order, int steps, const std::string& output) {
  Case from = case_of(with(cavity, "[10, 1, 10]", "[5, 1, 6]") + "[start]\nnoise = 0.1\n");
  from.time.order = order;
  from.time.step = 0.01;
  from.time.steps = steps;
  from.time.steady = 0;
  from.solver.newton = {1e-11, 1e-14, 20, 1e-4};
  from.solver.heat_tolerance = 1e-12;
  from.output.folder = output;
  return from;
}

/// Collective. The first `ranks` run a case, the others wait.
RunResult run_on(const comm::Comm& comm, int ranks, const Case& from, const std::string& restart) {
  const comm::Comm group = comm.split(comm.rank() < ranks ? 0 : 1);
  RunResult result;
  if (comm.rank() < ranks) {
    result = run(group, from, restart, nullptr);
  }
  comm::barrier(comm);
  return result;
}

/// Of these ranks; they have the same mesh.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  REQUIRE(a.size() == b.size());
  for (std::size_t n = 0; n < a.size(); ++n) {
    most = std::max(most, std::abs(a[n] - b[n]));
  }
  return most;
}

} // namespace

TEST_CASE("what any ranks have written any others go on with, as without a restart") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  for (const int order : {1, 2}) {
    for (int readers = 1; readers <= comm.size(); ++readers) {
      const RunResult whole = run_on(comm, readers, exact_case(order, 4, ""), "");
      for (int writers = 1; writers <= comm.size(); ++writers) {
        INFO("order ", order, ", ", writers, " ranks write, ", readers, " read");
        const std::string there = folder + "/half";
        const RunResult half = run_on(comm, writers, exact_case(order, 2, there), "");
        const RunResult rest = run_on(comm, readers, exact_case(order, 2, folder + "/rest"),
                                      there + "/convection.restart");
        if (comm.rank() < readers) {
          CHECK(rest.steps == 4);
          CHECK(rest.time == whole.time);
          const double most = writers == readers ? 0 : 1e-8; // of velocities near 1
          CHECK(difference(rest.values, whole.values) <= most);
          CHECK(difference(rest.temperature, whole.temperature) <= most);
          CHECK(difference(rest.heat, whole.heat) <= most);
        }
        if (comm.rank() < std::min(readers, writers) && readers == writers) {
          CHECK(difference(half.temperature, whole.temperature) > 1e-3); // time goes on
        }
      }
    }
  }
  comm::barrier(comm); // before rank 0 removes the folder
}

TEST_CASE("adaptive steps go on with the length that they had come to") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  const auto adaptive = [&](int steps, const std::string& output) {
    Case from = exact_case(2, steps, output);
    from.time.adaptive = {0.02, 1e-4, 1};
    return from;
  };
  const RunResult whole = run(comm, adaptive(6, ""), "", nullptr);
  static_cast<void>(run(comm, adaptive(3, folder + "/half"), "", nullptr));
  const std::string file = folder + "/half/convection.restart";
  const RunResult rest = run(comm, adaptive(3, ""), file, nullptr);
  CHECK(rest.time == whole.time);
  CHECK(std::abs(whole.time - 6 * 0.01) > 1e-3); // steps did not stay as they were
  CHECK(difference(rest.values, whole.values) == 0);
  CHECK(difference(rest.temperature, whole.temperature) == 0);
  comm::barrier(comm);
}

TEST_CASE("a run in the same folder goes on with its series of files") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  Case from = exact_case(2, 2, folder + "/out");
  from.output.every = 0.02;
  static_cast<void>(run(comm, from, "", nullptr));
  static_cast<void>(run(comm, from, folder + "/out/convection.restart", nullptr));
  const std::string series = content(folder + "/out/convection.vtu.series") +
                             content(folder + "/out/convection.pvtu.series");
  INFO(series);
  for (const char* time : {"\"time\" : 0 ", "0.02", "0.04"}) {
    CHECK(series.find(time) != std::string::npos);
  }
  std::size_t files = 0;
  for (std::size_t at = 0; (at = series.find("\"name\"", at)) != std::string::npos; ++at) {
    ++files;
  }
  CHECK(files == 3);
  comm::barrier(comm);
}

TEST_CASE("a restart that does not fit is refused on all ranks, and the file stays") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  const Case from = exact_case(1, 1, folder + "/out");
  static_cast<void>(run(comm, from, "", nullptr));
  const std::string file = folder + "/out/convection.restart";
  const std::string kept = content(file);
  const auto has = [&](const Case& of, const std::string& restart, const std::string& part) {
    const std::string found =
        message_of([&] { static_cast<void>(run(comm, of, restart, nullptr)); });
    INFO(found);
    CHECK(found.find(part) != std::string::npos);
  };
  Case other = from;
  other.mesh.box.cells = {6, 1, 5}; // as many nodes
  has(other, file, "is of another mesh");
  other = from;
  other.mesh.box.lengths = {2, 0.1, 1};
  has(other, file, "is of another mesh");
  has(from, folder + "/nothing.restart", "nothing.restart");
  if (comm.is_root()) {
    std::string cut = kept;
    std::ofstream(folder + "/cut.restart", std::ios::binary) << cut.substr(0, cut.size() - 8);
    cut[cut.size() - 5] = static_cast<char>(cut[cut.size() - 5] ^ 1);
    std::ofstream(folder + "/damaged.restart", std::ios::binary) << cut;
    std::ofstream(folder + "/text.restart") << "no checkpoint";
  }
  const double one = 1;
  io::CheckpointWriter foreign(comm);
  foreign.add_slice<double>("flow", comm.rank(), std::span(&one, 1));
  foreign.write(folder + "/foreign.restart");
  comm::barrier(comm);
  has(from, folder + "/cut.restart", "cut.restart");
  has(from, folder + "/damaged.restart", "damaged");
  has(from, folder + "/text.restart", "text.restart");
  has(from, folder + "/foreign.restart", "is a checkpoint, but none of isthmus-convection");
  CHECK(content(file) == kept);
  comm::barrier(comm);
}

TEST_CASE(
    "values that are no numbers are refused on all ranks, and a run that fails leaves its files") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  Case from = exact_case(1, 1, folder + "/out");
  static_cast<void>(run(comm, from, "", nullptr));
  const std::string file = folder + "/out/convection.restart";
  const std::string kept = content(file);
  const Mesh mesh = make_box(comm, from.mesh.box);
  Restart restart(comm, mesh);
  State state = restart.read(file);
  CHECK(state.steps == 1);
  if (comm.is_root()) {
    state.temperature.back() = std::numeric_limits<double>::quiet_NaN();
  }
  restart.write(folder + "/bad.restart", state);
  const auto failure = [&](const Case& of, const std::string& with_file) {
    return message_of([&] { static_cast<void>(run(comm, of, with_file, nullptr)); });
  };
  CHECK(failure(from, folder + "/bad.restart").find("holds values that are no numbers") !=
        std::string::npos);
  from.solver.newton.max_iterations = 1;
  from.solver.newton.absolute = 0;
  from.time.step = 1;
  const std::string found = failure(from, file);
  INFO(found);
  CHECK(found.find("flow: Newton's method ") != std::string::npos);
  CHECK(found.find("it is largest in the ") != std::string::npos);
  CHECK(content(file) == kept);
  comm::barrier(comm);
}
