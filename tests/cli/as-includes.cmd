# needs: llvm
# From the folders in the order given; an error in an included file names that file.
mkdir one two
echo '.byte 1' >one/a.inc
echo '.byte 2' >two/a.inc
echo 'frobnicate' >two/bad.inc
printf '.data\n.include "a.inc"\n' >t.s
printf '.include "bad.inc"\n' >bad.s
for words in "-I one -I two" "-Itwo -I one"; do
    "$JCCSAFE" as $words -o t.o t.s && objdump -s -j .data t.o | sed -n 's/^ 0000 \([0-9a-f]*\) .*/\1/p'
done
"$JCCSAFE" as -o t.o t.s 2>&1 | sed 's/: error: .*/: error/'
"$JCCSAFE" as -I two -o t.o bad.s 2>&1 | sed 's/: error: .*/: error/' | grep error
