# needs: llvm
echo 'f: jmp f' >t.s
"$JCCSAFE" as -o 1.o t.s
"$JCCSAFE" as -o 2.o - <t.s
"$JCCSAFE" as -o 3.o <t.s
cat t.s | "$JCCSAFE" as - -o - >4.o
mkfifo pipe
timeout 20 cat pipe >5.o &
"$JCCSAFE" as -o pipe t.s
wait
"$JCCSAFE" as t.s
"$JCCSAFE" as -o /dev/null t.s
test -c /dev/null && echo '/dev/null is a device still'
for other in 2.o 3.o 4.o 5.o a.out; do
    objdump -d 1.o | tail -n +4 >one
    objdump -d $other | tail -n +4 | cmp - one && echo "$other is the same"
done
