// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <precice/Version.h>
#include <precice/Exceptions.hpp>
#include <precice/Participant.hpp>
#include <precice/span.hpp>
