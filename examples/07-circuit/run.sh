#!/usr/bin/env bash
# Runs coil and capacitor: run.sh [FOLDER_OF_THE_PROGRAM], which also gets the logs
set -eu
config=$(dirname "$(realpath "$0")")/config.xml
cd "${1:-build}"
./circuit Coil "$config" &
first=$!
./circuit Capacitor "$config"
wait $first
