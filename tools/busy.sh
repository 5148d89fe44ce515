#!/usr/bin/env bash
# busy.sh NUMBER COMMAND…: runs a command beside so many busy loops, and returns what it returns. The loops stay in the command's
# session: a kernel with autogroups weighs all that is in another session as one process, and the loops would then take a fraction
# of one core between them.
set -u
for _ in $(seq "$1"); do
  while :; do :; done &
done
# shellcheck disable=SC2046
trap 'kill $(jobs -p)' EXIT
shift
"$@"
