# omnium_sport(NAME VERSION x.y.z SOURCES file... [HELPERS file...] [OUTPUT dir])
#
# Builds one release of a sport as a package folder, OUTPUT/NAME/VERSION (OUTPUT: <build>/sports), with plugin.so in it.
# HELPERS are files that belong to the release beside its code (data the author wants pinned with it): they are copied
# into the package, whose hash covers them. The target is sport_NAME_x_y_z.
function(omnium_sport name)
  cmake_parse_arguments(arg "" "VERSION;OUTPUT" "SOURCES;HELPERS" ${ARGN})
  if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "omnium_sport: ${name} is no sport code (lower case letters, digits, _)")
  endif()
  if(NOT arg_VERSION MATCHES "^[0-9]+\\.[0-9]+\\.[0-9]+$" OR NOT arg_SOURCES)
    message(FATAL_ERROR "omnium_sport(${name}): VERSION x.y.z and SOURCES are needed")
  endif()
  if(NOT arg_OUTPUT)
    set(arg_OUTPUT ${CMAKE_BINARY_DIR}/sports)
  endif()
  string(REPLACE "." "_" suffix ${arg_VERSION})
  set(target sport_${name}_${suffix})
  set(package ${arg_OUTPUT}/${name}/${arg_VERSION})

  add_library(${target} MODULE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE OmniumSport::sdk)
  if(TARGET omnium_flags)   # inside Omnium's own tree: its warnings and sanitizers
    target_link_libraries(${target} PRIVATE omnium_flags)
    omnium_test_needs(${target})
  endif()
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_definitions(${target} PRIVATE OMNIUM_SPORT_VERSION="${arg_VERSION}")
  # A release is known by its bytes: the same sources give the same file wherever they lie.
  target_compile_options(${target} PRIVATE -ffile-prefix-map=${CMAKE_SOURCE_DIR}=. $<$<CONFIG:Release>:-g0>)
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,--build-id=none -Wl,-z,relro,-z,now)
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME plugin SUFFIX .so LIBRARY_OUTPUT_DIRECTORY ${package}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON BUILD_RPATH "" INSTALL_RPATH "")
  foreach(helper ${arg_HELPERS})
    get_filename_component(file ${helper} NAME)
    get_filename_component(source ${helper} ABSOLUTE)
    add_custom_command(OUTPUT ${package}/${file} COMMAND ${CMAKE_COMMAND} -E copy ${source} ${package}/${file}
      DEPENDS ${source})
    list(APPEND copies ${package}/${file})
  endforeach()
  if(copies)
    add_custom_target(${target}_helpers DEPENDS ${copies})
    add_dependencies(${target} ${target}_helpers)
  endif()
  set_property(GLOBAL APPEND PROPERTY OMNIUM_SPORTS ${target})
endfunction()
