// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// toml++ as one header, with exceptions.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>
