// SPDX-License-Identifier: BSD-3-Clause
#include "pattern.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/hash.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/base/wire.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>

namespace bench {

using namespace isthmus;
using exchange::Bricks;
using exchange::Position;

namespace {

constexpr int steps_between_balance = 10;
constexpr int steps_before = 20; // until the flow is smooth

/// One flow on one number of ranks.
class Recorder {
 public:
  Recorder(const Fluid& fluid, const std::string& folder, int ranks)
      : fluid_(fluid),
        ranks_(ranks),
        file_(fmt::format("{}/pattern-{}", folder, ranks), std::ios::binary) {
    check(file_.good(), "cannot write to {}", folder);
    put(ranks);
    divide();
  }

  /// Where the particles are before the step, and new bricks if it begins with them.
  void begin(bool balance) {
    const auto positions = fluid_.particles().positions();
    owners_.clear();
    for (const Position& at : positions) {
      owners_.push_back(bricks_.owner(at));
    }
    divided_ = divided_first_ || balance;
    divided_first_ = false;
    if (balance) {
      divide();
    }
  }

  void finish() {
    std::map<std::pair<int, int>, int> counts;
    std::vector<int> near;
    bool open = false;
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      bricks_.near(fluid_.particles().positions()[i], fluid_.radius(), near);
      for (const int rank : near) {
        if (rank != owners_[i]) {
          ++counts[{owners_[i], rank}];
        }
      }
    }
    std::vector<Pattern::Step> steps(static_cast<std::size_t>(ranks_));
    for (const auto& [pair, count] : counts) {
      const auto from = static_cast<std::size_t>(pair.first);
      steps[from].sends.push_back({pair.second, count});
      steps[static_cast<std::size_t>(pair.second)].receives.push_back({pair.first, count});
      open =
          open || !std::binary_search(partners_[from].begin(), partners_[from].end(), pair.second);
    }
    write(steps, open);
  }

 private:
  void divide() {
    const auto positions = fluid_.particles().positions();
    bricks_ = exchange::balanced_bricks(comm::Comm(), ranks_, positions, fluid_.spacing());
    partners_.clear();
    for (int rank = 0; rank < ranks_; ++rank) {
      partners_.push_back(bricks_.neighbours(rank, fluid_.radius() + fluid_.slack()));
    }
  }

  void put(std::int64_t value) { file_.write(reinterpret_cast<const char*>(&value), sizeof value); }

  /// Length and block of each rank, behind a table of where the blocks begin.
  void write(const std::vector<Pattern::Step>& steps, bool open) {
    std::vector<std::vector<std::byte>> blocks;
    for (std::size_t rank = 0; rank < steps.size(); ++rank) {
      Writer writer;
      writer.put(divided_).put(open).put_array(steps[rank].sends).put_array(steps[rank].receives);
      writer.put_array(divided_ ? partners_[rank] : std::vector<int>());
      blocks.push_back(writer.take());
    }
    std::int64_t begin = 0;
    for (const auto& block : blocks) {
      put(begin);
      begin += static_cast<std::int64_t>(block.size());
    }
    put(begin);
    for (const auto& block : blocks) {
      file_.write(reinterpret_cast<const char*>(block.data()),
                  static_cast<std::streamsize>(block.size()));
    }
  }

  const Fluid& fluid_;
  int ranks_;
  std::ofstream file_;
  Bricks bricks_;
  std::vector<std::vector<int>> partners_;
  std::vector<int> owners_;
  bool divided_ = false;
  bool divided_first_ = true; // partners are notified in the first step, too
};

/// 1 to 8.
int count_between(int from, int to, int step) {
  const std::uint64_t message = (static_cast<std::uint64_t>(from) << 40) ^
                                (static_cast<std::uint64_t>(to) << 16) ^
                                static_cast<std::uint64_t>(step);
  return static_cast<int>(1 + (mixed(message) >> 61));
}

/// A line of a trace: `beyond` is not 0 where the receiver is no partner.
struct Sent {
  int from = 0;
  int to = 0;
  int count = 0;
  int beyond = 0;
};

/// What it means for this rank.
void note(const Sent& sent, int rank, Pattern::Step& step) {
  step.open = step.open || (sent.beyond != 0 && sent.count > 0);
  if (sent.from == rank && sent.count > 0) {
    step.sends.push_back({sent.to, sent.count});
  }
  if (sent.to == rank && sent.count > 0) {
    step.receives.push_back({sent.from, sent.count});
  }
  if (sent.from == rank && sent.beyond == 0 && step.divided) {
    step.partners.push_back(sent.to);
  }
}

} // namespace

