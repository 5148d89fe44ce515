// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "isthmus/comm/comm.hpp"

#include "label.H"

#include <cstdint>

/// What solvers ask of the program that they are in.
namespace isthmus::openfoam {

/// The ranks of one of OpenFOAM's communicators, made at its first use and kept: OpenFOAM numbers
/// them, and a program has few. Collective over them at the first use.
const comm::Comm& ranks_of(Foam::label index);

/// Ends the program, with what to type, where it is of another version than this was compiled for.
void check_version();

/// Reports so many reductions to libmpi_calls.so, where that has been loaded before the program.
void report_reductions(std::int64_t number);

} // namespace isthmus::openfoam
