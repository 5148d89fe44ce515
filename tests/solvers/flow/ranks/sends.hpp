// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Messages that this rank has sent so far, without those of collectives.
int num_sends();
