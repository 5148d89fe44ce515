#!/usr/bin/env bash
# Configures a preset if that was not done yet, and builds it: build.sh PRESET JOBS [TARGET…]. Says every five seconds where
# it is, and at the end what compilers warned of; full output in build/logs/.
set -eu
cd "$(dirname "$0")/.."
. tools/watched.sh
preset=$1 jobs=$2
shift 2
if [ ! -f "build/$preset/build.ninja" ]; then
  log=build/logs/$preset-configure.log
  watched configure "$log" 5 cmake --preset "$preset" || {
    cat "$log" >&2
    exit 1
  }
fi
log=build/logs/$preset-build.log
watched build "$log" 5 cmake --build --preset "$preset" -j "$jobs" ${@:+--target "$@"} || {
  sed -n '/^FAILED: /,$p' "$log" | grep . || cat "$log"
  exit 1
} >&2
grep -A 4 'warning: ' "$log" || true
tail -n 1 "$log"
