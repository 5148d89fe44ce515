#!/usr/bin/env bash
# new.sh PYTHON PREFIX FOLDER [COMPILER…]: writes a case with `isthmus new`, builds it against an installed
# tree, runs it. A C and a Fortran solver take part if there are two compilers.
set -eu
python=$1 prefix=$2 folder=$3
export PYTHONPATH=$(cd "$(dirname "$0")/../../python" && pwd)
solvers=(Fluid:c++ Solid:python)
if [ $# -ge 5 ]; then
  solvers+=(Heat:c Sound:fortran)
fi
rm -rf "$folder"
"$python" -m isthmus new "$folder" "${solvers[@]}"
cmake -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" > "$folder/build.log" 2>&1 &&
  cmake --build "$folder/build" >> "$folder/build.log" 2>&1 || { cat "$folder/build.log"; exit 1; }
PATH=$(dirname "$python"):$PATH "$python" -m isthmus run "$folder" --timeout 60
for log in "$folder"/out/*.log; do
  [ "$(grep -c ': mean' "$log")" -eq 10 ] || { echo "$log:"; cat "$log"; exit 1; }
done
