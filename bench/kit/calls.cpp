// SPDX-License-Identifier: BSD-3-Clause
// bench_calls PREFIX [WORK]: makes the calls of MPI that libmpi_record.so has written to PREFIX.0,
// PREFIX.1, …, with the work between them, times WORK (default 1); one line of comma separated
// values: ranks, steps, mean microseconds of a step, of the slowest rank, without the first step,
// the work of it, and what it spends in calls of each kind, means of the ranks. Sums of the solvers
// of isthmus::la are made by the library and moved on during the work, as it is there. Under the
// smpi preset the work is simulated, else spun away.
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/reduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#ifdef ISTHMUS_SIMULATED
#include <smpi/smpi.h>
#else
#include "isthmus/base/clock.hpp"
#endif

using namespace isthmus;

namespace {

constexpr double slice_us = 10; // of work, between two looks at a sum

struct Kind {
  const char* name;
  std::string_view letters; // of recorded calls
};

constexpr std::array<Kind, 7> kinds{{{"send", "si"},
                                     {"receive", "rj"},
                                     {"wait", "w"},
                                     {"allreduce", "A"},
                                     {"alltoall", "L"},
                                     {"allgather", "G"},
                                     {"sum", "SF"}}};

void compute(double seconds) {
#ifdef ISTHMUS_SIMULATED
  if (seconds > 0) {
    smpi_execute(seconds);
  }
#else
  const double end = now() + seconds;
  while (now() < end) {
  }
#endif
}

struct Call {
  double work_us;
  char kind;
  std::vector<long> numbers;
};

std::vector<Call> read(const std::string& name) {
  std::ifstream file(name);
  check(file.good(), "cannot read {}: record it with libmpi_record.so first", name);
  std::vector<Call> calls;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream text(line);
    Call call{0, ' ', {}};
    text >> call.work_us >> call.kind;
    for (long number = 0; text >> number;) {
      call.numbers.push_back(number);
    }
    calls.push_back(call);
  }
  return calls;
}

/// Values of the largest sum of the solvers, at least one.
std::size_t most_sums(const std::vector<Call>& calls) {
  long most = 1;
  for (const Call& call : calls) {
    most = call.kind == 'S' ? std::max(most, call.numbers.at(0)) : most;
  }
  return static_cast<std::size_t>(most);
}

class Replay {
 public:
  /// Collective.
  Replay(const comm::Comm& world, const std::vector<Call>& calls, double work)
      : world_(world), work_(work), sum_(world, most_sums(calls)) {
    make_comms(calls);
  }

