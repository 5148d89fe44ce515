#!/usr/bin/env bash
# standards.sh HEADERS LIBRARIES FOLDER CXX CC…: the headers compile without a warning in every standard that a program of
# preCICE may ask for, with the compilers given and with g++ and clang++ if they are there; the oldest program runs.
set -eu
headers=$1 libraries=$2 folder=$3 compiler=$4
shift 3
here=$(dirname "$(readlink -f "$0")")/consumer
mkdir -p "$folder"
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Werror -I"$headers")
tried=0
for cxx in "$compiler" g++ clang++; do
  command -v "$cxx" > /dev/null || continue
  for standard in c++11 c++14 c++17 c++20; do
    "$cxx" -std=$standard -fsyntax-only "${warnings[@]}" "$here/any_standard.cpp"
    "$cxx" -std=$standard -fsyntax-only "${warnings[@]}" "$here/drop_in.cpp"
    tried=$((tried + 1))
  done
done
for cc in "${@:2}" gcc clang; do
  command -v "$cc" > /dev/null || continue
  for standard in c99 c11 c17; do
    "$cc" -std=$standard -fsyntax-only -Wstrict-prototypes "${warnings[@]}" "$here/any_standard.c"
  done
done
[ $tried -ge 4 ]

"$compiler" -std=c++11 "${warnings[@]}" "$here/any_standard.cpp" -o "$folder/oldest" -L"$libraries" -lprecice
LD_LIBRARY_PATH=$libraries "$folder/oldest" nowhere.xml 2>&1 | grep 'nowhere\.xml'
