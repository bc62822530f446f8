# The nearest name that is known; none when all are far.
for words in chekc ass --versoin frobnicate --frobnicate "as --polcy=full" "as --reprot" "check --sumary x" "check --align-branch-boundry 32" \
    "cpu --quite" "as -x"; do
    "$JCCSAFE" $words 2>&1
    echo "exit $?"
done
