// SPDX-License-Identifier: BSD-3-Clause
// bench_discovery [PROVIDERS/RANKS] [ALGORITHM…]: what it costs two participants to find out who
// exchanges with whom. Both live in one job, by default a quarter of the ranks provides. A curved
// sheet is cut into equal patches, for either side another way, so that a provider's rank has 8
// partners. Algorithms: one-level two-level rendezvous (default: all). One line of comma separated
// values for each phase; counts are of one rank (largest, median) or of all ranks (sum); time is
// MPI_Wtime of the slowest rank, simulated under the smpi preset.
#include "isthmus/coupling/discovery.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/message.hpp"
#include "isthmus/coupling/backbone.hpp"
#include "isthmus/coupling/baselines.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

using namespace isthmus;
using namespace isthmus::coupling;
using geometry::Box;
using geometry::Point;

namespace {

constexpr int patch_vertices = 900; // of a provider's rank, as in table 3 of the paper

/// Where on the sheet (u, v in 0…1) and in space the part of a rank lies.
struct Patch {
  double u0, u1, v0, v1;

  [[nodiscard]] Box box() const {
    Box box;
    constexpr int samples = 8;
    for (int i = 0; i <= samples; ++i) {
      for (int j = 0; j <= samples; ++j) {
        box.expand(at(u0 + (u1 - u0) * i / samples, v0 + (v1 - v0) * j / samples));
      }
    }
    return box;
  }
  static Point at(double u, double v) {
    return {u, v, 0.05 * std::sin(2 * std::numbers::pi * u) * std::cos(2 * std::numbers::pi * v)};
  }
};

/// Two participants in one job and the way between them.
struct Job {
  comm::Comm world{MPI_COMM_WORLD};
  int providers;
  Side side;
  comm::Comm mine;

  explicit Job(int provider_count)
      : providers(provider_count),
        side(world.rank() < provider_count ? Side::provider : Side::receiver),
        mine(world.split(side == Side::provider ? 0 : 1)) {}

  [[nodiscard]] bool provides() const { return side == Side::provider; }
  [[nodiscard]] int receivers() const { return world.size() - providers; }
  [[nodiscard]] int remote_size() const { return provides() ? receivers() : providers; }
  [[nodiscard]] int world_rank(int remote) const {
    return provides() ? providers + remote : remote;
  }
  [[nodiscard]] Across across() const {
    return {[this](int remote, const std::vector<std::byte>& bytes) {
              comm::send_message(world, world_rank(remote), bytes);
            },
            [this](int remote) { return comm::receive_message(world, world_rank(remote)); }};
  }

