# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Target LLVMC::LLVMC: LLVM's C interface, of the first major in LLVMC_MAJORS that is installed.
# Installed beside the package file, which needs it too.
#
# llvm-config is asked, and not find_package(LLVM): that one takes a major for a minimum, picks an old one
# where several are installed, and stops where a library that LLVM was built with has no headers here.
#
# In:  LLVMC_MAJORS         majors, the most wanted first
#      JCCSAFE_LLVM_CONFIG  an llvm-config to ask first (optional)
# Out: LLVMC_FOUND, LLVMC_VERSION, LLVMC_MAJOR, LLVMC_LIBDIR, LLVMC_LINK (as for a linker's command line)

# OUT gets what the llvm-config PROGRAM answers to the options in ARGN; "" when it does not.
function(llvmc_ask out program)
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_VARIABLE answer RESULT_VARIABLE code ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT code EQUAL 0)
    set(answer "")
  endif()
  string(REPLACE "\n" " " answer "${answer}")
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()

# The shared library where there is one, else the static parts that jccsafe calls and what they need.
function(llvmc_link out program)
  llvmc_ask(libs ${program} --link-shared --libs)
  if(NOT libs)
    llvmc_ask(libs ${program} --link-static --system-libs --libs core x86 irreader bitwriter passes orcjit)
    string(APPEND libs " -lstdc++")
  endif()
  set(${out} "${libs}" PARENT_SCOPE)
endfunction()

set(LLVMC_VERSION "")
foreach(major IN LISTS LLVMC_MAJORS)
  foreach(llvmc_config ${JCCSAFE_LLVM_CONFIG} llvm-config-${major} /usr/lib/llvm-${major}/bin/llvm-config llvm-config)
    llvmc_ask(LLVMC_VERSION ${llvmc_config} --version)
    llvmc_ask(LLVMC_INCLUDE_DIR ${llvmc_config} --includedir)
    if(LLVMC_VERSION MATCHES "^${major}\\." AND EXISTS ${LLVMC_INCLUDE_DIR}/llvm-c/Core.h)
      llvmc_ask(LLVMC_LIBDIR ${llvmc_config} --libdir)
      llvmc_link(LLVMC_LINK ${llvmc_config})
      break()
    endif()
    set(LLVMC_VERSION "")
  endforeach()
  if(LLVMC_VERSION)
    break()
  endif()
endforeach()
# A loop's variable has its old value behind the loop.
string(REGEX MATCH "^[0-9]+" LLVMC_MAJOR "${LLVMC_VERSION}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LLVMC REQUIRED_VARS LLVMC_VERSION LLVMC_LINK LLVMC_INCLUDE_DIR VERSION_VAR LLVMC_VERSION)

if(LLVMC_FOUND AND NOT TARGET LLVMC::LLVMC)
  separate_arguments(llvmc_libs UNIX_COMMAND "${LLVMC_LINK}")
  add_library(LLVMC::LLVMC INTERFACE IMPORTED)
  set_target_properties(
    LLVMC::LLVMC PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${LLVMC_INCLUDE_DIR} INTERFACE_LINK_DIRECTORIES ${LLVMC_LIBDIR}
                            INTERFACE_LINK_LIBRARIES "${llvmc_libs}")
endif()
