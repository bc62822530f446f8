# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a shared library exports is what its map lists, and that is what its headers declare.
. "$SOURCE_DIR/tests/package/common.sh"
version=$(sed -n 's/^#define JCC_VERSION_M[A-Z]* //p' "$SOURCE_DIR/include/jccsafe/version.h" | paste -sd.)

for room in $ROOMS; do
    map=$SOURCE_DIR/lib/$room/$room.map
    eval "headers=\$HEADERS_$room"
    for header in $headers; do
        tr '\n' ' ' <"$SOURCE_DIR/include/jccsafe/$header.h" | grep -oE '(^| )JCC_API [^;{]*' | sed -n 's/^[^(]*[ *]\(jcc_[a-z0-9_]*\)(.*/\1/p'
    done | sort >declared
    sed -n 's/^ *\(jcc_[a-z0-9_]*\);$/\1/p' "$map" | sort >listed
    nm -D --defined-only "$BUILD_DIR/libjccsafe-$room.so" | sed -n "s/^[0-9a-f]* [A-Z] \(.*\)@@JCCSAFE_$version\$/\1/p" | sort >exported
    nm -D --defined-only "$BUILD_DIR/libjccsafe-$room.so" | grep -vE ' A JCCSAFE_|@@JCCSAFE_' >others || true

    [ -s declared ] || fail "no JCC_API function was found in the headers of $room"
    grep -q "^JCCSAFE_$version {" "$map" || fail "$map names another version than version.h"
    diff -u declared listed || fail "the headers of $room and its map differ"
    diff -u listed exported || fail "the map of $room and its library differ"
    [ ! -s others ] || fail "libjccsafe-$room.so exports what has no version: $(cat others)"

    major=${version%%.*}
    objdump -p "$BUILD_DIR/libjccsafe-$room.so" | grep -q "SONAME *libjccsafe-$room\.so\.$major\$" || fail "libjccsafe-$room.so has no SONAME with its version"
done
