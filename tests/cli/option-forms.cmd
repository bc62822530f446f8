# Values joined or apart, options behind the file, "--" before a file that looks like an option.
as -o ./-t.o "$CASES/affected.s"
for words in "--policy=clang -- -t.o" "--policy clang ./-t.o" "./-t.o --policy clang" "--align-branch=ret ./-t.o" "--align-branch ret ./-t.o"; do
    "$JCCSAFE" check --summary $words
done
"$JCCSAFE" check -t.o
