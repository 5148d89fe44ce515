// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/actors.hpp"
#include "setting.hpp"

#include <string>
#include <utility>
#include <vector>

namespace walks {

/// What the configuration says of schemes, and nothing that happens changes.
class Rules {
 public:
  explicit Rules(const Setting& setting) : setting_(setting) {}

  [[nodiscard]] const Setting& setting() const { return setting_; }
  [[nodiscard]] const Flow& flow(int f) const {
    return setting_.flows[static_cast<std::size_t>(f)];
  }
  [[nodiscard]] const Scheme& scheme(int s) const {
    return setting_.schemes[static_cast<std::size_t>(s)];
  }
  [[nodiscard]] int partner(int s, int p) const {
    return scheme(s).first == p ? scheme(s).second : scheme(s).first;
  }
  [[nodiscard]] bool is_second_in_turn(int s, int p) const {
    return scheme(s).serial && scheme(s).second == p;
  }
  [[nodiscard]] bool provides_initial(int p) const;

  [[nodiscard]] bool is_set_by(int s, int p) const { ///< the size of its windows
    return scheme(s).first_sets_window && scheme(s).first == p;
  }
  [[nodiscard]] double end_of_window(int s, const Clock& clock, int p) const;
  [[nodiscard]] bool is_over(int s, int windows, double time) const;
  [[nodiscard]] bool will_repeat(int s, const Clock& clock) const {
    return scheme(s).iterations > 0 && clock.iteration + 1 < scheme(s).iterations;
  }

  /// The one that accelerates.
  [[nodiscard]] int leader(int s) const {
    return setting_.multi ? setting_.controller : scheme(s).second;
  }
  [[nodiscard]] int group(int s) const { return setting_.multi ? 0 : s; }
  [[nodiscard]] bool is_accelerated(const Flow& flow) const;
  [[nodiscard]] std::vector<int> accelerated_flows(int s) const;
  /// The acceleration needs iterations before the present one.
  [[nodiscard]] bool remembers(int s) const;
  [[nodiscard]] bool is_modelled(int s) const;
  [[nodiscard]] std::vector<std::pair<int, int>> answering(int s) const;

 private:
  const Setting& setting_;
};

} // namespace walks
