# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Jumps that padding pushes out of the short form's reach grow, and still go where they went.
. "$SOURCE_DIR/tests/programs/common.sh"
for compiler in $(c_compilers); do
    for options in -O0 -O1 -O2 -O3 -Os "-O2 -falign-functions=64 -falign-loops=32"; do
        program far.c "$compiler" $options
    done
done
finish