  /// Collective. From the second to the last mark of a step: starts and ends are left out.
  void run(const std::vector<Call>& calls) {
    const auto num_marks = std::count_if(calls.begin(), calls.end(),
                                         [](const Call& call) { return call.kind == 't'; });
    check(num_marks > 2, "{} steps were recorded; at least 3 are needed", num_marks);
    steps_ = static_cast<int>(num_marks) - 2;
    int marks = 0;
    for (const Call& call : calls) {
      if (call.kind == 't' && ++marks == 2) {
        comm::barrier(world_);
        start_ = MPI_Wtime();
      }
      if (marks == num_marks) {
        break;
      }
      if (marks >= 2) {
        work(call.kind == 't' ? 0 : call.work_us);
        timed(call.kind, [&] { make(call); });
      }
    }
    seconds_ = MPI_Wtime() - start_;
    comm::barrier(world_);
  }

  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] double worked() const { return worked_; }
  [[nodiscard]] int steps() const { return steps_; }

  /// Seconds in calls of MPI of such a kind.
  [[nodiscard]] double spent(const Kind& kind) const {
    double sum = 0;
    for (const char letter : kind.letters) {
      const auto found = spent_.find(letter);
      sum += found == spent_.end() ? 0 : found->second;
    }
    return sum;
  }

 private:
  template <typename Make>
  void timed(char letter, const Make& make) {
    const double begin = MPI_Wtime();
    make();
    spent_[letter] += MPI_Wtime() - begin;
  }

  void work(double microseconds) {
    double left = microseconds * work_;
    worked_ += left;
    for (; sum_.under_way() && left > slice_us; left -= slice_us) {
      compute(1e-6 * slice_us);
      timed('F', [this] { sum_.progress(); });
    }
    compute(1e-6 * left);
    if (sum_.under_way()) {
      timed('F', [this] { sum_.progress(); });
    }
  }

  void make(const Call& call) {
    const auto at = [&call](std::size_t i) { return static_cast<int>(call.numbers.at(i)); };
    switch (call.kind) {
      case 's':
        MPI_Send(room(at(3)), at(3), MPI_BYTE, at(0), tag(at(1)), comm(at(2)));
        break;
      case 'r':
        MPI_Recv(room(at(3)), at(3), MPI_BYTE, at(0), tag(at(1)), comm(at(2)), MPI_STATUS_IGNORE);
        break;
      case 'i':
        MPI_Isend(room(at(3)), at(3), MPI_BYTE, at(0), tag(at(1)), comm(at(2)), &requests_[at(4)]);
        break;
      case 'j':
        MPI_Irecv(room(at(3)), at(3), MPI_BYTE, at(0) < 0 ? MPI_ANY_SOURCE : at(0), tag(at(1)),
                  comm(at(2)), &requests_[at(4)]);
        break;
      case 'w':
        wait(call);
        break;
      case 'A':
        MPI_Allreduce(room(at(1)), room(2 * at(1)) + at(1), at(1), MPI_BYTE, MPI_BOR, comm(at(0)));
        break;
      case 'G':
        MPI_Allgather(room(at(1)), at(1), MPI_BYTE, room((world_.size() + 1) * at(1)) + at(1),
                      at(1), MPI_BYTE, comm(at(0)));
        break;
      case 'L':
        all_to_all(at(1), comm(at(0)));
        break;
      case 'S':
        sum_.begin(std::vector<double>(static_cast<std::size_t>(at(0)), 1));
        break;
      case 'F':
        (void)sum_.finish();
        break;
      default:
        break; // marks
    }
  }

  void wait(const Call& call) {
    std::vector<MPI_Request> open;
    for (const long number : call.numbers) {
      if (const auto found = requests_.find(static_cast<int>(number)); found != requests_.end()) {
        open.push_back(found->second);
        requests_.erase(found);
      }
    }
    MPI_Waitall(static_cast<int>(open.size()), open.data(), MPI_STATUSES_IGNORE);
  }

  void all_to_all(int bytes, MPI_Comm comm) {
    char* all = room(2 * world_.size() * bytes);
    MPI_Alltoall(all, bytes, MPI_BYTE, all + world_.size() * bytes, bytes, MPI_BYTE, comm);
  }

  /// The bytes are never looked at.
  char* room(int bytes) {
    static std::vector<char> rooms(std::size_t{1} << 22);
    return static_cast<std::size_t>(bytes) <= rooms.size() ? rooms.data() : nullptr;
  }

  /// Those that a tag of OpenFOAM may not meet.
  static int tag(int recorded) { return recorded % 16384; }

  void make_comms(const std::vector<Call>& calls) {
    long most = 0;
    for (const Call& call : calls) {
      const std::string_view messages = "srij";
      const std::string_view all = "AGL";
      if (messages.find(call.kind) != std::string_view::npos) {
        most = std::max(most, call.numbers.at(2));
      } else if (all.find(call.kind) != std::string_view::npos) {
        most = std::max(most, call.numbers.at(0));
      }
    }
    comms_.resize(static_cast<std::size_t>(
        comm::allreduce(world_, static_cast<std::int64_t>(most), comm::Op::max) + 1));
    for (MPI_Comm& comm : comms_) {
      MPI_Comm_dup(world_.raw(), &comm);
    }
  }

  MPI_Comm comm(int number) { return comms_.at(static_cast<std::size_t>(number)); }

  const comm::Comm& world_;
  double work_;
  comm::Reduction sum_;
  std::vector<MPI_Comm> comms_;
  std::map<int, MPI_Request> requests_;
  std::map<char, double> spent_; // seconds
  double start_ = 0;
  double seconds_ = 0;
  double worked_ = 0; // microseconds
  int steps_ = 0;
};

/// Collective. One line with names and one with values.
void print(const comm::Comm& world, const Replay& replay) {
  const double seconds = comm::allreduce(world, replay.seconds(), comm::Op::max);
  const double worked = comm::allreduce(world, replay.worked(), comm::Op::sum);
  const int rank_steps = world.size() * replay.steps();
  std::string names = "ranks,steps,microseconds,work";
  std::string values = fmt::format("{},{},{:.1f},{:.1f}", world.size(), replay.steps(),
                                   1e6 * seconds / replay.steps(), worked / rank_steps);
  for (const Kind& kind : kinds) {
    const double spent = comm::allreduce(world, replay.spent(kind), comm::Op::sum);
    names += std::string(",") + kind.name;
    values += fmt::format(",{:.2f}", 1e6 * spent / rank_steps);
  }
  if (world.is_root()) {
    std::printf("%s\n%s\n", names.c_str(), values.c_str());
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 2) {
    std::fputs("bench_calls PREFIX [WORK]\n", stderr);
    return 2;
  }
  {
    const comm::Comm world(MPI_COMM_WORLD);
    const auto calls = read(std::string(argv[1]) + "." + std::to_string(world.rank()));
    Replay replay(world, calls, argc > 2 ? std::atof(argv[2]) : 1);
    replay.run(calls);
    print(world, replay);
  }
  MPI_Finalize();
}
