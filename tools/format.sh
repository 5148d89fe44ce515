#!/usr/bin/env bash
# Formats the C++ sources, or with --check says what make format would change.
set -eu
cd "$(dirname "$0")/.."
mode=(-i)
if [ "${1-}" = --check ]; then
  mode=(--dry-run --Werror)
fi
find src api apps bench cli examples openfoam python/native solvers tests \( -name '*.hpp' -o -name '*.cpp' \) -print0 |
  xargs -0 .venv/bin/clang-format "${mode[@]}"