  /// Provider's patches are a nearly square grid; each is divided among `receivers / providers`
  /// rows of receiver's patches, which are shifted by half of their own edges.
  [[nodiscard]] Patch patch() const {
    int columns = static_cast<int>(std::sqrt(providers));
    while (providers % columns != 0) {
      --columns;
    }
    const int ranks = mine.size();
    const int rows = ranks / columns; // the last receivers may be without a patch
    const double shift = provides() ? 0.0 : 0.5;
    const int i = mine.rank() % columns;
    const int j = mine.rank() / columns;
    const double gap = 1e-6; // neighbours of the other side do not touch by rounding
    return {(i + shift + gap) / columns, (i + shift + 1 - gap) / columns, (j + shift + gap) / rows,
            (j + shift + 1 - gap) / rows};
  }
};

struct Measured {
  comm::Traffic traffic;
  std::size_t memory = 0;
  std::size_t partners = 0;
  double seconds = 0;
};

template <typename T>
struct Summary {
  double mean = 0, sum = 0;
  T median{}, max{};
};

template <typename T>
Summary<T> summary(const Job& job, T value) {
  std::vector<T> all = comm::gather(job.world, value);
  if (all.empty()) {
    return {};
  }
  Summary<T> result;
  for (const T one : all) {
    result.sum += static_cast<double>(one);
  }
  result.mean = result.sum / static_cast<double>(all.size());
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  result.median = *middle;
  result.max = *std::max_element(all.begin(), all.end());
  return result;
}

void print(const Job& job, const char* algorithm, const char* phase, const Measured& rank) {
  const auto sent = summary(job, rank.traffic.messages);
  const auto received = summary(job, rank.traffic.received);
  const auto bytes = summary(job, rank.traffic.bytes);
  const auto memory = summary(job, rank.memory);
  const auto partners = summary(job, rank.partners);
  const auto seconds = summary(job, rank.seconds);
  if (job.world.rank() == 0) {
    std::printf("%d,%d,%s,%s,%.2f,%zu,%ld,%ld,%.0f,%ld,%ld,%ld,%ld,%.0f,%zu,%zu,%.1f\n",
                job.world.size(), job.providers, algorithm, phase, partners.mean, partners.max,
                sent.max, sent.median, sent.sum, received.max, received.median, bytes.max,
                bytes.median, bytes.sum, memory.max, memory.median, 1e6 * seconds.max);
    std::fflush(stdout);
  }
}

/// Runs `phase`, which returns the number of partners, between two barriers.
template <typename Phase>
Measured timed(const Job& job, Phase&& phase) {
  Measured measured;
  comm::barrier(job.world);
  const double begin = MPI_Wtime();
  measured.partners = phase(measured);
  measured.seconds = MPI_Wtime() - begin;
  return measured;
}

void bench_rendezvous(const Job& job) {
  const std::vector<std::byte> address(32); // host, port, process
  const Box box = job.patch().box();
  std::optional<Relation> relation;
  const Across across = job.across();
  Measured measured = timed(job, [&](Measured& m) {
    return link_backbone(
               job.mine, job.side, job.remote_size(), address, across, [](const Partner&) {},
               &m.traffic)
        .size();
  });
  print(job, "rendezvous", "backbone", measured);

  measured = timed(job, [&](Measured& m) {
    relation.emplace(job.mine, job.side, job.remote_size(), across, std::span(&box, 1), address);
    m.traffic = relation->traffic();
    return relation->partners().size();
  });
  measured.memory = relation->memory();
  print(job, "rendezvous", "discover", measured);

  Box moved = box;
  if (job.world.rank() % 20 == 0) { // 5 % of the parts move by a tenth of their edge
    for (std::size_t k = 0; k < 2; ++k) {
      const double shift = 0.1 * (box.hi[k] - box.lo[k]);
      moved.lo[k] += shift;
      moved.hi[k] += shift;
    }
  }
  measured = timed(job, [&](Measured& m) {
    relation->update(true, std::span(&moved, 1));
    m.traffic = relation->traffic();
    return relation->partners().size();
  });
  measured.memory = relation->memory();
  print(job, "rendezvous", "update 5 %", measured);
}

void bench_two_level(const Job& job) {
  const Box box = job.patch().box();
  const Across across = job.across();
  const Measured measured = timed(job, [&](Measured& m) {
    return two_level_partners(job.mine, job.side, across, std::span(&box, 1), {}, &m.traffic)
        .size();
  });
  print(job, "two-level", "discover", measured);
}

/// The whole mesh through the first ranks, then the lists of ids.
void bench_one_level(const Job& job) {
  const Box box = job.patch().box();
  const Across across = job.across();
  std::vector<GlobalIndex> ids(patch_vertices);
  struct Vertex {
    Point at;
    GlobalIndex id;
  };
  const Measured measured = timed(job, [&](Measured& m) {
    std::vector<Vertex> mesh;
    if (job.provides()) {
      const Patch patch = job.patch();
      constexpr int edge = 30;
      for (int i = 0; i < patch_vertices; ++i) {
        ids[static_cast<std::size_t>(i)] = GlobalIndex{job.mine.rank()} * patch_vertices + i;
        mesh.push_back({Patch::at(patch.u0 + (patch.u1 - patch.u0) * (i % edge + 0.5) / edge,
                                  patch.v0 + (patch.v1 - patch.v0) *
                                                 (static_cast<double>(i / edge) + 0.5) / edge),
                        ids[static_cast<std::size_t>(i)]});
      }
      if (job.mine.rank() > 0) {
        m.traffic.count(mesh.size() * sizeof(Vertex));
        comm::send_message(job.mine, 0, std::as_bytes(std::span(mesh)));
      } else {
        std::vector<std::byte> whole;
        comm::Writer writer;
        writer.put_array(mesh);
        whole = writer.take();
        for (int rank = 1; rank < job.mine.size(); ++rank) {
          const auto part = comm::receive_message(job.mine, rank);
          ++m.traffic.received;
          whole.insert(whole.end(), part.begin(), part.end());
        }
        m.traffic.count(whole.size());
        across.send(0, std::move(whole));
      }
    } else {
      std::vector<std::byte> whole;
      if (job.mine.rank() == 0) {
        whole = across.receive(0);
        ++m.traffic.received;
      }
      comm::bcast(job.mine, whole);
      m.traffic.count_bcast(job.mine.rank(), job.mine.size(), whole.size());
      ids.clear();
      for (std::size_t at = sizeof(std::uint64_t); at < whole.size(); at += sizeof(Vertex)) {
        Vertex vertex;
        std::memcpy(&vertex, whole.data() + at, sizeof vertex);
        if (box.contains(vertex.at)) {
          ids.push_back(vertex.id);
        }
      }
      m.memory = whole.size();
    }
    return one_level_partners(job.mine, job.side, across, ids, {}, &m.traffic).size();
  });
  print(job, "one-level", "discover", measured);
}

void run(int argc, char** argv) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double share = argc > 1 ? std::atof(argv[1]) : 0.25;
  const Job job(std::clamp(static_cast<int>(std::lround(share * ranks)), 1, ranks - 1));
  const auto chosen = [&](std::string_view algorithm) {
    return argc < 3 || std::find(argv + 2, argv + argc, algorithm) != argv + argc;
  };
  if (job.world.rank() == 0) {
    std::printf(
        "ranks,providers,algorithm,phase,partners_mean,partners_max,sent_max,sent_median,"
        "sent_sum,received_max,received_median,bytes_max,bytes_median,bytes_sum,memory_max,"
        "memory_median,microseconds\n");
  }
  if (chosen("one-level")) {
    bench_one_level(job);
  }
  if (chosen("two-level")) {
    bench_two_level(job);
  }
  if (chosen("rendezvous")) {
    bench_rendezvous(job);
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  run(argc, argv);
  MPI_Finalize();
}
