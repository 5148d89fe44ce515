// SPDX-License-Identifier: BSD-3-Clause
// One participant that misbehaves at a named point, for test_faults.py:
//
//   isthmus-fault-case NAME CONFIGURATION PARTNERS [POINT ACTION [RANK [MILLISECONDS]]]
//
// PARTNERS: comma separated names whose data is read. POINT: start, constructed, defined,
// initialized, before3 and after3 (around the advance of window 3), end. ACTION: see
// misbehave() (insist-…: the rank never ends by itself); exhaust: an allocation fails;
// no-communicator: MPI_COMM_NULL is given; kept-ACTION: the participant outlives MPI_Finalize().
// RANK: who does it (-1: all). MILLISECONDS: how long after POINT, from a thread; 0: at once; of
// exhaust the number of allocations that succeed. Ranks from 2 on have no vertices. Prints "done"
// and exits with 0 only if all went well; an error is caught, printed and followed by MPI_Finalize,
// as a careful solver does.
#include "isthmus/participant/participant.hpp"

#include "exhaustion.hpp"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Fault {
  std::string point;
  std::string action;
  int rank = 0;
  int delay_ms = 0;
};

struct Case {
  std::string name;
  std::string configuration;
  std::vector<std::string> partners;
  Fault fault;
  isthmus::Launch launch;
  bool keeps = false; // the participant lives on after MPI_Finalize()
};

