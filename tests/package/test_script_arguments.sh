# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Scripts look at their arguments before they install or build anything, and say what is wrong with them.
. "$SOURCE_DIR/tests/package/common.sh"

# What would change the machine, or take long, writes down that it was called.
mkdir bin
for tool in apt-get apt-cache sudo cmake ctest csmith make; do
    cat >"bin/$tool" <<EOF
#!/bin/sh
echo $tool "\$@" >>"$PWD/called"
[ "\$*" != --help ] || exec "$(dirname "$CMAKE")/ctest" --help
EOF
done
printf '#!/bin/sh\necho not-installed\n' >bin/dpkg-query
chmod +x bin/*
PATH=$PWD/bin:$PATH
export PATH

# run SCRIPT ARGUMENT...: its exit status in $code, what it did in `called`, what it says in `said`.
run() {
    code=0
    : >called
    "$SOURCE_DIR/$@" >said 2>&1 </dev/null || code=$?
}

# refused WORDS SCRIPT ARGUMENT...
refused() {
    words=$1
    shift
    run "$@"
    [ $code = 2 ] && grep -q -e "$words" said && [ ! -s called ] || {
        cat said called >&2
        fail "$*: exit $code, or '$words' is not said, or something is done"
    }
}

# helps SCRIPT ARGUMENT...
helps() {
    run "$@"
    [ $code = 0 ] && grep -q "^usage: $1" said && [ ! -s called ] || {
        cat said called >&2
        fail "$*: exit $code, or no usage, or something is done"
    }
}

for script in scripts/test scripts/demo scripts/format scripts/real-c scripts/debian-source .ci/run; do
    helps $script --help
    helps $script -h
done
for script in bench/table bench/dynamic; do
    helps $script --help
    refused "'13'" $script --llvm=13
    refused "''" $script --llvm=
    refused 'usage:' $script --nonsense
done
refused 'usage:' bench/dynamic --workload=nonsense
refused "'13'" scripts/demo 13
refused "''" scripts/demo ''
refused 'usage:' scripts/demo --llvm=19
refused 'usage:' scripts/demo 19 22
for major in 13 23 ALL OFF 19.1 '' '19 22' nonsense; do
    refused "'$major'" scripts/test --llvm="$major"
done
for compiler in nonsense tcc gcc- clang-x '' 'gcc git'; do
    refused "'--cc=$compiler'" scripts/test --cc="$compiler"
done
refused "'--llvm' needs a value" scripts/test --llvm 19
refused "'nonsense'" scripts/test nonsense
refused 'usage:' scripts/format --chekc
refused 'usage:' scripts/real-c
refused 'usage:' scripts/real-c --folder
refused 'usage:' scripts/debian-source sqlite3
refused 'usage:' .ci/run --fast

# From here on all is installed, and nothing is built: what scripts/test asks ctest for.
printf '#!/bin/sh\necho installed\n' >bin/dpkg-query

# passed_on WORDS ARGUMENT...: ctest gets them, last.
passed_on() {
    words=$1
    shift
    run scripts/test --llvm=off "$@"
    [ $code = 0 ] && grep -q -e "^ctest --test-dir build-test-llvmoff-gcc.* $words\$" called || {
        cat said called >&2
        fail "scripts/test $*: exit $code, or ctest is not asked for: $words"
    }
}
passed_on '-j 1' -j 1
passed_on '--rerun-failed' --rerun-failed
passed_on '--show-only=json-v1' --show-only=json-v1
passed_on '-R layout --repeat until-fail:2' -R layout --repeat until-fail:2
passed_on 'nonsense' -- nonsense
passed_on '-L ^cli\$ -R cpu' --rebase -R cpu
# Without a git tree --rebase works too, and says what it cannot say.
GIT_DIR=$PWD/nowhere
export GIT_DIR
passed_on '-L ^cli\$ -R cpu' --rebase -R cpu
grep -q 'no git tree' said || fail "scripts/test --rebase does not say that there is no git tree"
unset GIT_DIR
for misplaced in '-R layout --asan' '--lvm=19' '--aasan'; do
    run scripts/test --llvm=off $misplaced
    [ $code = 2 ] && grep -q "is no option of ctest's" said && ! grep -q '^cmake' called || fail "scripts/test $misplaced: exit $code"
done
