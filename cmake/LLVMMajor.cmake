# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which LLVM the llvm room is built for: JCCSAFE_LLVM, JCCSAFE_LLVM_CONFIG's, or the newest supported one that is installed.
jccsafe_setting(JCCSAFE_LLVM STRING "Major version of LLVM to build for (14 to 22); OFF: without; empty: the newest found")
jccsafe_setting(JCCSAFE_LLVM_CONFIG FILEPATH "The llvm-config to ask, and no other; empty: those that are found by name")

# What was asked for and is not there is forgotten, so that the next configuration without it does not ask for it again.
function(jccsafe_refuse_llvm text)
  unset(JCCSAFE_LLVM CACHE)
  unset(JCCSAFE_LLVM_CONFIG CACHE)
  message(FATAL_ERROR "jccsafe: the LLVM that is asked for can't be taken:\n  ${text}") # indented lines stay whole
endfunction()

set(LLVMC_MAJORS 22 21 20 19 18 17 16 15 14)
if(JCCSAFE_LLVM IN_LIST LLVMC_MAJORS)
  set(LLVMC_MAJORS ${JCCSAFE_LLVM})
elseif(JCCSAFE_LLVM)
  jccsafe_refuse_llvm("JCCSAFE_LLVM is '${JCCSAFE_LLVM}'; supported are OFF and 14 to 22")
endif()
if(JCCSAFE_LLVM OR JCCSAFE_LLVM STREQUAL "")
  find_package(LLVMC MODULE QUIET)
  if(NOT LLVMC_FOUND AND NOT "${JCCSAFE_LLVM}${JCCSAFE_LLVM_CONFIG}" STREQUAL "")
    jccsafe_refuse_llvm("${LLVMC_REASON}")
  endif()
endif()
