# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every preset configures as it stands, in a folder of its own.
. "$SOURCE_DIR/tests/package/common.sh"
command -v ninja >/dev/null || skip "no ninja, which the presets ask for"
CFLAGS=
scratch=$PWD
cd "$SOURCE_DIR" # where the presets are looked for

presets=$("$CMAKE" --list-presets | sed -n 's/^ *"\([^"]*\)".*/\1/p')
[ -n "$presets" ] || fail "no preset can be read"
for preset in $presets; do
    "$CMAKE" --preset "$preset" -B "$scratch/$preset" -DJCCSAFE_LLVM=OFF >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        fail "cmake --preset $preset"
    }
    "$CMAKE" --build --list-presets | grep -q "\"$preset\"" || fail "$preset has no build preset"
    "$(dirname "$CMAKE")/ctest" --list-presets | grep -q "\"$preset\"" || fail "$preset has no test preset"
done
# What the file says it needs is what CMakeLists.txt says.
needed=$(sed -n 's/^cmake_minimum_required(VERSION \([0-9.]*\))/\1/p' CMakeLists.txt)
grep -q "\"cmakeMinimumRequired\": { \"major\": ${needed%.*}, \"minor\": ${needed#*.}," CMakePresets.json || fail "the presets need another CMake than $needed"
