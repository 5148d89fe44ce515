# SPDX-License-Identifier: BSD-3-Clause
"""Cases of OpenFOAM with the libraries of the folder openfoam: what a case says of itself, what is changed in
it, and runs of copies of it side by side."""
