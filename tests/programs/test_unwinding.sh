# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# At every instruction, and at every no-operation that was put between two, the stack can be walked.
. "$SOURCE_DIR/tests/programs/common.sh"
for compiler in $(c_compilers); do
    for options in -O0 -O1 -O2 "-O3 -fcf-protection=full" "-Os -fPIC" "-O2 -fno-omit-frame-pointer"; do
        program unwind_steps.c "$compiler" $options
    done
done
finish
