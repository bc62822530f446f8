# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# With -I, .include and .incbin find their files; an error inside an included file names that file and its line.
. "$SOURCE_DIR/tests/cases/common.sh"
take 20-include-incbin
mkdir elsewhere
cd elsewhere
must "$JCCSAFE" as -I .. -o a.o ../20-include-incbin.s
[ "$(hex a.o .data)" = "$(od -An -v -tx1 ../inc/blob.bin | tr -d ' \n')" ] || fail "the blob is not in .data"
code=0
"$JCCSAFE" as -o b.o ../20-include-incbin.s 2>messages || code=$?
[ $code = 1 ] && grep -q "20-include-incbin\.s:3:.*error: .*inc/defs\.inc" messages || fail "without -I: $(cat messages)"
printf '        nop\n        bogus\n' >>../inc/defs.inc
line=$(grep -n bogus ../inc/defs.inc | cut -d: -f1)
code=0
"$JCCSAFE" as -I .. -o c.o ../20-include-incbin.s 2>messages || code=$?
[ $code = 1 ] && grep -q "inc/defs\.inc:$line:9: error: " messages || fail "not at its file and line $line: $(cat messages)"
