#!/usr/bin/env bash
# exchange.sh PREFIX SYMBOLS FOLDER CXX [CC FORTRAN]: a program needs no new build when libprecice.so.3 is exchanged.
# Programs compiled with our headers are linked to a library that has the names of preCICE 3.4.1 and
# nothing else; they start with that one, and couple with the one in PREFIX.
set -eu
prefix=$1 symbols=$2 folder=$3
shift 3
sources=$(dirname "$(readlink -f "$0")")/../languages
mkdir -p "$folder"
cd "$folder"

{ # every function ends the program with code 9
  echo '#include <cstdlib>'
  awk '{ print "extern \"C\" void " $1 "() { std::_Exit(9); }" }' "$symbols"
} > names.cpp
"$1" -shared -fPIC names.cpp -o libprecice.so.3 -Wl,-soname,libprecice.so.3

programs=(couple_cpp)
"$1" -std=c++11 -I"$prefix/include" "$sources/couple.cpp" libprecice.so.3 -o couple_cpp
if [ $# -ge 3 ]; then
  programs+=(couple_c couple_fortran)
  "$2" -I"$prefix/include" "$sources/couple.c" libprecice.so.3 -lm -o couple_c
  "$3" "$prefix/share/precice/precice.f90" "$sources/couple.f90" libprecice.so.3 -o couple_fortran
fi
for program in "${programs[@]}"; do
  if readelf -d "$program" | grep NEEDED | grep isthmus; then
    echo "$program needs the above, not only libprecice.so.3" >&2
    exit 1
  fi
  code=0
  LD_BIND_NOW=1 LD_LIBRARY_PATH=$folder "./$program" "$sources/config.xml" A || code=$?
  [ $code -eq 9 ] || { echo "$program does not start with the names of preCICE: $code" >&2; exit 1; }
done
LD_LIBRARY_PATH=$prefix/lib python3 -B "$sources/test_languages.py" "${programs[@]/#/$folder/}"
