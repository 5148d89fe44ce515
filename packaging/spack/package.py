# SPDX-License-Identifier: BSD-3-Clause
# Recipe for a Spack repository: copy to packages/isthmus/package.py.
from spack.package import depends_on, license, maintainers, variant, version

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage  # since Spack 1.0
except ImportError:
    from spack.package import CMakePackage


class Isthmus(CMakePackage):
    """Joins parallel simulation codes that were never written to know each other; a drop-in for preCICE 3."""

    homepage = "https://example.org/isthmus"
    git = "https://example.org/isthmus.git"  # where your clone is
    license("BSD-3-Clause")
    maintainers("isthmus")

    version("main", branch="main")

    variant("partitioners", default=True, description="Graph partitions by METIS and PT-Scotch")
    variant("hdf5", default=True, description="Files for ParaView and restart in one")
    variant("tools", default=True, description="Programs of the command line")

    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("eigen@3.4:", type="build")
    depends_on("mpi")
    depends_on("fmt@9:")
    depends_on("tinyxml2")
    depends_on("libsodium")
    depends_on("hdf5+mpi", when="+hdf5")
    depends_on("metis", when="+partitioners")
    depends_on("scotch+mpi", when="+partitioners")

    def cmake_args(self):
        def left_out(package, name):
            return self.define(f"CMAKE_DISABLE_FIND_PACKAGE_{package}", not self.spec.satisfies(f"+{name}"))

        return [self.define("ISTHMUS_TESTS", False), self.define("ISTHMUS_PYTHON", False),
                self.define("ISTHMUS_WERROR", False), self.define_from_variant("ISTHMUS_TOOLS", "tools"),
                left_out("METIS", "partitioners"), left_out("Scotch", "partitioners"),
                left_out("ParallelHDF5", "hdf5")]
