# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by tests that assemble what compilers write. They run in an empty folder of their own.
set -eu

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

skip() {
    echo "skipped: $*"
    exit 77
}

[ -n "${LLVM_MAJOR-}" ] || skip "this build has no LLVM, so no jccsafe as"
[ -n "${REFCHECK-}" ] || skip "this build has no refcheck (Debian: libzydis-dev)"

# must COMMAND...: what it prints is shown only when it fails.
must() {
    "$@" >must.log 2>&1 || {
        cat must.log >&2
        fail "$*"
    }
}

# The newest clang that is installed; "" when there is none.
newest_clang() {
    for major in 22 21 20 19 18 17 16 15 14; do
        if command -v "clang-$major"; then
            return
        fi
    done
    command -v clang || true
}

# clang of the major that jccsafe was built for, and the newest: one or two names; "" when there is none.
clangs() {
    same=$(command -v "clang-$LLVM_MAJOR" || true)
    newest=$(newest_clang)
    echo "$same" "$newest" | awk '{ if ($1 != $2) print $1, $2; else print $1 }'
}

# The value of KEY in the report of NAME-safe.o.
reported() {
    sed -n "s/.* report:.* $2=\([^ ]*\).*/\1/p" "$1.report"
}

# assemble NAME OPTION...: NAME.s to NAME-plain.o, and to NAME-safe.o, which must have no affected branch and
# be the same program. What jccsafe says of itself is not believed: refcheck shares no code with it.
assemble() {
    name=$1
    shift
    "$JCCSAFE" as "$@" --policy=off -o "$name-plain.o" "$name.s" 2>"$name.messages" || {
        cat "$name.messages" >&2
        fail "jccsafe as $* --policy=off $name.s"
    }
    [ ! -s "$name.messages" ] || {
        cat "$name.messages" >&2
        fail "$name.s assembles plainly, but not in silence"
    }
    "$JCCSAFE" as "$@" --report -o "$name-safe.o" "$name.s" 2>"$name.report" || {
        cat "$name.report" >&2
        fail "jccsafe as $* $name.s"
    }
    # One line: no residual, no warning.
    [ "$(wc -l <"$name.report")" = 1 ] && [ "$(reported "$name" affected)" = 0 ] || {
        cat "$name.report" >&2
        fail "$name.s: not padded in full"
    }
    must "$REFCHECK" "$name-safe.o"
    must "$REFCHECK" --same "$name-plain.o" "$name-safe.o"
}
