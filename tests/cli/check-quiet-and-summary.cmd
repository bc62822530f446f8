as -o t.o "$CASES/affected.s"
"$JCCSAFE" check -q t.o
echo "exit $?"
"$JCCSAFE" check --summary t.o
echo "exit $?"
echo 'jmp .' | as -o clean.o -
"$JCCSAFE" check -q clean.o
echo "exit $?"
"$JCCSAFE" check clean.o
