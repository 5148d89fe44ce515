#!/usr/bin/env bash
# busy.sh NUMBER COMMAND…: runs a command beside so many busy loops, as if somebody else computed on this machine (in a session
# of their own), and returns what it returns.
set -u
number=$1
shift
# shellcheck disable=SC2016
setsid bash -c 'for _ in $(seq "$0"); do while :; do :; done & done; wait' "$number" &
loops=$!
trap 'kill -- "-$loops"' EXIT
"$@"
