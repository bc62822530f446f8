# needs: llvm
# What .print says goes to standard output, as often as GNU as says it and whatever is made sure of how; elsewhere, when an object or
# a report goes there. It is told of with errors too, and -W does not quiet it.
cat >flat.s <<'TEXT'
.text
f: .print "plain; # text"
.uleb128 1
.warning "a warning"
.PRINT "  and \"quoted\""
cmpl $1, %eax
je f
TEXT
cat >macros.s <<'TEXT'
.macro say text, more
.print "say \text"
.print "\more"
.endm
.if 0
.print "never"
.endif
.rept 2
.print "again"
.endr
say one, "two"
.irp n, 1, 2
say \n, "\n"
.endr
.include "said.inc"
f: je f
TEXT
echo '.print "included"' >said.inc
for options in "" --prove --policy=off --engine=llvm; do
    echo "--- $options"
    "$JCCSAFE" as $options -o t.o flat.s 2>&1
    "$JCCSAFE" as $options -o t.o macros.s 2>&1
done
echo '--- where the object goes to standard output'
"$JCCSAFE" as -o - flat.s 2>&1 >t.o
head -c 4 t.o | tail -c 3
echo
echo '--- with errors'
printf '.print "before"\n.print text\n.print\n.print "x" y\n.macro m x\n.print \\x\n.endm\nm\nm "given"\n' >bad.s
"$JCCSAFE" as -o t.o bad.s 2>&1 | sed 's/: error: .*/: error/'
"$JCCSAFE" as -o t.o bad.s >/dev/null 2>&1
echo "exit $?"
printf '.macro m d, t\n.\\d "\\t"\n.endm\nm print, "by LLVM itself"\n' >hidden.s
"$JCCSAFE" as -o t.o hidden.s | sort -u
ln -s "$JCCSAFE" as
echo '--- as GNU as'
./as -W -o t.o flat.s
./as -o t.o flat.s >/dev/full 2>&1
echo "exit $?"
