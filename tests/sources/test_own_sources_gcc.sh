# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
. "$SOURCE_DIR/tests/sources/common.sh"
command -v gcc >/dev/null || skip "no gcc"
own_sources gcc 8
