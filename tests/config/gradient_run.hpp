// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/read/read.hpp"
#include "participant/setup/scenario.hpp"

namespace isthmus::config {

/// "A" writes vectors Force and scalars Heat on its mesh; "B" reads Heat on its own, which come
/// from there with gradients.
inline Configuration gradient_run() {
  const couple::Scenario scenario{{{.first = "A", .second = "B"}},
                                  {{.from = "A",
                                    .to = "nobody",
                                    .data = "Force",
                                    .vector = true,
                                    .mapping = {.kind = ""},
                                    .meshes = {.dimensions = 3}},
                                   {.from = "A",
                                    .to = "B",
                                    .data = "Heat",
                                    .mapping = {.kind = "nearest-neighbor-gradient"},
                                    .degree = 3,
                                    .meshes = {.dimensions = 3}}}};
  return parse(scenario.xml(), "gradients.xml");
}

} // namespace isthmus::config
