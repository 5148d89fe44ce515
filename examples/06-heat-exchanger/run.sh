#!/usr/bin/env bash
# Runs both streams and the wall: run.sh [FOLDER_OF_THE_PROGRAM], which also gets the logs
set -eu
config=$(dirname "$(realpath "$0")")/config.xml
cd "${1:-build}"
./exchanger Hot "$config" 100 &
hot=$!
./exchanger Cold "$config" 150 &
cold=$!
./exchanger Wall "$config" 120
wait $hot
wait $cold
