// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/restart.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

namespace isthmus::mps {

namespace {

/// What the particles of a file were made for.
std::vector<double> walls_of(const Case& from) {
  std::vector<double> result;
  const auto add = [&result](const Vector& values) {
    result.insert(result.end(), values.begin(), values.end());
  };
  add(from.tank.lower);
  add(from.tank.upper);
  for (const auto& sides : from.tank.is_open) {
    result.insert(result.end(), sides.begin(), sides.end());
  }
  result.push_back(from.tank.has_planes ? 1 : 0);
  for (const Obstacle& obstacle : from.tank.obstacles) {
    add(obstacle.lower);
    add(obstacle.upper);
    add(obstacle.velocity);
    add(obstacle.amplitude);
    result.push_back(obstacle.frequency);
  }
  for (const Inflow& inflow : from.tank.inflows) {
    add(inflow.lower);
    add(inflow.upper);
    result.push_back(inflow.speed);
  }
  return result;
}

std::vector<double> lattice_of(const Case& from) {
  return {static_cast<double>(from.dimensions), from.spacing, from.radius};
}

void check_case(const io::CheckpointReader& reader, const std::string& file, const Case& from) {
  for (const char* name : {"particles moment", "particles lattice", "particles walls"}) {
    check(reader.has(name, 0), "\"{}\" is a restart file, but none of particles", file);
  }
  const std::vector<double> there = reader.of_rank<double>("particles lattice", 0);
  const std::vector<double> here = lattice_of(from);
  check(there == here,
        "\"{}\" has particles in {} dimensions, {} apart, that act {} spacings far; in this case "
        "these are {}, {} and {}; restart with those of the file",
        file, there.at(0), there.at(1), there.at(2), here[0], here[1], here[2]);
  check(reader.of_rank<double>("particles walls", 0) == walls_of(from),
        "\"{}\" has other walls than this case; restart with the [tank] and each [[obstacle]] and "
        "[[inflow]] that it was written with",
        file);
}

Moment moment_of(const io::CheckpointReader& reader) {
  Moment result;
  const auto counts = reader.of_rank<std::int64_t>("particles moment", 0);
  result.steps = counts.at(0);
  result.num_lost = counts.at(1);
  result.num_files = counts.at(2);
  const auto times = reader.of_rank<double>("particles times", 0);
  const auto names = reader.of_rank<char>("particles files", 0);
  std::istringstream lines(std::string(names.begin(), names.end()));
  result.time = times.at(0);
  std::string name;
  for (std::size_t n = 1; n < times.size() && std::getline(lines, name); ++n) {
    result.files.push_back({name, times[n]});
  }
  return result;
}

/// These entries of the arrays of particles.
void take_particles(const io::CheckpointReader& reader, const std::string& file, const Share& share,
                    State& to) {
  const auto [first, count] = share;
  const auto ids = reader.slice<GlobalIndex>("id", first, count);
  const auto positions = reader.slice<exchange::Position>("position", first, count);
  const auto kinds = reader.slice<Kind>("kind", first, count);
  const auto velocities = reader.slice<Vector>("velocity", first, count);
  const auto pressures = reader.slice<double>("pressure", first, count);
  for (std::size_t n = 0; n < ids.size(); ++n) {
    bool is_right =
        std::isfinite(pressures[n]) && kinds[n] >= Kind::fluid && kinds[n] <= Kind::dummy;
    for (std::size_t d = 0; d < 3; ++d) {
      is_right = is_right && std::isfinite(positions[n][d]) && std::isfinite(velocities[n][d]);
    }
    check(is_right,
          "particle {} of \"{}\" has values that are no numbers; restart from an earlier file",
          ids[n], file);
    const auto row = static_cast<std::size_t>(to.particles().insert(ids[n], positions[n]));
    to.kinds()[row] = kinds[n];
    to.pressures()[row] = pressures[n];
    std::copy(velocities[n].begin(), velocities[n].end(),
              to.velocities().begin() + static_cast<std::ptrdiff_t>(3 * row));
  }
}

} // namespace

void write_restart(const comm::Comm& comm, const std::filesystem::path& path, const Case& from,
                   State& state, const Moment& moment) {
  io::CheckpointWriter writer(comm);
  const std::size_t own = state.num_owned();
  const GlobalIndex first = comm::exscan(comm, static_cast<std::int64_t>(own));
  writer.add_slice<GlobalIndex>("id", first, state.particles().ids().first(own));
  writer.add_slice<exchange::Position>("position", first, state.positions().first(own));
  writer.add_slice<Kind>("kind", first, state.kinds().first(own));
  std::vector<Vector> velocities(own);
  for (std::size_t row = 0; row < own; ++row) {
    std::copy_n(state.velocities().data() + 3 * row, 3, velocities[row].begin());
  }
  writer.add_slice<Vector>("velocity", first, velocities);
  writer.add_slice<double>("pressure", first, state.pressures().first(own));
  if (comm.is_root()) {
    writer.add<std::int64_t>("particles moment",
                             std::vector{moment.steps, moment.num_lost, moment.num_files});
    std::vector<double> times{moment.time};
    std::string names;
    for (const io::Exporter::Entry& entry : moment.files) {
      times.push_back(entry.time);
      names += entry.file + '\n';
    }
    writer.add<double>("particles times", times);
    writer.add<char>("particles files", names);
    writer.add<double>("particles lattice", lattice_of(from));
    writer.add<double>("particles walls", walls_of(from));
  }
  writer.write(path, io::Durability::process);
}

Moment read_restart(const comm::Comm& comm, const std::filesystem::path& path, const Case& from,
                    State& to) {
  const io::CheckpointReader reader(comm, path);
  Moment result;
  comm::agree(comm, [&] {
    check_case(reader, path.string(), from);
    result = moment_of(reader);
    take_particles(reader, path.string(), share_of(comm.rank(), comm.size(), reader.length("id")),
                   to);
  });
  return result;
}

} // namespace isthmus::mps
