# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Thread-local variables in every model, in what the linker leaves as it is and in what it rewrites byte by byte.
. "$SOURCE_DIR/tests/programs/common.sh"
LINK=-pthread

in_one_program() {
    compile program tls.c "$@"
    compile part tls_part.c "$@"
    run_both program part -- "$@"
}

for compiler in $(c_compilers); do
    for options in "-O0 -fno-pie -no-pie" "-O2 -fno-pie -no-pie" "-O2 -fPIE -pie"; do
        in_one_program "$compiler" $options
    done
    # Linked into a program these become initial-exec and local-exec.
    for model in global-dynamic local-dynamic initial-exec; do
        for options in "-O0 -fPIC -pie" "-O2 -fPIC -pie" "-O2 -fPIC -fno-plt -no-pie" "-Os -fPIC -static"; do
            in_one_program "$compiler" -ftls-model=$model $options
        done
    done
    for options in -O0 -O2 "-O2 -fno-plt" "-O2 -ftls-model=initial-exec" "-O2 -mcmodel=large"; do
        program_with_library tls.c tls_part.c "$compiler" -fPIC -pie $options
    done
    # Descriptors, a model of their own.
    if takes "$compiler" -mtls-dialect=gnu2; then
        for options in "-O2 -pie" "-O2 -static"; do
            in_one_program "$compiler" -mtls-dialect=gnu2 -fPIC $options
        done
        program_with_library tls.c tls_part.c "$compiler" -mtls-dialect=gnu2 -O2 -fPIC -pie
    fi
done
finish
