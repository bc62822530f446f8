# needs: llvm
# Nothing is affected that was asked for; what was not stays as it falls, each ret at the end of a line.
for i in 1 2 3 4 5 6 7 8; do yes nop | head -n 31; echo ret; done >t.s
for words in --policy=full --policy=clang --policy=off --align-branch=call --align-branch=call+ret --align-branch-boundary=64 \
    --align-branch-boundary=0; do
    "$JCCSAFE" as $words -o t.o t.s || echo "exit $?"
    "$JCCSAFE" check -q $words t.o || echo "$words: affected"
done
for words in --policy=full --policy=clang --policy=off --align-branch=call --align-branch=call+ret --align-branch-boundary=0; do
    "$JCCSAFE" as $words -o t.o t.s || echo "exit $?"
    echo "$words $("$JCCSAFE" check --summary t.o | cut -d'(' -f1)"
done
