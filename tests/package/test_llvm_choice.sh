# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# LLVM is chosen by its exact major; without one, or without libelf, what can be built is, and a line says so. One that is asked for and is not
# there is an error, which says what to install and is forgotten again.
. "$SOURCE_DIR/tests/package/common.sh"

# configure ARGUMENTS: what it prints goes to `said`.
configure() {
    rm -rf build
    configure_again "$@"
}

# configure_again ARGUMENTS: in the folder that was configured before.
configure_again() {
    "$CMAKE" -S "$SOURCE_DIR" -B build "$@" >said 2>&1
}

says() {
    grep -qE -e "$1" said || {
        cat said >&2
        fail "the configuration does not say: $1"
    }
}

configure -DJCCSAFE_LLVM=OFF || fail "JCCSAFE_LLVM=OFF"
says '^-- jccsafe [0-9.]*: core, elf$'
says 'JCCSAFE_LLVM is OFF'
configure -DJCCSAFE_LLVM=OFF -DCMAKE_DISABLE_FIND_PACKAGE_LibElf=ON || fail "without libelf"
says '^-- jccsafe [0-9.]*: core$'
says 'no libelf: only core'
configure -DJCCSAFE_LLVM=OFF -DCmocka_LIBRARY= -DZydis_LIBRARY= || fail "without what the tests need"
says 'no cmocka: .*libcmocka-dev'
says 'no Zydis: .*libzydis-dev'
if configure -DJCCSAFE_LLVM=13; then
    fail "LLVM 13 is taken"
fi
says "JCCSAFE_LLVM is '13'; supported are OFF and 14 to 22"

newest=
for major in 22 21 20 19 18 17 16 15 14; do
    if command -v "llvm-config-$major" >/dev/null && [ -e "$("llvm-config-$major" --includedir)/llvm-c/Core.h" ]; then
        newest=${newest:-$major}
        oldest=$major
        configure -DJCCSAFE_LLVM="$major" || fail "JCCSAFE_LLVM=$major"
        says "^-- jccsafe: LLVM $major\."
    elif [ ! -e "/usr/lib/llvm-$major/bin/llvm-config" ] && configure -DJCCSAFE_LLVM="$major"; then
        says "LLVM $major\." # by an llvm-config without a number
    fi
done

# forgotten OPTION=VALUE: what is refused does not come back without being asked for.
forgotten() {
    if configure "-D$1"; then
        fail "it configures with: $1"
    fi
    cp said refusal
    configure_again || fail "$1, which was refused, is still asked for"
    mv refusal said
}
forgotten JCCSAFE_LLVM=13
forgotten JCCSAFE_LLVM_CONFIG=/nonexistent
for major in 14 15 16 17 18 19 20 21 22; do
    if ! command -v "llvm-config-$major" >/dev/null && [ ! -e "/usr/lib/llvm-$major/bin/llvm-config" ] && ! configure -DJCCSAFE_LLVM="$major"; then
        forgotten JCCSAFE_LLVM="$major"
        says "of LLVM $major \(Debian: llvm-$major-dev\)"
        break
    fi
done

[ -n "$newest" ] || skip "no LLVM here"
configure || fail "no choice"
says "^-- jccsafe: LLVM $newest\."
configure -DCMAKE_DISABLE_FIND_PACKAGE_Jansson=ON || fail "without jansson"
says 'no jansson: .*libjansson-dev'

# JCCSAFE_LLVM_CONFIG: the one to ask, and no other. Here it is of the oldest LLVM, which nobody gets without asking.
printf '#!/bin/sh\nexec llvm-config-%s "$@"\n' "$oldest" >odd-llvm-config
printf '#!/bin/sh\necho 13.0.1\n' >llvm-config-of-13
chmod +x odd-llvm-config llvm-config-of-13
configure -DJCCSAFE_LLVM_CONFIG="$PWD/odd-llvm-config" || fail "JCCSAFE_LLVM_CONFIG"
says "^-- jccsafe: LLVM $oldest\."
grep -qF "$PWD/odd-llvm-config" build/jccsafe-config.cmake || fail "the package does not know which llvm-config it was built with"

# refused REASON ARGUMENTS: the configuration fails and says why.
refused() {
    reason=$1
    shift
    if configure "$@"; then
        fail "it configures with: $*"
    fi
    says "$reason"
}
refused 'JCCSAFE_LLVM_CONFIG: /nonexistent is no llvm-config' -DJCCSAFE_LLVM_CONFIG=/nonexistent
refused 'JCCSAFE_LLVM_CONFIG: /nonexistent is no llvm-config' -DJCCSAFE_LLVM_CONFIG=/nonexistent -DJCCSAFE_LLVM="$newest"
refused 'JCCSAFE_LLVM_CONFIG: .* is no llvm-config' -DJCCSAFE_LLVM_CONFIG="/bin/echo"
refused "is LLVM 13.0.1's, and wanted is .*14" -DJCCSAFE_LLVM_CONFIG="$PWD/llvm-config-of-13"
[ "$newest" = "$oldest" ] || refused "is LLVM $oldest\..*, and wanted is $newest\$" -DJCCSAFE_LLVM_CONFIG="$PWD/odd-llvm-config" -DJCCSAFE_LLVM="$newest"
