// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/restart.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/hash.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace isthmus::convection {

namespace {

constexpr std::size_t width = 5; // velocity, pressure, temperature
constexpr const char* about_name = "convection";
constexpr const char* series_name = "convection_series";
constexpr const char* adaptive_name = "convection_adaptive"; // of adaptive steps
constexpr const char* values_name = "convection_values";

/// What the file says of its values.
struct About {
  std::uint64_t mark;
  std::int64_t nodes;
  std::int64_t steps;
  double time;
  double step;
  std::uint64_t levels; // in time
};

/// Collective. A number that differs for other tetrahedra or places, the same on any ranks.
std::uint64_t mark_of(const comm::Comm& comm, const Mesh& mesh,
                      const std::vector<char>& is_foreign) {
  std::uint64_t sum = 0;
  for (const auto& tet : mesh.tets.tets) {
    std::uint64_t corners = 0;
    for (const LocalIndex node : tet) {
      corners +=
          mixed(static_cast<std::uint64_t>(mesh.tets.node_ids[static_cast<std::size_t>(node)]) + 1);
    }
    sum += mixed(corners);
  }
  for (std::size_t n = 0; n < mesh.tets.num_nodes(); ++n) {
    std::uint64_t place = static_cast<std::uint64_t>(mesh.tets.node_ids[n]);
    for (std::size_t c = 0; c < 3; ++c) {
      place = mixed(place + std::bit_cast<std::uint64_t>(mesh.tets.coords[3 * n + c] + 0.0));
    }
    sum += is_foreign[n] != 0 ? 0 : place;
  }
  return comm::allreduce(comm, sum, comm::Op::sum);
}

void append(std::vector<double>& to, const std::vector<double>& values,
            const std::vector<double>& temperature) {
  for (std::size_t n = 0; n < temperature.size(); ++n) {
    to.insert(to.end(), values.begin() + static_cast<std::ptrdiff_t>(4 * n),
              values.begin() + static_cast<std::ptrdiff_t>(4 * n + 4));
    to.push_back(temperature[n]);
  }
}

void divide(std::span<const double> from, std::vector<double>& values,
            std::vector<double>& temperature) {
  for (std::size_t n = 0; n < from.size(); n += width) {
    values.insert(values.end(), from.begin() + static_cast<std::ptrdiff_t>(n),
                  from.begin() + static_cast<std::ptrdiff_t>(n + 4));
    temperature.push_back(from[n + 4]);
  }
}

/// Names of files with their times.
std::vector<std::byte> packed(const std::vector<io::Exporter::Entry>& series) {
  isthmus::Writer writer;
  for (const io::Exporter::Entry& entry : series) {
    writer.put_text(entry.file).put(entry.time);
  }
  return writer.take();
}

std::vector<io::Exporter::Entry> unpacked(const std::vector<std::byte>& bytes) {
  isthmus::Reader reader(bytes);
  std::vector<io::Exporter::Entry> series;
  while (reader.left() > 0) {
    std::string file = reader.get_text();
    series.push_back({std::move(file), reader.get<double>()});
  }
  return series;
}

std::string level_name(std::uint64_t level) {
  return std::string(values_name) + (level == 0 ? "" : "_before");
}

} // namespace

Restart::Restart(const comm::Comm& comm, const Mesh& mesh)
    : comm_(comm), is_foreign_(mesh.tets.num_nodes(), 0) {
  ids_ = mesh.tets.node_ids;
  for (const LocalIndex node : mesh.plan.foreign) {
    is_foreign_[static_cast<std::size_t>(node)] = 1;
  }
  const GlobalIndex total =
      comm::allreduce(comm, GlobalIndex{mesh.plan.num_owned()}, comm::Op::sum);
  const Share own = share_of(comm.rank(), comm.size(), total);
  range_ = {own.first, own.count, total};
  for (std::size_t n = 0; n < ids_.size(); ++n) {
    (range_.contains(ids_[n]) ? own_ : away_).push_back(n);
  }
  std::sort(away_.begin(), away_.end(),
            [this](std::size_t a, std::size_t b) { return ids_[a] < ids_[b]; });
  std::vector<GlobalIndex> ghosts;
  for (const std::size_t n : away_) {
    ghosts.push_back(ids_[n]);
  }
  halo_ = la::make_halo(comm, range_, ghosts);
  mark_ = mark_of(comm, mesh, is_foreign_);
}

