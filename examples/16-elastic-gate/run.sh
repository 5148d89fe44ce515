#!/usr/bin/env bash
# Runs water and gate; particles, places and picture are left in out
set -eu
here=$(dirname "$(realpath "$0")")
mkdir -p "$here/out" && cd "$here"
"${ISTHMUS:-isthmus}" solve fluid.toml --ranks "${1:-2}" &
fluid=$!
"${PYTHON:-python3}" beam.py config.xml out/gate.csv
wait $fluid
"${PYTHON:-python3}" draw.py out/gate.csv out/gate.png
