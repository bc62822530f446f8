as -o t.o "$CASES/affected.s"
for words in --policy=clang --policy=off --align-branch= --align-branch=ret+call --align-branch-boundary=64 --align-branch-boundary=0 \
    "--policy=off --align-branch=ret --align-branch-boundary=32"; do
    echo "$words"
    "$JCCSAFE" check $words t.o
    echo "exit $?"
done
