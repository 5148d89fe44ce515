// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "particles/fluid/scheme.hpp"

namespace isthmus::mps {

/// Weakly compressible: the pressure follows from the density of particles and a speed of sound
/// (Oochi, Koshizuka, Sakai, doi 10.11421/jsces.2010.20100013, as in Murotani et al., doi
/// 10.15748/jasse.1.16). The same bits on any number of ranks.
class ExplicitScheme final : public Scheme {
 public:
  ExplicitScheme(const Kernel& kernel, const Liquid& liquid, double speed_of_sound)
      : kernel_(kernel), liquid_(liquid), sound_(speed_of_sound) {}

  StepReport advance(State& state, const Neighbours& neighbours, exchange::Migration& migration,
                     double step) override;

 private:
  /// How much more pressure an image has for its depth than its particle.
  [[nodiscard]] double deeper(State& state, std::size_t row, const Neighbour& of) const;

  const Kernel& kernel_;
  const Liquid& liquid_;
  double sound_;
};

} // namespace isthmus::mps
