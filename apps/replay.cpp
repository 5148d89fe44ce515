// SPDX-License-Identifier: BSD-3-Clause
// The dummy solver: one participant that reads its part of a mesh, writes an analytic function in
// every time window, reads what the partner wrote, and reports errors, phases and counts as JSON.
//
//   mpirun -n 2 isthmus-replay --participant B --config c.xml --mesh B-Mesh --part parts/B
//                              --out out/B --write S,V
#include "replay_case.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/participant/participant.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace isthmus::replay {

namespace {

/// Wall seconds of the phases of this rank; of repeated ones the median.
class Phases {
 public:
  template <typename Work>
  void time(const std::string& name, Work work) {
    const double begin = now();
    work();
    seconds_[name].push_back(now() - begin);
  }
  [[nodiscard]] std::map<std::string, double> medians() const {
    std::map<std::string, double> result;
    for (auto [name, values] : seconds_) {
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      result[name] = *middle;
    }
    return result;
  }

 private:
  std::map<std::string, std::vector<double>> seconds_;
};

struct Run {
  explicit Run(const Options& o)
      : options(o), comm(MPI_COMM_WORLD), function(function_named(o.function)) {}

  const Options& options;
  comm::Comm comm;
  Function function;
  Part part;
  std::vector<VertexId> ids;
  std::vector<int> read_components;
  std::vector<std::vector<double>> read_values;
  Phases phases;
  int windows = 0;
  Statistics statistics;
};

void define_mesh(Run& run, Participant& participant) {
  run.ids.resize(run.part.global.size());
  participant.set_mesh_vertices(run.options.mesh, run.part.coordinates, run.ids);
  if (participant.requires_mesh_connectivity_for(run.options.mesh)) {
    std::vector<VertexId> corners(run.part.triangles.size());
    std::transform(run.part.triangles.begin(), run.part.triangles.end(), corners.begin(),
                   [&run](std::int32_t v) { return run.ids.at(static_cast<std::size_t>(v)); });
    participant.set_mesh_triangles(run.options.mesh, corners);
  }
}

void step_through(Run& run, Participant& participant) {
  std::vector<std::vector<double>> written;
  for (const std::string& data : run.options.write) {
    written.push_back(
        sample(run.function, run.part, participant.data_dimensions(run.options.mesh, data)));
  }
  for (const std::string& data : run.options.read) {
    run.read_components.push_back(participant.data_dimensions(run.options.mesh, data));
    run.read_values.emplace_back(run.ids.size() *
                                 static_cast<std::size_t>(run.read_components.back()));
  }
  const auto write = [&] {
    for (std::size_t d = 0; d < written.size(); ++d) {
      participant.write_data(run.options.mesh, run.options.write[d], run.ids, written[d]);
    }
  };
  const auto read = [&](double relative_time) {
    for (std::size_t d = 0; d < run.read_values.size(); ++d) {
      participant.read_data(run.options.mesh, run.options.read[d], run.ids, relative_time,
                            run.read_values[d]);
    }
  };
  if (participant.requires_initial_data()) {
    write();
  }
  run.phases.time("initialize", [&] { participant.initialize(); });
  while (participant.is_coupling_ongoing()) {
    const double dt = participant.max_time_step_size();
    run.phases.time("read", [&] { read(dt); });
    run.phases.time("write", write);
    run.phases.time("advance", [&] { participant.advance(dt); });
    ++run.windows;
    if (run.comm.is_root()) {
      fmt::print("isthmus-progress {} window {}/?\n", run.options.participant, run.windows);
      std::fflush(stdout);
    }
  }
  read(0);
  run.statistics = participant.statistics();
  run.phases.time("finalize", [&] { participant.finalize(); });
}

std::string errors_json(const Run& run) {
  std::string json;
  for (std::size_t d = 0; d < run.read_values.size(); ++d) {
    const std::vector<double> exact = sample(run.function, run.part, run.read_components[d]);
    ErrorSums sums = compare(run.read_values[d], exact, run.read_components[d]);
    double totals[3] = {sums.squares, sums.reference, sums.count};
    comm::allreduce<double>(run.comm, totals, comm::Op::sum);
    const double largest = comm::allreduce(run.comm, sums.largest, comm::Op::max);
    const double l2 = totals[2] > 0 ? std::sqrt(totals[0] / totals[2]) : 0.0;
    const double relative = totals[1] > 0 ? std::sqrt(totals[0] / totals[1]) : 0.0;
    json += fmt::format("{}\"{}\": {{\"l2\": {:.17g}, \"rel_l2\": {:.17g}, \"max\": {:.17g}}}",
                        d == 0 ? "" : ", ", run.options.read[d], l2, relative, largest);
  }
  return json;
}

std::string phases_json(const Run& run) {
  std::string json;
  for (const auto& [name, seconds] : run.phases.medians()) {
    std::vector<double> all = comm::allgather(run.comm, seconds);
    std::sort(all.begin(), all.end());
    json +=
        fmt::format("{}\"{}\": {{\"min\": {:.9g}, \"median\": {:.9g}, \"max\": {:.9g}}}",
                    json.empty() ? "" : ", ", name, all.front(), all[all.size() / 2], all.back());
  }
  return json;
}

std::string counters_json(const Run& run) {
  const Statistics& s = run.statistics;
  std::string json;
  for (const auto& [name, value] :
       {std::pair("messages_sent", s.messages_sent), std::pair("bytes_sent", s.bytes_sent),
        std::pair("messages_received", s.messages_received),
        std::pair("bytes_received", s.bytes_received)}) {
    const auto own = static_cast<std::int64_t>(value);
    json += fmt::format("{}\"{}\": {{\"max\": {}, \"sum\": {}}}", json.empty() ? "" : ", ", name,
                        comm::allreduce(run.comm, own, comm::Op::max),
                        comm::allreduce(run.comm, own, comm::Op::sum));
  }
  return json;
}

std::string list_json(const std::vector<int>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string spans_json(const Run& run) {
  std::string own;
  for (const Span& span : run.statistics.spans) {
    own +=
        fmt::format("{}{{\"rank\": {}, \"name\": \"{}\", \"begin\": {:.9f}, \"end\": {:.9f}}}",
                    own.empty() ? "" : ",\n    ", run.comm.rank(), span.name, span.begin, span.end);
  }
  const auto all = comm::gather(run.comm, std::span<const char>(own));
  std::string json;
  for (int r = 0; run.comm.is_root() && r < run.comm.size(); ++r) {
    const auto piece = all.of(r);
    json +=
        (json.empty() || piece.empty() ? "" : ",\n    ") + std::string(piece.begin(), piece.end());
  }
  return json;
}

void report(const Run& run) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double peak =
      comm::allreduce(run.comm, static_cast<double>(usage.ru_maxrss) / 1024, comm::Op::max);
  int links = 0;
  for (const auto& [name, count] : run.statistics.partners) {
    links += count;
  }
  const std::vector<int> partners = comm::allgather(run.comm, links);
  const std::string errors = errors_json(run);
  const std::string phases = phases_json(run);
  const std::string counters = counters_json(run);
  const std::string spans = spans_json(run);
  if (run.comm.is_root() && !run.options.out.empty()) {
    const std::string json = fmt::format(
        "{{\"participant\": \"{}\", \"ranks\": {}, \"windows\": {},\n \"errors\": {{{}}},\n "
        "\"phases\": {{{}}},\n \"counters\": {{{}}},\n \"partners\": {}, \"peak_memory_mb\": "
        "{:.1f},\n "
        "\"spans\": [{}]}}\n",
        run.options.participant, run.comm.size(), run.windows, errors, phases, counters,
        list_json(partners), peak, spans);
    const std::string name = run.options.out + ".json";
    std::FILE* file = std::fopen(name.c_str(), "w");
    check(file != nullptr, "cannot write the file \"{}\"", name);
    const bool written = std::fwrite(json.data(), 1, json.size(), file) == json.size();
    check(std::fclose(file) == 0 && written, "cannot write the file \"{}\"; is the disk full?",
          name);
  }
}

void play(const Options& options) {
  Run run(options);
  run.part = read_part(fmt::format("{}.{}.part", options.part, run.comm.rank()));
  const Launch launch{.rank = run.comm.rank(), .size = run.comm.size()};
  std::unique_ptr<Participant> participant;
  run.phases.time("construct", [&] {
    participant = std::make_unique<Participant>(options.participant, options.config, launch);
  });
  run.phases.time("set_mesh", [&] { define_mesh(run, *participant); });
  step_through(run, *participant);
  if (!options.out.empty()) {
    write_values(fmt::format("{}.{}.values", options.out, run.comm.rank()), run.read_values,
                 run.read_components);
  }
  report(run);
}

} // namespace

} // namespace isthmus::replay

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    isthmus::replay::play(isthmus::replay::parse_options(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "isthmus-replay: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
