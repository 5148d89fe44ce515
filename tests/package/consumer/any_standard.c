/* SPDX-License-Identifier: BSD-3-Clause */
/* The C header in the oldest C that has it; compiled, not run. */
#include <precice/preciceC.h>

#if PRECICE_VERSION_MAJOR < 3 || !PRECICE_VERSION_GREATER_EQUAL(3, 0, 0)
#error "the header of C brings no version"
#endif

int main(void) {
  int ids[2];
  const double positions[4] = {0, 0, 1, 0};
  const char* version = precicec_getVersionInformation();
  precicec_createParticipant("Solver", "precice-config.xml", 0, 1);
  precicec_setMeshVertices("Mesh", 2, positions, ids);
  precicec_finalize();
  return PRECICE_VERSION_GREATER_EQUAL(3, 4, 1) && version[0] == '3' ? 0 : 1;
}
