# SPDX-License-Identifier: BSD-3-Clause
"""A circuit of coil and capacitor, coupled until both agree, keeps its energy and is of second order."""

from coupled import Run


def couple(*changes: tuple[str, str]) -> Run:
    return Run("07-circuit", [('max-time value="60"', 'max-time value="12"'), *changes],
               (1, "circuit", "Coil", "CONFIG"), (1, "circuit", "Capacitor", "CONFIG"))


coarse = couple(('window-size value="0.1"', 'window-size value="0.2"'))
fine = couple()
for run in (coarse, fine):
    assert abs(run.number("Coil .* energy")) < 1e-10
    assert abs(run.number("Capacitor .* energy")) < 1e-10
for name in ("Coil", "Capacitor"):
    ratio = coarse.number(f"{name} .*? off by") / fine.number(f"{name} .*? off by")
    print(f"{name}: ratio of the errors {ratio:.2f}")
    assert 3.5 < ratio < 4.5
