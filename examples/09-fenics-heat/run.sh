#!/usr/bin/env bash
# Runs both plates and draws them: run.sh [FOLDER], which gets logs, fields and the picture
set -eu
here=$(dirname "$(realpath "$0")")
python=${PYTHON:-$here/../../build/adapters/bin/python}
mkdir -p "${1:-$here/out}" && cd "${1:-$here/out}"
export OMP_NUM_THREADS=1
"$python" "$here/heat.py" Dirichlet 8 Dirichlet.txt &
other=$!
"$python" "$here/heat.py" Neumann 8 Neumann.txt
wait $other
"$python" "$here/draw.py" plates.png Dirichlet.txt Neumann.txt
