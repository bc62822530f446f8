# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Instruction bundles: assembled as they are, or refused with a clear error where this LLVM has none.
. "$SOURCE_DIR/tests/cases/common.sh"
take 26-bundle-mode
code=0
"$JCCSAFE" as --report -o safe.o 26-bundle-mode.s 2>messages || code=$?
if [ $code = 0 ]; then
    must "$JCCSAFE" as --policy=off -o plain.o 26-bundle-mode.s
    must "$REFCHECK" --same plain.o safe.o
    [ "$(hex safe.o .text)" = "$(hex plain.o .text)" ] || fail "the bundles have changed"
else
    [ $code = 1 ] && [ ! -e safe.o ] && grep -q '^26-bundle-mode\.s:4:9: error: ' messages || fail "exit $code: $(cat messages)"
fi
