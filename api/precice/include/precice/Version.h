// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The version of the preCICE interface that this library offers.

#define PRECICE_VERSION_MAJOR 3
#define PRECICE_VERSION_MINOR 4
#define PRECICE_VERSION_PATCH 1

#define PRECICE_VERSION "3.4.1"

#define PRECICE_VERSION_GREATER_EQUAL(major, minor, patch)                       \
  ((PRECICE_VERSION_MAJOR > (major)) ||                                          \
   (PRECICE_VERSION_MAJOR == (major) && PRECICE_VERSION_MINOR > (minor)) ||      \
   (PRECICE_VERSION_MAJOR == (major) && PRECICE_VERSION_MINOR == (minor) &&      \
    PRECICE_VERSION_PATCH >= (patch)))
