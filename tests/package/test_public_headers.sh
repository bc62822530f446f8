# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each public header is complete by itself, as C11 and as C++17, belongs to a room, and is installed with it.
. "$SOURCE_DIR/tests/package/common.sh"
install_to prefix
include=$(dirname "$(find prefix -name version.h)")/..
warnings="-Wall -Wextra -Wpedantic -Wundef -Werror"

for room in $ROOMS; do
    eval "headers=\$HEADERS_$room"
    for header in $headers; do
        [ -e "$include/jccsafe/$header.h" ] || fail "$header.h is not installed"
        # Twice, because its guard must hold.
        printf '#include <jccsafe/%s.h>\n#include <jccsafe/%s.h>\nextern int not_empty;\n' "$header" "$header" >alone.c
        quiet $CC -std=c11 $warnings -Wshadow -Wstrict-prototypes -I"$include" -fsyntax-only alone.c
        if [ -n "${CXX-}" ]; then
            quiet "$CXX" -std=c++17 $warnings -Wold-style-cast -Wconversion -Wsign-conversion -I"$include" -x c++ -fsyntax-only alone.c
        fi
    done
done

# A header that no room has would never be installed.
for header in "$SOURCE_DIR"/include/jccsafe/*.h; do
    name=$(basename "$header" .h)
    grep 'jccsafe_room(' "$SOURCE_DIR/CMakeLists.txt" | grep -qw "$name" || fail "$name.h belongs to no room"
done
[ -n "${CXX-}" ] || skip "C11 holds, but there is no C++ compiler"
