# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The installed command finds the installed libraries, wherever the tree was moved to, and is the one that was built.
. "$SOURCE_DIR/tests/package/common.sh"
[ -n "${JCCSAFE-}" ] || skip "the command is not built"
install_to prefix
ldd prefix/bin/jccsafe | grep libjccsafe | grep -v "$PWD/prefix/" && fail "it runs with libraries from elsewhere"
"$JCCSAFE" --version >built
prefix/bin/jccsafe --version | diff built - || fail "the installed command says another version"

# Where a compiler is told to look for `as`, it finds the command.
if [ -n "${LLVM_MAJOR-}" ]; then
    as=$(find prefix -path '*/jccsafe/as')
    "$as" --version | grep -q '^GNU assembler (jccsafe' || fail "there is no as in the installed tree, or it does not run"
    echo 'int main(void) { return 0; }' >t.c
    gcc -B"$(dirname "$as")" -v -c -o t.o t.c 2>&1 | grep -q 'GNU assembler (jccsafe' || fail "gcc -B does not find it"
    prefix/bin/jccsafe check t.o >/dev/null || fail "what it assembled is affected"
fi
