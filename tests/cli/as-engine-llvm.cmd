# needs: llvm
# LLVM's own alignment covers what has no relocation specifier; "off" has nothing to switch on.
(echo .p2align 5; echo f:; yes nop | head -n 31; echo jmp f) >t.s
"$JCCSAFE" as --engine=llvm --report -o t.o t.s 2>&1 | grep -o 'engine=[a-z]*'
"$JCCSAFE" check -q t.o && echo clean
"$JCCSAFE" as --engine=llvm --policy=off -o t.o t.s
"$JCCSAFE" check -q t.o || echo plain
"$JCCSAFE" as --engine=auto --report -o t.o t.s 2>&1 | grep -o 'engine=[a-z]*'
"$JCCSAFE" check -q t.o && echo clean
# What it would not look at is refused, and a region that it cannot keep is warned of.
echo '1 f' >profile
for words in --scope=all --scope=loops --function=f --profile=profile --profile=profile\ --profile-use=weights --prices=size --prove; do
    "$JCCSAFE" as --engine=llvm $words -o t.o t.s
    echo "exit $?"
done
printf 'nop\n# jccsafe: off\nret\n# jccsafe: on\n' >region.s
"$JCCSAFE" as --engine=llvm -o t.o region.s
