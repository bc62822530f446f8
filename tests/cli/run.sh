#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.sh CASE.cmd: run a case in the current folder, which is a scratch one, and compare what it prints with CASE.out.
#
# CASE.cmd is shell text, run by `sh`; $JCCSAFE and $REFCHECK are the programs, $CASES the folder of the case. Files of the
# folder $CASES/CASE.d/, if it is there, are copied beside it first. Its first lines may say what it needs:
#   # needs: llvm refcheck      (llvm, refcheck, clang, cxx)
# CASE.out holds standard output, then, if any, standard error after a line "--- stderr", then the line "--- exit N".
# REBASE=1 writes CASE.out anew in place of comparing.
set -u
command=$1
base=${command%.cmd}
CASES=$(dirname "$command")
export CASES

for need in $(sed -n 's/^# needs: *//p' "$command"); do
    case $need in
    llvm) have=${LLVM_MAJOR-} ;;
    refcheck) have=${REFCHECK-} ;;
    clang) have=${CLANG-} ;;
    cxx) have=${CXX-} ;;
    *)
        echo "$command: needs '$need', which is no word known here" >&2
        exit 1
        ;;
    esac
    if [ -z "$have" ]; then
        echo "skipped: needs $need, which this build is without"
        exit 77
    fi
done

result=$(mktemp -d) || exit 2
trap 'rm -rf "$result"' EXIT
if [ -d "$base.d" ]; then
    cp -R "$base.d/." .
fi

sh "$command" >"$result/stdout" 2>"$result/stderr" </dev/null
code=$?
{
    cat "$result/stdout"
    if [ -s "$result/stderr" ]; then
        echo '--- stderr'
        cat "$result/stderr"
    fi
    echo "--- exit $code"
} >"$result/out"

if [ "${REBASE-}" = 1 ]; then
    cp "$result/out" "$base.out"
    exit 0
fi
diff -u "$base.out" "$result/out"
