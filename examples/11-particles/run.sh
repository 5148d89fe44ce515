#!/usr/bin/env bash
# Runs flow and particles; logs and picture are left in out
set -eu
here=$(dirname "$(realpath "$0")")
mkdir -p "$here/out" && cd "$here/out"
"${PYTHON:-python3}" "$here/flow.py" "$here/config.xml" 1 &
flow=$!
"${PYTHON:-python3}" "$here/particles.py" "$here/config.xml" particles.png
wait $flow
