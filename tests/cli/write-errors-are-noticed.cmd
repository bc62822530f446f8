# A full disk, found when the last bytes go out or, with a long report, before; a closed standard output.
as -o t.o "$CASES/affected.s"
"$JCCSAFE" check t.o >/dev/full
echo "exit $?"
for i in 1 2 3 4 5 6 7 8 9 10; do echo t.o t.o t.o t.o t.o t.o t.o t.o t.o t.o; done >files
echo '@files @files @files' >more
"$JCCSAFE" check @more >/dev/full
echo "exit $?"
"$JCCSAFE" --help >/dev/full
echo "exit $?"
"$JCCSAFE" --version >&-
echo "exit $?"
"$JCCSAFE" check -q t.o >&-
echo "exit $?"
"$JCCSAFE" check t.o absent >/dev/full
echo "exit $?"
echo '@files' >>more
"$JCCSAFE" check @more >/dev/full
echo "exit $?"
