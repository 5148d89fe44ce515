# isthmus_module(NAME DEPENDS module… LINK target… EXCLUDE file… [SEPARATE])
# One module: every .cpp beside this list file but the excluded, its headers, its warnings. Static
# and position independent; libisthmus.so collects all of them but the separate ones.
function(isthmus_module name)
  cmake_parse_arguments(arg "SEPARATE" "" "DEPENDS;LINK;LINK_PRIVATE;EXCLUDE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  foreach(file IN LISTS arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "/${file}$")
  endforeach()
  file(GLOB headers CONFIGURE_DEPENDS *.hpp)
  set(header_only ${headers}) # a source includes its own header first, which shows that this one compiles alone
  string(REGEX REPLACE "\\.cpp(;|$)" ".hpp\\1" with_source "${sources}")
  list(REMOVE_ITEM header_only ${with_source})
  set(target isthmus_${name})
  add_library(${target} STATIC ${sources})
  add_library(isthmus::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${headers}
                                  FILE_SET header_only TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${header_only})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name}
    VERIFY_INTERFACE_HEADER_SETS ${ISTHMUS_WERROR} INTERFACE_HEADER_SETS_TO_VERIFY header_only)
  target_compile_features(${target} PUBLIC cxx_std_20)
  isthmus_warnings(${target})
  target_link_libraries(${target} PUBLIC fmt::fmt Threads::Threads ${arg_LINK} PRIVATE ${arg_LINK_PRIVATE})
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(${target} PUBLIC isthmus_${dependency})
  endforeach()
  if(ISTHMUS_PRECOMPILED)
    isthmus_precompile(${target})
  endif()
  if(NOT arg_SEPARATE)
    set_property(GLOBAL APPEND PROPERTY ISTHMUS_MODULES ${target})
  endif()
endfunction()

# For builds that nobody keeps. The other builds show that each file includes what it uses.
function(isthmus_precompile target)
  if(NOT TARGET isthmus_precompiled)
    set(source ${PROJECT_BINARY_DIR}/precompiled.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(isthmus_precompiled OBJECT ${source})
    isthmus_warnings(isthmus_precompiled)
    target_link_libraries(isthmus_precompiled PRIVATE fmt::fmt Threads::Threads)
    target_precompile_headers(isthmus_precompiled PRIVATE <fmt/format.h> <algorithm> <array> <chrono> <cmath>
      <filesystem> <functional> <limits> <map> <memory> <numeric> <optional> <set> <span> <string> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM isthmus_precompiled)
endfunction()

function(isthmus_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                           $<$<BOOL:${ISTHMUS_WERROR}>:-Werror>)
endfunction()
