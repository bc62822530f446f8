# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every C file is as .clang-format says.
. "$SOURCE_DIR/tests/package/common.sh"
command -v clang-format-14 >/dev/null || skip "no clang-format-14"
git -C "$SOURCE_DIR" rev-parse --git-dir >/dev/null 2>&1 || skip "not a git tree: which files are the project's is not known"
"$SOURCE_DIR/scripts/format" --check
