#!/usr/bin/env bash
# python.sh FOLDER demo|all: a Python environment with this package, as it stands here, and what it requires; all: with
# what the tests need too. A line now and then says what pip is doing.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/watched.sh
folder=$1
what=(--no-compile -e .) # the demo imports a small part, which Python compiles then
[ "$2" = demo ] || what=(-e '.[dev]' -r tools/setup/requirements.txt)
echo "Python environment in $folder"
make_environment() {
  python3 -m venv "$folder" &&
    "$folder/bin/pip" install --disable-pip-version-check --no-input --progress-bar off --config-settings wheel.cmake=false "${what[@]}"
}
shown python make_environment || exit 1
