# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A size assertion by .if needs a value while LLVM reads: as plain, and where plain fails, an error at its line.
. "$SOURCE_DIR/tests/cases/common.sh"
take 08-if-dot-minus-label
plain=0 safe=0
"$JCCSAFE" as --policy=off -o plain.o 08-if-dot-minus-label.s 2>plain.messages || plain=$?
"$JCCSAFE" as -o safe.o 08-if-dot-minus-label.s 2>safe.messages || safe=$?
[ $safe = $plain ] || fail "exit $safe, plainly $plain"
if [ $plain = 0 ]; then
    must "$REFCHECK" --same plain.o safe.o
else
    grep -q '^08-if-dot-minus-label\.s:7:13: error: ' safe.messages || fail "no error at 7:13: $(cat safe.messages)"
    [ ! -e safe.o ] || fail "an object beside an error"
fi
