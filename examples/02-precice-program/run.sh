#!/usr/bin/env bash
# Runs both masses: run.sh [FOLDER_OF_THE_PROGRAM]
set -eu
program=$(realpath "${1:-build}")/oscillator
cd "$(dirname "$(realpath "$0")")"
"$program" precice-config.xml Mass-1 &
first=$!
"$program" precice-config.xml Mass-2
wait $first
