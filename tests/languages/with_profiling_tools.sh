#!/usr/bin/env bash
# with_profiling_tools.sh PYTHON ENVIRONMENT FOLDER PROGRAM CONFIGURATION: the tools `precice-profiling` of PyPI, unchanged,
# find the events of a run of PROGRAM. Exit code 77: skipped, as PyPI cannot be reached.
set -eu
python=$1 tools=$2 folder=$3 program=$4 config=$5
version=2.1.0
if [ "$(cat "$tools/.stamp" 2> /dev/null)" != $version ]; then
  "$python" -m venv "$tools"
  pip=("$tools/bin/python" -m pip --disable-pip-version-check --quiet)
  if ! "${pip[@]}" install --retries 1 --timeout 10 "precice-profiling==$version"; then
    echo "skipped: PyPI cannot be reached"
    exit 77
  fi
  echo $version > "$tools/.stamp"
fi
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export ISTHMUS_PROFILE= ISTHMUS_TIMEOUT=30
"$program" "$config" A > a.txt &
"$program" "$config" B > b.txt
wait $!

"$tools/bin/precice-profiling-merge" . > merge.txt
if grep -iE 'warning|ignoring|truncating|dropping' merge.txt; then
  exit 1
fi
for name in A B; do
  "$tools/bin/precice-profiling-analyze" $name > "analyze-$name.txt"
  for event in total advance construction initialize connect finalize solver.advance solver.initialize; do
    grep -q " $event  *│" "analyze-$name.txt" || { cat "analyze-$name.txt"; echo "no $event" >&2; exit 1; }
  done
  # two windows of two iterations
  grep -qE ' advance +│ +[0-9.]+ +[0-9.]+ +4 ' "analyze-$name.txt" || { cat "analyze-$name.txt"; exit 1; }
done
"$tools/bin/precice-profiling-trace" > /dev/null
"$tools/bin/python" - << 'EOF'
import json
events = json.load(open("trace.json"))["traceEvents"]
assert sum(e["ph"] == "X" and e["name"] == "advance" for e in events) == 8, events
begins = {p: min(e["ts"] for e in events if e["ph"] == "X" and e["pid"] == p) for p in {e["pid"] for e in events}}
assert max(begins.values()) - min(begins.values()) < 60e6, begins  # microseconds of one clock
EOF
"$tools/bin/precice-profiling-export" > /dev/null
grep -q '^A,0,1,advance,' profiling.csv
grep -q '^B,0,1,solver.advance,' profiling.csv
