# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Jump tables and addresses of labels: what is data about code.
. "$SOURCE_DIR/tests/programs/common.sh"
for compiler in $(c_compilers); do
    for source in switches.c gotos.c; do
        for options in -O0 "-O1 -fPIC -pie" "-O2 -fcf-protection=full" "-O3 -fno-pie -no-pie" -Os; do
            program $source "$compiler" $options
        done
    done
done
finish
