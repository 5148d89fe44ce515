// SPDX-License-Identifier: BSD-3-Clause
#include "participant/setup/couple.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

namespace couple {

namespace {

using namespace isthmus;
using namespace isthmus::comm;

/// A directory that all processes see, gone with its owner.
class SharedDirectory {
 public:
  explicit SharedDirectory(const Comm& world) : world_(world) {
    if (world.is_root()) {
      path_ = std::filesystem::temp_directory_path() / "isthmus-test-XXXXXX";
      REQUIRE(mkdtemp(path_.data()) != nullptr);
    }
    bcast(world, path_);
  }
  SharedDirectory(const SharedDirectory&) = delete;
  SharedDirectory& operator=(const SharedDirectory&) = delete;
  ~SharedDirectory() {
    barrier(world_);
    if (world_.is_root()) {
      std::error_code ignored;
      std::filesystem::remove_all(path_, ignored);
    }
  }

  /// The configuration with this directory in it.
  [[nodiscard]] std::string write(std::string xml) const {
    const std::string token = "{directory}";
    for (auto at = xml.find(token); at != std::string::npos; at = xml.find(token)) {
      xml.replace(at, token.size(), path_);
    }
    const std::string file = path_ + "/config.xml";
    if (world_.is_root()) {
      std::ofstream(file) << xml;
    }
    barrier(world_);
    return file;
  }

