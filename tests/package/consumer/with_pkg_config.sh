#!/usr/bin/env bash
# Builds the consumer as a makefile would: with_pkg_config.sh PREFIX FOLDER COMPILER
set -eu
prefix=$1 folder=$2 compiler=$3
here=$(dirname "$(readlink -f "$0")")
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig:$prefix/lib64/pkgconfig:$prefix/lib/x86_64-linux-gnu/pkgconfig
mkdir -p "$folder"
build() { # PROGRAM COMPILER STANDARD PACKAGE…
  local program=$1 cxx=$2 standard=$3
  shift 3
  # shellcheck disable=SC2046
  "$cxx" -std="$standard" "$here/$program.cpp" -o "$folder/$program" $(pkg-config --cflags --libs "$@")
}
build drop_in "$compiler" c++11 libprecice
build drop_in mpicxx c++17 libprecice
build native "$compiler" c++20 isthmus
build kit mpicxx c++20 isthmus-kit
test "$(pkg-config --modversion libprecice)" = 3.4.1
LD_LIBRARY_PATH=$(pkg-config --variable=libdir libprecice) "$here/couple.sh" "$folder"
