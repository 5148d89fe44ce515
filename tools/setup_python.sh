#!/usr/bin/env bash
# setup_python.sh FOLDER demo|all: a Python environment with this package, as it stands here, and what it requires; all: with
# what the tests need too. One line now and then says what pip is doing.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
what=(-e .)
[ "$2" = demo ] || what=(-e '.[dev]' -r tools/requirements.txt)
echo "Python environment in $folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --disable-pip-version-check --no-input --progress-bar off -C wheel.cmake=false \
  "${what[@]}" | tools/progress.sh
