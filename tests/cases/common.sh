# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by the tests of this folder. Each assembles an input that other tools get wrong, and says at its head what is right.
. "$SOURCE_DIR/tests/support/assembling.sh"

CASES=$SOURCE_DIR/tests/cases

# take NAME: the input NAME.s, and what it includes, into the current folder.
take() {
    cp "$CASES/$1.s" .
    cp -R "$CASES/inc" .
}

# clean NAME OPTION...: the input assembles to the plain program with no affected branch.
clean() {
    take "$1"
    assemble "$@"
}

# with_residuals NAME REASON: the input assembles to the plain program; each branch that stays affected, and there are some, has REASON.
with_residuals() {
    take "$1"
    must "$JCCSAFE" as --policy=off -o "$1-plain.o" "$1.s"
    "$JCCSAFE" as --report -o "$1-safe.o" "$1.s" 2>"$1.report" || fail "jccsafe as $1.s"
    must "$REFCHECK" --same "$1-plain.o" "$1-safe.o"
    listed=$(grep -c ': residual: ' "$1.report" || true)
    [ "$listed" -gt 0 ] && [ "$listed" = "$(grep -c ": residual: .*: $2\$" "$1.report")" ] && [ "$listed" = "$(reported "$1" affected)" ] || {
        cat "$1.report" >&2
        fail "$1.s: not every residual is '$2'"
    }
}

# refused NAME LINE...: exit 1, no object, and an error at each LINE and at no other.
refused() {
    name=$1
    shift
    take "$name"
    code=0
    "$JCCSAFE" as -o "$name.o" "$name.s" >"$name.out" 2>"$name.messages" || code=$?
    errors=$(sed -n "s/^$name\.s:\([0-9]*\):[0-9]*: error: .*/\1/p" "$name.messages" | sort -nu | tr '\n' ' ')
    [ "$code" = 1 ] && [ ! -e "$name.o" ] && [ ! -s "$name.out" ] && [ "$errors" = "$* " ] || {
        cat "$name.messages" >&2
        fail "$name.s: exit $code, errors at lines $errors, not $*"
    }
}

# hex OBJECT SECTION: its bytes as hexadecimal digits on one line.
hex() {
    objcopy -O binary -j "$2" "$1" section.bin
    od -An -v -tx1 section.bin | tr -d ' \n'
}

# disassembled OBJECT: its instructions, one a line, without addresses.
disassembled() {
    objdump -d --no-show-raw-insn "$1" | sed -n 's/^ *[0-9a-f]*:\t//p' | tr -s ' ' | sed 's/ *$//'
}
