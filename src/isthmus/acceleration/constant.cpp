// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/make.hpp"
#include "isthmus/acceleration/relaxation.hpp"
#include "isthmus/acceleration/residual.hpp"

#include <utility>

namespace isthmus::acceleration {

namespace {

class Constant final : public Accelerator {
 public:
  explicit Constant(double relaxation) : relaxation_(relaxation) {}

  void initialize(std::vector<IteratedField> fields) override {
    residual_.initialize(std::move(fields));
  }
  void measure(std::span<const Iterate> fields, std::vector<Twofold>& sums) override {
    residual_.measure(fields, sums);
  }
  void absorb(std::span<const Twofold> sums) override { residual_.absorb(sums); }
  [[nodiscard]] std::span<const Norms> norms() const override { return residual_.norms(); }
  void improve(std::span<const Iterate> fields) override { relax(fields, relaxation_); }
  void complete_window() override { residual_.complete_window(); }
  [[nodiscard]] bool remembers() const override { return false; }
  [[nodiscard]] std::vector<StateArray> save() const override { return {}; }
  void restore(std::span<const StateArray> /*arrays*/) override {}

 private:
  Residual residual_{true};
  double relaxation_;
};

} // namespace

std::unique_ptr<Accelerator> make_constant(double relaxation) {
  return std::make_unique<Constant>(relaxation);
}

} // namespace isthmus::acceleration
