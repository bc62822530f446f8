# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The core is C11 and nothing else: it builds without a build system, a define or a library.
. "$SOURCE_DIR/tests/package/common.sh"
mkdir objects
(cd objects && $CC -std=c11 -I"$SOURCE_DIR/include" -c "$SOURCE_DIR"/lib/core/*.c) || fail "cc -std=c11 lib/core/*.c"
$CC -std=c11 -I"$SOURCE_DIR/include" "$SOURCE_DIR/examples/emit.c" objects/*.o -o emit || fail "linking it"
run_example core ./emit

# Of the C library it takes memory, strings and, to read the machine, files: nothing that allocates, prints or ends.
taken=$(nm -u objects/*.o | sed -n 's/^ *U //p' | sort -u |
    grep -xE '(v?f?printf|puts|putchar|perror|_?exit|abort|malloc|calloc|realloc|free|__assert_fail|signal|sigaction|chdir)' || true)
[ -z "$taken" ] || fail "lib/core calls $taken"
