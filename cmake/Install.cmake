# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cmake --install` lays where JCCSAFE_INSTALL is on: libraries, headers, a CMake package with a component per room, a pkg-config file per room.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(JCCSAFE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/jccsafe)
# Where installed programs find the libraries.
file(RELATIVE_PATH JCCSAFE_BIN_TO_LIB ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
# The pkg-config files name no absolute path, so that an installed tree can be moved.
file(RELATIVE_PATH JCCSAFE_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH JCCSAFE_PC_TO_INCLUDE ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})

# The room NAME, and its public headers in ARGN.
function(jccsafe_install_room name)
  install(TARGETS jccsafe_${name} jccsafe_${name}_static EXPORT jccsafe-${name}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT jccsafe-${name} NAMESPACE jccsafe:: FILE jccsafe-${name}-targets.cmake DESTINATION ${JCCSAFE_PACKAGE_DIR})
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/include/jccsafe/)
  list(TRANSFORM ARGN APPEND .h)
  install(FILES ${ARGN} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/jccsafe)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/jccsafe-${name}.pc.in ${PROJECT_BINARY_DIR}/jccsafe-${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/jccsafe-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# Once every room is known.
function(jccsafe_install_package)
  configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/jccsafe-config.cmake.in ${PROJECT_BINARY_DIR}/jccsafe-config.cmake INSTALL_DESTINATION ${JCCSAFE_PACKAGE_DIR})
  # Before 1.0 a new minor may change what it likes.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/jccsafe-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/jccsafe-config.cmake ${PROJECT_BINARY_DIR}/jccsafe-config-version.cmake
                ${PROJECT_SOURCE_DIR}/cmake/FindLibElf.cmake ${PROJECT_SOURCE_DIR}/cmake/FindLLVMC.cmake DESTINATION ${JCCSAFE_PACKAGE_DIR})
endfunction()
