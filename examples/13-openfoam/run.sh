#!/usr/bin/env bash
# Runs both plates, OpenFOAM's in out/foam: run.sh [FOLDER_OF_THE_PROGRAM_OF_04-heat]
set -eu
here=$(dirname "$(realpath "$0")")
heat=${1:-$here/../04-heat/build}/heat
heat=$(realpath "$heat")
mkdir -p "$here/out" && cd "$here/out"
"$heat" Neumann "$here/../04-heat/config.xml" 64 &
other=$!
"${PYTHON:-python3}" "$here/plate.py" "$here/../04-heat/config.xml" plate.png
wait $other
