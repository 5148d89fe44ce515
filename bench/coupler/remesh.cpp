// SPDX-License-Identifier: BSD-3-Clause
// bench_remesh [VERTICES] [REPEATS] [SHARE]: the cost of a mesh that changes beside that of the
// first initialization. Half of the ranks are participant A, the others B, on matching strips of a
// square; nearest neighbours are mapped both ways, and A resets its mesh in every other time
// window. Cases: none, 1 %, 10 % and all of the vertices of A move a little, in one corner or
// scattered all over, or those with this share in percent; vertices are those of all ranks of a
// participant. One line of comma separated values for each case: seconds and CPU seconds of the
// slowest rank, medians of the repeats, defining of the mesh included; messages and bytes between
// the participants of all ranks, and messages of any kind through MPI (between the participants
// only where that is the transport, as on simulated clusters).
#include "joint_launch.hpp"
#include "message_count.hpp"

#include "isthmus/participant/participant.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace isthmus;

constexpr const char* configuration =
    R"(<precice-configuration experimental="true" allow-remeshing="true">
  <log enabled="false" />
  <data:scalar name="T" /> <data:scalar name="F" />
  <mesh name="MA" dimensions="2"><use-data name="T" /><use-data name="F" /></mesh>
  <mesh name="MB" dimensions="2"><use-data name="T" /><use-data name="F" /></mesh>
  <participant name="A">
    <provide-mesh name="MA" /> <receive-mesh name="MB" from="B" />
    <write-data name="T" mesh="MA" /> <read-data name="F" mesh="MA" />
    <mapping:nearest-neighbor direction="read" from="MB" to="MA" constraint="consistent" />
  </participant>
  <participant name="B">
    <provide-mesh name="MB" /> <receive-mesh name="MA" from="A" />
    <write-data name="F" mesh="MB" /> <read-data name="T" mesh="MB" />
    <mapping:nearest-neighbor direction="read" from="MA" to="MB" constraint="consistent" />
  </participant>
  <m2n:sockets acceptor="A" connector="B" exchange-directory="EXCHANGE" />
  <coupling-scheme:parallel-explicit>
    <participants first="A" second="B" /> <time-window-size value="1" /> <max-time-windows value="WINDOWS" />
    <exchange data="T" mesh="MA" from="A" to="B" /> <exchange data="F" mesh="MB" from="B" to="A" />
  </coupling-scheme:parallel-explicit>
</precice-configuration>
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Case {
  double share; // of the vertices that move
  bool scattered;

  [[nodiscard]] std::string name() const {
    const std::string percent = fmt::format("{:g} %", 100 * share);
    return share == 0 || share == 1 ? percent
                                    : percent + (scattered ? " scattered" : " in a corner");
  }
};

/// What something cost, of all ranks.
struct Cost {
  double seconds = 0;
  double cpu = 0;
  double messages = 0;
  double bytes = 0;
  double through_mpi = 0; // messages
};

/// Measures one rank between its construction and cost().
class Meter {
 public:
  explicit Meter(const Participant& participant)
      : participant_(participant), before_(participant.statistics()) {
    MPI_Barrier(MPI_COMM_WORLD);
    through_mpi_ = messages_through_mpi();
    cpu_ = cpu_seconds();
    start_ = MPI_Wtime();
  }
  /// Collective over all ranks.
  [[nodiscard]] Cost cost() const {
    const double through_mpi = messages_through_mpi() - through_mpi_;
    const Statistics after = participant_.statistics();
    std::array<double, 2> most{MPI_Wtime() - start_, cpu_seconds() - cpu_};
    std::array<double, 3> sums{static_cast<double>(after.messages_sent - before_.messages_sent),
                               static_cast<double>(after.bytes_sent - before_.bytes_sent),
                               through_mpi};
    MPI_Allreduce(MPI_IN_PLACE, most.data(), 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return {most[0], most[1], sums[0], sums[1], sums[2]};
  }

 private:
  const Participant& participant_;
  Statistics before_;
  double through_mpi_;
  double cpu_;
  double start_;
};

/// This rank's strip of a square of side x side vertices.
struct Strip {
  std::vector<double> places;
  std::vector<VertexId> ids;
  std::size_t side;
  std::size_t first; // row

  Strip(std::size_t points, int rank, int size, double offset) : side(points) {
    first = side * static_cast<std::size_t>(rank) / static_cast<std::size_t>(size);
    const std::size_t last =
        side * (static_cast<std::size_t>(rank) + 1) / static_cast<std::size_t>(size);
    const auto h = 1 / static_cast<double>(side);
    for (std::size_t j = first; j < last; ++j) {
      for (std::size_t i = 0; i < side; ++i) {
        places.push_back((static_cast<double>(i) + offset) * h);
        places.push_back((static_cast<double>(j) + 0.5) * h);
      }
    }
    ids.resize(places.size() / 2);
  }