/// Goes on whatever is said, until somebody ends it.
[[noreturn]] void insist(isthmus::Participant& participant, double step) {
  while (true) {
    try {
      participant.advance(step);
    } catch (const std::exception&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

/// An error that is caught, and of which nothing is left.
void err(isthmus::Participant& participant) {
  const std::array<int, 1> id{4711};
  const std::array<double, 1> value{0};
  try {
    participant.write_data("A-Mesh", "A-Data", id, value);
  } catch (const std::exception&) {
    try {
      participant.advance(-1);
    } catch (const std::exception&) {
      return;
    }
  }
  throw std::logic_error("a wrong call was not refused");
}

/// Returns whether to leave the participant.
bool misbehave(const std::string& action, isthmus::Participant* participant) {
  if (action == "kill") {
    raise(SIGKILL);
  } else if (action == "freeze") {
    raise(SIGSTOP);
  } else if (action == "sleep") {
    std::this_thread::sleep_for(std::chrono::minutes(5));
  } else if (action == "exit") {
    std::exit(0);
  } else if (action == "leave") {
    return true;
  } else if (action == "throw") {
    throw std::runtime_error("the solver diverged");
  } else if (action == "finalize") {
    participant->finalize();
    return true;
  } else if (action == "wrong-id") {
    const std::array<int, 1> id{4711};
    const std::array<double, 1> value{0};
    participant->write_data("A-Mesh", "A-Data", id, value);
  } else if (action == "wrong-size") {
    const std::array<int, 2> ids{0, 1};
    const std::array<double, 1> value{0};
    participant->write_data("A-Mesh", "A-Data", ids, value);
  } else if (action == "err") {
    err(*participant);
  } else if (action == "insist-on-wrong-step") {
    insist(*participant, -1);
  } else if (action == "insist-without-memory") {
    exhaust_memory(5);
    insist(*participant, participant->max_time_step_size());
  } else if (action == "abort") {
    std::abort();
  } else {
    throw std::invalid_argument("unknown action " + action);
  }
  return false;
}

bool reach(const std::string& point, const Case& self, isthmus::Participant* participant) {
  const Fault& fault = self.fault;
  if (fault.point != point || (fault.rank != -1 && fault.rank != self.launch.rank)) {
    return false;
  }
  if (fault.action == "no-communicator") {
    return false; // run() does it
  }
  if (fault.action == "exhaust") {
    exhaust_memory(fault.delay_ms);
    return false;
  }
  if (fault.delay_ms == 0) {
    return misbehave(fault.action, participant);
  }
  std::thread([fault] {
    std::this_thread::sleep_for(std::chrono::milliseconds(fault.delay_ms));
    misbehave(fault.action, nullptr);
  }).detach();
  return false;
}

/// Vertices on a line, dealt over the first two ranks.
std::vector<int> define_mesh(isthmus::Participant& participant, const Case& self) {
  constexpr int total = 12;
  const int dealers = self.launch.size < 2 ? 1 : 2;
  std::vector<double> positions;
  for (int i = 0; i < total; ++i) {
    if (i * dealers / total == self.launch.rank) {
      positions.insert(positions.end(), {0.0, static_cast<double>(i)});
    }
  }
  std::vector<int> ids(positions.size() / 2);
  participant.set_mesh_vertices(self.name + "-Mesh", positions, ids);
  return ids;
}

/// The life of a solver; returns whether it came to its end.
bool run(const Case& self, std::unique_ptr<isthmus::Participant>& kept) {
  reach("start", self, nullptr);
  std::unique_ptr<isthmus::Participant> own;
  std::unique_ptr<isthmus::Participant>& place = self.keeps ? kept : own;
  isthmus::Launch launch = self.launch;
  const MPI_Comm nothing = MPI_COMM_NULL;
  if (self.fault.action == "no-communicator" && self.fault.rank == launch.rank) {
    launch.communicator = &nothing;
  }
  place = std::make_unique<isthmus::Participant>(self.name, self.configuration, launch);
  isthmus::Participant& participant = *place;
  reach("constructed", self, &participant);
  const std::string mesh = self.name + "-Mesh";
  const std::vector<int> ids = define_mesh(participant, self);
  std::vector<double> values(ids.size());
  if (reach("defined", self, &participant)) {
    return false;
  }
  participant.initialize();
  reach("initialized", self, &participant);
  for (int window = 1; participant.is_coupling_ongoing(); ++window) { // or iteration
    static_cast<void>(participant.requires_writing_checkpoint());
    for (const std::string& partner : self.partners) {
      participant.read_data(mesh, partner + "-Data", ids, 0, values);
    }
    participant.write_data(mesh, self.name + "-Data", ids, values);
    if (reach("before" + std::to_string(window), self, &participant)) {
      return false;
    }
    participant.advance(participant.max_time_step_size());
    static_cast<void>(participant.requires_reading_checkpoint());
    reach("after" + std::to_string(window), self, &participant);
  }
  reach("end", self, &participant);
  participant.finalize();
  return true;
}

Case read_arguments(int argc, char** argv) {
  Case self;
  self.name = argv[1];
  self.configuration = argv[2];
  std::istringstream partners(argv[3]);
  for (std::string partner; std::getline(partners, partner, ',');) {
    self.partners.push_back(partner);
  }
  if (argc > 5) {
    const std::string action = argv[5];
    self.keeps = action.starts_with("kept-");
    self.fault = {argv[4], self.keeps ? action.substr(5) : action,
                  argc > 6 ? std::atoi(argv[6]) : 0, argc > 7 ? std::atoi(argv[7]) : 0};
  }
  return self;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s NAME CONFIGURATION PARTNERS [POINT ACTION [RANK [MS]]]\n",
                 argv[0]);
    return 2;
  }
  Case self = read_arguments(argc, argv);
  const bool parallel = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  if (parallel) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &self.launch.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.launch.size);
  }
  int code = 1;
  std::unique_ptr<isthmus::Participant> kept;
  try {
    const bool ended = run(self, kept);
    std::printf("%s:%d %s\n", self.name.c_str(), self.launch.rank, ended ? "done" : "left early");
    code = ended ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("%s:%d error: %s\n", self.name.c_str(), self.launch.rank, error.what());
  }
  std::fflush(stdout);
  if (parallel) {
    MPI_Finalize();
  }
  return code;
}
