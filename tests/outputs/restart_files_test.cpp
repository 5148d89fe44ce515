// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/restart_files.hpp"
#include "environment.hpp"
#include "message_of.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace isthmus;
using couple::WorkingDirectory;
using coupling::FieldRecord;
using coupling::Snapshot;
using outputs::restart_settings_from_environment;
using outputs::RestartFiles;

namespace {

using Values = std::vector<double>;

const std::string digest = "<case> 1\n";
const std::vector<std::byte> shared{std::byte{1}, std::byte{2}};
const std::vector<std::byte> of_outputs{std::byte{7}};

/// Two samples of a vector at the vertices of this rank, ten of each, and a field without samples.
Snapshot snapshot_at(const comm::Comm& comm, int window, int owner_shift = 0) {
  const int part = (comm.rank() + owner_shift) % comm.size();
  FieldRecord field{"Mesh:Force", true, 2, 2, {}, {}, {{}, {}}};
  for (int i = 10 * part; i < 10 * (part + 1); ++i) {
    field.coordinates.insert(field.coordinates.end(), {0.1 * i, -0.3 * i});
    field.samples[0].insert(field.samples[0].end(), {1.0 * i + window, 2.0 * i});
    field.samples[1].insert(field.samples[1].end(), {3.0 * i, 4.0 * i + window});
  }
  Snapshot snapshot;
  snapshot.point = {window, 0.5 * window};
  snapshot.shared = shared;
  snapshot.fields = {field, {"Mesh:Heat", true, 2, 1, field.coordinates, {}, {}}};
  return snapshot;
}

/// The same fields without what is to be loaded.
Snapshot asking(Snapshot snapshot) {
  snapshot.shared.clear();
  for (FieldRecord& field : snapshot.fields) {
    field.samples.clear();
  }
  return snapshot;
}

void save(const comm::Comm& comm, const Snapshot& snapshot, const std::string& participant = "A") {
  RestartFiles files(comm, participant, digest);
  files.save(snapshot, of_outputs);
  files.finish();
}

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

/// What the points of an earlier run are refused for.
std::string points_say(const comm::Comm& comm, const std::string& from,
                       const std::string& of_case = digest) {
  const Environment variable("ISTHMUS_RESTART", from);
  return message_of([&] { (void)RestartFiles(comm, "A", of_case).points(); });
}

} // namespace

TEST_CASE("the environment says where restart files are, how often, and where a run goes on") {
  CHECK(restart_settings_from_environment().every == 0);
  CHECK(restart_settings_from_environment().directory == "isthmus-restart");
  CHECK_FALSE(restart_settings_from_environment().continues);
  const Environment every("ISTHMUS_RESTART_EVERY", "12");
  const Environment directory("ISTHMUS_RESTART_DIRECTORY", "there");
  CHECK(restart_settings_from_environment().every == 12);
  CHECK(restart_settings_from_environment().directory == "there");
  const Environment latest("ISTHMUS_RESTART", "latest");
  CHECK(restart_settings_from_environment().continues);
  CHECK_FALSE(restart_settings_from_environment().window.has_value());
  const Environment window("ISTHMUS_RESTART", "7");
  CHECK(restart_settings_from_environment().continues);
  CHECK(restart_settings_from_environment().window == 7);
  const auto says = [] { return message_of([] { (void)restart_settings_from_environment(); }); };
  for (const char* wrong : {"-1", "7x", "last", "99999999999"}) {
    const Environment from("ISTHMUS_RESTART", wrong);
    CHECK(says() == fmt::format("environment variable ISTHMUS_RESTART=\"{}\" is neither \"latest\" "
                                "nor the number of a time window",
                                wrong));
    const Environment new_run("ISTHMUS_RESTART", "");
    const Environment often("ISTHMUS_RESTART_EVERY", wrong);
    CHECK(says() == fmt::format("environment variable ISTHMUS_RESTART_EVERY=\"{}\" is no number of "
                                "time windows",
                                wrong));
  }
}

TEST_CASE("what was saved is loaded, also by ranks that hold other vertices") {
  const WorkingDirectory here;
  const comm::Comm comm(MPI_COMM_WORLD);
  save(comm, snapshot_at(comm, 3));
  const Environment from("ISTHMUS_RESTART", "latest");
  for (int shift = 0; shift < comm.size(); ++shift) {
    const RestartFiles files(comm, "A", digest);
    const auto points = files.points();
    REQUIRE((points && points->size() == 1));
    CHECK(points->front().window == 3);
    CHECK(points->front().time == 1.5);
    const Snapshot expected = snapshot_at(comm, 3, shift);
    Snapshot found = asking(expected);
    CHECK(files.load(found) == of_outputs); // on all ranks
    CHECK(found.shared == shared);
    CHECK(found.fields[0].samples == expected.fields[0].samples);
    CHECK(found.fields[1].samples.empty());
  }
}

