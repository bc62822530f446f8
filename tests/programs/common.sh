# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by the tests of this folder. Each compiles programs of this folder, assembles them plainly and safely, and runs both:
# they must print the same and end with the same status, and in what is linked no branch of theirs may be affected.
. "$SOURCE_DIR/tests/support/assembling.sh"

PROGRAMS=$SOURCE_DIR/tests/programs
AS_OPTIONS=
ran=0

# versioned NAME: the newest NAME-MAJOR that is no newer than the LLVM that assembles: newer ones write what it does not know.
versioned() {
    major=$LLVM_MAJOR
    while [ "$major" -ge 14 ]; do
        if command -v "$1-$major"; then
            return
        fi
        major=$((major - 1))
    done
    echo "SKIPPED IN PART: no $1 up to $1-$LLVM_MAJOR" >&2
}

# c_compilers, cxx_compilers: those to try, by path.
c_compilers() {
    command -v gcc || true
    versioned clang
}

cxx_compilers() {
    command -v g++ || true
    versioned clang++
}

# takes COMPILER OPTION...: whether it knows the option.
takes() {
    echo 'int main(void) { return 0; }' >takes.c
    "$@" -Werror -S -o takes.s takes.c >takes.log 2>&1
}

# compile NAME SOURCE COMPILER OPTION...: SOURCE, of this folder, to NAME.s, NAME-plain.o and NAME-safe.o.
compile() {
    name=$1
    source=$2
    shift 2
    what="$* $source"
    must "$@" -w -S -o "$name.s" "$PROGRAMS/$source"
    (assemble "$name" $AS_OPTIONS) || fail "$what"
}

# run WHICH: ./WHICH; its output and status in WHICH.out.
run() {
    code=0
    timeout 120 "./$1" >"$1.out" 2>&1 || code=$?
    echo "status $code" >>"$1.out"
}

# Fail when a function of the objects NAME... is affected in the file FILE. (What the linker and the C library
# bring along is not padded.)
linked_is_clean() {
    file=$1
    shift
    for object; do
        nm "$object-safe.o" | awk '$2 ~ /^[tTwWiu]$/ { print $3 }'
    done | sort -u >own.symbols
    "$JCCSAFE" check "$file" >linked.findings 2>&1 || true
    grep -q ' units, ' linked.findings || {
        cat linked.findings >&2
        fail "$what: $file can't be checked"
    }
    sed -n 's/.*(\([^()]*\)+0x[0-9a-f]*): .*/\1/p' linked.findings | sort -u >found.symbols
    ours=$(grep -Fxf own.symbols found.symbols || true)
    [ -z "$ours" ] || fail "$what: affected once linked: $ours"
}

# Both ran: they did the same, and what was expected.
compare_runs() {
    cmp -s plain.out safe.out || {
        diff plain.out safe.out >&2 || true
        fail "$what: the padded program prints something else"
    }
    grep -qx "${EXPECT-status 0}" safe.out || {
        cat safe.out >&2
        fail "$what: did not print '${EXPECT-status 0}'"
    }
}

# run_both NAME... -- LINKER OPTION...: link the objects NAME..., plain and safe, run both, and compare.
run_both() {
    objects=
    while [ "$1" != -- ]; do
        objects="$objects $1"
        shift
    done
    shift
    for which in plain safe; do
        must "$@" $(printf "%s-$which.o " $objects) -o "$which" ${LINK-}
        run $which
    done
    compare_runs
    linked_is_clean safe $objects
    ran=$((ran + 1))
}

# program SOURCE COMPILER OPTION...: compile, link with the same options, run.
program() {
    source=$1
    shift
    compile program "$source" "$@"
    run_both program -- "$@"
}

# program_with_library SOURCE LIBRARY-SOURCE COMPILER OPTION...: the second one as a shared library.
program_with_library() {
    source=$1
    library=$2
    shift 2
    compile program "$source" "$@"
    compile part "$library" "$@" -fPIC
    for which in plain safe; do
        mkdir -p $which-library
        must "$@" -shared part-$which.o -o $which-library/libpart.so ${LINK-}
        must "$@" program-$which.o -o $which -L$which-library -lpart "-Wl,-rpath,$PWD/$which-library" ${LINK-}
        run $which
    done
    compare_runs
    linked_is_clean safe program
    linked_is_clean safe-library/libpart.so part
    ran=$((ran + 1))
}

finish() {
    [ $ran -gt 0 ] || skip "no compiler"
    echo "$ran programs print what they print without padding"
}
