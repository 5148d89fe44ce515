#!/usr/bin/env bash
# pyprecice.sh PREFIX FOLDER: a Python environment in FOLDER with pyprecice of PyPI, unchanged, built on the
# libprecice in PREFIX. It sees the Python packages of Debian. What is there already, and fits, is kept.
# Exit code 77, with a word: PyPI cannot be reached.
set -eu
version=3.4.0
prefix=$(realpath "$1")
folder=$(realpath -m "$2")
. "$(dirname "$0")/../watched.sh"
python=/usr/bin/python3 # sees dolfin, which is no package of PyPI
[ -x $python ] || python=python3

# A package of Debian that came later, and was compiled for Debian's mpi4py, does not run with another one.
stamp="pyprecice $version $(cat "$prefix"/include/precice/* | sha256sum) $($python -c 'import mpi4py; print(mpi4py.__version__)' 2> /dev/null || true)"
mkdir -p "$(dirname "$folder")"
exec 9> "$folder.lock"
flock 9 # two tests may want it
if [ "$(cat "$folder/.stamp" 2> /dev/null)" = "$stamp" ]; then
  exit 0
fi
$python -m venv --clear --system-site-packages "$folder"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LDFLAGS=-Wl,-rpath,$prefix/lib
pip=("$folder/bin/python" -m pip --disable-pip-version-check)
code=0
"${pip[@]}" --quiet download --no-cache-dir --no-deps --retries 1 --timeout 10 --dest "$folder/probe" pkgconfig || code=$?
if [ "$code" -eq 1 ]; then # 2: the command is wrong
  echo "skipped: PyPI cannot be reached"
  exit 77
fi
[ "$code" -eq 0 ] || exit "$code"
# No wheel of another day: it may be built on another libprecice.
install() {
  "${pip[@]}" install --progress-bar off --no-cache-dir --force-reinstall --no-deps "pyprecice==$version" &&
    "${pip[@]}" install --progress-bar off "pyprecice==$version" "numpy<2" # and what it needs
}
shown pyprecice install || exit 1
echo "$stamp" > "$folder/.stamp"
