// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/participant/participant.hpp"

#include "environment.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// Several participants inside one test program.
namespace couple {

/// What the ranks measured: series, entry (a vertex, say), values. Entries may stand twice.
using Table = std::map<std::string, std::multimap<int, std::vector<double>>>;

/// One rank of one participant.
struct Seat {
  std::string participant;
  std::string config; // file
  isthmus::Launch launch;
  Table* table = nullptr;

  [[nodiscard]] isthmus::Participant make() const { return {participant, config, launch}; }
  void put(const std::string& series, int entry, std::vector<double> values) const {
    (*table)[series].emplace(entry, std::move(values));
  }
};

struct Role {
  std::string participant;
  std::function<void(const Seat&)> play;
};

/// Ranks per role; empty: all are serial and run as threads of the first process. A case that plays
/// in no other way runs on one rank: others would only wait.
using Deal = std::vector<int>;
inline const Deal in_threads;
/// Every participant serial, in processes of their own if there are enough.
[[nodiscard]] Deal serial(int participants);

/// Some ways to deal all processes to so many participants; none if there are too few.
[[nodiscard]] std::vector<Deal> deals(int participants);

/// Participants that do not come are given up soon, while this lives.
struct ShortTimeout : Environment {
  explicit ShortTimeout(int seconds = 1)
      : Environment("ISTHMUS_TIMEOUT", std::to_string(seconds)) {}
};

struct Outcome {
  Table table;
  std::map<std::string, std::string> errors; // by participant; ranks that say the same count once

  [[nodiscard]] std::string all_errors() const;
};

/// Collective over all processes, each of which gets the same outcome. `xml` says {directory} where
/// participants meet.
[[nodiscard]] Outcome play(const std::string& xml, const std::vector<Role>& roles,
                           const Deal& deal);

/// The same as play(); an error of any rank fails the test with its text.
[[nodiscard]] Table run(const std::string& xml, const std::vector<Role>& roles, const Deal& deal);

/// The series whose names start so; of entries that stand twice with the same bits only one.
[[nodiscard]] Table starting(const Table& table, const std::string& start);

/// Series that differ in any bit, described; "" if the tables are the same.
[[nodiscard]] std::string difference(const Table& a, const Table& b);

/// Sums over the entries of a series, component by component.
[[nodiscard]] std::vector<double> sums(const Table& table, const std::string& series);

} // namespace couple
