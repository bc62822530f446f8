# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# On a machine that has next to nothing, and where nothing may be installed, scripts name all that they need at once, and a command that installs it.
. "$SOURCE_DIR/tests/package/common.sh"

# A fresh tree, in which no demo has run.
mkdir tree
cp -R "$SOURCE_DIR/scripts" "$SOURCE_DIR/.ci" tree/

# All that there is; apt-get has package lists when the file `lists` is there.
mkdir bare
for tool in sh env dirname cat grep sed tr awk sort head; do
    ln -s "$(command -v $tool)" bare/$tool
done
# program NAME TEXT
program() {
    printf '#!/bin/sh\n%s\n' "$2" >"bare/$1"
    chmod +x "bare/$1"
}
program id 'echo $ID'
program dpkg-query 'echo not-installed'
program apt-cache "! [ -e '$PWD/lists' ] || echo '  Candidate: 1'"
program apt-get "case \$1 in
indextargets) ! [ -e '$PWD/lists' ] || echo list ;;
*) echo \"apt-get \$*\" >>'$PWD/called' ;;
esac"

# run ID SCRIPT ARGUMENT...: as the user with that number; exit status in $code, what it says in `said`.
run() {
    ID=$1
    shift
    script=$1
    shift
    code=0
    : >called
    env -i "ID=$ID" "PATH=$PWD/bare" ${NO_INSTALL:+JCCSAFE_NO_INSTALL=1} /bin/sh "tree/$script" "$@" >said 2>&1 </dev/null || code=$?
}

# says WHAT REGEX: the last script ended with 2, did nothing, and said so.
says() {
    [ $code = 2 ] && [ ! -s called ] && grep -qE -e "$2" said || {
        cat said called >&2
        fail "$1: exit $code, or '$2' is not said, or something is done"
    }
}

# needs SCRIPT ARGUMENT...: all of $packages are in the line of what is missing, and in the command.
needs() {
    run 1000 "$@"
    for package in $(echo $packages | sed 's/+/[+]/g'); do
        says "$*" " missing Debian packages:.* $package( |\$)"
        says "$*" ": install them .* $package( |\$)"
    done
}
NO_INSTALL=
all=$(. "$SOURCE_DIR/scripts/setup.sh" && echo $BUILD_PACKAGES $TEST_PACKAGES)
packages="$all llvm-19-dev"
needs scripts/test
packages="$all llvm-14-dev"
needs scripts/test --llvm=14 --cc=clang
packages="$all llvm-14-dev llvm-19-dev llvm-22-dev"
needs .ci/run
packages=$(. "$SOURCE_DIR/scripts/setup.sh" && echo $BUILD_PACKAGES libzydis-dev llvm-19-dev $REAL_C_PACKAGES)
needs scripts/demo
says scripts/demo "can't be had, csmith libcsmith-dev are needed too"

# The command is one that works here: with or without sudo, and with the lists got first where there are none.
install='apt-get install --no-install-recommends gcc '
says "without sudo" ": install them as root with: apt-get update && $install"
touch lists
run 1000 scripts/demo
says "without sudo, with lists" ": install them as root with: $install"
program sudo 'exit 1'
run 1000 scripts/demo
says "with sudo, with lists" ": install them with: sudo $install"
rm lists
run 1000 scripts/demo
says "with sudo" ": install them with: sudo apt-get update && sudo $install"
NO_INSTALL=1
run 0 scripts/demo
says "as root" ": install them with: apt-get update && $install"

# An option that is none is refused before that, with no ctest to ask; one of ctest's is not.
for option in --nope --lvm=19 --outputonfailure --output; do
    run 0 scripts/test $option
    says "$option" "'$option' is no option of ctest's"
    ! grep -q 'missing Debian packages' said || fail "$option: packages are named first"
done
options=$(sed -n '/^CTEST_OPTIONS="/,/"$/p' "$SOURCE_DIR/scripts/test" | grep -oE -e '--[a-z-]+')
[ -n "$options" ] || fail "scripts/test lists no options of ctest's"
"$(dirname "$CMAKE")/ctest" --help >help
run 0 scripts/test $options
says "ctest's options" 'missing Debian packages'
for option in $options; do
    grep -qE -e "[ ,]$option([[ =,]|\$)" help || fail "ctest has no $option"
done
