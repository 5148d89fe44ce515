// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/restart.hpp"
#include "isthmus/io/checkpoint.hpp"
#include "message_of.hpp"
#include "text_files.hpp"
#include "waters.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <limits>
#include <utility>

using namespace isthmus;
using namespace isthmus::mps;
using waters::case_of;
using waters::fingerprint;
using waters::with;

namespace {

/// Collective. The folder of rank 0, and the folders of all ranks until then.
class SharedFolder {
 public:
  explicit SharedFolder(const comm::Comm& comm) : comm_(comm) {
    path_ = std::filesystem::current_path().string();
    comm::bcast(comm, path_);
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  ~SharedFolder() { comm::barrier(comm_); } // before rank 0 removes it

  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  WorkingFolder own_;
  const comm::Comm& comm_;
  std::string path_;
};

Case explicit_column(const std::string& output) {
  Case from =
      case_of(with(waters::column, "end = 0.2", "end = 0.02\nmethod = \"explicit\"\nsteps = 1000"));
  from.output.folder = output;
  return from;
}

} // namespace

TEST_CASE(
    "what any ranks have written any others continue, with the bits of the run in one piece") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const SharedFolder folder(comm);
  RunResult whole = run(comm, explicit_column(""), nullptr);
  REQUIRE(whole.steps > 40);
  const std::uint64_t expected = fingerprint(comm, whole.state);
  for (int writers = 1; writers <= comm.size(); ++writers) {
    const comm::Comm group = comm.split(comm.rank() < writers ? 0 : 1);
    if (comm.rank() < writers) {
      Case half = explicit_column(folder / "half");
      half.time.most_steps = static_cast<int>(whole.steps / 2);
      CHECK(run(group, half, nullptr).steps == whole.steps / 2);
    }
    comm::barrier(comm);
    INFO(writers, " ranks write");
    RunResult rest = run(comm, explicit_column(""), nullptr, folder / "half/particles.restart");
    CHECK(rest.steps == whole.steps);
    CHECK(rest.time == whole.time);
    CHECK(fingerprint(comm, rest.state) == expected);
    comm::barrier(comm);
  }
}

TEST_CASE("a run that goes on keeps count of what was lost, and continues the series of files") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const SharedFolder folder(comm);
  Case from = case_of(
      with(with(waters::column, "upper = [0.1, 0.2]", "upper = [0.1, 0.2]\nvelocity = [0, 2.8]"),
           "end = 0.2", "end = 0.1"));
  from.output.folder = folder / "out";
  from.output.every = 0.03;
  from.output.restart_every = 0.06;
  const RunResult first = run(comm, from, nullptr);
  CHECK(first.num_lost > 0);
  from.time.end = 0.2;
  const RunResult second = run(comm, from, nullptr, folder / "out/particles.restart");
  CHECK(second.time == doctest::Approx(0.2));
  CHECK(second.num_lost >= first.num_lost);
  CHECK(second.num_lost + second.num_fluid == 200);
  if (comm.is_root()) { // at 0, 0.03, 0.06, 0.09, 0.1 (the end), 0.12, 0.15, 0.18, 0.2
    const std::string extension = comm.size() == 1 ? "vtp" : "pvtp";
    const std::string series = content(folder / ("out/particles." + extension + ".series"));
    for (int n = 0; n < 9; ++n) {
      const std::string name = "particles." + std::to_string(n) + "." + extension;
      CHECK(series.find(name) != std::string::npos);
      CHECK(std::filesystem::exists(folder / ("out/" + name)));
    }
    CHECK(series.find("particles.9.") == std::string::npos);
  }
}

TEST_CASE("a restart that does not fit is refused on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const SharedFolder folder(comm);
  Case from = explicit_column(folder / "out");
  from.time.most_steps = 1;
  static_cast<void>(run(comm, from, nullptr));
  const std::string file = folder / "out/particles.restart";
  const auto refusal = [&](const Case& of, const std::string& restart) {
    return message_of([&] { static_cast<void>(run(comm, of, nullptr, restart)); });
  };
  Case finer = from;
  finer.spacing = 0.005;
  CHECK(refusal(finer, file)
            .find("has particles in 2 dimensions, 0.01 apart, that act 3.1 spacings "
                  "far; in this case these are 2, 0.005 and 3.1") != std::string::npos);
  Case longer = from;
  longer.tank.upper[0] = 0.6;
  CHECK(refusal(longer, file).find("has other walls than this case") != std::string::npos);
  Case filled = from;
  filled.tank.obstacles.push_back({{{0.3, 0, 0}, {0.35, 0.1, 0}, "here"}});
  CHECK(refusal(filled, file).find("has other walls than this case") != std::string::npos);
  CHECK(refusal(from, folder / "nothing.restart").find("nothing.restart") != std::string::npos);
  const std::string kept = content(file);
  io::CheckpointWriter other(comm);
  other.add<double>("particles moment", std::vector{1.0});
  other.write(folder / "other.restart");
  if (comm.is_root()) {
    std::string cut = kept;
    std::ofstream(folder / "cut.restart", std::ios::binary) << cut.substr(0, cut.size() - 8);
    // the first rank's tables come first, then its values
    cut[cut.size() / 2] = static_cast<char>(cut[cut.size() / 2] ^ 1);
    std::ofstream(folder / "damaged.restart", std::ios::binary) << cut;
    std::ofstream(folder / "text.restart") << waters::column << waters::column;
  }
  comm::barrier(comm);
  CHECK(refusal(from, folder / "other.restart").find("is a restart file, but none of particles") !=
        std::string::npos);
  CHECK(refusal(from, folder / "cut.restart").find("cut.restart") != std::string::npos);
  CHECK(refusal(from, folder / "damaged.restart").find("damaged") != std::string::npos);
  CHECK(refusal(from, folder / "text.restart").find("text.restart") != std::string::npos);
  CHECK(content(file) == kept);
}

TEST_CASE("two particles at one place are refused on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const SharedFolder folder(comm);
  const Case from = explicit_column("");
  State state;
  if (comm.is_root()) {
    for (const GlobalIndex id : {7, 9}) {
      state.particles().insert(id, {0.1, 0.2, 0});
    }
  }
  write_restart(comm, folder / "double.restart", from, state, {});
  CHECK(message_of([&] {
          static_cast<void>(run(comm, from, nullptr, folder / "double.restart"));
        }).find("particles 7 and 9 are at one place, (0.1, 0.2, 0)") != std::string::npos);
}

TEST_CASE("a restart file with values that are no numbers is refused, naming the particle") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const SharedFolder folder(comm);
  const Case from = explicit_column("");
  RunResult result = run(
      comm,
      [&] {
        Case brief = from;
        brief.time.most_steps = 1;
        return brief;
      }(),
      nullptr);
  State& state = result.state;
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    if (state.particles().ids()[row] == 200) {
      state.velocities()[3 * row + 1] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  write_restart(comm, folder / "bad.restart", from, state, {});
  CHECK(message_of([&] {
          static_cast<void>(run(comm, from, nullptr, folder / "bad.restart"));
        }).find("particle 200 of \"") != std::string::npos);
}
