// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/text/table_file.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/text_post.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace isthmus::outputs {

/// The events of all ranks in one file of lines (docs/profiling.md): each rank sends lines of what
/// it has, and the first one writes them.
class EventLines {
 public:
  /// `comm` must outlive the object. `zero`: begin of the times in the file, seconds of now().
  EventLines(const comm::Comm& comm, double zero) : comm_(comm), post_(comm), zero_(zero) {}

  /// On the first rank. Makes FOLDER/PARTICIPANT.jsonl. Throws Error if that cannot be written.
  void open(const std::string& folder, const std::string& participant, std::string_view mode);
  /// Whether this rank writes the file.
  [[nodiscard]] bool is_open() const { return file_.is_open(); }

  /// Takes the events of the trace from `first` on, a line of them, and returns where the next line
  /// begins. Throws Error if they cannot be written.
  [[nodiscard]] std::size_t take(const Trace& trace, std::size_t first);
  /// On the first rank, writes what others have sent. Throws Error if that fails.
  void receive();
  /// Collective. All that was sent is written.
  void finish();
  /// On the first rank: the last line says how the run ended.
  void end(std::string_view how, std::string_view reason);

 private:
  [[nodiscard]] std::string line_of(const Trace& trace, std::size_t first, std::size_t end);

  const comm::Comm& comm_;
  comm::TextPost post_;
  TableFile file_;
  double zero_;
  bool is_introduced_ = false;    // the file will say what clock this is
  std::size_t paths_written_ = 0; // of the trace
};

} // namespace isthmus::outputs
