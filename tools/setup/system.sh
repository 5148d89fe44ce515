#!/usr/bin/env bash
# system.sh [--demo | PACKAGE…]: installs the Debian packages that are missing, or says which; without names
# those that Isthmus needs, with --demo those without which there is no demo.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/watched.sh
demo=(build-essential cmake ninja-build ccache pkg-config libopenmpi-dev openmpi-bin libfmt-dev libtinyxml2-dev
  libsodium-dev libeigen3-dev python3-venv)
if [ $# -eq 0 ]; then
  packages=("${demo[@]}" gfortran doctest-dev libsimgrid-dev libpython3-dev iproute2 libmetis-dev libptscotch-dev
    libhdf5-openmpi-dev libtomlplusplus-dev)
elif [ "$1" = --demo ]; then
  packages=("${demo[@]}")
else
  packages=("$@")
fi

if ! command -v dpkg-query > /dev/null; then
  echo "not a Debian system: the build will say what it misses of ${packages[*]}"
  exit 0
fi
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q '^install ok' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif sudo -n true 2> /dev/null; then
  as_root=(sudo)
else
  echo "packages are missing. Run this and try again:"
  echo "  sudo apt-get install ${missing[*]}"
  exit 1
fi
echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
install_missing() {
  "${as_root[@]}" apt-get update -q &&
    "${as_root[@]}" apt-get install -qy --no-install-recommends "${missing[@]}"
}
shown packages install_missing || exit 1
