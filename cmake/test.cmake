# isthmus_test(NAME RANKS 1 2 3 LINK target… [SIMULATED 16 64] [COUNTED])
# One doctest program from tests/NAME/*.cpp, registered once per rank count as NAME.npK. In a build
# with the simulator's compiler (SMPI) the SIMULATED counts are used instead; without any it is not built.
# COUNTED: what it holds of MPI is counted (tests/handles.hpp), and it fails if that is not nothing in the end.
# A test ends itself: this limit is for a hang that the library does not see, however busy the machine is.
set(DART_TESTING_TIMEOUT 1800)
#
# PROCESSORS of tests are meant for two processors that are given out in halves, and one half more for what mostly waits
# (RESOURCE_LOCK waiting: one of those at a time, beside the others; COST: early): so the presets run 5 of them.
include(CTest)
find_program(ISTHMUS_SMPIRUN smpirun)

# Those compilers of some languages that are here.
function(isthmus_compilers list)
  include(CheckLanguage)
  set(found)
  foreach(language IN LISTS ARGN)
    check_language(${language})
    if(CMAKE_${language}_COMPILER)
      list(APPEND found ${CMAKE_${language}_COMPILER})
    endif()
  endforeach()
  set(${list} ${found} PARENT_SCOPE)
endfunction()

# What several test programs have in common is compiled once: the main of those with MPI and of those without, and
# the counters of handles and of allocations. An object of its own is in the program whether something asks for it or not. So are headers
# of others, which the first part reads, in builds that compile several sources together (isthmus_read_once).
function(isthmus_test_part name source)
  add_library(isthmus_test_${name} OBJECT ${PROJECT_SOURCE_DIR}/tests/${source})
  isthmus_warnings(isthmus_test_${name})
  target_link_libraries(isthmus_test_${name} PRIVATE ${ARGN})
endfunction()

function(isthmus_read_once target)
  if(NOT ISTHMUS_UNITY)
    return()
  endif()
  get_target_property(headers isthmus_test_main PRECOMPILE_HEADERS)
  if(NOT headers)
    target_link_libraries(isthmus_test_main PRIVATE fmt::fmt)
    target_precompile_headers(isthmus_test_main PRIVATE <doctest/doctest.h> <fmt/format.h> <mpi.h> <algorithm> <array>
      <chrono> <cmath> <filesystem> <functional> <limits> <map> <memory> <numeric> <optional> <set> <span> <string> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM isthmus_test_main)
endfunction()

# As isthmus_together(), of tests, of which many have local names in common: tools/batches.py finds out which of them can be
# one unit, when a build is configured. Who has given a test a name that another one of its unit has configures anew.
function(isthmus_test_together name list)
  if(NOT ISTHMUS_UNITY)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  isthmus_set_apart(${list} SKIP_PRECOMPILE_HEADERS together alone)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/batches.py 6 ${together}
    OUTPUT_VARIABLE batches OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "," batches "${batches}")
  string(REPLACE "\n" ";" batches "${batches}")
  set(number 0)
  foreach(batch IN LISTS batches)
    string(REPLACE "," ";" batch "${batch}")
    list(LENGTH batch count)
    if(count EQUAL 1)
      list(APPEND alone ${batch})
      continue()
    endif()
    set(file ${ISTHMUS_UNITY_FOLDER}/tests/${name}_${number}.cpp)
    isthmus_write_unit(${file} ${PROJECT_SOURCE_DIR}/tests ${batch})
    list(APPEND alone ${file})
    math(EXPR number "${number} + 1")
  endforeach()
  set(${list} ${alone} PARENT_SCOPE)
endfunction()

function(isthmus_test name)
  cmake_parse_arguments(arg "COUNTED" "" "RANKS;LINK;SIMULATED;SOURCES" ${ARGN})
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  endif()
  if(NOT arg_SOURCES OR (ISTHMUS_SIMULATED AND NOT arg_SIMULATED))
    return()
  endif()
  set(target test_${name})
  isthmus_test_together(${name} arg_SOURCES)
  add_executable(${target} ${arg_SOURCES})
  isthmus_warnings(${target})
  isthmus_together_warnings(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE isthmus_test_main ${arg_LINK} MPI::MPI_CXX)
  if(arg_COUNTED)
    target_link_libraries(${target} PRIVATE isthmus_test_handles)
  endif()
  isthmus_read_once(${target})
  set(ranks ${arg_RANKS})
  if(ISTHMUS_SIMULATED)
    set(ranks ${arg_SIMULATED})
  endif()
  foreach(np IN LISTS ranks)
    isthmus_add_parallel_test(${name}.np${np} ${np} ${target})
  endforeach()
