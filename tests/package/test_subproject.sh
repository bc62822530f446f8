# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# By add_subdirectory a project gets the libraries and nothing else: no command, tests, benchmarks, installed files, options set for it.
. "$SOURCE_DIR/tests/package/common.sh"
CFLAGS= # what is built here is built anew, so it is not sanitized
for room in $ROOMS; do
    name=$(example "$room")
    cp "$SOURCE_DIR/examples/$name.c" "outer_$room.c"
    targets="${targets-} outer_$room"
    programs="${programs-}add_executable(outer_$room outer_$room.c)
target_link_libraries(outer_$room PRIVATE jccsafe::${room}_static)
"
done
# Modules of the outer project's own, with names that anyone might take.
mkdir cmake
for module in Install Setting Summary Warnings; do
    echo 'message(FATAL_ERROR "jccsafe takes a module of the outer project")' >"cmake/$module.cmake"
done
cat >CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.20)
project(outer LANGUAGES C)
list(APPEND CMAKE_MODULE_PATH "$PWD/cmake")
enable_testing()
add_subdirectory("$SOURCE_DIR" jccsafe)
$programs
install(TARGETS$targets)
EOF
quiet "$CMAKE" -S . -B build -DJCCSAFE_LLVM="${LLVM_MAJOR:-OFF}"
quiet "$CMAKE" --build build -j 2

for room in $ROOMS; do
    run_example "$room" "build/outer_$room"
    [ -e "build/jccsafe/libjccsafe-$room.so" ] && [ -e "build/jccsafe/libjccsafe-$room.a" ] || fail "no library of $room"
done
others=$(find build -type f -perm -u+x ! -name '*.so*' ! -path '*/CMakeFiles/*' ! -name 'outer_*')
[ -z "$others" ] || fail "programs are built: $others"
if "$(dirname "$CMAKE")/ctest" --test-dir build -N | grep -q 'Test *#'; then
    fail "tests are added to the outer project's"
fi
grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=$' build/CMakeCache.txt || fail "the outer project's build type is set for it"

quiet "$CMAKE" --install build --prefix "$PWD/alone"
others=$(find alone ! -type d ! -name 'outer_*')
[ -e alone/bin/outer_core ] && [ -z "$others" ] || fail "installed with the outer project: $others"
quiet "$CMAKE" build -DJCCSAFE_INSTALL=ON
quiet "$CMAKE" --build build -j 2
quiet "$CMAKE" --install build --prefix "$PWD/both"
[ -n "$(find both -name version.h)" ] && [ -n "$(find both -name jccsafe-config.cmake)" ] || fail "JCCSAFE_INSTALL=ON installs nothing"
