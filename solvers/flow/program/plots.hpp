// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/pieces/whole_blocks.hpp"
#include "flow/numerics/solution.hpp"
#include "isthmus/io/blocks/block_file.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace isthmus::flow {

/// How files of the flow are written while it goes on.
enum class PlotWay {
  background, // threads write while the solver goes on
  collective, // one collective call per rank and file
  // what others do, to compare with, see io/blocks/block_baselines.hpp
  gathered,
  rows,
  blocks,
  restructured
};

struct PlotSettings {
  int every = 0; // iterations, or steps in time; 0: none
  PlotWay way = PlotWay::background;
};

/// Density, velocity and pressure in all cells and snapshots, of one moment after the other.
class Plots {
 public:
  /// The others must outlive it.
  Plots(const comm::Comm& comm, const Solution& solution, const PlotSettings& settings,
        std::filesystem::path folder);

  /// Collective. Writes plot-NUMBER.blocks if it is its turn; such a file may be there only after
  /// the next call, or finish(). Throws Error on all ranks.
  void write(int number, const io::BlockMoment& moment);
  /// Collective. All files are there.
  void finish();

  /// Seconds for which each file held up the slowest rank, for all files.csv.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  /// Of own pieces, in `all`, whose memory is taken again.
  [[nodiscard]] std::vector<std::vector<double>> pack(std::vector<std::vector<double>> all) const;
  void put(const std::filesystem::path& path, const io::BlockMoment& moment);

  const comm::Comm& comm_;
  const Solution& solution_;
  PlotSettings settings_;
  std::filesystem::path folder_;
  io::BlockGrid grid_;
  WholeBlocks blocks_;
  std::array<std::vector<std::vector<double>>, 2> values_; // of which one may be on its way
  std::size_t current_ = 0;
  std::unique_ptr<io::BlockWriter> writer_;
  std::string text_ = "number,seconds\n";
};

} // namespace isthmus::flow
