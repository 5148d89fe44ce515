// SPDX-License-Identifier: BSD-3-Clause
// bench_scale WAY [VERTICES] [MAPPING] [WINDOWS] [shared]: what a whole coupled run costs each
// rank, one way of initialization (rendezvous, two-level, one-level). A quarter of the ranks is
// participant B, which provides a mesh of triangles on a curved sheet with VERTICES on each rank
// (default 900), in equal patches; the others are A, with a third of that on each rank, in patches
// of another grid, and read a scalar by MAPPING (default nearest-projection). KIND:CONSTRAINT has
// another constraint than consistent, KIND+KIND maps to two meshes of A, write:KIND lets A write,
// from its mesh to that of B. Patches share the vertices of their borders, but not for radial
// functions, which need different places: with `shared` they do, so that initialize() refuses them.
// Phases: construct, initialize (with the definition of the meshes), step (of WINDOWS), finalize.
// One line of comma separated values for each; counts are those of the rank that has most,
// strangers: messages to or from ranks with which it exchanges nothing in a step, without those of
// collectives; memory: what the participant has allocated at most; time is that of the slowest
// rank, simulated under the smpi preset.
#include "joint_launch.hpp"
#include "rank_counts.hpp"

#include "isthmus/participant/participant.hpp"

#include "isthmus/base/error.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace isthmus;

constexpr const char* configuration = R"(<precice-configuration>
  <log enabled="false" /> <profiling mode="off" />
  <data:scalar name="T" />
  {meshes}
  <participant name="A"> {a} </participant>
  <participant name="B"> <provide-mesh name="MB" /> <{b}-data name="T" mesh="MB" /> </participant>
  <m2n:sockets acceptor="A" connector="B" initialization="{way}" />
  <coupling-scheme:parallel-explicit>
    <participants first="B" second="A" /> <time-window-size value="1" /> <max-time-windows value="{windows}" />
    <exchange data="T" mesh="MB" from="{from}" to="{to}" />
  </coupling-scheme:parallel-explicit>
</precice-configuration>
)";

/// One mapping between the mesh of B and one of A.
struct Mapped {
  std::string kind;
  std::string constraint = "consistent";
  std::string mesh; // of A

  [[nodiscard]] bool is_radial() const { return kind.starts_with("rbf"); }
  /// The linear field is in the polynomial of radial functions; a scaled one has the integral over
  /// another surface.
  [[nodiscard]] double largest_error(double edge) const {
    return constraint != "consistent" ? 0.5 : is_radial() ? 1e-9 : 6 * edge;
  }
  [[nodiscard]] std::string xml(bool writes, double edge) const {
    const std::string basis =
        fmt::format("<basis-function:compact-polynomial-c2 support-radius=\"{}\" />", 2 * edge);
    return fmt::format(
        R"(<provide-mesh name="{0}" /> <{1}-data name="T" mesh="{0}" />
    <mapping:{2} direction="{1}" from="{3}" to="{4}" constraint="{5}" parallel="true"> {6} </mapping:{2}>)",
        mesh, writes ? "write" : "read", kind, writes ? mesh : "MB", writes ? "MB" : mesh,
        constraint, is_radial() ? basis : "");
  }
};

struct Run {
  std::string way = "rendezvous";
  int vertices = 900; // of a rank of B
  std::string mapping = "nearest-projection";
  int windows = 3;
  bool is_shared = false;

  [[nodiscard]] bool writes() const { return mapping.starts_with("write:"); }
  [[nodiscard]] std::vector<Mapped> mappings() const {
    std::vector<Mapped> all;
    std::string rest = writes() ? mapping.substr(mapping.find(':') + 1) : mapping;
    while (!rest.empty()) {
      const std::size_t plus = std::min(rest.find('+'), rest.size());
      Mapped& one = all.emplace_back();
      one.kind = rest.substr(0, plus);
      one.mesh = fmt::format("MA{}", all.size());
      rest.erase(0, plus + 1);
      if (const std::size_t colon = one.kind.find(':'); colon != std::string::npos) {
        one.constraint = one.kind.substr(colon + 1);
        one.kind.erase(colon);
      }
    }
    return all;
  }
  [[nodiscard]] bool is_radial() const { return mapping.find("rbf") != std::string::npos; }
  /// Two edges of the mesh of B; radial functions reach over four.
  [[nodiscard]] double edge(int providers) const {
    return 2 / (std::sqrt(providers) * std::sqrt(vertices));
  }
  [[nodiscard]] std::string xml(double edge) const {
    std::string meshes = R"(<mesh name="MB" dimensions="3"><use-data name="T" /></mesh>)";
    std::string of_a = R"(<receive-mesh name="MB" from="B" />)";
    for (const Mapped& one : mappings()) {
      meshes +=
          fmt::format(R"(<mesh name="{}" dimensions="3"><use-data name="T" /></mesh>)", one.mesh);
      of_a += one.xml(writes(), edge);
    }
    return fmt::format(fmt::runtime(configuration), fmt::arg("meshes", meshes), fmt::arg("a", of_a),
                       fmt::arg("b", writes() ? "read" : "write"), fmt::arg("way", way),
                       fmt::arg("windows", windows), fmt::arg("from", writes() ? "A" : "B"),
                       fmt::arg("to", writes() ? "B" : "A"));
  }
};

