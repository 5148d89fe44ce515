#!/usr/bin/env bash
# Runs both masses: run.sh [FOLDER_OF_THE_PROGRAM], which also gets the logs
set -eu
config=$(dirname "$(realpath "$0")")/config.xml
cd "${1:-build}"
./mass Mass-1 "$config" 3 &
first=$!
./mass Mass-2 "$config" 4
wait $first
