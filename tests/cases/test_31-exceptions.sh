# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Exceptions thrown through padded code are caught: compiled by g++ and by clang++, assembled, linked, run.
. "$SOURCE_DIR/tests/cases/common.sh"
ran=0
for compiler in g++ $(clangs); do
    command -v "$compiler" >/dev/null || continue
    must "$compiler" -x c++ -O2 -fPIC -S -o throw.s "$CASES/31-ehframe-throw.cpp"
    (assemble throw) || fail "$compiler"
    must g++ -o throw throw-safe.o
    ./throw || fail "$compiler: the program ends with $?"
    ran=$((ran + 1))
done
[ $ran -gt 0 ] || skip "no C++ compiler"
