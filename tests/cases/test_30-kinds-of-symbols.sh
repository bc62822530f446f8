# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Common, thread-local, weak and indirect symbols keep their kinds.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 30-common-tls-weak-ifunc
for object in plain safe; do
    readelf -sW "30-common-tls-weak-ifunc-$object.o" | sed 's/<OS specific>: 10/IFUNC/' | awk '$8 ~ /^(cm|tl|wk|ifn|get)$/ { print $3, $4, $5, $6, ($7 ~ /^[0-9]+$/ ? "section" : $7), $8 }' | sort >"$object"
done
[ "$(wc -l <plain)" = 5 ] && cmp plain safe || fail "$(diff plain safe)"