 private:
  const Comm& world_;
  std::string path_;
};

struct Report {
  Table table;
  std::string participant;
  std::string error;
};

Report perform(const Role& role, const std::string& config, const isthmus::Launch& launch) {
  Report report;
  report.participant = role.participant;
  try {
    role.play({role.participant, config, launch, &report.table});
  } catch (const std::exception& error) {
    report.error = error.what();
    REQUIRE(!report.error.empty());
  }
  return report;
}

/// Without MPI: the communicator is the process's own.
std::vector<Report> perform_in_threads(const std::vector<Role>& roles, const std::string& config) {
  const MPI_Comm self = MPI_COMM_SELF;
  std::vector<Report> reports(roles.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    threads.emplace_back([&, i] {
      reports[i] = perform(roles[i], config, {0, 1, &self, nullptr});
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return reports;
}

/// All processes. Communicators are made once for all cases: MPI waits while it makes one, and
/// keeps a core for it.
const Comm& world() {
  static const Comm all(MPI_COMM_WORLD);
  return all;
}

/// Collective. The ranks of one role, and how many roles are before it.
std::pair<const Comm&, std::size_t> ranks_of_role(const Deal& deal) {
  static std::map<Deal, Comm> known;
  int first = 0;
  std::size_t mine = 0;
  while (mine < deal.size() && world().rank() >= first + deal[mine]) {
    first += deal[mine++];
  }
  auto found = known.find(deal);
  if (found == known.end()) {
    found = known.emplace(deal, world().split(static_cast<int>(mine))).first;
  }
  return {found->second, mine};
}

std::vector<Report> perform_in_ranks(const std::vector<Role>& roles, const Deal& deal,
                                     const std::string& config) {
  const auto& [comm, mine] = ranks_of_role(deal);
  if (mine == deal.size()) {
    return {};
  }
  const MPI_Comm raw = comm.raw();
  return {perform(roles[mine], config, {comm.rank(), comm.size(), &raw, nullptr})};
}

std::vector<std::byte> encode(const std::vector<Report>& reports) {
  Writer writer;
  for (const Report& report : reports) {
    writer.put_text(report.participant).put_text(report.error).put(report.table.size());
    for (const auto& [series, entries] : report.table) {
      writer.put_text(series).put(entries.size());
      for (const auto& [entry, values] : entries) {
        writer.put(entry).put_array(values);
      }
    }
  }
  return writer.take();
}

void decode(std::span<const std::byte> bytes, Outcome& outcome) {
  Reader reader(bytes);
  while (reader.left() > 0) {
    std::string& errors = outcome.errors[reader.get_text()];
    const std::string error = reader.get_text();
    if (errors.find(error) == std::string::npos) {
      errors += (errors.empty() ? "" : "\n") + error;
    }
    for (auto s = reader.get<std::size_t>(); s > 0; --s) {
      auto& entries = outcome.table[reader.get_text()];
      for (auto e = reader.get<std::size_t>(); e > 0; --e) {
        const int entry = reader.get<int>();
        entries.emplace(entry, reader.get_array<double>());
      }
    }
  }
}

int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

} // namespace

Deal serial(int participants) {
  return world_size() < participants ? in_threads : Deal(static_cast<std::size_t>(participants), 1);
}

std::vector<Deal> deals(int participants) {
  const int size = world_size();
  if (size == 1) {
    return {in_threads};
  }
  const int more = size - participants; // ranks that are left when everybody has one
  if (more < 0) {
    return {};
  }
  const auto count = static_cast<std::size_t>(participants);
  std::set<Deal> all;
  for (const std::size_t favourite : {std::size_t{0}, count - 1}) {
    Deal deal(count, 1);
    deal[favourite] += more;
    all.insert(deal);
  }
  Deal even(count, 1);
  for (int i = 0; i < more; ++i) {
    ++even[static_cast<std::size_t>(i) % count];
  }
  all.insert(even);
  return {all.begin(), all.end()};
}

std::string Outcome::all_errors() const {
  std::string text;
  for (const auto& [participant, error] : errors) {
    text += error.empty() ? "" : fmt::format("{}: {}\n", participant, error);
  }
  return text;
}

Outcome play(const std::string& xml, const std::vector<Role>& roles, const Deal& deal) {
  setenv("ISTHMUS_TIMEOUT", "120", 0); // for a hang, however busy the machine is
  setenv("ISTHMUS_PATIENCE", "180", 0);
  const SharedDirectory directory(world());
  const std::string config = directory.write(xml);
  std::vector<Report> reports;
  if (!deal.empty()) {
    REQUIRE(std::accumulate(deal.begin(), deal.end(), 0) <= world().size());
    reports = perform_in_ranks(roles, deal, config);
  } else if (world().is_root()) {
    reports = perform_in_threads(roles, config);
  }
  const auto all = allgather(world(), std::span<const std::byte>(encode(reports)));
  Outcome outcome;
  for (int rank = 0; rank < world().size(); ++rank) {
    decode(all.of(rank), outcome);
  }
  return outcome;
}

Table run(const std::string& xml, const std::vector<Role>& roles, const Deal& deal) {
  Outcome outcome = play(xml, roles, deal);
  CHECK(outcome.all_errors() == "");
  return std::move(outcome.table);
}

Table starting(const Table& table, const std::string& start) {
  Table result;
  for (const auto& [series, entries] : table) {
    for (const auto& [entry, values] : entries) {
      auto& chosen = result[series];
      const auto [first, last] = chosen.equal_range(entry);
      const bool known = std::any_of(
          first, last, [&v = values](const auto& other) { return same_bits(other.second, v); });
      if (series.rfind(start, 0) == 0 && !known) {
        chosen.emplace(entry, values);
      }
    }
  }
  return result;
}

std::string difference(const Table& a, const Table& b) {
  if (a.size() != b.size()) {
    return fmt::format("{} and {} series", a.size(), b.size());
  }
  for (auto s = a.begin(), t = b.begin(); s != a.end(); ++s, ++t) {
    if (s->first != t->first || s->second.size() != t->second.size()) {
      return fmt::format("{} with {} entries, {} with {} entries", s->first, s->second.size(),
                         t->first, t->second.size());
    }
    for (auto e = s->second.begin(), f = t->second.begin(); e != s->second.end(); ++e, ++f) {
      if (e->first != f->first || !same_bits(e->second, f->second)) {
        return fmt::format("{}: entry {} is {}, entry {} is {}", s->first, e->first, e->second,
                           f->first, f->second);
      }
    }
  }
  return "";
}

std::vector<double> sums(const Table& table, const std::string& series) {
  std::vector<double> result;
  for (const auto& [entry, values] : table.at(series)) {
    result.resize(std::max(result.size(), values.size()), 0.0);
    for (std::size_t c = 0; c < values.size(); ++c) {
      result[c] += values[c];
    }
  }
  return result;
}

} // namespace couple
