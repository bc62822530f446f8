# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The installed command finds the installed libraries, wherever the tree was moved to, and is the one that was built.
. "$SOURCE_DIR/tests/package/common.sh"
[ -n "${JCCSAFE-}" ] || skip "the command is not built"
install_to prefix
ldd prefix/bin/jccsafe | grep libjccsafe | grep -v "$PWD/prefix/" && fail "it runs with libraries from elsewhere"
"$JCCSAFE" --version >built
prefix/bin/jccsafe --version | diff built - || fail "the installed command says another version"
