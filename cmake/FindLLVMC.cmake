# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Target LLVMC::LLVMC: LLVM's C interface, of the first major in LLVMC_MAJORS that is installed.
# Installed beside the package file, which needs it too.
#
# llvm-config is asked, and not find_package(LLVM): that one takes a major for a minimum, picks an old one
# where several are installed, and stops where a library that LLVM was built with has no headers here.
#
# In:  LLVMC_MAJORS         majors, the most wanted first
#      JCCSAFE_LLVM_CONFIG  the llvm-config to ask, and no other (optional)
#      LLVMC_CONFIG_HINT    an llvm-config to ask before those that are found by name (optional)
# Out: LLVMC_FOUND, LLVMC_REASON (when it is not found), LLVMC_CONFIG (the one that was taken), LLVMC_VERSION, LLVMC_MAJOR,
#      LLVMC_LIBDIR, LLVMC_INCLUDE_DIR, LLVMC_LINK (as for a linker's command line)

# OUT gets what the llvm-config PROGRAM answers to the options in ARGN; "" when it does not.
function(llvmc_ask out program)
  execute_process(COMMAND "${program}" ${ARGN} OUTPUT_VARIABLE answer RESULT_VARIABLE code ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT code EQUAL 0)
    set(answer "")
  endif()
  string(REPLACE "\n" " " answer "${answer}")
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()

# The shared library where there is one, else the static parts that jccsafe calls and what they need.
function(llvmc_link out program)
  llvmc_ask(libs "${program}" --link-shared --libs)
  if(NOT libs)
    llvmc_ask(libs "${program}" --link-static --system-libs --libs core x86 irreader bitwriter passes orcjit)
    if(libs)
      string(APPEND libs " -lstdc++")
    endif()
  endif()
  set(${out} "${libs}" PARENT_SCOPE)
endfunction()

# Take the LLVM of the llvm-config PROGRAM, if it is of a major in ARGN and can be built with: all that goes out is set.
# Else LLVMC_REASON says what is wrong with it.
function(llvmc_take program)
  llvmc_ask(version "${program}" --version)
  llvmc_ask(include_dir "${program}" --includedir)
  llvmc_ask(libdir "${program}" --libdir)
  llvmc_link(link "${program}")
  string(REGEX MATCH "^[0-9]+" major "${version}")
  list(JOIN ARGN ", " wanted)
  set(reason "")
  if(NOT major)
    set(reason "${program} is no llvm-config that can be run")
  elseif(NOT major IN_LIST ARGN)
    set(reason "${program} is LLVM ${version}'s, and wanted is ${wanted}")
  elseif(NOT EXISTS "${include_dir}/llvm-c/Core.h")
    set(reason "${program} is LLVM ${version}'s, whose headers are not there: ${include_dir}/llvm-c/Core.h")
  elseif(NOT link)
    set(reason "${program} is LLVM ${version}'s, whose libraries are not there: ${libdir}")
  endif()
  set(LLVMC_REASON "${reason}" PARENT_SCOPE)
  if(NOT reason)
    set(LLVMC_CONFIG "${program}" PARENT_SCOPE)
    set(LLVMC_VERSION "${version}" PARENT_SCOPE)
    set(LLVMC_MAJOR "${major}" PARENT_SCOPE)
    set(LLVMC_INCLUDE_DIR "${include_dir}" PARENT_SCOPE)
    set(LLVMC_LIBDIR "${libdir}" PARENT_SCOPE)
    set(LLVMC_LINK "${link}" PARENT_SCOPE)
  endif()
endfunction()

set(LLVMC_CONFIG "")
unset(LLVMC_VERSION)
set(LLVMC_MAJOR "")
if(NOT "${JCCSAFE_LLVM_CONFIG}" STREQUAL "")
  llvmc_take("${JCCSAFE_LLVM_CONFIG}" ${LLVMC_MAJORS})
  if(LLVMC_REASON)
    string(PREPEND LLVMC_REASON "JCCSAFE_LLVM_CONFIG: ")
  endif()
else()
  foreach(llvmc_major IN LISTS LLVMC_MAJORS)
    foreach(llvmc_program ${LLVMC_CONFIG_HINT} llvm-config-${llvmc_major} /usr/lib/llvm-${llvmc_major}/bin/llvm-config llvm-config)
      if(NOT LLVMC_CONFIG)
        llvmc_take("${llvmc_program}" ${llvmc_major})
      endif()
    endforeach()
  endforeach()
  list(JOIN LLVMC_MAJORS ", " llvmc_wanted)
  list(TRANSFORM LLVMC_MAJORS REPLACE "(.+)" "llvm-\\1-dev" OUTPUT_VARIABLE llvmc_packages)
  list(JOIN llvmc_packages " or " llvmc_packages)
  set(LLVMC_REASON "no llvm-config with its headers is found by name, of LLVM ${llvmc_wanted} (Debian: ${llvmc_packages})")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LLVMC REQUIRED_VARS LLVMC_CONFIG VERSION_VAR LLVMC_VERSION REASON_FAILURE_MESSAGE "${LLVMC_REASON}")

if(LLVMC_FOUND AND NOT TARGET LLVMC::LLVMC)
  separate_arguments(llvmc_libs UNIX_COMMAND "${LLVMC_LINK}")
  add_library(LLVMC::LLVMC INTERFACE IMPORTED)
  set_target_properties(
    LLVMC::LLVMC PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${LLVMC_INCLUDE_DIR} INTERFACE_LINK_DIRECTORIES ${LLVMC_LIBDIR}
                            INTERFACE_LINK_LIBRARIES "${llvmc_libs}")
endif()