  /// Moves vertices back and forth by less than their distance.
  void move(const Case& what, int window) {
    const double by = (window % 2 == 0 ? 0.3 : -0.3) / static_cast<double>(side);
    const auto edge = static_cast<std::size_t>(std::sqrt(what.share) * static_cast<double>(side));
    const std::size_t every = what.share > 0 ? static_cast<std::size_t>(1 / what.share) : 0;
    for (std::size_t v = 0; v < ids.size() && every > 0; ++v) {
      const std::size_t column = v % side;
      const std::size_t row = first + v / side;
      if (what.scattered ? (row * side + column) % every == 0 : column < edge && row < edge) {
        places[2 * v] += by;
        places[2 * v + 1] += 0.5 * by;
      }
    }
  }
};

struct Costs {
  Cost first, reset, step;
};

/// Medians of times; messages and bytes are those of the last one.
Cost median(const std::vector<Cost>& costs) {
  const auto of = [&costs](double Cost::*member) {
    std::vector<double> values;
    for (const Cost& cost : costs) {
      values.push_back(cost.*member);
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  Cost result = costs.back();
  result.seconds = of(&Cost::seconds);
  result.cpu = of(&Cost::cpu);
  return result;
}

Costs couple(const Case& what, const std::string& file, std::size_t side, MPI_Comm own, bool is_a) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const Launch launch = joint_launch(own, world);
  Participant participant(is_a ? "A" : "B", file, launch);
  const std::string mesh = is_a ? "MA" : "MB";
  Strip strip(side, launch.rank, launch.size, is_a ? 0.4 : 0.6);
  std::vector<double> values(strip.ids.size(), 1.0);
  Costs costs;
  std::vector<Cost> resets_so_far;
  std::vector<Cost> steps_so_far;
  {
    const Meter meter(participant);
    participant.set_mesh_vertices(mesh, strip.places, strip.ids);
    participant.initialize();
    costs.first = meter.cost();
  }
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    const bool resets = window % 2 == 1;
    if (is_a && resets) {
      strip.move(what, window / 2);
    }
    const Meter meter(participant);
    if (is_a && resets) {
      participant.reset_mesh(mesh);
      participant.set_mesh_vertices(mesh, strip.places, strip.ids);
    }
    participant.write_data(mesh, is_a ? "T" : "F", strip.ids, values);
    participant.advance(1);
    (resets ? resets_so_far : steps_so_far).push_back(meter.cost());
  }
  participant.finalize();
  costs.reset = median(resets_so_far);
  costs.step = median(steps_so_far);
  return costs;
}

void run(std::size_t vertices, int repeats, double share) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check(size >= 2 && size % 2 == 0, "bench_remesh needs an even number of ranks, not {}", size);
  const bool is_a = rank < size / 2;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, is_a ? 0 : 1, rank, &own);
  const std::string file = (std::filesystem::temp_directory_path() / "isthmus-remesh.xml").string();
  if (rank == 0) {
    std::ofstream(file) << replaced(replaced(configuration, "EXCHANGE", "."), "WINDOWS",
                                    std::to_string(2 * repeats));
    fmt::print(
        "case,ranks,vertices,first_s,first_cpu_s,reset_s,reset_cpu_s,step_s,step_cpu_s,first_"
        "messages,reset_messages,step_messages,first_bytes,reset_bytes,step_bytes,first_mpi,reset_"
        "mpi,"
        "step_mpi\n");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(vertices))));
  for (const Case& what : {Case{0, false}, Case{0.01, false}, Case{0.01, true}, Case{0.1, false},
                           Case{0.1, true}, Case{1, true}}) {
    if (share >= 0 && what.share != share) {
      continue;
    }
    const Costs costs = couple(what, file, side, own, is_a);
    if (rank == 0) {
      fmt::print("{},{},{},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g},{},{},{},{},{},{},{},{},{}\n",
                 what.name(), size, side * side, costs.first.seconds, costs.first.cpu,
                 costs.reset.seconds, costs.reset.cpu, costs.step.seconds, costs.step.cpu,
                 costs.first.messages, costs.reset.messages, costs.step.messages, costs.first.bytes,
                 costs.reset.bytes, costs.step.bytes, costs.first.through_mpi,
                 costs.reset.through_mpi, costs.step.through_mpi);
      std::fflush(stdout);
    }
  }
  MPI_Comm_free(&own);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    const int vertices = argc > 1 ? std::atoi(argv[1]) : 100'000;
    const int repeats = argc > 2 ? std::atoi(argv[2]) : 3;
    check(vertices > 0 && repeats > 0, "vertices and repeats must be at least 1");
    run(static_cast<std::size_t>(vertices), repeats, argc > 3 ? std::atof(argv[3]) / 100 : -1);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_remesh: {}\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
