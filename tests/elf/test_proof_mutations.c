// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every bit of a padded object changed, one at a time: each change is refused, but for those that change nothing.
#include "elf_test.h"

// Symbols n1 and n2 stand before 9 and 15 bytes of no-operations (n1 in the padded object alone). No branch leads to one, or right behind one: else a branch that is changed to
// lead to another no-operation before the same instruction would be the same branch.
static const char source[] = "  .text\n"
                             "  .globl f\n"
                             "  .type f, @function\n"
                             "f: .cfi_startproc\n"
                             "  .cfi_personality 3, p\n"
                             "  .cfi_lsda 3, .Ltable\n"
                             "  endbr64\n"
                             "  push %rbx\n"
                             "  .cfi_adjust_cfa_offset 8\n"
                             "  .cfi_offset 3, -16\n"
                             ".La: call h@PLT\n"
                             ".Lb: cmp 0x12345678(%rax,%rcx,4), %edx\n"
                             "n1:\n"
                             "  pad\n"
                             "  jne 2f\n"
                             "1: lock addl $-5, (%rdi)\n"
                             "  mov %fs:0x28, %rax\n"
                             "  vpaddd 64(%rsi), %ymm3, %ymm4\n"
                             "  prefixes\n"
                             "  lea jumps(%rip), %rax\n"
                             "  jmp *%rax\n"
                             "n2: .nops 15\n"
                             ".Lpad: movabs $0x1122334455667788, %r10\n"
                             "  lea 1b(%rip), %rdx\n"
                             "  loop 1b\n"
                             "  je 1b\n"
                             "2: pop %rbx\n"
                             "  .cfi_def_cfa_offset 8\n"
                             "  ret\n"
                             "  .cfi_endproc\n"
                             "  .size f, .-f\n"
                             "  .type k, @object\n"
                             "  .size k, 8\n"
                             "k: .quad 0x9090909090909090\n"
                             "g: mov k(%rip), %rax\n"
                             "  jmp f\n"
                             "  .section .gcc_except_table,\"a\",@progbits\n"
                             ".Ltable: .byte 0xff, 3\n"
                             "  .uleb128 9f-8f\n"
                             "8: .byte 1\n"
                             "  .uleb128 7f-6f\n"
                             "6: .uleb128 .La-f\n"
                             "  .uleb128 .Lb-.La\n"
                             "  .uleb128 .Lpad-f\n"
                             "  .uleb128 1\n"
                             "7: .byte 1, 0\n"
                             "  .p2align 2\n"
                             "  .long t\n"
                             "9:\n"
                             "  .section .rodata\n"
                             "jumps: .long .Lpad-jumps, 1b-jumps, 2b-jumps\n"
                             "  .quad f, .Lpad\n"
                             "  .section .text.once,\"axG\",@progbits,once,comdat\n"
                             "  .weak once\n"
                             "once: jmp f\n";

static struct bytes plain, padded;

static int make(void **state)
{
    (void)state;
    char text[8192];
    snprintf(text, sizeof text, "  .macro pad\n  .endm\n  .macro prefixes\n  .endm\n%s", source);
    plain = assemble("", text);
    snprintf(text, sizeof text, "  .macro pad\n  .nops 9\n  .endm\n  .macro prefixes\n  .byte 0x2e, 0x2e\n  .endm\n%s", source);
    padded = assemble("", text);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    free(plain.data);
    free(padded.data);
    return 0;
}

static bool in_no_operation(size_t offset)
{
    size_t n1 = symbol_called(padded, "n1")->st_value, n2 = symbol_called(padded, "n2")->st_value;
    return (offset >= n1 && offset - n1 < 9) || (offset >= n2 && offset - n2 < 15);
}

// Linkers write over what stands in a field with a relocation of its own addend.
static bool in_relocated_field(const char *relocs, size_t offset)
{
    size_t count = section_called(padded, relocs)->sh_size / sizeof(Elf64_Rela);
    for (size_t n = 0; n < count; n++) {
        size_t field = reloc_of(padded, relocs, n)->r_offset;
        if (offset >= field && offset < field + 4)
            return true;
    }
    return false;
}

static bool text_may_change(size_t offset)
{
    return in_no_operation(offset) || in_relocated_field(".rela.text", offset);
}

static bool once_may_change(size_t offset)
{
    return in_relocated_field(".rela.text.once", offset);
}

// The fill at a record's end is made of DW_CFA_nop, 0. An advance behind the last instruction says as little.
static bool in_fill_of_record(size_t offset)
{
    const unsigned char *frames = section_data(padded, ".eh_frame");
    size_t begin = 0, end = 0;
    while (end <= offset) {
        uint32_t length;
        memcpy(&length, frames + end, sizeof length);
        begin = end, end += sizeof length + length;
    }
    while (end > begin && frames[end - 1] == 0)
        end--;
    return offset >= end;
}

static bool frames_may_change(size_t offset)
{
    return in_relocated_field(".rela.eh_frame", offset) || in_fill_of_record(offset);
}

// The empty symbol; the name of a section symbol, which is the section's whatever it says.
static bool symbols_may_change(size_t offset)
{
    const Elf64_Sym *symbols = (const Elf64_Sym *)(void *)section_data(padded, ".symtab");
    size_t n = offset / sizeof *symbols, field = offset % sizeof *symbols;
    return n == 0 || (ELF64_ST_TYPE(symbols[n].st_info) == STT_SECTION && field < sizeof symbols[n].st_name);
}

static bool names_may_change(size_t offset)
{
    return offset == 0; // no symbol is called so but section symbols
}

static bool nothing_may_change(size_t offset)
{
    (void)offset;
    return false;
}

static void no_changed_bit_is_taken_for_padding(void **state)
{
    (void)state;
    static const struct {
        const char *section;
        bool (*may_change)(size_t offset);
    } sections[] = {
        {".text", text_may_change},
        {".text.once", once_may_change},
        {".rodata", nothing_may_change},
        {".eh_frame", frames_may_change},
        {".gcc_except_table", nothing_may_change},
        {".group", nothing_may_change},
        {".rela.text", nothing_may_change},
        {".rela.text.once", nothing_may_change},
        {".rela.rodata", nothing_may_change},
        {".rela.eh_frame", nothing_may_change},
        {".rela.gcc_except_table", nothing_may_change},
        {".symtab", symbols_may_change},
        {".strtab", names_may_change},
    };
    assert_proved(plain, padded);
    jcc_elf *a = open_bytes(plain);
    struct bytes changed = copy_of(padded);
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        const Elf64_Shdr *section = section_called(padded, sections[k].section);
        unsigned accepted = 0;
        for (size_t bit = 0; bit < section->sh_size * 8; bit++) {
            size_t at = section->sh_offset + bit / 8;
            jcc_elf *b = NULL;
            changed.data[at] ^= (unsigned char)(1u << bit % 8);
            bool same =
                jcc_elf_open_memory(changed.data, changed.size, &b) == JCC_OK && jcc_elf_prove(a, b, NULL, NULL, NULL, NULL) == JCC_OK;
            jcc_elf_close(b);
            changed.data[at] = padded.data[at];
            if (same && !sections[k].may_change(bit / 8))
                fail_msg("%s: bit %zu of byte 0x%zx", sections[k].section, bit % 8, bit / 8);
            accepted += same;
        }
        print_message("%s: %u of %u changed bits change nothing\n", sections[k].section, accepted, (unsigned)section->sh_size * 8);
    }
    jcc_elf_close(a);
    free(changed.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_changed_bit_is_taken_for_padding),
    };
    return cmocka_run_group_tests(tests, make, drop);
}
