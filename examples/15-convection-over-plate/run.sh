#!/usr/bin/env bash
# Runs fluid and plate; files and picture are left in out
set -eu
here=$(dirname "$(realpath "$0")")
mkdir -p "$here/out" && cd "$here"
"${ISTHMUS:-isthmus}" solve flow.toml --ranks "${1:-1}" --no-picture &
flow=$!
"${PYTHON:-python3}" plate.py config.xml out/plate.npz
wait $flow
"${PYTHON:-python3}" draw.py out out/plate.npz out/plate.png
