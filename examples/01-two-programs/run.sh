#!/usr/bin/env bash
# Runs both programs, the plate on two ranks: run.sh [FOLDER_OF_THE_PROGRAMS]
set -eu
programs=$(realpath "${1:-build}")
cd "$(dirname "$(realpath "$0")")"
mpirun --oversubscribe --bind-to none -n 2 "$programs/plate" config.xml &
plate=$!
"$programs/coolant" config.xml
wait $plate
