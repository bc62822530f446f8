as -o t.o - <<'end'
.p2align 5
f:
.skip 30, 0x90
add %eax, (%rdi)
je f
end
"$JCCSAFE" check t.o
