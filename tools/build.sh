#!/usr/bin/env bash
# Configures a preset if that was not done yet, and builds it: build.sh PRESET JOBS [TARGET…]
set -eu
cd "$(dirname "$0")/.."
preset=$1 jobs=$2
shift 2
mkdir -p build/logs
if [ ! -f "build/$preset/build.ninja" ]; then
  cmake --preset "$preset" > "build/logs/$preset-configure.log" 2>&1 || {
    cat "build/logs/$preset-configure.log" >&2
    exit 1
  }
fi
cmake --build --preset "$preset" -j "$jobs" ${@:+--target "$@"}
