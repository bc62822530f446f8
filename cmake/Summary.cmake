# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What was found, and what is not built for want of it.
get_property(rooms GLOBAL PROPERTY JCCSAFE_ROOMS)
list(JOIN rooms ", " rooms)
message(STATUS "jccsafe ${PROJECT_VERSION}: ${rooms}")
if(NOT LibElf_FOUND)
  message(STATUS "jccsafe: no libelf: only core is built (Debian: libelf-dev)")
elseif(LLVMC_FOUND)
  message(STATUS "jccsafe: LLVM ${LLVMC_VERSION} (${LLVMC_LIBDIR})")
elseif(JCCSAFE_LLVM STREQUAL "")
  message(STATUS "jccsafe: no LLVM from 14 to 22: core and elf are built (Debian: llvm-19-dev)")
else()
  message(STATUS "jccsafe: JCCSAFE_LLVM is OFF: core and elf are built")
endif()
