# needs: llvm
# The signal of the file size limit comes in the middle of the write: the only moment at which there is half an object.
printf '.fill 100000\n' >t.s
echo old >t.o
sh -c 'ulimit -f 16; "$JCCSAFE" as -o t.o t.s; exit $?' 2>/dev/null
test $? -gt 128 && echo killed
cat t.o
ls -A
