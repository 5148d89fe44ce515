// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/program/run.hpp"
#include "flows.hpp"
#include "isthmus/comm/collective.hpp"
#include "text_files.hpp"

#include <fstream>
#include <string>

/// Runs of small cases, from their files on.
namespace isthmus::flow {

/// Turbulence over a plate, steady.
inline const std::string plate = R"([flow]
mach = 0.2
reynolds = 1e5
[turbulence]
model = "sst"
intensity = 0.05
viscosity-ratio = 1
[grid]
shape = "plate"
cells = [32, 16, 1]
blocks = [2, 1, 1]
size = [2, 1, 1]
first = 1e-3
edge = 0.02
[[boundary]]
name = "plate"
kind = "no-slip"
sides = ["2:j-min"]
[[boundary]]
name = "ahead"
kind = "symmetry"
sides = ["1:j-min"]
[[boundary]]
name = "far"
kind = "far-field"
sides = ["1:i-min", "1:j-max", "2:j-max"]
[[boundary]]
name = "end"
kind = "outflow"
sides = ["2:i-max"]
[scheme]
cfl = 1.5
levels = 2
)";

/// A section of a wing in a slow flow; the far field lies at these sides.
inline std::string section_of(const std::string& cells, const std::string& blocks,
                              const std::string& far_sides) {
  return "[flow]\nmach = 0.4\nreynolds = 200\n[grid]\nshape = \"naca\"\ncells = " + cells +
         "\nblocks = " + blocks + "\nradius = 4\nfirst = 0.1\n" + wall_and_far("wall", far_sides) +
         "[scheme]\ncfl = 2\n";
}

/// The section pitches.
inline const std::string pitching = R"([motion]
amplitude = 5
reduced-frequency = 0.5
pivot = [0.25, 0]
)";

/// In the present folder.
inline Case read(const std::string& text, const std::string& output) {
  std::ofstream("case.toml") << text;
  Case from = read_case("case.toml");
  from.run.output = output;
  return from;
}

/// Collective. The first `ranks` run a case, the others wait.
inline void run_on(const comm::Comm& comm, int ranks, const Case& from,
                   const std::string& restart) {
  const comm::Comm group = comm.split(comm.rank() < ranks ? 0 : 1);
  if (comm.rank() < ranks) {
    static_cast<void>(run(group, from, restart, nullptr));
  }
  comm::barrier(comm);
}

} // namespace isthmus::flow
