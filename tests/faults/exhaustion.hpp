// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// After so many more allocations with operator new one fails, and no other.
void exhaust_memory(long after);
