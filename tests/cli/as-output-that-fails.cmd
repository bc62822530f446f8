# needs: llvm
# Status 2, a message that names the file, nothing left behind, the old object as it was.
echo 'ret' >t.s
mkdir folder
for out in /dev/full missing/t.o missing/a/t.o t.s/t.o folder t.s ./t.s; do
    "$JCCSAFE" as -o $out t.s 2>&1
    echo "exit $?"
done
ln -s t.s link.s
"$JCCSAFE" as -o t.s link.s 2>&1
echo "exit $?"
"$JCCSAFE" as -o - t.s >/dev/full
echo "exit $?"
"$JCCSAFE" as -o - t.s >&-
echo "exit $?"
cat t.s
ls -A . folder
