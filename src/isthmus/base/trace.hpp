// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"

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

/// Spans of one rank. While disabled it records nothing and costs one comparison.
class Trace {
 public:
  explicit Trace(bool enabled = false) : enabled_(enabled) {}

  /// Records from construction to destruction.
  class Scope {
   public:
    Scope(Trace& trace, std::string_view name)
        : trace_(trace.enabled_ ? &trace : nullptr), name_(name), begin_(trace_ ? now() : 0.0) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      if (trace_ != nullptr) {
        trace_->spans_.push_back({std::string(name_), begin_, now()});
      }
    }

   private:
    Trace* trace_;
    std::string_view name_;
    double begin_;
  };

  [[nodiscard]] Scope scope(std::string_view name) { return {*this, name}; }
  [[nodiscard]] bool enabled() const { return enabled_; }
  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
  void clear() { spans_.clear(); }

 private:
  bool enabled_;
  std::vector<Span> spans_;
};

} // namespace isthmus
