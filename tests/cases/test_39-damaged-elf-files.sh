# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check of every damaged file ends with 0, 1 or 2, names the file where it cannot read it, and takes neither long nor much memory.
. "$SOURCE_DIR/tests/cases/common.sh"
command -v python3 >/dev/null || skip "no python3, which makes the damaged files"
printf '.globl f\nf: nop\n jne f\n call g@PLT\n ret\n.data\n.quad f\n' >good.s
must "$JCCSAFE" as -o good.o good.s
must python3 "$CASES/39-elf-mutations.py" good.o damaged
files=0
for file in damaged/*; do
    code=0
    # Sanitizers reserve address space beyond any bound.
    (
        [ -n "${SANITIZE_FLAGS-}" ] || ulimit -v 4000000
        exec timeout 20 "$JCCSAFE" check "$file"
    ) >out 2>messages || code=$?
    case $code in
    0 | 1) ;;
    2) grep -qF "$file" messages || fail "$file is not named: $(cat messages)" ;;
    *) fail "$file: exit $code: $(cat messages)" ;;
    esac
    files=$((files + 1))
done
[ $files -gt 30 ] || fail "only $files files were made"
