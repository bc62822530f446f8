# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Calls of every kind, under what changes how they are written.
. "$SOURCE_DIR/tests/programs/common.sh"
LINK=-lm
EXPECT="status 41"
for compiler in $(c_compilers); do
    for options in -O0 -O1 "-O2 -fno-plt" "-O3 -fstack-protector-all" "-O2 -fcf-protection=full" "-O2 -mcmodel=large -fno-pie -no-pie" \
        "-O2 -mcmodel=medium -fno-pie -no-pie" "-Os -ffunction-sections -Wl,--gc-sections" "-O2 -static -fstack-clash-protection" \
        "-O3 -fno-omit-frame-pointer -fno-asynchronous-unwind-tables"; do
        program calls.c "$compiler" $options
    done
done
finish
