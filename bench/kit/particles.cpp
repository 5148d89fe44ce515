// SPDX-License-Identifier: BSD-3-Clause
// bench_particles flow ACROSS STEPS [NOTICE]: a column of water of ACROSS particles across
//   collapses; one line with particles, fingerprint, front and messages every 100 steps.
// bench_particles front ACROSS: the way of the front until it is 4 widths away; lines of
//   time,front.
// bench_particles record FOLDER ACROSS STEPS RANKS…: who would send how many particles to whom on
//   RANKS ranks, into files.
// bench_particles replay FILE STEPS [WAY…]: the recorded exchanges, one way after the other:
//   payload (sizes known), all-to-all, put-fence, put-passive, consensus, remembered, agreed. One
//   line of comma separated values for each step; time is of the slowest rank, simulated under the
//   smpi preset. FILE "around": no record, 1 to 8 particles to 8 ranks each.
#include "fluid.hpp"
#include "pattern.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/delivery.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace isthmus;
using bench::Fluid;
using bench::Pattern;
using bench::Row;

namespace {

constexpr std::size_t particle_bytes = 64; // of the fluid: number, owner, position, velocity, …

void flow(int across, int steps, std::string_view opening) {
  const comm::Comm world(MPI_COMM_WORLD);
  Fluid fluid(world, across, true,
              opening == "by-caller" ? comm::Opening::by_caller
              : opening == "later"   ? comm::Opening::later
                                     : comm::Opening::at_once);
  comm::Traffic traffic;
  for (int step = 1; step <= steps; ++step) {
    fluid.advance();
    fluid.migrate(step % 20 == 0, &traffic);
    if (step % 100 == 0 || step == steps) {
      const auto print = fluid.fingerprint();
      const double front = fluid.front();
      const auto messages = comm::allreduce(world, traffic.messages, comm::Op::sum);
      if (world.is_root()) {
        std::printf("%d,%lu,%016lx,%.6f,%ld\n", step, print[0], print[1], front, messages);
      }
    }
  }
}

void front(int across) {
  const comm::Comm world(MPI_COMM_WORLD);
  Fluid fluid(world, across, false);
  double reach = 1;
  for (int step = 0; reach < 4.05 && step < 1'000'000; ++step) {
    fluid.advance();
    fluid.migrate(step % 20 == 0);
    if (step % 50 == 0) {
      reach = fluid.front();
      if (world.is_root()) {
        std::printf("%.5f,%.5f\n", fluid.time(), reach);
      }
    }
  }
}

/// What `way` does in one step, for the row of this rank. Returns nothing; it is timed.
using Way = std::function<void(const Pattern::Step&, comm::Traffic&)>;

Way payload(const comm::Comm& world, bool by_all_to_all) {
  return [&world, by_all_to_all, bytes = std::vector<std::byte>()](const Pattern::Step& step,
                                                                   comm::Traffic& traffic) mutable {
    std::vector<Row> incoming = step.receives;
    if (by_all_to_all) { // as the particle codes do it: an int for everybody
      std::vector<int> sent(static_cast<std::size_t>(world.size()));
      std::vector<int> received(sent.size());
      for (const Row& row : step.sends) {
        sent[static_cast<std::size_t>(row.rank)] = row.count;
      }
      MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, world.raw());
      traffic.count_alltoall(world.size(), sizeof(int));
      incoming.clear();
      for (int rank = 0; rank < world.size(); ++rank) {
        if (const int count = received[static_cast<std::size_t>(rank)]; count > 0) {
          incoming.push_back({rank, count});
        }
      }
    }
    std::vector<MPI_Request> requests;
    std::size_t total = 0;
    for (const std::span<const Row> rows :
         {std::span<const Row>(incoming), std::span<const Row>(step.sends)}) {
      for (const Row& row : rows) {
        total += static_cast<std::size_t>(row.count) * particle_bytes;
      }
    }
    bytes.resize(std::max(bytes.size(), total));
    std::byte* at = bytes.data();
    const auto start = [&](const Row& row, auto call) {
      const int size = row.count * static_cast<int>(particle_bytes);
      requests.push_back(MPI_REQUEST_NULL);
      call(at, size, MPI_BYTE, row.rank, 400, world.raw(), &requests.back());
      at += size;
    };
    for (const Row& row : incoming) {
      start(row, MPI_Irecv);
    }
    for (const Row& row : step.sends) {
      traffic.count(static_cast<std::size_t>(row.count) * particle_bytes);
      start(row, MPI_Isend);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  };
}

Way delivery(const comm::Comm& world, comm::Discovery discovery) {
  auto deliver = std::make_shared<comm::Delivery>(world, discovery);
  return [deliver](const Pattern::Step& step, comm::Traffic& traffic) {
    std::vector<comm::Parcel> parcels;
    for (const Row& row : step.sends) {
      parcels.push_back(
          {row.rank, std::vector<std::byte>(static_cast<std::size_t>(row.count) * particle_bytes)});
    }
    (void)deliver->exchange(std::move(parcels), &traffic);
  };
}

/// Counts in the payload to the ranks next to this one, as exchange::Migration does it.
Way remembered(const comm::Comm& world, std::span<const int> partners, comm::Opening opening) {
  auto exchange = std::make_shared<comm::Remembered>(world, partners, opening);
  return [exchange, bytes = std::vector<std::byte>()](const Pattern::Step& step,
                                                      comm::Traffic& traffic) mutable {
    if (step.divided) {
      exchange->reset(step.partners);
    }
    exchange->begin(step.open, &traffic);
    for (const Row& row : step.sends) {
      bytes.resize(static_cast<std::size_t>(row.count) * particle_bytes);
      exchange->append(row.rank, bytes);
    }
    (void)exchange->finish({}, &traffic);
  };
}

Way make_way(const comm::Comm& world, std::string_view name, std::span<const int> partners) {
  using comm::Discovery;
  if (name == "payload" || name == "all-to-all") {
    return payload(world, name == "all-to-all");
  }
  if (name == "remembered" || name == "agreed") {
    return remembered(world, partners,
                      name == "agreed" ? comm::Opening::at_once : comm::Opening::by_caller);
  }
  for (const Discovery way :
       {Discovery::put_fence, Discovery::put_passive, Discovery::consensus, Discovery::routed}) {
    if (name == name_of(way)) {
      return delivery(world, way);
    }
  }
  fail("there is no way \"{}\" to exchange particles", name);
}

/// Of one step of one way.
struct Figures {
  double seconds;
  std::int64_t messages, bytes, partners;
};

/// One line for each step, of the busiest rank and of all.
void print(const comm::Comm& world, const std::string& name,
           const std::vector<Pattern::Step>& pattern, const std::vector<Figures>& figures) {
  std::vector<double> slowest;
  std::vector<std::int64_t> most;
  for (const Figures& one : figures) {
    slowest.push_back(one.seconds);
    most.insert(most.end(), {one.messages, one.bytes, one.partners});
  }
  std::vector<std::int64_t> sums = most;
  comm::allreduce(world, std::span(slowest), comm::Op::max);
  comm::allreduce(world, std::span(most), comm::Op::max);
  comm::allreduce(world, std::span(sums), comm::Op::sum);
  for (std::size_t step = 0; step < pattern.size() && world.is_root(); ++step) {
    const std::int64_t* max = &most[3 * step];
    const std::int64_t* sum = &sums[3 * step];
    std::printf("%d,%s,%zu,%d,%.3f,%ld,%ld,%ld,%ld,%ld,%ld\n", world.size(), name.c_str(), step,
                pattern[step].divided ? 1 : 0, 1e6 * slowest[step], max[0], max[1], max[2], sum[0],
                sum[1], sum[2]);
  }
  std::fflush(stdout);
}

void replay(const std::string& file, int steps, const std::vector<std::string>& names) {
  const comm::Comm world(MPI_COMM_WORLD);
  const std::vector<Pattern::Step> pattern =
      file == "around" ? Pattern::around(world.rank(), world.size(), steps)
                       : Pattern::read(file, world.rank(), world.size(), steps);
  if (world.is_root()) {
    std::printf(
        "ranks,way,step,divided,microseconds,messages_max,bytes_max,partners_max,"
        "messages_sum,bytes_sum,partners_sum\n");
  }
  for (const std::string& name : names) {
    const Way way = make_way(world, name, pattern.front().partners);
    std::vector<Figures> figures;
    for (const Pattern::Step& step : pattern) {
      comm::Traffic traffic;
      comm::barrier(world);
      const double begin = MPI_Wtime();
      way(step, traffic);
      figures.push_back({MPI_Wtime() - begin, traffic.messages, traffic.bytes,
                         static_cast<std::int64_t>(step.sends.size())});
    }
    print(world, name, pattern, figures);
  }
}

void run(std::vector<std::string> words) {
  const auto number = [&words](std::size_t i) { return std::atoi(words.at(i).c_str()); };
  const std::string mode = words.empty() ? "" : words[0];
  if (mode == "flow" && words.size() >= 3) {
    flow(number(1), number(2), words.size() > 3 ? words[3] : "");
  } else if (mode == "front" && words.size() == 2) {
    front(number(1));
  } else if (mode == "record" && words.size() >= 5) {
    const comm::Comm serial;
    Fluid fluid(serial, number(2), true);
    std::vector<int> ranks;
    for (std::size_t i = 4; i < words.size(); ++i) {
      ranks.push_back(number(i));
    }
    Pattern::record(fluid, words[1], number(3), ranks);
  } else if (mode == "replay" && words.size() >= 4) {
    replay(words[1], number(2), {words.begin() + 3, words.end()});
  } else {
    fail("bench_particles flow|front|record|replay …: see the first lines of particles.cpp");
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 0;
  try {
    run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = 1;
  }
  MPI_Finalize();
  return code;
}
