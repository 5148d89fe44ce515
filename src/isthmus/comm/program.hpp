// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <string>
#include <vector>

namespace isthmus::comm {

/// The body of `main` in a program of MPI: starts MPI, runs `work` with a communicator of all ranks
/// and the words behind the program's name, and ends MPI. Returns the program's exit code: 0, or 1
/// where `work` threw. The reason is printed once, by rank 0, as "error: …"; ranks on which nothing
/// was thrown learn of it in the call that they wait in. Collective.
int run_program(int argc, char** argv, void (*work)(const Comm&, const std::vector<std::string>&));

} // namespace isthmus::comm
