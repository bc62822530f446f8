# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# By add_subdirectory a project gets the libraries and nothing else: no command, tests, benchmarks, options set for it.
. "$SOURCE_DIR/tests/package/common.sh"
CFLAGS= # what is built here is built anew, so it is not sanitized
cp "$SOURCE_DIR/examples/emit.c" main.c
cat >CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.20)
project(outer LANGUAGES C)
enable_testing()
add_subdirectory("$SOURCE_DIR" jccsafe)
add_executable(outer main.c)
target_link_libraries(outer PRIVATE jccsafe::core_static)
EOF
quiet "$CMAKE" -S . -B build -DJCCSAFE_LLVM="${LLVM_MAJOR:-OFF}"
quiet "$CMAKE" --build build -j 2
run_example core build/outer

for room in $ROOMS; do
    [ -e "build/jccsafe/libjccsafe-$room.so" ] && [ -e "build/jccsafe/libjccsafe-$room.a" ] || fail "no library of $room"
done
programs=$(find build -type f -perm -u+x ! -name '*.so*' ! -path '*/CMakeFiles/*' ! -name outer)
[ -z "$programs" ] || fail "programs are built: $programs"
if "$(dirname "$CMAKE")/ctest" --test-dir build -N | grep -q 'Test *#'; then
    fail "tests are added to the outer project's"
fi
grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=$' build/CMakeCache.txt || fail "the outer project's build type is set for it"
