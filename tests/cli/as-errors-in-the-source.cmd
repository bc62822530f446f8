# needs: llvm
# As GCC writes them, on standard error, every one; no object is left, not even an old one; a device is left alone.
printf 'nop\n\tfrobnicate %%eax\nret\n  mov %%eax\n' >t.s
echo old >t.o
"$JCCSAFE" as -o t.o t.s 2>&1 | sed 's/: error: .*/: error: .../'
"$JCCSAFE" as -o t.o t.s 2>/dev/null
echo "exit $?"
"$JCCSAFE" as -o /dev/null t.s 2>/dev/null
echo "exit $?"
test -c /dev/null || echo '/dev/null was removed'
"$JCCSAFE" as -o - <t.s 2>&1 | grep -o '^<stdin>:[24]'
ls -A
