#!/usr/bin/env bash
# Every check of the project, one line each: test.sh JOBS. Full output in build/logs/. Tests that passed before are not run
# again while nothing has changed that they can see, but with ANEW=1 in the environment.
set -u
cd "$(dirname "$0")/.." || exit
. tools/watched.sh
jobs=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mkdir -p build/logs
# Open MPI 4 removes the directory that a user's jobs share where it is empty, and a job that begins just then ends with "mkdir:
# File exists". The one of the tests is never empty.
session_files=$(mktemp -d /tmp/isthmus-XXXXXX)
others= # a group of processes, while it runs
trap '[ -z "$others" ] || kill -- "-$others" 2> /dev/null; rm -rf "$session_files"' EXIT
export OMPI_MCA_orte_tmpdir_base=$session_files
for shared in $(mpirun -n 1 ls "$session_files"); do
  mkdir -p "$session_files/$shared/kept"
done
failed=build/logs/failed ended=build/logs/ended # names of steps; of those that were left out, with a word behind
: > "$failed"
: > "$ended"

step() { # NAME COMMAND…
  local name=$1 start=$SECONDS code=0
  shift
  kill -0 $$ || exit
  watched "$name" "build/logs/$name.log" 20 "$@" || code=$?
  printf '%-12s' "$name"
  if [ "$code" -eq 0 ]; then
    printf 'ok      %4d s\n' $((SECONDS - start))
  else
    printf 'FAILED  %4d s  build/logs/%s.log\n' $((SECONDS - start)) "$name"
    grep -aE -A 4 'ERROR|^FAIL: |AssertionError|Timeout' "build/logs/$name.log" | head -n 60
    tail -n 30 "build/logs/$name.log"
    echo "$name" >> "$failed"
  fi
  echo "$name" >> "$ended"
}

seen_by() { # NAME: the sum of what the tests of a step can see
  case $1 in
    simulated | asan | tsan) tools/state.sh ':!docs' ':!python' ':!*.md' ;;
    *) tools/state.sh ;;
  esac
}

tests() { # NAME COMMAND…: a step that is left out where it has passed and nothing has changed since
  local name=$1 passed=build/logs/$1.passed state
  state=$(seen_by "$name")
  if [ -z "${ANEW:-}" ] && [ -n "$state" ] && [ "$(cat "$passed" 2> /dev/null)" = "$state" ]; then
    printf '%-12snot run again: it has passed, and nothing has changed since (make test ANEW=1 runs it)\n' "$name"
    echo "$name before" >> "$ended"
    return
  fi
  rm -f "$passed"
  step "$@"
  if ! grep -qx "$name" "$failed" && [ "$(seen_by "$name")" = "$state" ]; then # nobody has edited meanwhile
    echo "$state" > "$passed"
  fi
}

# Before any test: ranks that wait for each other hand the processor to compilers, and get little of it back.
builds() {
  local name
  for name in smpi asan tsan; do
    tools/build.sh "$name" "$jobs" || return
  done
}

preset() { # NAME: builds, if that is left to do, and tests one preset
  tools/build.sh "$1" "$jobs" && ctest --preset "$1"
}

functions() { # a test, which is read from its beginning to its end, may branch as often as it needs
  local limits=(-w -T length=60 -T parameter_count=6 -W tools/long_signatures.txt) code=0
  .venv/bin/lizard "${limits[@]}" -l cpp src api apps cli bench examples openfoam python solvers || code=1
  .venv/bin/lizard "${limits[@]}" -l cpp -C 1000 tests || code=1
  .venv/bin/lizard "${limits[@]}" -l python -C 1000 python tools tests openfoam examples || code=1
  return $code
}

if [ "$(id -u)" -eq 0 ]; then
  tools/setup/system.sh calculix-ccx lintian || true # without them what needs them is skipped
fi
step format tools/format.sh --check
step functions functions
step headers cmake --build build/release -j "$jobs" --target all_verify_interface_header_sets
step builds builds
# Tests wait for each other much of their time: what the first leave of the processors runs the others, in a group of
# processes that ends with this one. Those whose ranks wait for each other go before those that compute.
set -m
{
  step ruff .venv/bin/ruff check --quiet python tools tests openfoam
  tests python env ISTHMUS_TEST_NATIVE=1 tools/short_turns.py .venv/bin/pytest -q -rs -n "$jobs" --maxprocesses 8 \
    --dist worksteal python/tests
  tests simulated preset smpi
  tests asan preset asan
  tests tsan preset tsan
} &
others=$!
set +m
tests release tools/short_turns.py ctest --preset release
wait "$others"
others=

for name in format functions headers builds ruff python simulated asan tsan release; do
  if ! grep -qxE "$name( before)?" "$ended"; then
    echo "$name did not come to its end"
    echo "$name" >> "$failed"
  fi
done

when() { # NAME: what its closing line is of
  grep -qx "$1 before" "$ended" && echo ", before (not run again)"
}

skipped() { # NAME: its tests that did not run, as ctest or pytest tell it
  awk '/^SKIPPED / { print "  " substr($0, 1, 160) }
       in_list && sub(/^[ \t]+[0-9]+ - /, "") { print "  " $0; next }
       { in_list = /^The following tests did not run:/ }' "build/logs/$1.log"
}

echo
for name in release simulated asan tsan; do
  echo "ctest, $name$(when "$name"):"
  grep 'tests passed' "build/logs/$name.log"
  skipped "$name"
done
echo "pytest$(when python):"
tail -n 1 build/logs/python.log
skipped python
if [ -s "$failed" ]; then
  while read -r name; do # what failed, where a reader of the last lines sees it
    awk '/Test +#.*\*\*\*(Failed|Timeout|Exception)/ { shown = 12 } /^ *[0-9]+\/[0-9]+ Test .*Passed/ { shown = 0 }
         /^FAILED / { shown = 1 } # of pytest
         shown-- > 0 { print substr($0, 1, 300) }' "build/logs/$name.log"
  done < "$failed"
  echo "FAILED: $(tr '\n' ' ' < "$failed")"
  exit 1
fi
