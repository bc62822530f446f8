# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
. "$SOURCE_DIR/tests/sources/common.sh"
compilers=$(clangs)
[ -n "$compilers" ] || skip "no clang"
stride=8
case $compilers in
*" "*) stride=16 ;; # two of them share the time
esac
for compiler in $compilers; do
    own_sources "$compiler" $stride
done
