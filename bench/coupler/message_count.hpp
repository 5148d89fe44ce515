// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Messages that this rank has sent through MPI since its start: what it starts itself, and in
/// collective operations those of the usual trees (a message per rank that passes something on) and
/// of recursive doubling (log2 of the ranks).
[[nodiscard]] double messages_through_mpi();
