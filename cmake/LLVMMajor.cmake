# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which LLVM the llvm room is built for: JCCSAFE_LLVM, JCCSAFE_LLVM_CONFIG's, or the newest supported one that is installed.
jccsafe_setting(JCCSAFE_LLVM STRING "Major version of LLVM to build for (14 to 22); OFF: without; empty: the newest found")
jccsafe_setting(JCCSAFE_LLVM_CONFIG FILEPATH "The llvm-config to ask, and no other; empty: those that are found by name")

set(LLVMC_MAJORS 22 21 20 19 18 17 16 15 14)
set(LLVMC_WANTED REQUIRED)
if(JCCSAFE_LLVM STREQUAL "" AND JCCSAFE_LLVM_CONFIG STREQUAL "")
  set(LLVMC_WANTED QUIET)
elseif(JCCSAFE_LLVM IN_LIST LLVMC_MAJORS)
  set(LLVMC_MAJORS ${JCCSAFE_LLVM})
elseif(JCCSAFE_LLVM)
  message(FATAL_ERROR "jccsafe: JCCSAFE_LLVM is '${JCCSAFE_LLVM}'; supported are OFF and 14 to 22")
endif()
if(JCCSAFE_LLVM OR JCCSAFE_LLVM STREQUAL "")
  find_package(LLVMC MODULE ${LLVMC_WANTED})
endif()
