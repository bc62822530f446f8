# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# C++: exceptions find their handlers and run the destructors on their way, inside a program and out of a shared library.
. "$SOURCE_DIR/tests/programs/common.sh"
LINK=-pthread
for compiler in $(cxx_compilers); do
    EXPECT="status 0"
    for options in -O0 "-O2 -fPIC"; do
        program throw_in_loop.cpp "$compiler" $options
    done
    EXPECT="status 42"
    for options in -O0 "-O2 -fcf-protection=full -fno-pie -no-pie" "-Os -static"; do
        compile program exceptions.cpp "$compiler" -std=c++17 $options
        compile part exceptions_part.cpp "$compiler" -std=c++17 $options
        run_both program part -- "$compiler" $options
    done
    for options in -O0 "-O3 -fno-plt"; do
        program_with_library exceptions.cpp exceptions_part.cpp "$compiler" -std=c++17 $options
    done
    EXPECT="status 0"
    for standard in "-std=c++20" "-std=c++20 -fcoroutines"; do
        printf '#include <coroutine>\nstd::coroutine_handle<> h;\n' >try.cpp
        if "$compiler" $standard -c try.cpp -o try.o 2>try.log; then
            for options in -O0 -O2; do
                program coroutine.cpp "$compiler" $standard $options
            done
            break
        fi
    done
done
finish