std::vector<double> Restart::to_slice(std::span<const double> nodes) {
  std::vector<double> slice(width * static_cast<std::size_t>(range_.count), 0);
  std::vector<double> ghosts(width * away_.size(), 0);
  const auto copy = [&](std::size_t node, double* to) {
    if (is_foreign_[node] == 0) {
      std::copy_n(&nodes[width * node], width, to);
    }
  };
  for (const std::size_t n : own_) {
    copy(n, &slice[width * static_cast<std::size_t>(ids_[n] - range_.first)]);
  }
  for (std::size_t k = 0; k < away_.size(); ++k) {
    copy(away_[k], &ghosts[width * k]);
  }
  halo_.reverse(comm_, static_cast<int>(width), ghosts, slice);
  return slice;
}

std::vector<double> Restart::to_nodes(std::span<const double> slice) {
  std::vector<double> nodes(width * ids_.size());
  std::vector<double> ghosts(width * away_.size());
  halo_.forward(comm_, static_cast<int>(width), slice, ghosts);
  for (const std::size_t n : own_) {
    std::copy_n(&slice[width * static_cast<std::size_t>(ids_[n] - range_.first)], width,
                &nodes[width * n]);
  }
  for (std::size_t k = 0; k < away_.size(); ++k) {
    std::copy_n(&ghosts[width * k], width, &nodes[width * away_[k]]);
  }
  return nodes;
}

void Restart::write(const std::filesystem::path& path, const State& state) {
  const std::uint64_t levels = state.values_before.empty() ? 1 : 2;
  const About about{mark_, range_.total, state.steps, state.time, state.step, levels};
  io::CheckpointWriter writer(comm_);
  if (comm_.is_root()) {
    writer.add<About>(about_name, std::span(&about, 1));
    writer.add<std::byte>(series_name, packed(state.series));
    if (state.next_step > 0) {
      const std::array<double, 2> adaptive = {state.next_step, state.last_change};
      writer.add<double>(adaptive_name, adaptive);
    }
  }
  for (std::uint64_t level = 0; level < levels; ++level) {
    std::vector<double> nodes;
    append(nodes, level == 0 ? state.values : state.values_before,
           level == 0 ? state.temperature : state.heat_before);
    writer.add_slice<double>(level_name(level), static_cast<GlobalIndex>(width) * range_.first,
                             to_slice(nodes));
  }
  writer.write(path, io::Durability::process);
}

State Restart::read(const std::filesystem::path& path) {
  const io::CheckpointReader reader(comm_, path);
  State state;
  std::vector<std::vector<double>> slices;
  comm::agree(comm_, [&] {
    check(reader.has(about_name, 0), "\"{}\" is a checkpoint, but none of isthmus-convection",
          path.string());
    const About about = reader.of_rank<About>(about_name, 0).at(0);
    check(about.nodes == range_.total && about.mark == mark_,
          "\"{}\" is of another mesh: it has {} nodes, this one {}, or places or tetrahedra "
          "differ; restart with the mesh that it was written with",
          path.string(), about.nodes, range_.total);
    state.steps = about.steps;
    state.time = about.time;
    state.step = about.step;
    state.series = unpacked(reader.of_rank<std::byte>(series_name, 0));
    if (reader.has(adaptive_name, 0)) {
      const std::vector<double> adaptive = reader.of_rank<double>(adaptive_name, 0);
      state.next_step = adaptive.at(0);
      state.last_change = adaptive.at(1);
    }
    for (std::uint64_t level = 0; level < about.levels; ++level) {
      slices.push_back(reader.slice<double>(level_name(level),
                                            static_cast<GlobalIndex>(width) * range_.first,
                                            static_cast<GlobalIndex>(width) * range_.count));
      check(std::all_of(slices.back().begin(), slices.back().end(),
                        [](double value) { return std::isfinite(value); }),
            "\"{}\" holds values that are no numbers; restart from an earlier file", path.string());
    }
  });
  divide(to_nodes(slices.at(0)), state.values, state.temperature);
  if (slices.size() > 1) {
    divide(to_nodes(slices[1]), state.values_before, state.heat_before);
  }
  return state;
}

} // namespace isthmus::convection
