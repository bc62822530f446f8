# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# sti and a move to ss hold interrupts off for one instruction: no pad behind them.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 11-interrupt-shadow
disassembled 11-interrupt-shadow-safe.o | awk '
    /^jmp / { held += before == "sti" || before == "mov %eax,%ss" }
    { before = $0 }
    END { exit held != 2 }' || fail "a pad behind sti or the move to ss"
