// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "isthmus/la/krylov/iteration.hpp"

/// Methods beside those of the kit. Each leaves its solution in x and the reason in the iteration.
namespace isthmus::openfoam {

class RankFunctions;

/// For symmetric matrices; the iteration holds space.size() + 3 sums.
void run_deflated_cg(la::Iteration& it, const RankFunctions& space);

constexpr std::size_t sums_of_single_bicgstab = 15;
/// For any matrix; the iteration holds as many sums.
void run_single_bicgstab(la::Iteration& it);

} // namespace isthmus::openfoam
