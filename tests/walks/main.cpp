// SPDX-License-Identifier: BSD-3-Clause
// Random walks through the drop-in's interface: walks --seed S --count N [--without a,b] [--slots
// N]
// [--drop 1,2] [--show]. All ranks of the job play all participants, walk after walk.
#include "player.hpp"
#include "random.hpp"
#include "setting.hpp"
#include "walker.hpp"
#include "watch.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>

namespace walks {
namespace {

struct Arguments {
  std::uint64_t seed = 1;
  int count = 10;
  double limit_s = 20;
  bool shows = false;
  Options options;
};

Arguments read_arguments(int argc, char** argv) {
  Arguments result;
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    if (key == "--show") {
      result.shows = true;
      continue;
    }
    const std::string value = i + 1 < argc ? argv[++i] : "";
    std::stringstream list(value);
    std::string item;
    if (key == "--seed") {
      result.seed = std::stoull(value);
    } else if (key == "--count") {
      result.count = std::stoi(value);
    } else if (key == "--limit") {
      result.limit_s = std::stod(value);
    } else if (key == "--slots") {
      result.options.max_slots = std::stoi(value);
    } else if (key == "--without") {
      while (std::getline(list, item, ',')) {
        result.options.without.push_back(item);
      }
    } else if (key == "--drop") {
      while (std::getline(list, item, ',')) {
        result.options.dropped.push_back(std::stoi(item));
      }
    }
  }
  return result;
}

/// What this rank does just now, for the watch.
class Diary {
 public:
  void begin(const std::string& title, const std::vector<Call>* script) {
    const std::scoped_lock lock(mutex_);
    title_ = title;
    script_ = script;
    at_ = 0;
  }
  void next(std::size_t at) {
    const std::scoped_lock lock(mutex_);
    at_ = at;
  }
  [[nodiscard]] std::string text(bool whole) {
    const std::scoped_lock lock(mutex_);
    std::string text = title_ + "\n";
    if (script_ != nullptr) {
      const std::size_t first = whole || at_ < 15 ? 0 : at_ - 15;
      for (std::size_t i = first; i <= std::min(at_, script_->size() - 1); ++i) {
        text += fmt::format("    {} {}\n", i == at_ ? "->" : "  ", to_string((*script_)[i]));
      }
    }
    return text;
  }

 private:
  std::mutex mutex_;
  std::string title_ = "nothing";
  const std::vector<Call>* script_ = nullptr;
  std::size_t at_ = 0;
};

class Job {
 public:
  explicit Job(const Arguments& arguments)
      : arguments_(arguments), watch_(arguments.limit_s, [this] { return diary_.text(false); }) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  /// The number of seeds that fail.
  int run() {
    int failed = 0;
    Holdings before;
    for (int i = 0; i < arguments_.count; ++i) {
      if (i == arguments_.count / 4) {
        before = holdings();
      }
      failed += walk(arguments_.seed + static_cast<std::uint64_t>(i)) ? 0 : 1;
    }
    const Holdings after = holdings();
    const bool leaks =
        arguments_.count >= 40 && (after.files > before.files + 1 ||
                                   after.threads > before.threads || after.shared > before.shared);
    if (leaks || rank_ == 0) {
      fmt::print("{}rank {}: files {} -> {}, threads {} -> {}, shared {} -> {}, {} -> {} KiB\n",
                 leaks ? "LEAK " : "", rank_, before.files, after.files, before.threads,
                 after.threads, before.shared, after.shared, before.resident, after.resident);
    }
    int result = failed + (leaks ? 1 : 0);
    MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return result;
  }

 private:
  bool walk(std::uint64_t seed) {
    const Setting setting(seed, size_, arguments_.options);
    Walker walker(setting, arguments_.options);
    const Scripts scripts = walker.take_scripts();
    setenv("ISTHMUS_TRANSPORT", setting.transport.c_str(), 1);
    Seat seat{};
    int part = MPI_UNDEFINED;
    for (int p = 0; p < setting.num_participants(); ++p) {
      const auto& ranks = setting.ranks[static_cast<std::size_t>(p)];
      const auto found = std::find(ranks.begin(), ranks.end(), rank_);
      if (found != ranks.end()) {
        part = p;
        seat.participant = name_of(p);
        seat.rank = static_cast<int>(found - ranks.begin());
        seat.size = setting.size(p);
      }
    }
    seat.configuration = "walk.xml";
    if (rank_ == 0) {
      std::ofstream(seat.configuration) << setting.configuration();
    }
    MPI_Comm_split(MPI_COMM_WORLD, part, rank_, &seat.comm);
    MPI_Comm_split(MPI_COMM_WORLD, part == MPI_UNDEFINED ? MPI_UNDEFINED : 0, rank_,
                   &seat.everybody);
    diary_.begin(fmt::format("seed {}: {}, idle", seed, setting.summary()), nullptr);
    watch_.beat();
    MPI_Barrier(MPI_COMM_WORLD);
    int failed = 0;
    if (part != MPI_UNDEFINED) {
      const auto& script =
          scripts[static_cast<std::size_t>(part)][static_cast<std::size_t>(seat.rank)];
      diary_.begin(
          fmt::format("seed {}: {}: {}:{}", seed, setting.summary(), seat.participant, seat.rank),
          &script);
      const bool native = setting.native[static_cast<std::size_t>(part)] != 0;
      const bool good = native ? play(Player<Native>(seat), script)
                               : play(Player<precice::Participant>(seat), script);
      failed = good ? 0 : 1;
      if (arguments_.shows) {
        show(diary_.text(true));
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    diary_.begin(fmt::format("after seed {}", seed), nullptr);
    if (part != MPI_UNDEFINED) {
      MPI_Comm_free(&seat.comm);
      MPI_Comm_free(&seat.everybody);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed != 0 && rank_ == 0) {
      fmt::print("FAILED seed {}\n", seed);
      std::fflush(stdout);
    }
    return failed == 0;
  }

  template <typename Player>
  bool play(Player player, const std::vector<Call>& script) {
    bool good = true;
    for (std::size_t i = 0; i < script.size(); ++i) {
      diary_.next(i);
      watch_.beat();
      const auto wrong = player.play(script[i]);
      if (wrong && good) {
        show(diary_.text(false) + "  WRONG: " + *wrong);
      }
      good = good && !wrong;
    }
    watch_.beat();
    return good;
  }

  static void show(const std::string& text) {
    fmt::print(stderr, "{}\n", text);
    std::fflush(stderr);
  }

  Arguments arguments_;
  int rank_ = 0;
  int size_ = 1;
  Diary diary_;
  Watch watch_;
};

} // namespace
} // namespace walks

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int failed = 0;
  {
    walks::Job job(walks::read_arguments(argc, argv));
    failed = job.run();
  }
  MPI_Finalize();
  return failed == 0 ? 0 : 1;
}
