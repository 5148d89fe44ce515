#!/usr/bin/env bash
# setup.sh [FOLDER [SOURCE]]: OpenFOAM as Debian packs it, and its headers, which no package has, in
# FOLDER/include (build/openfoam): links to those of the source package, or of an unpacked SOURCE; in
# FOLDER/programs what its programs of two phases are compiled of, but for the limiter. Once it is done, it does nothing.
set -eu
here=$(realpath "$(dirname "$0")")
folder=${1-$here/../build/openfoam}
mkdir -p "$folder"
folder=$(realpath "$folder")
. "$here/../tools/watched.sh"
source=${2-}

if [ -z "$source" ]; then
  "$here/../tools/setup/system.sh" openfoam openfoam-examples scotch
  version=$(dpkg-query -W -f '${source:Version}' openfoam)
  source=$folder/source-$version
  if [ -f "$folder/include/version" ] && [ -d "$folder/programs/solvers" ]; then
    exit 0
  fi
  if [ ! -d "$source/src" ]; then # a list of packages of its own: nothing of the system is changed
    . /etc/os-release
    mkdir -p "$folder/apt/lists/partial" "$source"
    echo "deb-src http://deb.debian.org/debian $VERSION_CODENAME main" > "$folder/apt/sources.list"
    options=(-q -o "Dir::Etc::SourceList=$folder/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
      -o "Dir::State::Lists=$folder/apt/lists" -o APT::Sandbox::User=)
    download() {
      cd "$folder/apt" && apt-get "${options[@]}" update &&
        apt-get "${options[@]}" source --download-only "openfoam=$version"
    }
    shown sources download || exit 1
    tar -C "$source" --strip-components=1 -xf "$folder"/apt/openfoam_*.orig.tar.*
  fi
fi

rm -rf "$folder/include"
mkdir "$folder/include"
find "$source/src/OpenFOAM" "$source/src/OSspecific/POSIX" -type f \( -name '*.[HCh]' -o -name '*.hpp' \) -print0 |
  xargs -0 ln -sf -t "$folder/include"

# A folder for each library, named as OpenFOAM's build finds it; ours has the templates of MULES.
rm -rf "$folder/programs"
for library in finiteVolume meshTools sampling dynamicFvMesh transportModels/incompressible \
  transportModels/interfaceProperties transportModels/twoPhaseMixture TurbulenceModels/turbulenceModels \
  TurbulenceModels/incompressible transportModels/immiscibleIncompressibleTwoPhaseMixture \
  surfMesh fileFormats; do
  mkdir -p "$folder/programs/$library"
  find "$source/src/$library" -type f -name '*.[HCh]' ! -name '*MULESTemplates.C' -print0 |
    xargs -0 ln -sf -t "$folder/programs/$library"
done
ln -s "$source/src/transportModels" "$folder/programs/models"
solvers=$source/applications/solvers/multiphase
ln -s "$solvers" "$folder/programs/solvers"
mkdir "$folder/programs/phaseChange"
find "$solvers/interPhaseChangeFoam/phaseChangeTwoPhaseMixtures" -type f -name '*.[HC]' -print0 |
  xargs -0 ln -sf -t "$folder/programs/phaseChange"

sed -n 's/^api=//p' "$source/META-INFO/api-info" > "$folder/include/version"
echo "OpenFOAM $(cat "$folder/include/version"): headers in $folder/include"
