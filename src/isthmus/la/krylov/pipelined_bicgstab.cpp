// SPDX-License-Identifier: BSD-3-Clause
// Stabilized bi-conjugate gradients with both reductions beside a product and a preconditioning
// (Cools, Vanroose, doi 10.1016/j.parco.2017.04.005). The names of the vectors are theirs; mr is
// the preconditioned r.
#include "isthmus/la/krylov/iteration.hpp"

namespace isthmus::la {

void run_pipelined_bicgstab(Iteration& it) {
  const auto r = it.vector(), shadow = it.vector(), mr = it.vector(), w = it.vector(),
             mw = it.vector(), t = it.vector(), mp = it.vector(), s = it.vector(), ms = it.vector(),
             z = it.vector(), mz = it.vector(), v = it.vector(), q = it.vector(), mq = it.vector(),
             y = it.vector();
  it.subtract_product(r);
  std::copy(r.begin(), r.end(), shadow.begin());
  it.precondition(r, mr);
  it.multiply(mr, w);
  it.begin_sums({local_dot(r, r), local_dot(r, w), it.norm_part(r)});
  it.precondition_beside(w, mw);
  it.multiply_beside(mw, t);
  auto sums = it.finish_sums();
  if (it.stopping.starts_at(it.norm_of(sums[2])) || it.stopping.vanishes(sums[1])) {
    return;
  }
  double rho = sums[0];
  double alpha = rho / sums[1];
  double beta = 0, omega = 0;
  while (true) {
    for (std::size_t i = 0; i < it.size(); ++i) {
      mp[i] = mr[i] + beta * (mp[i] - omega * ms[i]);
      ms[i] = mw[i] + beta * (ms[i] - omega * mz[i]);
      s[i] = w[i] + beta * (s[i] - omega * z[i]);
      z[i] = t[i] + beta * (z[i] - omega * v[i]);
      q[i] = r[i] - alpha * s[i];
      mq[i] = mr[i] - alpha * ms[i];
      y[i] = w[i] - alpha * z[i];
    }
    it.begin_sums({local_dot(q, y), local_dot(y, y)});
    it.touched(18);
    it.precondition_beside(z, mz);
    it.multiply_beside(mz, v);
    sums = it.finish_sums();
    omega = sums[1] == 0 ? 0 : sums[0] / sums[1];
    for (std::size_t i = 0; i < it.size(); ++i) {
      it.x[i] += alpha * mp[i] + omega * mq[i];
      r[i] = q[i] - omega * y[i];
      mr[i] = mq[i] - omega * (mw[i] - alpha * mz[i]);
      w[i] = y[i] - omega * (t[i] - alpha * v[i]);
    }
    it.begin_sums({local_dot(shadow, r), local_dot(shadow, w), local_dot(shadow, s),
                   local_dot(shadow, z), it.norm_part(r)});
    it.touched(17);
    it.precondition_beside(w, mw);
    it.multiply_beside(mw, t);
    sums = it.finish_sums();
    if (it.stopping.ends_at(it.norm_of(sums[4])) || it.stopping.vanishes(omega) ||
        it.stopping.vanishes(rho)) {
      return;
    }
    beta = sums[0] / rho * (alpha / omega);
    const double divisor = sums[1] + beta * (sums[2] - omega * sums[3]);
    if (it.stopping.vanishes(divisor)) {
      return;
    }
    rho = sums[0];
    alpha = rho / divisor;
  }
}

} // namespace isthmus::la
