# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by the tests of this folder, which run in an empty folder of their own.
set -eu
CFLAGS="${SANITIZE_FLAGS-} -Wall -Wextra -Wpedantic"
export CC CFLAGS

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

skip() {
    echo "skipped: $*"
    exit 77
}

# quiet COMMAND...: what it prints is shown only when it fails.
quiet() {
    "$@" >quiet.log 2>&1 || {
        cat quiet.log >&2
        fail "$*"
    }
}

# installed FOLDER: an installed tree there, moved after installing, because a tree must not care where it stands.
install_to() {
    quiet "$CMAKE" --install "$BUILD_DIR" --prefix "$PWD/installed-elsewhere"
    mv installed-elsewhere "$1"
}

# example ROOM: the example that uses ROOM and those below it.
example() {
    case $1 in
    core) echo emit ;;
    elf) echo check_file ;;
    llvm) echo assemble ;;
    esac
}

# run_example ROOM PROGRAM: the built example does what it says.
run_example() {
    case $1 in
    core) "$2" | grep -qx '[0-9]* bytes, 0 affected' || fail "$2" ;;
    elf) "$2" "$2" | grep -q '^[1-9][0-9]* bytes of code$' || fail "$2" ;;
    llvm) "$2" | grep -q '^[1-9][0-9]* bytes of ELF, 0 affected, [1-9][0-9]* without padding$' || fail "$2" ;;
    esac
}
