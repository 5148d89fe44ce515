#!/usr/bin/env bash
# Runs water and plate: run.sh [FOLDER_OF_THE_PROGRAM], which also gets logs and picture
set -eu
here=$(dirname "$(realpath "$0")")
cd "${1:-build}"
./water "$here/config.xml" &
water=$!
"${PYTHON:-python3}" "$here/plate.py" "$here/config.xml" plate.png
wait $water
