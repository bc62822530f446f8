# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by the other scripts: what they share, above all the installing of Debian packages.
# JCCSAFE_NO_INSTALL=1 forbids installing: what is missing is then named, and the script ends with 2.

# The majors of LLVM that jccsafe is made for, and those of them that are tested; the newest first.
LLVM_SUPPORTED="22 21 20 19 18 17 16 15 14"
LLVM_TESTED="22 19 16 15 14"

say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# die STATUS MESSAGE
die() {
    status=$1
    shift
    say "$*"
    exit "$status"
}

# Arguments are checked before anything is installed or built.

# expect_operands NUMBER USAGE "$@": print USAGE and end, well for --help, with 2 unless there are NUMBER operands and no option.
expect_operands() {
    expected=$1
    usage=$2
    shift 2
    case ${1-} in
    --help | -h)
        echo "$usage"
        exit 0
        ;;
    -*) die 2 "$usage" ;;
    esac
    [ $# = "$expected" ] || die 2 "$usage"
}

# expect_major MAJOR: end with 2 unless it is one of LLVM_SUPPORTED.
expect_major() {
    for supported in $LLVM_SUPPORTED; do
        if [ "$1" = "$supported" ]; then
            return 0
        fi
    done
    die 2 "'$1' is no major version of LLVM that jccsafe is made for; these are: $LLVM_SUPPORTED"
}

installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

available() {
    apt-cache policy "$1" 2>/dev/null | grep -q '^ *Candidate: *[^(]'
}

# How apt-get may be run: "", "sudo -n", or "no".
root_by() {
    if [ "${JCCSAFE_NO_INSTALL-}" = 1 ]; then
        echo no
    elif [ "$(id -u)" = 0 ]; then
        echo
    elif sudo -n true 2>/dev/null; then
        echo sudo -n
    else
        echo no
    fi
}

has_lists() {
    apt-get indextargets --format '$(FILENAME)' 'Identifier: Packages' 2>/dev/null | grep -q .
}

# Get apt's lists, when there are none yet (a fresh image has none) and when that is allowed.
update_lists() {
    by=$(root_by)
    if has_lists || [ "$by" = no ]; then
        return 0
    fi
    say "apt has no package lists yet: apt-get update"
    $by apt-get update -qq >&2 || die 2 "apt-get update failed"
}

# How a person installs the packages in $@, where a script may not.
install_hint() {
    sudo=
    as_whom=
    if [ "$(id -u)" != 0 ]; then
        if command -v sudo >/dev/null; then
            sudo="sudo "
        else
            as_whom=" as root"
        fi
    fi
    update=
    has_lists || update="${sudo}apt-get update && "
    echo "install them$as_whom with: $update${sudo}apt-get install --no-install-recommends $*"
}

# need PACKAGE...: install those that are missing, after naming them. Where that is not allowed, say NEED_NOTE, if it is set, and end with what
# would install them.
need() {
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian machine, so nothing is installed; this needs what Debian calls: $*"
        return 0
    fi
    missing=
    for package; do
        case "$missing " in
        *" $package "*) continue ;;
        esac
        installed "$package" || missing="$missing $package"
    done
    if [ -z "$missing" ]; then
        return 0
    fi
    say "missing Debian packages:$missing"
    by=$(root_by)
    if [ "$by" = no ]; then
        [ -z "${NEED_NOTE-}" ] || say "$NEED_NOTE"
        die 2 "$(install_hint $missing)"
    fi
    update_lists
    # Lists that are old name files that the mirror no longer has.
    install_packages $missing || { $by apt-get update -qq >&2 && install_packages $missing; } || die 2 "apt-get could not install them"
}

install_packages() {
    $by env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# The newest LLVM that is installed for development, else the newest that Debian offers; "" when there is none.
# Without apt's lists nobody knows what is offered; Debian 12 has 19.
newest_llvm() {
    for major in $LLVM_SUPPORTED; do
        if command -v "llvm-config-$major" >/dev/null && [ -e "$("llvm-config-$major" --includedir)/llvm-c/Core.h" ]; then
            echo "$major"
            return
        fi
    done
    update_lists
    for major in $LLVM_TESTED; do
        if available "llvm-$major-dev"; then
            echo "$major"
            return
        fi
    done
    has_lists || echo 19
}

# The packages for those of the majors in $@ that are not installed otherwise; "off" is none.
llvm_packages() {
    for major; do
        [ "$major" = off ] || command -v "llvm-config-$major" >/dev/null || echo "llvm-$major-dev"
    done
}

# What every build needs. libc6-dev is only recommended by gcc.
BUILD_PACKAGES="gcc libc6-dev cmake ninja-build libelf-dev libjansson-dev"

# What scripts/real-c needs.
REAL_C_PACKAGES="gcc libc6-dev dpkg-dev tcl"
STAND_IN_PACKAGES="csmith libcsmith-dev"
REAL_C_NOTE="where SQLite's source package can't be had, $STAND_IN_PACKAGES are needed too"

# have_real_c FOLDER: whether scripts/real-c has nothing to do there.
have_real_c() {
    [ -e "$1/sqlite3.c" ] && [ -e "$1/speedtest1.c" ]
}

# real_c_packages FOLDER: those that scripts/real-c needs for it.
real_c_packages() {
    have_real_c "$1" || echo "$REAL_C_PACKAGES"
}

# What the tests need besides: the compilers that make their inputs (32-bit ones too), and what they are written against.
TEST_PACKAGES="g++ gcc-multilib g++-multilib clang clang-format-14 libcmocka-dev libzydis-dev pkg-config python3 git"
