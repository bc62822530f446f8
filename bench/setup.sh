# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by bench/table and bench/dynamic behind scripts/setup.sh: the other assemblers, and the jccsafe that is measured beside them.

KINDS=jcc+fused+jmp+call+ret+indirect
GNU_OPTIONS="-malign-branch-boundary=32 -malign-branch=$KINDS -malign-branch-prefix-size=5"
LLVM_OPTIONS="-x86-align-branch-boundary=32 -x86-align-branch=$KINDS -x86-pad-max-prefix-size=5"
# Relative, so that a blank in the tree's path gets neither into lists of words nor into LD_PRELOAD.
WORK=build-bench

# llvm_config MAJOR ARGUMENT...
llvm_config() {
    config=$1
    shift
    "llvm-config-$config" "$@" 2>/dev/null || "/usr/lib/llvm-$config/bin/llvm-config" "$@"
}

# The assembler of LLVM $1.
llvm_mc() {
    command -v "llvm-mc-$1" || echo "$(llvm_config "$1" --bindir)/llvm-mc"
}

# build_release MAJOR TARGET...: in $build; the command is $jccsafe.
build_release() {
    need $BUILD_PACKAGES $(llvm_packages "$1") "llvm-$1"
    build=build-bench-llvm$1
    jccsafe=$build/jccsafe
    mkdir -p "$build" "$WORK"
    cmake -S . -B "$build" -G Ninja -DJCCSAFE_LLVM="$1" -DCMAKE_BUILD_TYPE=Release -DJCCSAFE_TESTS=ON >"$build/log" ||
        die 1 "configuring failed: see $build/log"
    shift
    cmake --build "$build" --target jccsafe "$@" >>"$build/log" || die 1 "building failed: see $build/log"
}
