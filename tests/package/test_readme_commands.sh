# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The command lines of the documents do what they are shown to do.
. "$SOURCE_DIR/tests/package/common.sh"

# block HEADING: the first shell block below it in README.md.
block() {
    awk -v heading="## $1" '$0 == heading { inside = 1 } inside && /^```$/ { exit } inside == 2 { print } inside && /^```sh$/ { inside = 2 }' "$SOURCE_DIR/README.md"
}

# The core, as any compiler builds it.
ln -s "$SOURCE_DIR/include" "$SOURCE_DIR/lib" .
grep -hoE '`cc -std=[^`]*`' "$SOURCE_DIR"/README.md "$SOURCE_DIR"/docs/*.md | tr -d '`' | sort -u >builds
[ -s builds ] || fail "no document says how to build the core by hand"
while read -r cc line; do
    quiet sh -c "$CC $line"
    [ -e check.o ] || fail "$cc $line"
    rm ./*.o
done <builds

[ -n "${JCCSAFE-}" ] && [ -n "${LLVM_MAJOR-}" ] || skip "the core is built as shown, but there is no jccsafe as"
command -v gcc >/dev/null || skip "no gcc"
PATH=$(dirname "$JCCSAFE"):$PATH
printf 'int hot(int n) { int i, sum = 0; for (i = 0; i < n; i++) if (i %% 3 != n) sum += i; return sum; }\n' >hot.c
block "The command" >commands
[ "$(wc -l <commands)" -gt 3 ] || fail "README.md shows no commands"
while read -r line; do
    code=0
    sh -c "$line" >said 2>&1 || code=$?
    case $line in
    'jccsafe check'*' /'* | 'jccsafe cpu'*) most=1 ;; # findings in what others have built, or an affected machine
    *) most=0 ;;
    esac
    [ $code -le $most ] && [ "$(wc -l <said)" -le 20 ] || {
        head -n 40 said >&2
        fail "$line: exit $code"
    }
done <commands
[ -s hot.o ] || fail "the commands shown leave no hot.o"
