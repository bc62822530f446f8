# needs: llvm
# The sparse file is 1 GiB and a byte.
mkdir folder
truncate -s 1073741825 huge.s
echo ret >a.s
for words in missing.s folder huge.s "a.s b.s" "-o x.o -o"; do
    "$JCCSAFE" as $words 2>&1
    echo "exit $?"
done
ls -A
