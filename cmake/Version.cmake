# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# JCCSAFE_VERSION from include/jccsafe/version.h, the one place where the numbers stand.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../include/jccsafe/version.h lines REGEX "^#define JCC_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
list(TRANSFORM lines REPLACE "^#define JCC_VERSION_[A-Z]+ " "")
list(LENGTH lines count)
if(NOT count EQUAL 3)
  message(FATAL_ERROR "jccsafe: version.h does not hold three version numbers")
endif()
list(JOIN lines "." JCCSAFE_VERSION)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../include/jccsafe/version.h)
