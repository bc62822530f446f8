# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# default value left empty in the value list of .irp / .irpc / .macro call
        .irp reg,first=
        nop
        .endr
