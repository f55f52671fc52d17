# What every target of this tree shares: warnings, sanitizers, the linker, and one function per kind of target,
# so that a folder's CMakeLists.txt says only what the folder is.

add_library(omnium_flags INTERFACE)
target_compile_options(omnium_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overruns in std::string's operator+ that are not there (GCC bugs 105329, 105651), fixed in 13.
  target_compile_options(omnium_flags INTERFACE -Wno-array-bounds -Wno-restrict -Wno-nonnull -Wno-stringop-overflow)
endif()
target_include_directories(omnium_flags INTERFACE ${CMAKE_SOURCE_DIR})
if(OMNIUM_SANITIZE)
  target_compile_options(omnium_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(omnium_flags INTERFACE -fsanitize=address,undefined)
endif()
find_program(MOLD mold)
if(MOLD)
  target_link_options(omnium_flags INTERFACE -fuse-ld=mold)
endif()

# omnium_library(NAME [DEPS target...]): a static library from the *.cpp of the current folder (a header-only one while
# the folder has no source yet). Every such library is linked into the test programs.
function(omnium_library name)
  cmake_parse_arguments(arg "" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC omnium_flags ${arg_DEPS})
    omnium_precompile(${name})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE omnium_flags ${arg_DEPS})
  endif()
  set_property(GLOBAL APPEND PROPERTY OMNIUM_LIBRARIES ${name})
endfunction()

# One precompiled header for all libraries: what most of their files include, which is more than half of what compiling
# them costs. Off by default, because it hides a missing include and keeps work trees from sharing ccache's objects; the
# scripts that build everything turn it on.
option(OMNIUM_PCH "Precompile the headers that most files include" OFF)
function(omnium_precompile name)
  if(NOT OMNIUM_PCH)
    return()
  endif()
  if(NOT TARGET omnium_pch)
    file(WRITE ${CMAKE_BINARY_DIR}/omnium_pch.cpp "")
    add_library(omnium_pch OBJECT ${CMAKE_BINARY_DIR}/omnium_pch.cpp)
    target_link_libraries(omnium_pch PRIVATE omnium_flags fmt::fmt PkgConfig::SIMDJSON)
    target_compile_options(omnium_pch PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    target_precompile_headers(omnium_pch PRIVATE <algorithm> <array> <chrono> <cstdint> <functional> <map> <memory>
      <optional> <string> <string_view> <variant> <vector> <fmt/format.h> <simdjson.h>)
  endif()
  target_precompile_headers(${name} REUSE_FROM omnium_pch)
  # The compiler takes a precompiled header only under the options it was made with.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
    $<TARGET_PROPERTY:PkgConfig::SIMDJSON,INTERFACE_COMPILE_OPTIONS> $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_OPTIONS>)
  target_compile_definitions(${name} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()

# omnium_test_links(target...): further targets a folder wants linked into the test programs (e.g. a sport's rules as an
# object library).
function(omnium_test_links)
  set_property(GLOBAL APPEND PROPERTY OMNIUM_LIBRARIES ${ARGN})
endfunction()

# omnium_test_needs(target...): programs and plugins a test program starts, built before it runs.
function(omnium_test_needs)
  set_property(GLOBAL APPEND PROPERTY OMNIUM_TEST_NEEDS ${ARGN})
endfunction()

# omnium_subfolders(first...): adds each sub-folder of the current one that has a CMakeLists.txt; those named come first.
macro(omnium_subfolders)
  file(GLOB _found CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  list(TRANSFORM _found REPLACE "/CMakeLists.txt$" "")
  set(_ordered "")
  foreach(_folder ${ARGN})
    if(_folder IN_LIST _found)
      list(APPEND _ordered ${_folder})
    endif()
  endforeach()
  list(REMOVE_ITEM _found ${ARGN} "")
  foreach(_folder ${_ordered} ${_found})
    add_subdirectory(${_folder})
  endforeach()
endmacro()