TEST_CASE("a run of one rank is continued by several") {
  const WorkingDirectory here;
  const comm::Comm comm(MPI_COMM_WORLD);
  Snapshot whole = snapshot_at(comm, 1);
  Values places;
  std::vector<Values> samples(2);
  for (int i = 0; i < 10 * comm.size(); ++i) {
    places.insert(places.end(), {0.1 * i, -0.3 * i});
    samples[0].insert(samples[0].end(), {1.0 * i + 1, 2.0 * i});
    samples[1].insert(samples[1].end(), {3.0 * i, 4.0 * i + 1});
  }
  whole.fields[0].coordinates = places;
  whole.fields[0].samples = samples;
  if (here.is_root()) {
    save(comm::Comm(), whole);
  }
  comm::barrier(comm);
  const Environment from("ISTHMUS_RESTART", "1");
  const RestartFiles files(comm, "A", digest);
  REQUIRE(files.points().has_value());
  const Snapshot expected = snapshot_at(comm, 1);
  Snapshot found = asking(expected);
  CHECK(files.load(found) == of_outputs);
  CHECK(found.fields[0].samples == expected.fields[0].samples);
}

TEST_CASE("a vertex that a lower rank keeps is saved once") {
  const WorkingDirectory here;
  const comm::Comm comm(MPI_COMM_WORLD);
  Snapshot snapshot = snapshot_at(comm, 1);
  FieldRecord& field = snapshot.fields[0];
  field.ghosts.assign(10, 0);
  field.coordinates.insert(field.coordinates.end(), {-1, -1}); // all ranks have it
  field.ghosts.push_back(comm.is_root() ? 0 : 1);
  for (Values& sample : field.samples) {
    const double value = comm.is_root() ? 5 : 99; // of ghosts nobody asks
    sample.insert(sample.end(), {value, value});
  }
  save(comm, snapshot);
  const Environment from("ISTHMUS_RESTART", "latest");
  Snapshot found = asking(snapshot);
  found.fields[0].is_provided = false; // so that vertices are not counted
  (void)RestartFiles(comm, "A", digest).load(found);
  CHECK(found.fields[0].samples[0].back() == 5);
  CHECK(found.fields[0].samples[1].back() == 5);
}

TEST_CASE("a new run goes on from nowhere") {
  const WorkingDirectory here;
  const comm::Comm comm(MPI_COMM_WORLD);
  save(comm, snapshot_at(comm, 1));
  CHECK_FALSE(RestartFiles(comm, "A", digest).points().has_value());
}

TEST_CASE("the last file and the one before it are kept, and those of other participants") {
  const WorkingDirectory here;
  const Environment directory("ISTHMUS_RESTART_DIRECTORY", "there/and/there");
  const comm::Comm comm(MPI_COMM_WORLD);
  save(comm, snapshot_at(comm, 2), "AA");
  RestartFiles files(comm, "A", digest);
  CHECK(files.settings().directory == "there/and/there");
  for (const int window : {2, 4, 6, 11}) {
    files.save(snapshot_at(comm, window), {}); // finishes the one before
  }
  files.finish();
  files.finish(); // nothing is under way
  using Names = std::set<std::string>;
  if (here.is_root()) {
    CHECK(files_in("there/and/there") == Names{"A.11.restart", "A.6.restart", "AA.2.restart"});
  }
  comm::barrier(comm);
  const Environment from("ISTHMUS_RESTART", "latest");
  const auto points = RestartFiles(comm, "A", digest).points();
  REQUIRE((points && points->size() == 2));
  CHECK(points->at(0).window == 6); // ascending
  CHECK(points->at(1).window == 11);
  save(comm, snapshot_at(comm, 8)); // of a run from 6 on: what came later was given up
  if (here.is_root()) {
    CHECK(files_in("there/and/there") == Names{"A.6.restart", "A.8.restart", "AA.2.restart"});
  }
}

