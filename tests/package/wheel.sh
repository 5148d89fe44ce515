#!/usr/bin/env bash
# wheel.sh PYTHON SOURCES FOLDER COMPILER UNITY UNITY_FOLDER: the wheel of `pip install`, in an environment that has nothing else of Isthmus:
# import, command line, a case that is written, checked and run. What the package requires is seen in the
# environment of PYTHON, as it stands there; so no network is needed. The objects come from ccache,
# which the build of the same tree has filled: the same compiler, by the same name, the same warnings, and the same way
# from the folder to the sources.
set -eu
python=$1 sources=$2 folder=$3 compiler=$4 unity=$5 unity_folder=$6
if ! "$python" -c 'import scikit_build_core'; then
  echo "skipped: $python has no scikit_build_core, which makes the wheel"
  exit 77
fi
unset PYTHONPATH ISTHMUS_BIN LD_LIBRARY_PATH
rm -rf "$folder/wheels" "$folder/fresh" "$folder/case"
mkdir -p "$folder"
cd "$folder"
settings=(build-dir="$folder" cmake.define.ISTHMUS_WERROR=ON cmake.define.CMAKE_CXX_COMPILER="$compiler"
  cmake.define.ISTHMUS_UNITY="$unity" cmake.define.ISTHMUS_UNITY_FOLDER="$unity_folder"
  cmake.define.CMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache)")
"$python" -m pip wheel --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation "$sources" -w wheels \
  "${settings[@]/#/--config-settings=}"
"$python" -m venv fresh
"$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > "$(echo fresh/lib/python3*/site-packages)/required.pth"
pip=(fresh/bin/pip --quiet --disable-pip-version-check)
"${pip[@]}" install --no-index --no-deps --ignore-installed wheels/isthmus-*.whl # PYTHON has one too, of the source tree
"${pip[@]}" check
fresh/bin/python -c '
import sys, isthmus, isthmus.kit
assert all(m.__file__.startswith(sys.prefix) for n, m in sys.modules.items() if n.startswith("isthmus")), sys.modules
print(isthmus.get_version_information())'

PATH=$folder/fresh/bin:$PATH
isthmus new case Fluid:python Solid:python
isthmus check case/precice-config.xml
isthmus run case --timeout 60
for log in case/out/*.log; do
  [ "$(grep -c ': mean' "$log")" -eq 10 ] || { echo "$log:"; cat "$log"; exit 1; }
done
