# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every source file says its licence in its first lines.
. "$SOURCE_DIR/tests/package/common.sh"
git -C "$SOURCE_DIR" rev-parse --git-dir >/dev/null 2>&1 || skip "not a git tree: which files are the project's is not known"
cd "$SOURCE_DIR"
without=$(git ls-files '*.c' '*.h' '*.cpp' '*.map' '*.sh' '*.cmake' '*.in' '*CMakeLists.txt' scripts .ci | sort -u | while read -r file; do
    [ ! -e "$file" ] || head -n 2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' || echo "$file"
done)
[ -z "$without" ] || fail "no licence line in: $without"
