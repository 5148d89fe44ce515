#!/usr/bin/env bash
# setup.sh [FOLDER [SOURCE]]: OpenFOAM as Debian packs it, and its headers, which no package has, in
# FOLDER/include (build/openfoam): links to those of the source package, or of an unpacked SOURCE. Once it is done,
# it does nothing.
set -eu
here=$(realpath "$(dirname "$0")")
folder=${1-$here/../build/openfoam}
mkdir -p "$folder"
folder=$(realpath "$folder")
source=${2-}

if [ -z "$source" ]; then
  "$here/../tools/setup_system.sh" openfoam openfoam-examples
  version=$(dpkg-query -W -f '${source:Version}' openfoam)
  source=$folder/source-$version
  if [ -f "$folder/include/version" ] && [ -d "$source/src" ]; then
    exit 0
  fi
  if [ ! -d "$source/src" ]; then # a list of packages of its own: nothing of the system is changed
    . /etc/os-release
    mkdir -p "$folder/apt/lists/partial" "$source"
    echo "deb-src http://deb.debian.org/debian $VERSION_CODENAME main" > "$folder/apt/sources.list"
    options=(-q -o "Dir::Etc::SourceList=$folder/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
      -o "Dir::State::Lists=$folder/apt/lists" -o APT::Sandbox::User=)
    apt-get "${options[@]}" update > "$folder/apt/log"
    (cd "$folder/apt" && apt-get "${options[@]}" source --download-only "openfoam=$version" >> log)
    tar -C "$source" --strip-components=1 -xf "$folder"/apt/openfoam_*.orig.tar.*
  fi
fi

rm -rf "$folder/include"
mkdir "$folder/include"
find "$source/src/OpenFOAM" "$source/src/OSspecific/POSIX" -type f \( -name '*.[HCh]' -o -name '*.hpp' \) -print0 |
  xargs -0 ln -sf -t "$folder/include"
sed -n 's/^api=//p' "$source/META-INFO/api-info" > "$folder/include/version"
echo "OpenFOAM $(cat "$folder/include/version"): headers in $folder/include"
