# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An installed tree is found by pkg-config, room by room, and links as shared and as static libraries.
. "$SOURCE_DIR/tests/package/common.sh"
command -v pkg-config >/dev/null || skip "no pkg-config"
install_to prefix
PKG_CONFIG_PATH=$(dirname "$(find "$PWD/prefix" -name jccsafe-core.pc)")
export PKG_CONFIG_PATH
libraries=$(pkg-config --variable=libdir jccsafe-core)

version=$(sed -n 's/^#define JCC_VERSION_[MP][A-Z]* //p' "$SOURCE_DIR/include/jccsafe/version.h" | paste -sd.)
for room in $ROOMS; do
    [ "$(pkg-config --modversion "jccsafe-$room")" = "$version" ] || fail "jccsafe-$room.pc has another version than version.h"
    name=$(example "$room")
    quiet $CC $CFLAGS "$SOURCE_DIR/examples/$name.c" $(pkg-config --cflags --libs "jccsafe-$room") -Wl,-rpath,"$libraries" -o "$name"
    run_example "$room" "./$name"
    if pkg-config --libs "jccsafe-$room" | grep -qE -e '-lelf|-lLLVM'; then
        fail "a user of the shared jccsafe-$room is made to link what only jccsafe uses"
    fi
done

# Ours as archives, everyone else's as it comes: libLLVM may be there as a shared library alone.
archives() {
    pkg-config --static --libs "$1" | sed 's/-l\(jccsafe-[a-z]*\)/-l:lib\1.a/g'
}
for room in $ROOMS; do
    name=$(example "$room")
    quiet $CC $CFLAGS "$SOURCE_DIR/examples/$name.c" $(pkg-config --cflags "jccsafe-$room") $(archives "jccsafe-$room") -o "$name-static"
    if ldd "$name-static" | grep -q libjccsafe; then
        fail "$name-static is linked to a shared library of jccsafe"
    fi
    run_example "$room" "./$name-static"
done

# As README.md shows it.
case " $ROOMS " in
*' llvm '*)
    cp "$SOURCE_DIR/examples/assemble.c" engine.c
    grep '^cc engine\.c ' "$SOURCE_DIR/README.md" >shown
    [ "$(wc -l <shown)" = 2 ] || fail "README.md does not show both ways of linking"
    while read -r cc line; do
        quiet sh -c "$CC $CFLAGS $line"
        run_example llvm ./a.out
    done <shown
    ;;
esac
