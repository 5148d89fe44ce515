// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "native.hpp"
#include "script.hpp"

#include <precice/precice.hpp>

#include <mpi.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace walks {

/// Who plays a script.
struct Seat {
  std::string participant;
  std::string configuration;
  int rank = 0;
  int size = 1;
  MPI_Comm comm = MPI_COMM_NULL;      // of the participant
  MPI_Comm everybody = MPI_COMM_NULL; // of the walk
};

/// Makes the calls of a script, and compares.
template <typename Participant>
class Player {
 public:
  explicit Player(const Seat& seat) : seat_(seat) {}

  /// What was wrong with a call; nothing where all is as expected.
  [[nodiscard]] std::optional<std::string> play(const Call& call);

 private:
  using Values = std::vector<double>;
  [[nodiscard]] Values make(const Call& call);
  [[nodiscard]] Values construct(const Call& call);
  [[nodiscard]] Values steer(const Call& call);
  [[nodiscard]] Values define(const Call& call);
  [[nodiscard]] Values ask(const Call& call);
  [[nodiscard]] Values read(const Call& call);
  [[nodiscard]] Values fetch(const Call& call);
  [[nodiscard]] std::optional<std::string> compare(const Call& call, const Values& got) const;
  [[nodiscard]] std::optional<std::string> judge(const Call& call, const std::string& error);

  const Seat& seat_;
  std::unique_ptr<Participant> participant_;
  bool is_broken_ = false; // only destruction may follow
};

extern template class Player<precice::Participant>;
extern template class Player<Native>;

} // namespace walks
