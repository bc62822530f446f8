# needs: llvm
# LLVM finds out only when it writes the object that the size is no number, and aborts.
printf 'f: ret\nx = typo\n.size f, x - f\n' >a.s
echo old >a.o
"$JCCSAFE" as -o a.o a.s
echo "exit $?"
cat a.o
ls -A