/// The patch of a rank of the sheet, and the points on it in rows.
struct Patch {
  std::vector<double> places;
  std::vector<int> triangles;

  /// Those of a participant are a grid, as nearly square as it can be.
  Patch(int rank, int size, int vertices, bool shares_borders) {
    int columns = static_cast<int>(std::sqrt(size));
    while (size % columns != 0) {
      --columns;
    }
    const double du = 1.0 / columns;
    const double dv = 1.0 / (static_cast<double>(size) / columns);
    const double u0 = rank % columns * du;
    const double v0 = static_cast<double>(rank / columns) * dv;
    const int n = std::max(2, static_cast<int>(std::sqrt(vertices)));
    const auto at = [n, shares_borders](int i) {
      return shares_borders ? static_cast<double>(i) / (n - 1) : (i + 0.5) / n;
    };
    for (int i = 0; i < n * n; ++i) {
      const double u = u0 + du * at(i % n);
      const double v = v0 + dv * at(i / n);
      places.insert(places.end(), {u, v, height(u, v)});
    }
    for (int i = 0; i + 1 < n; ++i) {
      for (int j = 0; j + 1 < n; ++j) {
        const int a = j * n + i;
        triangles.insert(triangles.end(), {a, a + 1, a + n, a + 1, a + n + 1, a + n});
      }
    }
  }
  static double height(double u, double v) {
    constexpr double waves = 2 * std::numbers::pi;
    return 0.05 * std::sin(waves * u) * std::cos(waves * v);
  }
};

double value(const double* place) {
  return 1 + 2 * place[0] - 3 * place[1];
}

struct Phase {
  const char* name;
  RankCounts counts;
  std::size_t memory = 0;
  double seconds = 0;
};

/// What one rank does, phase after phase.
class Measured {
 public:
  template <typename Work>
  void phase(const char* name, Work&& work) {
    PMPI_Barrier(MPI_COMM_WORLD);
    static_cast<void>(take_rank_counts());
    static_cast<void>(take_rank_memory());
    const double begin = MPI_Wtime();
    work();
    const double seconds = MPI_Wtime() - begin;
    PMPI_Barrier(MPI_COMM_WORLD); // what comes to this rank until all are done is of this phase
    phases_.push_back({name, take_rank_counts(), take_rank_memory(), seconds});
  }
  /// Collective over all ranks.
  void print(const Run& run, int providers) const;

 private:
  [[nodiscard]] double with_strangers(const Phase& phase) const;

  std::vector<Phase> phases_;
};

/// Messages of a phase to or from ranks with which nothing is exchanged in a step, without those of
/// collectives.
double Measured::with_strangers(const Phase& phase) const {
  const auto step = std::find_if(phases_.begin(), phases_.end(),
                                 [](const Phase& one) { return std::string("step") == one.name; });
  const auto count = [](const std::map<int, long>& all, const std::map<int, long>& partners) {
    double messages = 0;
    for (const auto& [rank, number] : all) {
      messages += partners.contains(rank) ? 0.0 : static_cast<double>(number);
    }
    return messages;
  };
  std::map<int, long> partners = step->counts.sent_to;
  partners.insert(step->counts.received_from.begin(), step->counts.received_from.end());
  return std::max(count(phase.counts.sent_to, partners),
                  count(phase.counts.received_from, partners));
}

void Measured::print(const Run& run, int providers) const {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    fmt::print(
        "way,mapping,ranks,providers,vertices,phase,sent,received,bytes_sent,bytes_received,"
        "strangers,collectives,memory,memory_mean,partners,microseconds\n");
  }
  for (const Phase& phase : phases_) {
    const RankCounts& counts = phase.counts;
    const auto memory = static_cast<double>(phase.memory);
    const std::size_t partners = counts.sent_to.size() + counts.received_from.size();
    std::array<double, 9> most{counts.sent,
                               counts.received,
                               counts.bytes_sent,
                               counts.bytes_received,
                               with_strangers(phase),
                               counts.collectives,
                               memory,
                               static_cast<double>(partners),
                               phase.seconds};
    double sum = memory;
    PMPI_Allreduce(MPI_IN_PLACE, most.data(), most.size(), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    PMPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
      fmt::print("{},{},{},{},{},{},{},{},{},{},{},{},{},{:.0f},{},{:.1f}\n", run.way, run.mapping,
                 size, providers, run.vertices, phase.name, most[0], most[1], most[2], most[3],
                 most[4], most[5], most[6], sum / size, most[7], 1e6 * most[8]);
    }
  }
  std::fflush(stdout);
}

