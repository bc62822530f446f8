# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# jccsafe_warnings: link it PRIVATE to everything of ours. Errors only where JCCSAFE_WERROR asks (CI, the dev preset).
add_library(jccsafe_warnings INTERFACE)
target_compile_options(jccsafe_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wundef -Wvla
                                                  $<$<BOOL:${JCCSAFE_WERROR}>:-Werror>)
