# needs: llvm refcheck
# The source of the check cases, its gaps filled with instructions: behind data there is no place for a pad.
awk '/\.skip/ { for (i = 0; i < $2 + 0; i++) print "nop"; next } { print }' "$CASES/affected.s" >t.s
"$JCCSAFE" as -o t.o t.s
echo "exit $?"
"$JCCSAFE" check -q t.o
echo "exit $?"
"$REFCHECK" t.o >/dev/null
echo "refcheck $?"
"$JCCSAFE" as --policy=off -o plain.o t.s
"$REFCHECK" --same plain.o t.o >/dev/null
echo "same $?"
"$JCCSAFE" check --summary plain.o
