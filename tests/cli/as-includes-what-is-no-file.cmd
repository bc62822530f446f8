# needs: llvm
# /dev/null is an empty file. A folder is passed over where a file of that name comes later, and named where none does; so is a
# fifo, which nobody waits for.
mkdir -p sub one/sub.d two sub.inc
mkfifo fifo
echo '.byte 7' >two/sub.inc
: >empty.inc
assemble() {
    printf '.data\n.byte 1\n%s\n.byte 2\n' "$1" >t.s
    "$JCCSAFE" as -I one -I two -o t.o t.s 2>&1
    echo "$1: exit $?"
    test ! -e t.o || objdump -s -j .data t.o | sed -n 's/^ 0000 \([0-9a-f]*\) .*/\1/p'
    rm -f t.o
}
assemble '.include "/dev/null"'
assemble '.include "empty.inc"'
assemble '.incbin "/dev/null"'
assemble '.include "sub.inc"'
assemble '.include "sub"'
assemble '.include "fifo"'
assemble '.include "/dev/zero"'
assemble '.incbin "sub"'
assemble '.incbin "fifo"'
assemble '.include "nothing"'
