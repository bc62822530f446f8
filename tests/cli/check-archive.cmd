# Members are named, one without code is nothing to complain about, a thin archive is read as well.
as -o affected.o "$CASES/affected.s"
echo 'jmp .' | as -o clean_with_a_rather_long_name.o -
echo '.data; .long 1' | as -o data.o -
ar rcD t.a clean_with_a_rather_long_name.o data.o affected.o
ar rcDT thin.a clean_with_a_rather_long_name.o affected.o
"$JCCSAFE" check t.a
echo "exit $?"
"$JCCSAFE" check --summary thin.a
echo "exit $?"
ar rcD clean.a clean_with_a_rather_long_name.o
"$JCCSAFE" check -q clean.a
