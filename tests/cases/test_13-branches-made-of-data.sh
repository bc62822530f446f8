# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A branch that data directives make cannot be padded: as lists it, check finds it.
. "$SOURCE_DIR/tests/cases/common.sh"
with_residuals 13-hand-encoded-branches 'branch written as data'
[ "$(reported 13-hand-encoded-branches affected)" = 2 ] || fail "not two residuals"
code=0
"$JCCSAFE" check 13-hand-encoded-branches-safe.o >found || code=$?
[ $code = 1 ] && grep -q '\.text+0x1f' found || fail "check does not find them: exit $code"
