# Message and status 2 for each; the rest is checked all the same.
: >empty
echo 'not an object' >text
echo '.data; .long 1' | as -o data.o -
echo 'jmp .' | as -o clean.o -
head -c 100 clean.o >cut.o
# e_machine 183: AArch64
(head -c 18 clean.o; printf '\267\0'; tail -c +21 clean.o) >arm.o
# EI_DATA 2: big-endian
(head -c 5 clean.o; printf '\2'; tail -c +7 clean.o) >big.o
mkdir folder
for file in empty text data.o cut.o arm.o big.o folder missing ''; do
    "$JCCSAFE" check "$file" 2>&1
    echo "exit $?"
done
as -o affected.o "$CASES/affected.s"
"$JCCSAFE" check --summary missing affected.o text clean.o
