# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The rules that keep the house simple: which room may know what, and what no library does.
. "$SOURCE_DIR/tests/package/common.sh"
cd "$SOURCE_DIR"

# only_in WHAT REGEX PLACE...: no source outside PLACE holds REGEX.
only_in() {
    what=$1
    regex=$2
    shift 2
    found=$(grep -rlE "$regex" include lib tools --include='*.[ch]' || true)
    for file in $found; do
        allowed=no
        for place; do
            case $file in
            "$place"*) allowed=yes ;;
            esac
        done
        [ $allowed = yes ] || fail "$file: $what"
    done
}

only_in "libelf stands in lib/elf alone" '#include *[<"](libelf|gelf)\.h' lib/elf/
only_in "llvm-c stands in lib/llvm, the plugin and three headers" '#include *[<"]llvm-c/' \
    lib/llvm/ lib/plugin/ include/jccsafe/emit.h include/jccsafe/orc.h include/jccsafe/process.h
only_in "LLVM's version is tested in lib/llvm/compat.h alone" 'LLVM_VERSION_MAJOR' lib/llvm/compat.h
only_in "only elf and what stands on it knows jccsafe/elf.h" '#include <jccsafe/elf\.h>' lib/elf/ lib/llvm/ tools/ include/jccsafe/elf.h
only_in "only the llvm room and the command know its headers" '#include <jccsafe/(assemble|process|emit|orc)\.h>' lib/llvm/ lib/plugin/ tools/ include/jccsafe/
only_in "no room includes another's private headers" '#include "(\.\./|core/|elf/|llvm/)'

# The library is silent and leaves the process alone. (snprintf prints into memory.)
calls=$(grep -rnE '(^|[^a-z_])(printf|puts|putchar|perror|exit|_exit|abort|signal|sigaction|atexit|chdir|setenv|putenv)\(|fprintf\((stderr|stdout)' lib \
    --include='*.[ch]' | grep -vE '^[^:]*:[0-9]*: *//' || true)
[ -z "$calls" ] || fail "a library prints, ends or changes the process: $calls"
