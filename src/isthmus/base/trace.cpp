// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/trace.hpp"

#include <algorithm>

namespace isthmus {

std::int32_t Trace::path_of(std::string_view name) {
  const std::int32_t parent = open_.empty() ? -1 : open_.back().path;
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& one) {
    return one.parent == parent && one.name == name;
  });
  if (known != known_.end()) {
    return static_cast<std::int32_t>(known - known_.begin());
  }
  std::string text = parent < 0 ? "" : paths_[static_cast<std::size_t>(parent)] + "/";
  paths_.push_back(text.append(name));
  known_.push_back({parent, std::string(name)});
  return static_cast<std::int32_t>(paths_.size()) - 1;
}

void Trace::open(std::string_view name) {
  open_.push_back({path_of(name), now()});
}

void Trace::close() {
  if (!open_.empty()) {
    events_.push_back({open_.back().path, open_.back().begin, now()});
    open_.pop_back();
  }
}

void Trace::close_all() {
  while (!open_.empty()) {
    close();
  }
}

void Trace::record(std::string_view name, double begin, double end) {
  events_.push_back({path_of(name), begin, end});
}

std::vector<Span> Trace::spans() const {
  std::vector<Span> spans;
  spans.reserve(events_.size());
  for (const Event& event : events_) {
    spans.push_back({paths_[static_cast<std::size_t>(event.path)], event.begin, event.end});
  }
  return spans;
}

} // namespace isthmus
