# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An installed tree is found by find_package, component by component, and links as shared and as static libraries.
. "$SOURCE_DIR/tests/package/common.sh"
install_to prefix

# consumer ROOM TARGET: a project that uses TARGET, jccsafe::ROOM or jccsafe::ROOM_static, and asks for no other component.
consumer() {
    mkdir "$2"
    cp "$SOURCE_DIR/examples/$(example "$1").c" "$2/main.c"
    cat >"$2/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.20)
project(consumer LANGUAGES C)
find_package(jccsafe 0.1 REQUIRED COMPONENTS $1)
add_executable(consumer main.c)
target_link_libraries(consumer PRIVATE jccsafe::$2)
EOF
    quiet "$CMAKE" -S "$2" -B "$2/build" -DCMAKE_PREFIX_PATH="$PWD/prefix"
    quiet "$CMAKE" --build "$2/build"
    run_example "$1" "$2/build/consumer"
}

for room in $ROOMS; do
    consumer "$room" "$room"
    consumer "$room" "${room}_static"
done
ldd core/build/consumer | grep -q libjccsafe-core || fail "jccsafe::core is not the shared library"
if ldd core_static/build/consumer | grep -q libjccsafe; then
    fail "jccsafe::core_static is not the static library"
fi

# refused WHAT ARGUMENTS: find_package(jccsafe ARGUMENTS) must fail.
refused() {
    mkdir refused
    printf 'cmake_minimum_required(VERSION 3.20)\nproject(refused LANGUAGES NONE)\nfind_package(jccsafe %s)\n' "$2" >refused/CMakeLists.txt
    if "$CMAKE" -S refused -B refused/build -DCMAKE_PREFIX_PATH="$PWD/prefix" >refused.log 2>&1; then
        fail "find_package takes $1"
    fi
    rm -r refused
}
refused "another minor version" "0.2 REQUIRED"
refused "a component that there is not" "REQUIRED COMPONENTS core nonesuch"
