# needs: llvm
: >empty.s
"$JCCSAFE" as -o t.o empty.s
echo "exit $?"
"$JCCSAFE" check t.o
