// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"
#include "isthmus/acceleration/settings.hpp"
#include "isthmus/comm/comm.hpp"

#include <memory>

/// The methods. `comm` must outlive what is made and be the one over which the sums are added.
namespace isthmus::acceleration {

/// x_{k+1} = x_k + relaxation · (H(x_k) - x_k).
[[nodiscard]] std::unique_ptr<Accelerator> make_constant(double relaxation);

/// The same with a factor from the secant of the last two residuals. Küttler and Wall (2008),
/// doi:10.1007/s00466-008-0255-5.
[[nodiscard]] std::unique_ptr<Accelerator> make_aitken(const AitkenSettings& settings);

/// Interface quasi-Newton, inverse Jacobian from least squares. Degroote, Bathe, Vierendeels
/// (2009), doi:10.1016/j.compstruc.2008.11.013.
[[nodiscard]] std::unique_ptr<Accelerator> make_iqn_ils(const QuasiNewtonSettings& settings,
                                                        const comm::Comm& comm);

/// The same with the Jacobian of the previous windows as a start. Bogaers et al. (2014),
/// doi:10.1016/j.cma.2014.06.033.
[[nodiscard]] std::unique_ptr<Accelerator> make_iqn_imvj(const QuasiNewtonSettings& settings,
                                                         const JacobianRestart& restart,
                                                         const comm::Comm& comm);

} // namespace isthmus::acceleration
