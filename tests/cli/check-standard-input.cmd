as -o t.o "$CASES/affected.s"
ar rcD t.a t.o
"$JCCSAFE" check --summary - <t.o
cat t.o | "$JCCSAFE" check --summary -
cat t.a | "$JCCSAFE" check --summary -
mkfifo pipe
timeout 20 sh -c "cat t.o >pipe" &
"$JCCSAFE" check --summary pipe
