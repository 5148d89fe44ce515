// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/comm/comm.hpp"

#include <string_view>

namespace isthmus::comm {

/// Another rank of this participant has given up; the text is what it said.
class Alarm : public Error {
 public:
  using Error::Error;
};

/// Reports to other ranks of the participant why this one gives up. Does not wait for them. It goes
/// to 2 log2(ranks) others; if everybody who receives it raises it again, it spreads to all of
/// them, and who is busy with something else holds up nobody.
void raise_alarm(const Comm& comm, std::string_view text) noexcept;

/// Throws an Alarm if one has come a moment ago or earlier: what the others sent before they gave
/// up may still be on its way to this rank.
void check_alarm(const Comm& comm);

} // namespace isthmus::comm
