// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/mpi_end.hpp"
#include "isthmus/comm/roll_call.hpp"
#include "isthmus/participant/participant.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace isthmus::participant {

/// The ranks of this participant, which go the same way: what one of them does alone, such as to
/// fail or to leave, the others learn of it here.
class OwnRanks {
 public:
  explicit OwnRanks(std::string_view participant) : participant_(participant) {}
  /// Ends MPI after own_mpi().
  ~OwnRanks();
  OwnRanks(const OwnRanks&) = delete;
  OwnRanks& operator=(const OwnRanks&) = delete;

  /// Collective over the ranks of `launch`. `mpi_ends`: where the program ends MPI before this
  /// object is gone. `met` becomes true when the ranks wait for nobody any more.
  void gather(const Launch& launch, std::function<void()> mpi_ends, bool& met);
  /// MPI ends with this object, if it has begun it. A participant that could not be made leaves MPI
  /// as it is, for another try.
  void own_mpi() { ends_mpi_ = initialized_mpi_; }
  /// From now on the program may end MPI unheard.
  void ignore_mpi_end() { mpi_end_.reset(); }
  [[nodiscard]] static bool has_mpi_ended();

  [[nodiscard]] const std::string& participant() const { return participant_; }
  [[nodiscard]] const comm::Comm& comm() const { return comm_; }
  /// While this rank waits for others, which may need so many seconds, it calls `work`.
  void watch(std::function<void()> work, double progress_timeout_s);

  /// This rank begins a step; all make equally many.
  void begin_step() { ++num_steps_; }
  /// Collective. This rank makes no more steps. Error if others do.
  void leave();
  /// Error if another rank has failed, or has left while this one goes on.
  void check_others();
  /// The same now and then: a rank without partners waits for nobody.
  void check_others_seldom();

  /// Reports to the others why this rank gives up; returns what they get. `from_alarm`: one of them
  /// has said so.
  [[nodiscard]] std::string raise_alarm(const std::string& cause, bool from_alarm) noexcept;

 private:
  std::string participant_;
  bool initialized_mpi_ = false;
  bool ends_mpi_ = false;
  comm::Comm comm_;
  std::optional<comm::MpiEnd> mpi_end_;
  std::optional<comm::RollCall> roll_call_;
  std::int64_t num_steps_ = 0; // initialize() and advance(), begun
  double last_look_ = 0;
};

} // namespace isthmus::participant
