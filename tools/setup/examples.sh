#!/usr/bin/env bash
# examples.sh PREFIX: what single examples need beside Isthmus, from Debian and PyPI. The Python packages go to
# build/adapters, an environment that sees those of Debian and holds pyprecice on the libprecice in PREFIX. OpenFOAM's
# headers go to build/openfoam; what is built with them is built by the next `make build`.
set -eu
prefix=$(realpath "$1")
cd "$(dirname "$0")/../.."
tools/setup/system.sh python3-dolfin calculix-ccx
openfoam/setup.sh
tools/setup/pyprecice.sh "$prefix" build/adapters
tools/watched.sh adapters build/adapters/bin/python -m pip --disable-pip-version-check install --progress-bar off fenicsprecice==2.3.1 matplotlib
echo "build/adapters/bin/python is ready"
