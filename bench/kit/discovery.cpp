// SPDX-License-Identifier: BSD-3-Clause
// bench_discovery [PROVIDERS/RANKS] [ALGORITHM…]: what it costs two participants to find out who
// exchanges with whom. Both live in one job, by default a quarter of the ranks provides. A curved
// sheet is cut into equal patches, for either side another way, so that a provider's rank has 8
// partners. Algorithms: one-level two-level rendezvous (default: all). One line of comma separated
// values for each phase; counts are of one rank (largest, median) or of all ranks (sum); time is
// MPI_Wtime of the slowest rank, simulated under the smpi preset.
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/message.hpp"
#include "isthmus/rendezvous/centralized.hpp"
#include "isthmus/rendezvous/proxies.hpp"
#include "isthmus/rendezvous/rendezvous.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <string>
#include <string_view>

using namespace isthmus;
using geometry::Box;
using geometry::Point;

namespace {

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
struct Job final : rendezvous::Across {
  comm::Comm world{MPI_COMM_WORLD};
  int providers;
  rendezvous::Side side;
  comm::Comm mine;

  explicit Job(int provider_count)
      : providers(provider_count),
        side(world.rank() < provider_count ? rendezvous::Side::provider
                                           : rendezvous::Side::receiver),
        mine(world.split(side == rendezvous::Side::provider ? 0 : 1)) {}

  [[nodiscard]] bool provides() const { return side == rendezvous::Side::provider; }
  [[nodiscard]] int receivers() const { return world.size() - providers; }
  [[nodiscard]] int remote_size() const { return provides() ? receivers() : providers; }
  [[nodiscard]] int world_rank(int remote) const {
    return provides() ? providers + remote : remote;
  }
  void send(int remote, std::vector<std::byte> bytes) override {
    comm::send_message(world, world_rank(remote), bytes);
  }
  std::vector<std::byte> receive(int remote) override {
    return comm::receive_message(world, world_rank(remote));
  }
  void link(const rendezvous::Partner& /*partner*/) override {} // all are

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
  const auto partners = summary(job, rank.partners);
  const auto seconds = summary(job, rank.seconds);
  if (job.world.rank() == 0) {
    std::printf("%d,%d,%s,%s,%.2f,%zu,%ld,%ld,%.0f,%ld,%ld,%ld,%ld,%.0f,%.1f\n", job.world.size(),
                job.providers, algorithm, phase, partners.mean, partners.max, sent.max, sent.median,
                sent.sum, received.max, received.median, bytes.max, bytes.median, bytes.sum,
                1e6 * seconds.max);
    std::fflush(stdout);
  }
}

/// Runs `phase`, which returns the number of partners, between two barriers.
template <typename Phase>
Measured timed(Job& job, Phase&& phase) {
  Measured measured;
  comm::barrier(job.world);
  const double begin = MPI_Wtime();
  measured.partners = phase(measured);
  measured.seconds = MPI_Wtime() - begin;
  return measured;
}

void bench_proxies(Job& job, const std::vector<std::byte>& address) {
  const Measured measured = timed(job, [&](Measured& m) {
    return rendezvous::link_proxies(job.mine, job.side, job.remote_size(), address, job, &m.traffic)
        .size();
  });
  print(job, "rendezvous", "proxies", measured);
}

void bench_rendezvous(Job& job) {
  const std::vector<std::byte> address(32); // host, port, process
  bench_proxies(job, address);

  const Box box = job.patch().box();
  const Measured measured = timed(job, [&](Measured& m) {
    return rendezvous::rendezvous_partners(job.mine, job.remote_size(), job,
                                           {job.side, job.mine.rank(), address, {box}}, &m.traffic)
        .size();
  });
  print(job, "rendezvous", "discover", measured);
}

void bench_two_level(Job& job) {
  const Box box = job.patch().box();
  const Measured measured = timed(job, [&](Measured& m) {
    return rendezvous::two_level_partners(job.mine, job.side, job, std::span(&box, 1), {},
                                          &m.traffic)
        .size();
  });
  print(job, "two-level", "discover", measured);
}

struct Vertex {
  Point at;
  GlobalIndex id;
};

std::vector<Vertex> mesh_of(const Job& job) {
  constexpr int edge = 30;
  const Patch patch = job.patch();
  std::vector<Vertex> mesh;
  for (int i = 0; i < edge * edge; ++i) {
    const double u = (i % edge + 0.5) / edge;
    const double v = (static_cast<double>(i / edge) + 0.5) / edge;
    mesh.push_back(
        {Patch::at(patch.u0 + (patch.u1 - patch.u0) * u, patch.v0 + (patch.v1 - patch.v0) * v),
         GlobalIndex{job.mine.rank()} * edge * edge + i});
  }
  return mesh;
}

/// The whole mesh at the provider's first rank, from one rank after the other.
std::vector<std::byte> gather(const Job& job, const std::vector<Vertex>& mesh,
                              comm::Traffic& traffic) {
  const auto part = std::as_bytes(std::span(mesh));
  std::vector<std::byte> whole(part.begin(), part.end());
  if (job.mine.rank() > 0) {
    traffic.count(whole.size());
    comm::send_message(job.mine, 0, whole);
    return {};
  }
  for (int rank = 1; rank < job.mine.size(); ++rank) {
    const auto more = comm::receive_message(job.mine, rank, comm::tag_message, &traffic);
    whole.insert(whole.end(), more.begin(), more.end());
  }
  return whole;
}

/// The whole mesh on all ranks of the receiver.
std::vector<std::byte> spread(Job& job, comm::Traffic& traffic) {
  std::vector<std::byte> whole;
  if (job.mine.rank() == 0) {
    whole = job.receive(0);
    ++traffic.received;
  }
  comm::bcast(job.mine, whole);
  traffic.count_bcast(job.mine.rank(), job.mine.size(), whole.size());
  return whole;
}

void bench_one_level(Job& job) {
  const Box box = job.patch().box();
  const Measured measured = timed(job, [&](Measured& m) {
    std::vector<GlobalIndex> ids;
    if (job.provides()) {
      const std::vector<Vertex> mesh = mesh_of(job);
      for (const Vertex& vertex : mesh) {
        ids.push_back(vertex.id);
      }
      std::vector<std::byte> whole = gather(job, mesh, m.traffic);
      if (job.mine.rank() == 0) {
        m.traffic.count(whole.size());
        job.send(0, std::move(whole));
      }
    } else {
      const std::vector<std::byte> whole = spread(job, m.traffic);
      for (std::size_t at = 0; at < whole.size(); at += sizeof(Vertex)) {
        Vertex vertex;
        std::memcpy(&vertex, whole.data() + at, sizeof vertex);
        if (box.contains(vertex.at)) {
          ids.push_back(vertex.id);
        }
      }
    }
    return rendezvous::one_level_partners(job.mine, job.side, job, ids, {}, &m.traffic).size();
  });
  print(job, "one-level", "discover", measured);
}

void run(int argc, char** argv) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double share = argc > 1 ? std::atof(argv[1]) : 0.25;
  Job job(std::clamp(static_cast<int>(std::lround(share * ranks)), 1, ranks - 1));
  const auto chosen = [&](std::string_view algorithm) {
    return argc < 3 || std::find(argv + 2, argv + argc, algorithm) != argv + argc;
  };
  if (job.world.rank() == 0) {
    std::printf(
        "ranks,providers,algorithm,phase,partners_mean,partners_max,sent_max,sent_median,"
        "sent_sum,received_max,received_median,bytes_max,bytes_median,bytes_sum,"
        "microseconds\n");
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
