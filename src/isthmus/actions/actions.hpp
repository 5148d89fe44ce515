// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/actions/field_view.hpp"
#include "isthmus/actions/python_script.hpp"
#include "isthmus/base/log.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/planned_fields.hpp"
#include "isthmus/mesh/own_meshes.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace isthmus::actions {

/// The <action:…> of a participant: they change data on one of its meshes after the write mappings,
/// before anything is sent, or after the read mappings.
class Actions {
 public:
  /// The arguments must outlive the object.
  Actions(const comm::Comm& comm, const Log& log, const config::Participant& self,
          fields::FieldSet& fields, const fields::PlannedFields& planned);

  /// Collective, at the start and when meshes were reset: the provided meshes are complete. Error
  /// on all ranks if one has a vertex by whose area nothing can be divided, or a script cannot be
  /// loaded.
  void prepare(const mesh::OwnMeshes& meshes);
  /// Collective. Acts on samples that are new since the last call, scripts without data once for
  /// each new `time`. Error on all ranks if a script fails, or a vertex of a received mesh that has
  /// come has no area to divide by.
  void run(config::ActionTiming timing, double time);
  /// Samples later than `from` says of a field will come again; calls without data after `time`.
  void rewind(config::ActionTiming timing, double time,
              const std::function<double(const fields::Field&)>& from);
  /// All samples of this field are new, and of those that are made of it.
  void act_again(const fields::Field& target);
  /// Samples up to `time` were changed in an earlier run.
  void resume(double time);

 private:
  static constexpr double not_yet = -1; // the run starts at 0
  struct Act {
    const config::Action* settings;
    std::vector<fields::Field*> sources;
    fields::Field* target = nullptr;
    std::vector<double> factors; // by vertex of the target, of actions by area
    std::unique_ptr<PythonScript> script;
    bool makes_target = false; // of the script, with the samples of the source
    bool has_warned = false;
    double done = not_yet; // time of the last sample changed
  };

  void weigh();
  static void scale(Act& act);
  void sum(Act& act) const;
  void call(Act& act, double time) const;
  void make_target(Act& act) const;
  void fit_target(Act& act, const fields::Field& source) const;
  void call_for_samples(Act& act, const time::Waveform& of) const;
  void warn_of_lost(Act& act, std::size_t num_vertices) const;

  const comm::Comm& comm_;
  const Log& log_;
  const config::Participant& self_;
  const fields::PlannedFields& planned_;
  std::vector<Act> acts_;
  int weighed_ = 0; // received meshes, as PlannedFields counts them
};

} // namespace isthmus::actions
