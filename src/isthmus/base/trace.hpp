// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// One finished phase of one rank.
struct Span {
  std::string name; // "initialize/match", …
  double begin;     // seconds of now()
  double end;
};

/// How much is recorded; each includes those before it.
enum class Detail : std::uint8_t {
  nothing,
  steering, ///< steering calls as a whole, the solver between them, its sections
  phases,   ///< what steering calls do inside, waits for partners
  calls     ///< each call that reads or writes data
};

/// Phases of one rank, which lie inside each other. What is not recorded costs a comparison.
class Trace {
 public:
  explicit Trace(Detail detail = Detail::nothing) : detail_(detail) {}

  /// Records from construction to destruction.
  class Scope {
   public:
    Scope(Trace& trace, std::string_view name, Detail detail)
        : trace_(trace.records(detail) ? &trace : nullptr) {
      if (trace_ != nullptr) {
        trace_->open(name);
      }
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      if (trace_ != nullptr) {
        trace_->close();
      }
    }

   private:
    Trace* trace_;
  };

  /// A finished phase; its path begins with those that were open: "advance/exchange".
  struct Event {
    std::int32_t path; // in paths()
    double begin;      // seconds of now()
    double end;
  };

  [[nodiscard]] Scope scope(std::string_view name, Detail detail = Detail::phases) {
    return {*this, name, detail};
  }
  [[nodiscard]] bool records(Detail detail) const { return detail <= detail_; }
  void set_detail(Detail detail) { detail_ = detail; }

  void open(std::string_view name);
  /// Ends the phase that was opened last; nothing if none is open.
  void close();
  void close_all();
  /// A phase inside the open one that is over.
  void record(std::string_view name, double begin, double end);

  /// Inner phases before those they lie in.
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  [[nodiscard]] std::vector<Span> spans() const;
  void forget_events() { events_.clear(); }

 private:
  struct Open {
    std::int32_t path;
    double begin;
  };
  struct Known {
    std::int32_t parent; // -1: none
    std::string name;
  };

  [[nodiscard]] std::int32_t path_of(std::string_view name);

  Detail detail_;
  std::vector<Open> open_;
  std::vector<Event> events_;
  std::vector<std::string> paths_;
  std::vector<Known> known_; // what paths_ is made of
};

} // namespace isthmus
