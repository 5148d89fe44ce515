// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/text/table_file.hpp"
#include "isthmus/base/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::outputs {

/// The events of one rank in the form that the tools `precice-profiling` read: a line that says
/// whose they are, then begins and ends in the order of time (docs/profiling.md).
class EventFile {
 public:
  /// Makes FOLDER/PARTICIPANT-RANK-SIZE.txt. `zero`: begin of the times in it, seconds of now().
  /// Throws Error if that cannot be written.
  EventFile(const std::string& folder, const std::string& participant, int rank, int size,
            double zero);

  /// Takes the events of the trace from `first` on, of which those at the top are complete; they go
  /// to the disk when there are `flush_every`, 0: at the end. Throws Error if that fails.
  void take(const Trace& trace, int flush_every, std::size_t first);

  /// No event follows. Throws Error if the last ones cannot be written.
  void end();

 private:
  struct Name {
    std::string text; // as the events begin and end: without those around it
    int depth;        // how many there are around it
    std::int32_t id;  // in the file
  };

  /// Writes the names of the paths that are not in the file yet.
  void name_paths(const Trace& trace);
  [[nodiscard]] std::int32_t id_of(const std::string& text);
  void put(char kind, std::int32_t id, double time);
  void write();

  TableFile file_;
  double zero_;
  std::vector<Name> names_;                 // of the trace's paths
  std::vector<std::string> ids_;            // texts in the file
  std::vector<std::pair<int, int>> begins_; // of subtrees: first event, event; kept for its memory
  std::string text_;                        // that is not written
  int records_ = 0;                         // in it
  std::int64_t last_ = 0;                   // time of what was put last, microseconds
};

} // namespace isthmus::outputs
