# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# LLVM crashes on it: it is refused beforehand, with its line.
. "$SOURCE_DIR/tests/cases/common.sh"
refused 40-irp-segfault 3
