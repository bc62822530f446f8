# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The tree may stand in a folder whose path has a blank, although not everything that its scripts call can.
. "$SOURCE_DIR/tests/package/common.sh"
command -v make >/dev/null || skip "no make"

mkdir -p "a tree/bin"
cp -R "$SOURCE_DIR/scripts" "a tree/"
# As SQLite's source package: its makefile takes no blank in the path.
cat >"a tree/scripts/debian-source" <<'E2'
#!/bin/sh
set -eu
mkdir -p "$2/sqlite3-3/test"
cd "$2/sqlite3-3"
echo '#!/bin/sh' >configure
chmod +x configure
printf 'sqlite3.c sqlite3.h: $(CURDIR)/configure\n\techo made >$@\n' >Makefile
touch test/speedtest1.c
echo "$PWD"
E2
printf '#!/bin/sh\necho installed\n' >"a tree/bin/dpkg-query"
chmod +x "a tree/bin/dpkg-query" "a tree/scripts/debian-source"
path=$(PATH="$PWD/a tree/bin:$PATH" "a tree/scripts/real-c" "a folder" 2>said) || {
    cat said >&2
    fail "scripts/real-c"
}
[ "$path" = "$PWD/a tree/a folder/sqlite3.c" ] && [ -s "$path" ] && [ -e "a tree/a folder/speedtest1.c" ] || fail "scripts/real-c made '$path'"

# The tests that compile the project's own sources.
[ -n "${LLVM_MAJOR-}" ] && [ -n "${REFCHECK-}" ] && command -v gcc >/dev/null || skip "scripts/real-c takes blanks, but there is no gcc, jccsafe as or refcheck"
ln -s "$SOURCE_DIR" "a tree/whole"
SOURCE_DIR="$PWD/a tree/whole"
. "$SOURCE_DIR/tests/sources/common.sh"
tried=0
try gcc "$SOURCE_DIR/lib/core/status.c" -O2
try gcc "$SOURCE_DIR/lib/llvm/names.c" -O2 -g
