# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each odd stream of bytes gives the plain result, or an error with its line; none is cut short in silence.
. "$SOURCE_DIR/tests/cases/common.sh"
same_as() { # same_as A.s B.s: they assemble to the same code
    must "$JCCSAFE" as -o a.o "$1"
    must "$JCCSAFE" as -o b.o "$2"
    [ "$(hex a.o .text)" = "$(hex b.o .text)" ] || fail "$1 and $2 differ"
}

# (a) a NUL byte in the middle
printf 'nop\nret\nnop\0bogus\n' >nul.s
code=0
"$JCCSAFE" as -o nul.o nul.s 2>messages || code=$?
[ $code = 1 ] && [ ! -e nul.o ] && grep -q '^nul\.s:3:4: error: ' messages || fail "a NUL byte: exit $code, $(cat messages)"

# (b) line ends of two characters
printf 'f:\n jne f # c\n.p2align 4\n.ascii "x"\n call g\n' >lf.s
sed 's/$/\r/' lf.s >crlf.s
same_as lf.s crlf.s

# (c) no line end after a last comment
printf 'nop\nret // c\n' >with.s
printf 'nop\nret // c' >without.s
same_as with.s without.s

# (d) a mebibyte on one line
awk 'BEGIN { for (n = 0; n < 60000; n++) printf "testl %%eax,%%eax;je 1f;1:" }' >line.s
[ "$(wc -c <line.s)" -gt 1048576 ] || fail "the line is too short"
assemble line
must "$JCCSAFE" as --report -o line.o line.s
[ "$(reported line units)" = 60000 ] || fail "$(reported line units) units of 60000"

# (e) bytes that are no UTF-8
printf 'nop # \377\376\n.ascii "\377;\300\200"\nret\n' >utf8.s
must "$JCCSAFE" as -o utf8.o utf8.s
[ "$(hex utf8.o .text)" = 90ff3bc080c3 ] || fail "bytes in a string: $(hex utf8.o .text)"

# (f) nothing
: >empty.s
must "$JCCSAFE" as -o empty.o empty.s
readelf -hW empty.o | grep -q 'REL (Relocatable file)' || fail "nothing gives no object"

# (g) a byte order mark
printf '\357\273\277nop\n' >bom.s
code=0
"$JCCSAFE" as -o bom.o bom.s 2>messages || code=$?
[ $code = 1 ] && [ ! -e bom.o ] && grep -q '^bom\.s:1:1: error: ' messages || fail "a byte order mark: exit $code, $(cat messages)"
