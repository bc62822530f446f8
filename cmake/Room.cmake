# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# jccsafe_room(NAME HEADERS ... [ROOMS ...] [LIBRARIES ...])
#
# The library of lib/NAME: jccsafe::NAME (shared) and jccsafe::NAME_static, of objects that are compiled once.
# HEADERS are its public headers, without folder and ending; ROOMS the rooms below it, whose headers its own include;
# LIBRARIES are other people's, seen by no user of it.
include(GNUInstallDirs)

function(jccsafe_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "HEADERS;ROOMS;LIBRARIES")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/${name}/*.c)
  if(NOT sources)
    message(STATUS "jccsafe: lib/${name} holds no source")
    return()
  endif()
  set(map ${PROJECT_SOURCE_DIR}/lib/${name}/${name}.map)
  list(TRANSFORM room_ROOMS PREPEND jccsafe_ OUTPUT_VARIABLE shared_rooms)
  list(TRANSFORM shared_rooms APPEND _static OUTPUT_VARIABLE static_rooms)

  add_library(jccsafe_${name}_objects OBJECT ${sources})
  set_target_properties(jccsafe_${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(jccsafe_${name}_objects PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(jccsafe_${name}_objects PRIVATE jccsafe_warnings ${room_LIBRARIES})
  jccsafe_c11(jccsafe_${name}_objects)

  add_library(jccsafe_${name} SHARED $<TARGET_OBJECTS:jccsafe_${name}_objects>)
  set_target_properties(jccsafe_${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${map}
                                                   INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
  target_link_options(jccsafe_${name} PRIVATE -Wl,--version-script=${map})
  if(NOT JCCSAFE_SANITIZE) # clang leaves a sanitizer's symbols to the program
    target_link_options(jccsafe_${name} PRIVATE -Wl,--no-undefined)
  endif()
  target_link_libraries(jccsafe_${name} PUBLIC ${shared_rooms} PRIVATE ${room_LIBRARIES})

  add_library(jccsafe_${name}_static STATIC $<TARGET_OBJECTS:jccsafe_${name}_objects>)
  target_link_libraries(jccsafe_${name}_static PUBLIC ${static_rooms} PRIVATE ${room_LIBRARIES})

  foreach(suffix "" _static)
    set_target_properties(jccsafe_${name}${suffix} PROPERTIES OUTPUT_NAME jccsafe-${name} EXPORT_NAME ${name}${suffix} LINKER_LANGUAGE C)
    target_include_directories(jccsafe_${name}${suffix} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    add_library(jccsafe::${name}${suffix} ALIAS jccsafe_${name}${suffix})
  endforeach()

  if(JCCSAFE_INSTALL)
    jccsafe_install_room(${name} ${room_HEADERS})
  endif()
  set_property(GLOBAL APPEND PROPERTY JCCSAFE_ROOMS ${name})
  set_property(GLOBAL PROPERTY JCCSAFE_HEADERS_${name} ${room_HEADERS})
endfunction()

# C11 without extensions, hidden unless marked JCC_API.
function(jccsafe_c11 target)
  set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
endfunction()
