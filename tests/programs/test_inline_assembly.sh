# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Hand-written parts, and tables that name their instructions.
. "$SOURCE_DIR/tests/programs/common.sh"
EXPECT="27 250"
for compiler in $(c_compilers); do
    for options in -O0 -O2 "-O3 -fPIC" -Os; do
        program assembly.c "$compiler" $options
    done
done
finish
