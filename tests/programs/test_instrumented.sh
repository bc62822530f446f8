# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Code that compilers put into functions for other tools: profilers, tracers, sanitizers, mitigations.
. "$SOURCE_DIR/tests/programs/common.sh"
for compiler in $(c_compilers); do
    for options in -pg "-pg -mfentry" "-mindirect-branch=thunk -mfunction-return=thunk" -mretpoline -fsplit-stack \
        "-fsanitize=undefined -fsanitize-undefined-trap-on-error" \
        "-fsanitize=undefined -fno-sanitize=function -fsanitize-trap=all" -fpatchable-function-entry=5,2; do
        case $compiler$options in
        */gcc*-fpatchable-function-entry*) continue ;; # LLVM refuses gcc's text: a section linked to a symbol that comes later
        */clang*-fsplit-stack*) continue ;; # clang crashes
        */clang*-trap-on-error*) continue ;; # the same as the next, but for -fsanitize=function: it puts data between functions
        esac
        if takes "$compiler" $options; then
            for level in -O0 -O2; do
                program switches.c "$compiler" $level $options -fno-pie -no-pie
                LINK=-lm
                EXPECT="status 41"
                program calls.c "$compiler" $level $options -fno-pie -no-pie
                LINK=
                EXPECT="status 0"
            done
        fi
    done
    compile hooks hooks.c "$compiler" -O2
    compile program gotos.c "$compiler" -O2 -finstrument-functions
    run_both program hooks -- "$compiler"
done
finish