endfunction()

# isthmus_ranks_test(NAME [FOLDER folder] …)
# As isthmus_test(), of tests/NAME/ranks/*.cpp, or tests/FOLDER/ranks/*.cpp, as NAME_ranks.npK: those cases of a
# module that need several ranks, where the others need one or none.
function(isthmus_ranks_test name)
  cmake_parse_arguments(arg "" "FOLDER" "" ${ARGN})
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}/ranks/*.cpp)
  isthmus_test(${name}_ranks SOURCES ${sources} ${arg_UNPARSED_ARGUMENTS})
endfunction()

# isthmus_machine_test(NAME RANKS 1 2)
# Those cases of tests/NAME that not every machine allows, TEST_CASE("…" * depends_on_machine), as NAME.machine.npK,
# which is reported as skipped where one of them says "not tested: …".
function(isthmus_machine_test name)
  cmake_parse_arguments(arg "" "" "RANKS" ${ARGN})
  foreach(np IN LISTS arg_RANKS)
    isthmus_add_parallel_test(${name}.machine.np${np} ${np} test_${name} --test-suite=machine --no-skip)
    set_tests_properties(${name}.machine.np${np} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

# isthmus_processes_test(NAME LINK target…)
# One doctest program without MPI from tests/NAME/*.cpp: its cases fork, kill and run threads.
function(isthmus_processes_test name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  isthmus_test_together(${name}_alone sources)
  add_executable(test_${name} ${sources})
  isthmus_warnings(test_${name})
  isthmus_together_warnings(test_${name})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE isthmus_test_alone ${arg_LINK})
  isthmus_read_once(test_${name})
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES PROCESSORS 2) # processes that are killed, or come late, are waited for
endfunction()

# Registers one program at one rank count, under mpirun or the simulator.
function(isthmus_add_parallel_test test np target)
  if(ISTHMUS_SIMULATED)
    add_test(NAME ${test} COMMAND ${PROJECT_SOURCE_DIR}/tools/smpirun.sh ${np} $<TARGET_FILE:${target}> ${ARGN})
  elseif(np EQUAL 1)
    add_test(NAME ${test} COMMAND ${target} ${ARGN})
  else()
    add_test(NAME ${test} COMMAND ${MPIEXEC_EXECUTABLE} --oversubscribe --bind-to none -n ${np} $<TARGET_FILE:${target}> ${ARGN})
  endif()
  set(processors 4)
  if(np EQUAL 1 OR ISTHMUS_SIMULATED)
    set(processors 2)
  endif()
  set(spin "")
  # More ranks than a small machine has cores: one that waits soon leaves its core to others. Two ranks do not, as a yield is a whole
  # turn of everybody where something else is busy: 15 times as long for the same case beside eight busy loops.
  if(np GREATER 2)
    set(spin ";ISTHMUS_SPIN_US=5;OMPI_MCA_mpi_yield_when_idle=1")
  endif()
  set_tests_properties(${test} PROPERTIES PROCESSORS ${processors} LABELS "np${np}"
    ENVIRONMENT "ISTHMUS_PROFILE=off${spin};OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_btl_vader_single_copy_mechanism=none")
endfunction()

# isthmus_page(PAGE RANKS 1 2 LINK target…)
# Builds and runs the program that stands in docs/PAGE.md, the first ```cpp of that page, in a folder
# of its own, as page.NAME.npK with the last part of PAGE as NAME. Without ranks it is only compiled: it need not be a whole program.
function(isthmus_page page_name)
  cmake_parse_arguments(arg "" "" "RANKS;LINK" ${ARGN})
  cmake_path(GET page_name FILENAME name)
  set(page ${PROJECT_SOURCE_DIR}/docs/${page_name}.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  file(READ ${page} text)
  string(FIND "${text}" "```cpp\n" begin)
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "\n```\n" length)
  math(EXPR length "${length} - 6")
  string(SUBSTRING "${text}" 7 ${length} program)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/pages/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "${program}" @ONLY)
  if(NOT arg_RANKS)
    add_library(page_${name} OBJECT ${source})
  else()
    add_executable(page_${name} ${source})
  endif()
  target_link_libraries(page_${name} PRIVATE ${arg_LINK} MPI::MPI_CXX)
  foreach(np IN LISTS arg_RANKS)
    isthmus_add_parallel_test(page.${name}.np${np} ${np} page_${name})
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/pages/${name}.np${np})
    set_tests_properties(page.${name}.np${np} PROPERTIES
      WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/pages/${name}.np${np})
  endforeach()
endfunction()
