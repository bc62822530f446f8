# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The same for i386.
. "$SOURCE_DIR/tests/programs/common.sh"
AS_OPTIONS=--32
echo '#include <stdlib.h>
int main(void) { return 0; }' >try.c
gcc -m32 try.c -o try 2>try.log && ./try || skip "32-bit programs can't be built and run here (Debian: gcc-multilib)"

for compiler in $(c_compilers); do
    for options in -O0 -O2 "-O3 -fPIC -pie" "-Os -fno-pie -no-pie"; do
        EXPECT="status 0"
        for source in switches.c gotos.c far.c; do
            program $source "$compiler" -m32 $options
        done
        EXPECT="status 41"
        LINK=-lm
        program calls.c "$compiler" -m32 $options
        EXPECT="status 0"
        LINK=-pthread
        program_with_library tls.c tls_part.c "$compiler" -m32 $options
    done
done

echo 'int main() { throw 1; }' >try.cpp
for compiler in $(cxx_compilers); do
    if ! "$compiler" -m32 try.cpp -o try 2>try.log; then
        echo "SKIPPED IN PART: $compiler makes no 32-bit programs (Debian: g++-multilib)" >&2
        continue
    fi
    EXPECT="status 0"
    for options in -O0 "-O2 -fPIC"; do
        program throw_in_loop.cpp "$compiler" -m32 $options
    done
    EXPECT="status 42"
    program_with_library exceptions.cpp exceptions_part.cpp "$compiler" -m32 -std=c++17 -O2
done
finish
