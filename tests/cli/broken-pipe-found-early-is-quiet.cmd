# Nobody reads the pipe, and the last flush has nothing to write: the one before a message had failed, or the one of a full buffer.
as -o t.o "$CASES/affected.s"
for i in 1 2 3 4 5 6 7 8 9 10; do echo t.o t.o t.o t.o t.o t.o t.o t.o t.o t.o; done >files
echo '@files @files @files @files' >more
mkfifo pipe
exec 3<>pipe 4>pipe 3<&-
trap '' PIPE
"$JCCSAFE" check t.o absent >&4
echo "exit $?"
"$JCCSAFE" check @more >&4
echo "exit $?"
"$JCCSAFE" check t.o >&4
echo "exit $?"
