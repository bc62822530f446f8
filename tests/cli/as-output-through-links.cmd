# needs: llvm
# Links stay, and what the last one names is made or replaced, in its own folder; a loop is refused.
echo 'ret' >t.s
mkdir -p sub
ln -s sub/new.o one.o
ln -s one.o two.o
ln -s ../two.o sub/three.o
ln -s "$PWD/sub/whole.o" whole.o
for out in sub/three.o two.o whole.o; do
    "$JCCSAFE" as -o $out t.s
    echo "exit $?"
    find . -name '*.o' -printf '%p %y %l\n' | sed "s:$PWD:HERE:" | sort
done
ln -s loop.o loop.o
"$JCCSAFE" as -o loop.o t.s 2>&1
echo "exit $?"
ln -s missing/t.o nowhere.o
"$JCCSAFE" as -o nowhere.o t.s 2>&1
echo "exit $?"
