#!/usr/bin/env bash
# Runs fluid and wall: run.sh [FOLDER_OF_THE_PROGRAMS], which also gets the logs
set -eu
config=$(dirname "$(realpath "$0")")/config.xml
cd "${1:-build}"
./fluid "$config" &
first=$!
./solid "$config"
wait $first
