#!/usr/bin/env bash
# Runs both membranes: run.sh [FOLDER_OF_THE_PROGRAMS], which also gets fields and logs
set -eu
config=$(dirname "$(realpath "$0")")/config.xml
cd "${1:-build}"
./left "$config" &
left=$!
./right "$config"
wait $left
