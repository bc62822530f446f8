# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What an outer project sets as an ordinary variable before add_subdirectory holds, in its first configuration as in later ones.
. "$SOURCE_DIR/tests/package/common.sh"
CFLAGS=

# outer SETTINGS: configure a project that has them, twice; what the last said goes to `said`, its compilations to commands.
outer() {
    rm -rf build
    cat >CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.20)
project(outer LANGUAGES C)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
$1
add_subdirectory("$SOURCE_DIR" jccsafe)
EOF
    for time in first second; do
        "$CMAKE" -S . -B build -G "$CMAKE_GENERATOR" >said 2>&1 || {
            cat said >&2
            fail "$1: its $time configuration"
        }
        expect "$1: its $time configuration" "$2" "$3"
    done
}

# expect WHAT FILE REGEX: a line of FILE, or none where it is preceded by "no ".
expect() {
    case $2 in
    no\ *) ! grep -qE -e "$3" "${2#no }" || fail "$1: there is '$3'" ;;
    *) grep -qE -e "$3" "$2" || fail "$1: there is no '$3'" ;;
    esac
}

commands=build/compile_commands.json
outer 'set(JCCSAFE_LLVM OFF)' said 'JCCSAFE_LLVM is OFF'
outer 'set(JCCSAFE_LLVM OFF)
set(JCCSAFE_SANITIZE address)' $commands '-fsanitize=address'
outer 'set(JCCSAFE_LLVM OFF)
set(JCCSAFE_TOOLS ON)' $commands 'tools/jccsafe/main\.c'
outer 'set(JCCSAFE_LLVM OFF)
set(JCCSAFE_WERROR ON)' $commands '-Werror'
outer 'set(JCCSAFE_LLVM OFF)
set(JCCSAFE_INSTALL ON)' build/jccsafe/cmake_install.cmake 'jccsafe-config\.cmake'
outer 'set(JCCSAFE_LLVM OFF)' 'no build/jccsafe/cmake_install.cmake' 'jccsafe-config\.cmake'

# The oldest that is here: the one that nobody gets without asking.
for major in 22 21 20 19 18 17 16 15 14; do
    if command -v "llvm-config-$major" >/dev/null && [ -e "$("llvm-config-$major" --includedir)/llvm-c/Core.h" ]; then
        oldest=$major
    fi
done
[ -n "${oldest-}" ] || skip "no LLVM here"
outer "set(JCCSAFE_LLVM $oldest)" said "^-- jccsafe: LLVM $oldest\."
outer "set(JCCSAFE_LLVM_CONFIG $(command -v "llvm-config-$oldest"))" said "^-- jccsafe: LLVM $oldest\."
