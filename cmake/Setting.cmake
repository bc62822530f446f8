# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# jccsafe_setting(NAME TYPE HELP): what option() is, for text that is empty by default.
#
# A variable of that name that an outer project has set holds, as it does for option(). In a function, because what set(... CACHE) does
# before CMake 3.21 (CMP0126), removing such a variable, it does to the function's own scope.
function(jccsafe_setting name type help)
  set(${name} "" CACHE ${type} "${help}")
endfunction()
