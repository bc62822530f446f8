# needs: llvm
# Wherever the report goes: status 2. The object is whole all the same.
echo 'ret' >t.s
for report in summary text; do
    "$JCCSAFE" as -o t.o --report=$report t.s 2>/dev/full
    echo "exit $?"
    "$JCCSAFE" as -o t.o --report=$report t.s 2>&-
    echo "exit $?"
done
"$JCCSAFE" as -o t.o --report=json t.s >/dev/full 2>/dev/null
echo "exit $?"
"$JCCSAFE" as -o t.o t.s 2>/dev/full
echo "exit $?"
head -c 4 t.o | tail -c 3
