# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by the tests of this folder: the project's own C sources, compiled at -O0, -O2, -O3 and -Os, with and without -g,
# with and without -fPIC, assembled plainly and safely.
#
# Every file times every setting takes many minutes. So each file is compiled in a few of the 16 settings, neighbours in
# others, and each setting gets its share of the files. WHOLE_MATRIX=1 in the environment: everything.
. "$SOURCE_DIR/tests/support/assembling.sh"

llvm_include=
if config=$(command -v "llvm-config-$LLVM_MAJOR" || command -v "/usr/lib/llvm-$LLVM_MAJOR/bin/llvm-config"); then
    llvm_include=$("$config" --includedir)
    rooms="core elf llvm"
else
    echo "SKIPPED IN PART: no llvm-config-$LLVM_MAJOR, so lib/llvm's sources are not compiled" >&2
    rooms="core elf"
fi

for level in O0 O2 O3 Os; do
    for debug in "" -g; do
        for pic in "" -fPIC; do
            echo "-$level $debug $pic"
        done
    done
done >settings

for room in $rooms; do
    ls "$SOURCE_DIR/lib/$room"/*.c
done >files
ls "$SOURCE_DIR"/tools/jccsafe/*.c >>files

# tables OBJECT: its line table and unwind tables, without addresses: see tables.awk. Linked first, so that sections do not overlap.
tables() {
    must ld --unresolved-symbols=ignore-all -e 0 --no-relax -o linked "$1"
    objdump -d -w --no-show-raw-insn linked >code
    readelf --debug-dump=decodedline linked >lines 2>readelf.log
    readelf --debug-dump=frames-interp linked >frames 2>readelf.log
    awk -f "$SOURCE_DIR/tests/sources/tables.awk" code lines frames
}

# try COMPILER FILE OPTION...
try() {
    what=$*
    compiler=$1
    file=$2
    shift 2
    "$compiler" -std=gnu11 -w "-I$SOURCE_DIR/include" ${llvm_include:+"-I$llvm_include"} "$@" -S -o t.s "$file" || fail "$what: does not compile"
    (assemble t) || fail "$what"
    case " $* " in
    *" -g "*)
        tables t-plain.o >plain.rows
        tables t-safe.o >safe.rows
        # A file of tables alone has no code that they could be about.
        if grep -q '^ *[0-9a-f]*:	' code; then
            for table in line unwind; do
                grep -q "^$table " plain.rows || fail "$what: no $table table"
            done
        fi
        diff plain.rows safe.rows || fail "$what: another line table or other unwind tables"
        ;;
    esac
    tried=$((tried + 1))
}

# own_sources COMPILER STRIDE: each file in one setting in STRIDE.
own_sources() {
    tried=0
    number=0
    while read -r file; do
        line=0
        while read -r options; do
            if [ -n "${WHOLE_MATRIX-}" ] || [ $(((line + 5 * number) % $2)) = 0 ]; then
                try "$1" "$file" $options
            fi
            line=$((line + 1))
        done <settings
        number=$((number + 1))
    done <files
    echo "$1: $tried objects of $number files, no branch affected, each the plain program"
}
