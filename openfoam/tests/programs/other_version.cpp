// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded before a program of OpenFOAM, makes it one of another version to who asks.
namespace Foam::foamVersion {

extern const int api;
const int api = 2006;

} // namespace Foam::foamVersion
