# needs: llvm refcheck
ln -s "$JCCSAFE" as
ln -s "$JCCSAFE" x86_64-linux-gnu-as
echo '	ret' >ret.s
./as --version | sed 's/[0-9.]* *,/N,/'
./x86_64-linux-gnu-as -o a.o ret.s && echo by its long name
./as -o a.o -I . -I. --64 -mtune=generic64 -march=generic64+avx2 --defsym N=3 --gdwarf-5 -W -D -- ret.s && echo taken
./as -v -L -g --compress-debug-sections=zlib ret.s
[ -e a.out ] && echo a.out
echo several inputs are one source:
printf 'f:\tcall g\n\tjne 1f\n' >one.s
printf '1:\tret\n.if N != 7\n.error "no"\n.endif\n' >two.s
./as --defsym N=7 -o b.o one.s two.s && echo "$("$REFCHECK" b.o | grep -o 'insns=[0-9]*')"
./as --defsym N=8 -o b.o one.s two.s
printf '\tret\n\tnonsense\n' | ./as -o c.o one.s -
echo warnings:
printf '\t.warning "look"\n\tret\n' >warn.s
./as -o d.o warn.s && ls d.o
./as --no-warn -o d.o warn.s
rm d.o
./as --fatal-warnings -o d.o warn.s
ls d.o 2>/dev/null
echo stack:
./as --execstack -o e.o ret.s && readelf -SW e.o | grep -o 'GNU-stack.*PROGBITS.* X '| sed 's/ .* / /'
./as -msyntax=intel -o f.o - <<'S' && echo intel
	mov eax, dword ptr [rdi]
S
echo policies:
{ echo .p2align 5; for i in $(seq 29); do echo cld; done; echo 'jmp f'; } >jmp.s
{ echo .p2align 5; for i in $(seq 31); do echo cld; done; echo 'ret'; } >back.s
for policy in full clang off; do
    for file in jmp back; do
        JCCSAFE_POLICY=$policy ./as -o g.o $file.s && echo "$policy $file $("$REFCHECK" g.o | grep -o ' affected=.*')"
    done
done
JCCSAFE_POLICY=off ./as -malign-branch-boundary=32 -malign-branch=ret -malign-branch-prefix-size=0 -o g.o back.s && "$REFCHECK" g.o | grep -o ' affected=.*'
./as -mbranches-within-32B-boundaries -o g.o back.s && "$REFCHECK" g.o | grep -o ' affected=.*'
echo refused:
for words in -aln=x.lst --nexecstack -mlfence-after-load=yes --defsym --defsym=x --gdwarf-7 -malign-branch-boundary=24 -malign-branch=loop \
    -mrelax-relocations=maybe --compress-debug-sections=fast -o; do
    ./as ret.s $words 2>&1
    echo "exit $?"
done
JCCSAFE_POLICY=best ./as ret.s
