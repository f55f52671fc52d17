# What every target of this tree shares: warnings, sanitizers, the linker, and one function per kind of target,
# so that a folder's CMakeLists.txt says only what the folder is.

add_library(omnium_flags INTERFACE)
target_compile_options(omnium_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers)
target_include_directories(omnium_flags INTERFACE ${CMAKE_SOURCE_DIR})
if(OMNIUM_SANITIZE)
  target_compile_options(omnium_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(omnium_flags INTERFACE -fsanitize=address,undefined)
endif()
find_program(MOLD mold)
if(MOLD)
  target_link_options(omnium_flags INTERFACE -fuse-ld=mold)
endif()

# omnium_library(NAME [DEPS target...]): a static library from the *.cpp of the current folder.
function(omnium_library name)
  cmake_parse_arguments(arg "" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC omnium_flags ${arg_DEPS})
endfunction()
