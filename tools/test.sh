#!/usr/bin/env bash
# Every check of the project, one line each: test.sh JOBS. Full output in build/logs/.
set -u
cd "$(dirname "$0")/.."
jobs=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
failed=()
mkdir -p build/logs

watch() { # NAME START: where the step is, every 20 seconds
  local line
  while ! read -rt 20 -u 9 && kill -0 $$; do # waits without a process that outlives the step
    line=$(tail -n 1 "build/logs/$1.log" | tr -d '\r')
    printf '%-12s        %4d s  %s\n' "$1" $((SECONDS - $2)) "${line:0:90}"
  done
}

step() { # NAME COMMAND…
  local name=$1 start=$SECONDS code=0
  shift
  watch "$name" "$start" 9<> <(:) &
  local watcher=$!
  "$@" > "build/logs/$name.log" 2>&1 || code=$?
  kill "$watcher"
  wait "$watcher" 2> /dev/null
  printf '%-12s' "$name"
  if [ "$code" -eq 0 ]; then
    printf 'ok      %4d s\n' $((SECONDS - start))
  else
    printf 'FAILED  %4d s  build/logs/%s.log\n' $((SECONDS - start)) "$name"
    grep -aE -A 4 'ERROR|^FAIL: |AssertionError|Timeout' "build/logs/$name.log" | head -n 60
    tail -n 30 "build/logs/$name.log"
    failed+=("$name")
  fi
}

preset() { # NAME: builds and tests one preset
  tools/build.sh "$1" "$jobs" && ctest --preset "$1"
}

# Tests wait for each other much of their time. What that leaves of the processors compiles what later steps test; they
# go on where this has come to.
ahead=
build_ahead() { # PRESET…
  # shellcheck disable=SC2016
  setsid nice -n 19 bash -c 'jobs=$1; shift; for preset; do tools/build.sh "$preset" "$jobs"; done' \
    ahead $(((jobs + 1) / 2)) "$@" > build/logs/ahead.log 2>&1 &
  ahead=$!
}
end_ahead() {
  if [ -n "$ahead" ]; then
    kill -- "-$ahead" 2> /dev/null
    wait "$ahead" 2> /dev/null
    for _ in {1..50}; do # ninja takes away what it has not finished
      kill -0 -- "-$ahead" 2> /dev/null || break
      sleep 0.1
    done
    ahead=
  fi
}
trap end_ahead EXIT

if [ "$(id -u)" -eq 0 ]; then
  tools/setup_system.sh calculix-ccx || true # 2 MB; without it the example of it is skipped
fi
step format tools/format.sh --check
step functions .venv/bin/lizard -w -l cpp -T length=60 -T parameter_count=6 -W tools/long_signatures.txt src api apps cli bench
step headers cmake --build build/release -j "$jobs" --target all_verify_interface_header_sets
build_ahead smpi asan tsan
step release ctest --preset release
end_ahead
step simulated preset smpi
step ruff .venv/bin/ruff check --quiet python tools tests
step python .venv/bin/pytest -q -n "$jobs" --maxprocesses 8 --dist worksteal python/tests
step asan preset asan
step tsan preset tsan

echo
for name in release simulated asan tsan; do
  echo "ctest, $name:"
  grep 'tests passed' "build/logs/$name.log"
done
echo "pytest:"
tail -n 1 build/logs/python.log
if [ ${#failed[@]} -gt 0 ]; then
  echo "FAILED: ${failed[*]}"
  exit 1
fi