TEST_CASE("files that are missing, foreign or damaged are refused on all ranks") {
  const WorkingDirectory here;
  const comm::Comm comm(MPI_COMM_WORLD);
  CHECK(points_say(comm, "latest") ==
        "there is no restart file of participant \"A\" in \"isthmus-restart\"; look at "
        "ISTHMUS_RESTART_DIRECTORY, or start anew without ISTHMUS_RESTART");
  save(comm, snapshot_at(comm, 1), "B");
  save(comm, snapshot_at(comm, 2));
  save(comm, snapshot_at(comm, 3));
  CHECK(points_say(comm, "3") == "no error");
  CHECK(points_say(comm, "4") ==
        "there is no restart file \"isthmus-restart/A.4.restart\"; participant \"A\" has files of "
        "the time windows 2, 3");
  const std::string other_case = points_say(comm, "3", "<case> 2\n");
  CHECK(contains(other_case, "\"isthmus-restart/A.3.restart\" is of another case"));
  CHECK(contains(other_case, "<case>"));
  if (here.is_root()) {
    std::filesystem::copy("isthmus-restart/B.1.restart", "isthmus-restart/A.1.restart");
    std::ofstream("isthmus-restart/A.7.restart") << std::string(100, 'x');
    std::ofstream("isthmus-restart/A.x.restart") << "not of a window";
  }
  comm::barrier(comm);
  CHECK(contains(points_say(comm, "1"),
                 "\"isthmus-restart/A.1.restart\" is of participant \"B\", not of \"A\""));
  CHECK(contains(points_say(comm, "7"), "not a checkpoint"));
  CHECK(contains(points_say(comm, "latest"), "is of participant \"B\"")); // all are looked at
}

TEST_CASE("vertices that the earlier run did not have are refused on all ranks") {
  const WorkingDirectory here;
  const comm::Comm comm(MPI_COMM_WORLD);
  save(comm, snapshot_at(comm, 1));
  const Environment from("ISTHMUS_RESTART", "latest");
  const RestartFiles files(comm, "A", digest);
  const auto says = [&](Snapshot snapshot) {
    return message_of([&] { (void)files.load(snapshot); });
  };
  const bool is_last = comm.rank() == comm.size() - 1;
  Snapshot moved = asking(snapshot_at(comm, 1));
  moved.fields[0].coordinates[3] += is_last ? 1e-9 : 0;
  CHECK(contains(says(moved),
                 "\"isthmus-restart/A.1.restart\", Mesh:Force: 1 vertices have no values"));
  Snapshot fewer = asking(snapshot_at(comm, 1));
  if (is_last) {
    fewer.fields[0].coordinates.resize(2);
  }
  CHECK(contains(says(fewer),
                 fmt::format("the mesh had {} vertices in the earlier run and has {} now",
                             10 * comm.size(), 10 * comm.size() - 9)));
  fewer.fields[0].is_provided = false; // received: less may be needed now
  CHECK(says(fewer) == "no error");
}

TEST_CASE("a file that cannot be written is an error on all ranks") {
  const WorkingDirectory here;
  const comm::Comm comm(MPI_COMM_WORLD);
  if (here.is_root()) {
    std::ofstream("isthmus-restart") << "a file in place of the folder";
  }
  comm::barrier(comm);
  CHECK(contains(message_of([&] { save(comm, snapshot_at(comm, 1)); }), "isthmus-restart"));
}

TEST_CASE("a process that is killed while it writes leaves the file before" * on_ranks(1, 1)) {
  const WorkingDirectory here;
  const comm::Comm alone;
  Snapshot snapshot = snapshot_at(alone, 2);
  for (int i = 0; i < 7; ++i) { // some thousand numbers
    FieldRecord& field = snapshot.fields[0];
    const std::size_t half = field.coordinates.size();
    for (std::size_t k = 0; k < half; ++k) {
      field.coordinates.push_back(field.coordinates[k] + 1000 * (i + 1) + (i == 6 ? 0.5 : 0));
    }
    for (Values& sample : field.samples) {
      const Values before = sample;
      sample.insert(sample.end(), before.begin(), before.end());
    }
  }
  RestartFiles writing(alone, "A", digest);
  writing.save(snapshot, {});
  writing.finish();
  const std::string before = content("isthmus-restart/A.2.restart");
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_DFL);
    const rlimit limit{5000, 5000};
    setrlimit(RLIMIT_FSIZE, &limit);
    snapshot.point = {3, 0.75};
    writing.save(snapshot, {});
    writing.finish();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(content("isthmus-restart/A.2.restart") == before);

  const Environment from("ISTHMUS_RESTART", "latest");
  const RestartFiles reading(alone, "A", digest);
  const auto points = reading.points();
  REQUIRE((points && points->size() == 1));
  Snapshot found = asking(snapshot);
  found.point = points->front();
  CHECK(reading.load(found).empty());
  CHECK(found.point.time == 1);
  CHECK(found.shared == snapshot.shared);
  CHECK(found.fields[0].samples == snapshot.fields[0].samples);
}
