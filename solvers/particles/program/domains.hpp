// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/migration.hpp"
#include "particles/program/case.hpp"

#include <filesystem>
#include <fstream>

namespace isthmus::mps {

/// Who sends how many particles to whom in each migration, ghosts included, written to a file for
/// bench_particles, which repeats the messages on other machines and in other ways.
class Trace {
 public:
  /// Collective. No path: nothing is written. Throws Error on all ranks where rank 0 cannot write.
  Trace(const comm::Comm& comm, const std::filesystem::path& path, double radius, double slack);

  /// Collective, before a migration with these bricks, which are new or those of the last one.
  void record(State& state, const exchange::Bricks& bricks, bool are_new);

 private:
  const comm::Comm& comm_;
  bool is_on_;
  double radius_, slack_;
  std::int64_t step_ = 0;
  std::ofstream file_; // on rank 0
};

/// Who owns which part of the plane, and the migrations that follow it.
class Domains {
 public:
  /// Collective. `comm` must outlive it; ghosts are all within `radius` of a domain.
  Domains(const comm::Comm& comm, const Case& from, double radius);

  [[nodiscard]] exchange::Migration& migration() { return migration_; }
  /// Collective, without communication. Other domains from the next migration on.
  void divide(exchange::Bricks bricks);
  /// Collective. Brings particles and ghosts to their owners. Returns the seconds that it took.
  double migrate(State& state, comm::Traffic* traffic);

 private:
  exchange::Migration migration_;
  Trace trace_;
  bool are_new_ = true; // since the last migration
};

} // namespace isthmus::mps
