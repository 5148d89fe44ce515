# The two commands are `make test` and `make demo`; `make help` lists the rest.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
VENV := .venv
SEED ?= 1
CASES ?= 10000
MINUTES ?= 200
STAMP := $(VENV)/.installed
DEMO_STAMP := $(VENV)/.demo
# ctest changes LC_ALL for the builds that tests start; what was compiled before them counts all the same. So does what
# reads precompiled headers. What is not in the cache is preprocessed once, not twice.
export CCACHE_SLOPPINESS := locale,pch_defines,time_macros
export CCACHE_DEPEND := 1
# Clones in different folders share what the cache has.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1

.DEFAULT_GOAL := help
.PHONY: help setup system build test demo bench fuzz soak mpis ecosystem sanitize examples-setup docs install uninstall wheel deb format clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup: system $(STAMP) ## install what is missing: Debian packages, Python environment in .venv

system:
	@tools/setup/system.sh

$(STAMP): pyproject.toml tools/setup/requirements.txt
	@tools/setup/python.sh $(VENV) all
	@touch $@ $(DEMO_STAMP)

$(DEMO_STAMP): pyproject.toml
	@tools/setup/python.sh $(VENV) demo
	@touch $@

build: setup ## compile everything into build/release
	@tools/build.sh release $(JOBS)

test: build ## every test: real and simulated MPI, sanitizers, Python, package, style; ANEW=1: again what has passed
	@tools/test.sh $(JOBS)

demo: ## couple two meshes of a blade, then two plates strongly; pictures in out/demo
	@tools/setup/system.sh --demo
	@$(MAKE) --no-print-directory $(DEMO_STAMP)
	@tools/build.sh demo $(JOBS)
	@ISTHMUS_BIN=$(CURDIR)/build/demo/apps:$(CURDIR)/build/demo/cli $(VENV)/bin/isthmus demo

bench: build ## measure beside published figures; tables and pictures in out/bench
	@tools/build.sh release $(JOBS) bench/all
	@tools/build.sh smpi $(JOBS) bench_discovery bench_heat_sums bench_interface bench_krylov bench_mules bench_particles bench_quasi_newton bench_remesh
	@$(VENV)/bin/isthmus bench all

fuzz: build ## random configurations and random walks through the calls: make fuzz SEED=1 CASES=10000
	@$(VENV)/bin/python -B tests/random/fuzz.py build/release/tests/random/play_random --seed $(SEED) --cases $(CASES) --jobs $(JOBS)
	@$(VENV)/bin/python -B tests/random/order_test.py build/release/cli/isthmus-config-check $(SEED) $(CASES)
	@$(VENV)/bin/python -B tests/walks/walks.py build/release/tests/walks/test_walks --seed $(SEED) --cases $(CASES)

soak: build ## short coupled runs with faults at random, for MINUTES: make soak SEED=1 MINUTES=200
	@ISTHMUS_FAULT_CASE=$(CURDIR)/build/release/tests/faults/isthmus-fault-case python3 -B tests/faults/test_soak.py --seed $(SEED) --minutes $(MINUTES) --runs 1000000

mpis: build ## Open MPI 4 and 5, MPICH 4 and 5, Intel MPI: each coupled with each, in build/mpis
	@tools/mpis.py build/mpis --jobs $(JOBS)

sanitize: setup ## all tests with address and undefined behaviour sanitizers; `make test` runs a part
	@tools/build.sh asan $(JOBS) all
	@ctest --preset asan-all

examples-setup: build ## optional programs that examples use: FEniCS, CalculiX, OpenFOAM, pyprecice
	@tools/watched.sh prefix cmake --install build/release --prefix build/prefix
	@tools/setup/examples.sh build/prefix

ecosystem: examples-setup ## programs and tools written for preCICE, unchanged; prints the table of docs/programs.md
	@tools/build.sh release $(JOBS)
	@tools/ecosystem.py build/ecosystem build/release

docs: build ## the documentation site in build/site/html
	@tools/watched.sh pages $(VENV)/bin/python tools/site/site.py build/site/pages build/release
	@NO_MKDOCS_2_WARNING=1 tools/watched.sh site $(VENV)/bin/mkdocs build --strict
	@echo "build/site/html/index.html"

install: build ## install libraries, headers, programs: make install PREFIX=/where
	@tools/watched.sh install cmake --install build/release --prefix "$(PREFIX)"
	@(realpath "$(PREFIX)" && cat build/release/install_manifest.txt) > build/installed.txt
	@echo "Isthmus is in $(PREFIX)"

uninstall: ## remove what `make install` installed last
	@tools/uninstall.sh build/installed.txt

wheel: $(STAMP) ## a wheel that holds all libraries but MPI's, in build/wheels
	@tools/watched.sh wheel $(VENV)/bin/pip wheel -v --progress-bar off --disable-pip-version-check --no-deps . -w build/wheels/as-built
	@tools/watched.sh repair tools/repair_wheel.sh $(VENV)/bin/python build/wheels/as-built/isthmus-*.whl build/wheels
	@ls build/wheels/isthmus-*manylinux*.whl

deb: build ## a Debian package in build/deb
	@mkdir -p build/deb
	@tools/watched.sh deb cmake -E chdir build/deb cpack --config ../release/CPackConfig.cmake -G DEB
	@ls build/deb/*.deb

format: setup ## format the C++ sources
	@tools/format.sh

clean: ## remove everything that was built, and the Python environment
	rm -rf build $(VENV)