void check_values(const Patch& patch, const std::vector<double>& values, double largest_error) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double* const place = &patch.places[3 * i];
    const double wrong = std::abs(values[i] - value(place));
    check(wrong <= largest_error, "a value is wrong by {}, more than {}", wrong, largest_error);
  }
}

/// A mesh of a participant, whose values are right within a limit.
struct OwnMesh {
  std::string name;
  double largest_error;
};

std::vector<OwnMesh> meshes_of(const Run& run, bool is_b, double edge) {
  std::vector<OwnMesh> meshes;
  for (const Mapped& one : run.mappings()) {
    meshes.push_back({is_b ? "MB" : one.mesh, one.largest_error(edge)});
  }
  meshes.resize(is_b ? 1 : meshes.size());
  return meshes;
}

/// One rank of a participant from its construction to its end.
void couple(const Run& run, const std::string& file, const Patch& patch, const Launch& launch,
            std::span<const OwnMesh> meshes, Measured& measured) {
  std::optional<Participant> participant;
  const bool is_b = meshes[0].name == "MB";
  const bool gives = is_b != run.writes();
  const std::size_t count = patch.places.size() / 3;
  std::vector<VertexId> ids(count); // the same of all meshes
  std::vector<double> values(count);
  measured.phase("construct", [&] { participant.emplace(is_b ? "B" : "A", file, launch); });
  measured.phase("initialize", [&] {
    for (const OwnMesh& mesh : meshes) {
      participant->set_mesh_vertices(mesh.name, patch.places, ids);
      if (participant->requires_mesh_connectivity_for(mesh.name)) {
        participant->set_mesh_triangles(mesh.name, patch.triangles);
      }
    }
    participant->initialize();
  });
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = value(&patch.places[3 * i]);
  }
  measured.phase("step", [&] {
    while (participant->is_coupling_ongoing()) {
      for (std::size_t m = 0; gives && m < meshes.size(); ++m) {
        participant->write_data(meshes[m].name, "T", ids, values);
      }
      participant->advance(1);
    }
  });
  for (std::size_t m = 0; !gives && m < meshes.size(); ++m) {
    participant->read_data(meshes[m].name, "T", ids, 0, values);
    check_values(patch, values, meshes[m].largest_error);
  }
  measured.phase("finalize", [&] { participant->finalize(); });
  participant.reset();
}

void bench(const Run& run) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check(size >= 2, "bench_scale needs at least 2 ranks");
  const int providers = std::max(1, size / 4);
  const bool is_b = rank < providers;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, is_b ? 0 : 1, rank, &own);
  const MPI_Comm joint = MPI_COMM_WORLD;
  const Launch launch = joint_launch(own, joint);
  const std::string file = (std::filesystem::temp_directory_path() /
                            fmt::format("isthmus-scale-{}-{}-{}.xml", run.way, run.mapping, size))
                               .string();
  const double edge = run.edge(providers);
  if (rank == 0) {
    std::ofstream(file) << run.xml(edge);
  }
  PMPI_Barrier(MPI_COMM_WORLD);
  {
    const Patch patch(launch.rank, launch.size, is_b ? run.vertices : run.vertices / 3,
                      !run.is_radial() || run.is_shared);
    Measured measured;
    couple(run, file, patch, launch, meshes_of(run, is_b, edge), measured);
    measured.print(run, providers);
  }
  MPI_Comm_free(&own);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    Run run;
    run.way = argc > 1 ? argv[1] : run.way;
    run.vertices = argc > 2 ? std::atoi(argv[2]) : run.vertices;
    run.mapping = argc > 3 ? argv[3] : run.mapping;
    run.windows = argc > 4 ? std::atoi(argv[4]) : run.windows;
    run.is_shared = argc > 5 && std::string(argv[5]) == "shared";
    check(run.vertices > 0 && run.windows > 0, "vertices and windows must be at least 1");
    check(!run.mappings().empty() && (!run.writes() || run.mappings().size() == 1),
          "\"{}\" is no mapping, or several that write", run.mapping);
    bench(run);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_scale: {}\n", error.what());
#ifdef ISTHMUS_SIMULATED // whose MPI_Abort ends the others by exceptions, also where none may come
    std::fflush(stdout);
    std::_Exit(1);
#else
    MPI_Abort(MPI_COMM_WORLD, 1);
#endif
  }
  end_rank_counts();
  MPI_Finalize();
  return 0;
}
