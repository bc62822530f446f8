# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every kind once where it ends on a boundary or crosses one, and once where it does neither.
# The symbols are local, so that GNU as and LLVM write the same bytes.
	.text
	.type	f, @function
	.p2align 5
f:
	.skip	30, 0x90
	jne	f		# 1e..20 ends
	.skip	31, 0x90
	je	f		# 3f..41 crosses
	.skip	28, 0x90
	cmp	%eax, %ebx	# 5d..5f
	je	f		# 5f..61: the pair crosses
	.skip	27, 0x90
	test	%eax, %eax	# 7c..7e
	jne	f		# 7e..80: the pair ends
	.size	f, . - f
	.type	g, @function
	.p2align 5
g:
	.skip	29, 0x90
	{disp32} jmp	f	# 9d..a2 crosses
	.skip	28, 0x90
	jmp	g		# be..c0 ends
	.skip	30, 0x90
	call	h		# de..e3 crosses
	.skip	28, 0x90
	ret			# ff..100 ends
	.skip	30, 0x90
	jmp	*%rax		# 11e..120 ends
	.skip	27, 0x90
	call	*8(%rax)	# 13b..13e
	add	%eax, (%rdi)	# 13e..140
	je	1f		# 140..142: affected only if it fuses with the add
1:
	jne	f
	cmp	%eax, %ebx
	je	f
	jmp	f
	call	h
	call	*%rax
	ret
	.size	g, . - g