void Pattern::record(Fluid& fluid, const std::string& folder, int steps,
                     const std::vector<int>& ranks) {
  const auto advance = [&fluid] {
    fluid.advance();
    fluid.migrate(false);
  };
  for (int step = 0; step < steps_before; ++step) {
    advance();
  }
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (const int one : ranks) {
    recorders.push_back(std::make_unique<Recorder>(fluid, folder, one));
  }
  for (int step = 0; step < steps; ++step) {
    for (auto& recorder : recorders) {
      recorder->begin(step > 0 && step % steps_between_balance == 0);
    }
    advance();
    for (auto& recorder : recorders) {
      recorder->finish();
    }
  }
}

std::vector<Pattern::Step> Pattern::read_trace(const std::string& name, int rank, int ranks,
                                               int steps) {
  std::ifstream file(name);
  std::string line;
  check(file.good() && std::getline(file, line) && line.starts_with("ranks,step,new,"),
        "{} is no trace of the particle solver", name);
  std::vector<Step> pattern(static_cast<std::size_t>(steps));
  int last = -1;
  while (last < steps && std::getline(file, line)) {
    int there = 0, step = 0, is_new = 0;
    Sent sent;
    check(std::sscanf(line.c_str(), "%d,%d,%d,%d,%d,%d,%d", &there, &step, &is_new, &sent.from,
                      &sent.to, &sent.count, &sent.beyond) == 7 &&
              there == ranks,
          "{} is no trace of {} ranks: {}", name, ranks, line);
    last = std::max(last, step);
    if (step < steps) {
      Step& one = pattern[static_cast<std::size_t>(step)];
      one.divided = is_new != 0 || step == 0;
      note(sent, rank, one);
    }
  }
  check(last + 1 >= steps, "{} ends before step {}", name, steps - 1);
  return pattern;
}

std::vector<Pattern::Step> Pattern::read(const std::string& name, int rank, int ranks, int steps) {
  if (name.ends_with(".csv")) {
    return read_trace(name, rank, ranks, steps);
  }
  std::ifstream file(name, std::ios::binary);
  const auto get = [&file] {
    std::int64_t value = 0;
    file.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  };
  check(file.good() && get() == ranks, "{} is no pattern for {} ranks", name, ranks);
  std::vector<Step> pattern;
  for (int step = 0; step < steps; ++step) {
    const auto table = file.tellg();
    file.seekg(rank * std::int64_t{sizeof(std::int64_t)}, std::ios::cur);
    const std::int64_t begin = get(), end = get();
    file.seekg(table + static_cast<std::streamoff>(ranks * sizeof(std::int64_t)));
    const std::int64_t total = get();
    const auto blocks = file.tellg();
    std::vector<std::byte> block(static_cast<std::size_t>(end - begin));
    file.seekg(blocks + static_cast<std::streamoff>(begin));
    file.read(reinterpret_cast<char*>(block.data()), end - begin);
    check(file.good(), "{} ends before step {}", name, step);
    file.seekg(blocks + static_cast<std::streamoff>(total));
    Reader reader(block);
    Step& one = pattern.emplace_back();
    one.divided = reader.get<bool>();
    one.open = reader.get<bool>();
    one.sends = reader.get_array<Row>();
    one.receives = reader.get_array<Row>();
    one.partners = reader.get_array<int>();
  }
  return pattern;
}

std::vector<Pattern::Step> Pattern::around(int rank, int ranks, int steps) {
  int columns = static_cast<int>(std::sqrt(ranks));
  while (ranks % columns != 0) {
    --columns;
  }
  const int rows = ranks / columns;
  std::vector<int> partners;
  for (int i = rows - 1; i <= rows + 1; ++i) {
    for (int j = columns - 1; j <= columns + 1; ++j) {
      partners.push_back((rank / columns + i) % rows * columns + (rank % columns + j) % columns);
    }
  }
  std::erase(partners, rank);
  sort_once(partners);
  std::vector<Step> pattern;
  for (int step = 0; step < steps; ++step) {
    Step& one = pattern.emplace_back();
    one.partners = partners;
    for (const int partner : partners) {
      one.sends.push_back({partner, count_between(rank, partner, step)});
      one.receives.push_back({partner, count_between(partner, rank, step)});
    }
  }
  return pattern;
}

} // namespace bench
