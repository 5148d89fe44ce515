// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Whether the address sanitizer looks on: it keeps freed memory, and dense algebra takes very
/// long.
#ifdef __SANITIZE_ADDRESS__
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
