# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A source in Intel syntax; that the next one starts in AT&T syntax again, lib/llvm's own tests see to.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 19-intel-syntax-leak
