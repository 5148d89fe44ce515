# shellcheck shell=bash
# For scripts that source it: no step is silent for long.

# watched NAME LOG SECONDS COMMAND…: runs a program or a function with its output in LOG, and says every so many seconds
# (ISTHMUS_HEARTBEAT where that is set) for how long it runs and what its last line is. Returns what it returns.
watched() {
  local name=$1 log=$2 every=${ISTHMUS_HEARTBEAT:-$3} code=0
  shift 3
  mkdir -p "$(dirname "$log")"
  : > "$log"
  heartbeat "$name" "$log" "$every" "$SECONDS" 9<> <(:) &
  local watcher=$!
  "$@" > "$log" 2>&1 || code=$?
  kill "$watcher" 2> /dev/null || true
  wait "$watcher" 2> /dev/null || true
  return "$code"
}

heartbeat() { # NAME LOG EVERY START: until it is killed, or its script is gone
  local line
  while ! read -rt "$3" -u 9 && kill -0 $$; do # waits without a process that outlives the step
    line=$(tail -n 1 "$2" | tr -d '\r')
    printf '%-12s        %4d s  %s\n' "$1" $((SECONDS - $4)) "${line:0:90}"
  done
}
