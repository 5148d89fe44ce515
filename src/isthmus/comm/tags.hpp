// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace isthmus::comm {

/// Tags of point-to-point messages on a Comm. Those of a round are followed by its parity.
enum Tag : int {
  tag_round = 100,
  tag_bulk = 102,
  tag_route = 104,
  tag_message = 105,
  tag_alarm = 106,
  tag_neighbour = 107,
  tag_rest = 108,
  tag_counted = 109,
  tag_reduce = 110, ///< plus the stream, 0 to 7
  tag_text = 118,
  tag_roll = 119,
  tag_question = 120
};

} // namespace isthmus::comm
