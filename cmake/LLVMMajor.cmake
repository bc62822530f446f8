# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which LLVM the llvm room is built for: JCCSAFE_LLVM, or the newest supported one that is installed.
set(JCCSAFE_LLVM "" CACHE STRING "Major version of LLVM to build for (14 to 22); OFF: without; empty: the newest found")
set(JCCSAFE_LLVM_CONFIG "" CACHE FILEPATH "An llvm-config to ask before those that are found by name")

set(LLVMC_MAJORS 22 21 20 19 18 17 16 15 14)
if(JCCSAFE_LLVM STREQUAL "")
  find_package(LLVMC MODULE QUIET)
elseif(JCCSAFE_LLVM IN_LIST LLVMC_MAJORS)
  set(LLVMC_MAJORS ${JCCSAFE_LLVM})
  find_package(LLVMC MODULE REQUIRED)
elseif(JCCSAFE_LLVM)
  message(FATAL_ERROR "jccsafe: JCCSAFE_LLVM is '${JCCSAFE_LLVM}'; supported are OFF and 14 to 22")
endif()
