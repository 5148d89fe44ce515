// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/coupling/field_set.hpp"
#include "isthmus/coupling/receive_mesh.hpp"

#include <string_view>
#include <vector>

namespace isthmus::participant {

/// The <action:…> of a participant: they change data on one of its meshes after the write mappings,
/// before anything is sent, or after the read mappings.
class Actions {
 public:
  /// The arguments must outlive the object.
  Actions(const config::Participant& self, coupling::FieldSet& fields);

  /// Collective. The provided meshes are complete. Error on all ranks if one has a vertex by whose
  /// area nothing can be divided.
  void prepare(const comm::Comm& comm, const coupling::FindMesh& own_mesh);
  /// Acts on samples that are new since the last call.
  void run(std::string_view timing);
  /// Samples later than `time` will come again.
  void rewind(double time);
  /// Samples up to `time` were changed in an earlier run.
  void resume(double time);

 private:
  struct Act {
    const config::Action* settings;
    std::vector<coupling::Field*> sources;
    coupling::Field* target = nullptr;
    std::vector<double> factors; // by vertex, of actions by area
    double done = -1;            // time of the last sample changed; the run starts at 0
  };

  static void scale(Act& act);
  static void sum(Act& act);

  std::vector<Act> acts_;
};

} // namespace isthmus::participant
