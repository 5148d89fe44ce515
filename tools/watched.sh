#!/usr/bin/env bash
# For scripts that source it: no step is silent for long. For the Makefile: watched.sh NAME COMMAND… runs it as `shown` does.

# watched NAME LOG SECONDS COMMAND…: runs a program or a function with its output in LOG, and says every so many seconds
# (ISTHMUS_HEARTBEAT where that is set) for how long it runs and what its last line is. Returns what it returns.
watched() {
  local name=$1 log=$2 every=${ISTHMUS_HEARTBEAT:-$3} code=0 alive beating
  shift 3
  mkdir -p "$(dirname "$log")"
  : > "$log"
  # The heartbeat ends with what it reads from. A kill could end this script, too: bash 5.2 loses account of a child now and then
  # where another is killed beside it.
  exec {alive}> >(heartbeat "$name" "$log" "$every" "$SECONDS")
  beating=$!
  (exec {alive}>&- && "$@") > "$log" 2>&1 || code=$?
  exec {alive}>&-
  wait "$beating" 2> /dev/null || true # it says nothing any more when what comes next does
  return "$code"
}

# shown NAME COMMAND…: the same every five seconds with the output in build/logs/NAME.log, whose end is shown where it fails.
shown() {
  local code=0 log=$watched_logs/$1.log
  watched "$1" "$log" 5 "${@:2}" || code=$?
  [ "$code" -eq 0 ] || tail -n 40 "$log" >&2
  return "$code"
}
watched_logs=$(realpath -m "$(dirname "${BASH_SOURCE[0]}")/../build/logs") # wherever a script goes later

heartbeat() { # NAME LOG EVERY START: until its standard input ends, as it does with its script
  local line code=0
  while read -rt "$3" || code=$?; [ "$code" -gt 128 ]; do # above 128: the time is over
    line=$(tail -n 1 "$2" | tr -d '\r')
    printf '%-12s        %4d s  %s\n' "$1" $((SECONDS - $4)) "${line:0:90}"
  done
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -eu
  cd "$(dirname "$0")/.."
  shown "$@"
fi
