echo hello >note.txt
echo 'jmp .' | as -o clean.o -
echo '.data; .long 1' | as -o data.o -
ar rcD t.a clean.o note.txt
"$JCCSAFE" check t.a
echo "exit $?"
ar rcD data.a data.o
"$JCCSAFE" check data.a
echo "exit $?"
ar rcD empty.a
"$JCCSAFE" check empty.a
echo "exit $?"
head -c 200 t.a >cut.a
"$JCCSAFE" check cut.a
echo "exit $?"
ar rcD in.a clean.o
ar rcD out.a in.a
"$JCCSAFE" check out.a
echo "exit $?"
ar rcDT thin.a clean.o
rm clean.o
"$JCCSAFE" check thin.a
