// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

/// What play_random is told to play: runs of scripted participants, numbers and names separated by
/// spaces. tests/random/plan.py writes them.
namespace random_runs {

/// What one rank has of a mesh: positions in the numbering of the case, coordinates, and elements
/// of local positions.
struct Piece {
  std::vector<double> coordinates;
  std::vector<int> elements;
  std::vector<double> region; // of a received mesh
};

enum class Access {
  none,        // the mesh is provided
  direct,      // places are vertices of a received mesh
  just_in_time // places are anywhere, and mapped when they are read or written
};

/// A mesh that is defined anew after so many windows, by rank.
struct Reset {
  int windows = 0;
  std::vector<int> calls; // 0: the part of the rank stays as it is
  std::vector<Piece> pieces;
};

struct Mesh {
  std::string name;
  int dimensions = 0;
  int corners = 0; // of an element; 1: none
  Access access = Access::none;
  bool hears_within = false; // learns of a reset in the first iteration of a window
  std::string received;      // with access
  std::vector<Piece> pieces; // by rank
  std::vector<Reset> resets;
};

struct Read {
  std::string mesh;
  std::string data;
  int components = 0;
  bool comes_within = false;     // in the first iteration of a window; else where it ends
  std::vector<double> fractions; // of the largest step, at which it is read, too
};

/// Component c of a vertex at x is k0 + k·x + k_t t + k_tt t² + gain times what was read last.
struct Write {
  std::string mesh;
  std::string data;
  int components = 0;
  bool initial = false;
  bool gradients = false;
  std::vector<std::vector<std::vector<int>>> written; // by reset and rank: positions of vertices
  int feedback = -1;                                  // position of the read
  double gain = 0;
  std::vector<double> factors; // per component: k0, k, k_t, k_tt
};

struct Export {
  std::string directory;
  std::string extension;
  int every_windows = 1; // negative: never
  bool every_iteration = false;
};

struct ReceivedMesh {
  std::string name;
  int dimensions = 0;
};

struct Exports {
  std::vector<Export> all;
  std::vector<int> window_numbers;    // by end of a window, how files are numbered then
  std::vector<ReceivedMesh> received; // meshes of others of which files are read, too
};

struct Participant {
  std::string name;
  int ranks = 0;
  bool by_window = false;
  bool refused = false;      // calls that are refused come before those that are not
  int most_windows = 0;      // after so many complete ones it finalizes; 0: at the end
  std::vector<double> steps; // of a window, one after the other; by_window: one per window
  std::vector<Mesh> meshes;
  std::vector<Read> reads;
  std::vector<Write> writes;
  std::vector<std::string> watches; // files
  Exports exports;
};

struct Run {
  int number = 0;
  std::string folder; // holds config.xml
  std::string transport;
  bool in_threads = false; // all participants on one rank each, in the first process
  std::vector<Participant> participants;
};

[[nodiscard]] std::vector<Run> read_runs(std::istream& in);

} // namespace random_runs
