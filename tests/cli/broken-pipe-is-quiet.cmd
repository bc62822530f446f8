# Also where the parent has the signal ignored, so that the write fails instead.
as -o t.o "$CASES/affected.s"
for i in 1 2 3 4 5 6 7 8 9 10; do echo t.o t.o t.o t.o t.o t.o t.o t.o t.o t.o; done >files
echo '@files @files @files @files' >more
"$JCCSAFE" check @more | head -n 1
trap '' PIPE
"$JCCSAFE" check @more | head -n 1
