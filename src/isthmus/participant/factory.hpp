// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"
#include "isthmus/base/log.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/participant/participant.hpp"
#include "isthmus/partner/joint_ranks.hpp"
#include "isthmus/planning/search/inputs.hpp"

#include <memory>
#include <string>
#include <string_view>

/// The one place where settings become objects.
namespace isthmus::participant {

/// Reads and checks the configuration. Error if it is wrong.
[[nodiscard]] config::Configuration load_configuration(const std::string& file);

/// Checks and completes it for one participant of `size` ranks. Error if it is wrong for that one,
/// or asks for what Isthmus cannot do yet.
void complete_configuration(config::Configuration& configuration, const std::string& participant,
                            int size);

/// `sees_all`: the participant has one rank, whose meshes are whole. `log` gets where the mapping
/// falls back on something simpler than asked for; or null.
[[nodiscard]] std::unique_ptr<mapping::Mapping> make_mapping(const config::Mapping& settings,
                                                             const mesh::Mesh& searched,
                                                             bool sees_all, LogOnce* log = nullptr);

/// Makes the mappings of a participant, and says once in its log where one falls back on something
/// simpler.
class AllMappings final : public planning::MappingFactory {
 public:
  /// `log` must outlive the object. `sees_all`: as above.
  AllMappings(const Log& log, bool sees_all) : log_(log), sees_all_(sees_all) {}

  [[nodiscard]] std::unique_ptr<mapping::Mapping> make(const config::Mapping& settings,
                                                       const mesh::Mesh& searched) const override {
    return make_mapping(settings, searched, sees_all_, &log_);
  }
  [[nodiscard]] protocol::Survey survey(const comm::Comm& comm, const config::Mapping& settings,
                                        const mesh::Mesh& own) const override;
  [[nodiscard]] std::unique_ptr<mapping::Mapping> make_for_part(
      const config::Mapping& settings, const mesh::Mesh& searched,
      const protocol::Survey& survey) const override;

 private:
  mutable LogOnce log_; // a mapping may be made again and again
  bool sees_all_;
};

/// `comm` must outlive the accelerator.
[[nodiscard]] std::unique_ptr<acceleration::Accelerator> make_accelerator(
    const config::Acceleration& settings, const comm::Comm& comm);

/// Collective. The communicator of a participant; initializes MPI where the solver has not and more
/// than one rank is wanted. Error if rank and size do not agree with it: on all ranks for the rank,
/// only on those that are wrong for the size, which says that the communicator may be a wrong one.
/// `met`: becomes true when the ranks wait for nobody any more.
[[nodiscard]] comm::Comm make_comm(std::string_view participant, const Launch& launch,
                                   bool& initialized_mpi, bool& met);

/// Collective over the joint communicator, that is over all participants. `own`: the ranks of this
/// one.
[[nodiscard]] partner::JointJob make_joint_job(const Launch& launch, const comm::Comm& own,
                                               const std::string& participant);

} // namespace isthmus::participant
