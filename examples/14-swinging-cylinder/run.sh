#!/usr/bin/env bash
# Runs flow and cylinder; logs, loads and picture are left in out
set -eu
here=$(dirname "$(realpath "$0")")
mkdir -p "$here/out" && cd "$here"
"${PYTHON:-python3}" grid.py grid.xyz
"${ISTHMUS:-isthmus}" solve flow.toml --ranks "${1:-1}" &
flow=$!
"${PYTHON:-python3}" cylinder.py config.xml 4.94 out/cylinder.csv
wait $flow
"${PYTHON:-python3}" draw.py out/cylinder.csv out/swing.png
