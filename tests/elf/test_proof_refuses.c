// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is not padding is refused, and said where. Each case is one change to a program that is otherwise the same.
#include "elf_test.h"
#include <time.h>

struct refusal {
    const char *name;
    const char *plain; // what stands at the change in either object
    const char *padded;
    const char *section;
    const char *what;
};

// The change stands between code before it that both share and code behind it.
static const char code_frame[] = "  .text\n"
                                 "  .globl f\n"
                                 "  .type f, @function\n"
                                 "f: mov 8(%%rsp), %%rcx\n"
                                 "1: cmp %%rcx, %%rdx\n"
                                 "  je 2f\n"
                                 "%s\n"
                                 "  add $5, %%eax\n"
                                 "2: ret\n"
                                 "  .size f, .-f\n"
                                 "g: ret\n";

static const struct refusal in_code[] = {
    {"an instruction added", "", "inc %eax", ".text", "instruction"},
    {"an instruction left out", "inc %eax", "", ".text", "instruction"},
    {"two instructions swapped", "inc %eax\n inc %ecx", "inc %ecx\n inc %eax", ".text", "operand"},
    {"another instruction", "inc %eax", "dec %eax", ".text", "operand"},
    {"another register", "mov %eax, %ebx", "mov %eax, %ecx", ".text", "operand"},
    {"another size", "mov %eax, %ebx", "mov %rax, %rbx", ".text", "instruction"},
    {"another immediate", "mov $5, %eax", "mov $6, %eax", ".text", "immediate"},
    {"another displacement", "mov 5(%rax), %eax", "mov 6(%rax), %eax", ".text", "displacement"},
    {"another encoding of an immediate", "add $5, %ecx", ".byte 0x81, 0xc1, 5, 0, 0, 0", ".text", "instruction"},
    {"another encoding of registers", "mov %eax, %ecx", ".byte 0x8b, 0xc8", ".text", "instruction"},
    {"another condition", "je 1b", "jne 1b", ".text", "instruction"},
    {"a branch an instruction too far", "je 1b", "je f", ".text", "branch target"},
    {"a branch back to one forward", "jmp 1b", "jmp 2f", ".text", "branch target"},
    {"a call elsewhere", "call 1b", "call 2f", ".text", "branch target"},
    {"a branch into an instruction", "je 1b", "je 1b+1", ".text", "branch target"},
    {"a branch into a no-operation", "je 3f\n 3: .nops 9", "je 3f+1\n 3: .nops 9", ".text", "branch target"},
    {"a branch over a prefix, to none", "je 3f+1\n 3: lock incl (%rax)", "je 3f\n 3: lock incl (%rax)", ".text", "branch target"},
    {"a branch made a call", "jmp 1b", "call 1b", ".text", "instruction"},
    {"a loop of another kind", "loop 1b", "loope 1b", ".text", "instruction"},
    {"a prefix on a branch", "je 1b", ".byte 0x3e\n je 1b", ".text", "prefix of a branch"},
    {"a prefix on a jump", "jmp 1b", ".byte 0x2e\n jmp 1b", ".text", "prefix of a branch"},
    {"notrack", "jmp *%rax", "notrack jmp *%rax", ".text", "prefix"},
    {"a prefix on an indirect call", "call *%rax", ".byte 0x2e\n call *%rax", ".text", "prefix"},
    {"a prefix on a return", "ret", ".byte 0x2e\n ret", ".text", "prefix"},
    {"a prefix on endbr64", "endbr64", ".byte 0x2e\n endbr64", ".text", "prefix"},
    {"a prefix on loop", "loop 1b", ".byte 0x2e\n loop 1b", ".text", "instruction"},
    {"a prefix that is no segment's", "mov %eax, %ecx", "data16 mov %eax, %ecx", ".text", "prefix"},
    {"a repeat prefix", "movsb", "rep movsb", ".text", "prefix"},
    {"a lock prefix", "incl (%rax)", "lock incl (%rax)", ".text", "prefix"},
    {"a segment that matters", "mov (%rax), %ecx", "mov %fs:(%rax), %ecx", ".text", "prefix"},
    {"another segment that matters", "mov %gs:(%rax), %ecx", "mov %fs:(%rax), %ecx", ".text", "instruction"},
    {"a prefix in a TLS instruction", "lea v@tlsgd(%rip), %rdi", ".byte 0x2e\n lea v@tlsgd(%rip), %rdi", ".text", "prefix"},
    {"padding in a TLS sequence", "lea v@tlsgd(%rip), %rdi\n call __tls_get_addr@PLT",
     "lea v@tlsgd(%rip), %rdi\n nop\n call __tls_get_addr@PLT", ".text", "no-operation"},
    {"padding in an interrupt shadow", "sti\n hlt", "sti\n nop\n hlt", ".text", "no-operation"},
    {"padding behind a load of ss", "mov %eax, %ss\n mov %ecx, %esp", "mov %eax, %ss\n nop\n mov %ecx, %esp", ".text", "no-operation"},
    {"padding left out of an interrupt shadow", "sti\n nop\n hlt", "sti\n hlt", ".text", "no-operation"},
    {"padding between a prefix and its instruction", "rep ret", "rep\n nop\n ret", ".text", "instruction"},
    {"a no-operation that is none", "nop", "pause", ".text", "instruction"},
    {"a no-operation in 32-bit code alone", "", "mov %eax, %eax", ".text", "instruction"},
    {"a jump over an instruction", "", "jmp 3f\n inc %eax\n 3:", ".text", "instruction"},
    {"a jump over little padding", "", "jmp 3f\n .nops 30\n 3:", ".text", "instruction"},
    {"data that is no code", ".byte 0x06", ".byte 0x07", ".text", "data in code"},
    {"data that says so", ".type k, @object\n .size k, 2\nk: .byte 0x90, 0x90", ".type k, @object\n .size k, 2\nk: .byte 0x90, 0x66",
     ".text", "data in code"},
    {"a rip-relative operand", "lea 1b(%rip), %rax", "lea f(%rip), %rax", ".text", "relocation on one side"},
    {"a local rip-relative operand", "lea 1b(%rip), %rax", "lea 2f(%rip), %rax", ".text", "target of a rip-relative operand"},
    {"another symbol", "call h@PLT", "call i@PLT", ".text", "symbol or addend"},
    {"another relocation type", "call *h@GOTPCREL(%rip)", "call *h(%rip)", ".text", "relocation type"},
    {"another addend", "mov h+4(%rip), %eax", "mov h+8(%rip), %eax", ".text", "symbol or addend"},
    {"another addend into code", "mov $1b, %eax", "mov $2f, %eax", ".text", "symbol or addend"},
    {"another addend to a symbol of code", "lea f+5(%rip), %rax", "lea f+6(%rip), %rax", ".text", "symbol or addend"},
    {"a relocation more", "mov h(%rip), %eax", "mov 0(%rip), %eax", ".text", "relocation on one side"},
    {"a symbol that is a value", "mov $h, %eax", "mov $0, %eax", ".text", "relocation on one side"},
    {"a difference of labels", "push $2f-1b", "push $2f-f", ".text", "immediate"},
};

static void changes_of_code_are_refused(void **state)
{
    (void)state;
    char plain_text[2048], padded_text[2048];
    for (size_t n = 0; n < sizeof in_code / sizeof *in_code; n++) {
        const struct refusal *refusal = &in_code[n];
        print_message("%s\n", refusal->name);
        snprintf(plain_text, sizeof plain_text, code_frame, refusal->plain);
        snprintf(padded_text, sizeof padded_text, code_frame, refusal->padded);
        struct bytes plain = assemble("", plain_text), padded = assemble("", padded_text);
        assert_proved(plain, plain);
        assert_refused(plain, padded, refusal->section, refusal->what);
        struct jcc_elf_proof proof;
        assert_int_equal(prove_bytes(padded, plain, false, &proof), JCC_ERROR_DIFFERENT);
        free(plain.data);
        free(padded.data);
    }
}

static void a_redundant_prefix_may_be_added_but_not_taken_away(void **state)
{
    (void)state;
    struct bytes plain = assemble("", "mov %eax, %ecx\n"), padded = assemble("", ".byte 0x2e, 0x2e\n mov %eax, %ecx\n");
    assert_proved(plain, padded);
    assert_refused(padded, plain, ".text", "instruction");
    free(plain.data);
    free(padded.data);
}

// Beside code that has moved by a pad: what else says where code is.
static const char rest_frame[] = "  .text\n"
                                 "f: mov 8(%%rsp), %%rcx\n"
                                 "%s\n"
                                 "1: cmp %%rcx, %%rdx\n"
                                 "  je 2f\n"
                                 "  ret\n"
                                 "2: call h\n"
                                 "3: ret\n"
                                 "%s\n";

static const struct refusal elsewhere[] = {
    {"another byte of data", ".data\n .byte 5", ".data\n .byte 6", ".data", "bytes"},
    {"more data", ".data\n .byte 5", ".data\n .byte 5, 0", ".data", "bytes"},
    {"more bss", ".bss\n .zero 5", ".bss\n .zero 6", ".bss", "bytes"},
    {"a pointer elsewhere", ".data\n .quad 1b", ".data\n .quad 2b", ".data", "addend"},
    {"a pointer at another place", ".data\n .quad 1b, 0", ".data\n .quad 0, 1b", ".data", "place of a relocation"},
    {"a pointer less", ".data\n .quad 1b", ".data\n .quad 0", ".data", "number of relocations"},
    {"a pointer of another kind", ".data\n .long h, 0", ".data\n .long h-., 0", ".data", "relocation type"},
    {"a pointer to another symbol", ".data\n .quad h", ".data\n .quad i", ".data", "symbol of a relocation"},
    {"a pointer into data", ".data\n .quad .rodata", ".data\n .quad .rodata+1", ".data", "addend"},
    {"a table's entry", ".section .rodata\nt: .long 1b-t, 2b-t, 3b-t\n .data\n .quad t",
     ".section .rodata\nt: .long 1b-t, 3b-t, 3b-t\n .data\n .quad t", ".rodata", "difference of labels"},
    {"a table's label", ".section .rodata\nt: .long 1b-t, 2b-t, 3b-t\n .data\n .quad t",
     ".section .rodata\n t: .long 1b-t, 2b-t-4, 3b-t\n .data\n .quad t", ".rodata", "difference of labels"},
    {"a place less itself", ".section .rodata\n .long 1b-., 2b-.", ".section .rodata\n .long 1b-., 3b-.", ".rodata",
     "difference of labels"},
    {"a symbol's place", ".globl s\n .set s, 1b", ".globl s\n .set s, 2b", ".text", "place of symbol s"},
    {"a function's place", ".type s, @function\n .set s, 1b", ".type s, @function\n .set s, 2b", ".text", "place of symbol s"},
    {"a symbol's size", ".set s, 1b\n .size s, 2b-1b", ".set s, 1b\n .size s, 3b-1b", ".text", "size of symbol s"},
    {"a size in bytes", ".set s, f\n .size s, 9", ".set s, f\n .size s, 9", ".text", "size of symbol s"},
    {"a symbol's binding", ".set s, 1b", ".globl s\n .set s, 1b", ".text", "of symbol s"},
    {"a weak symbol", ".globl s\n .set s, 1b", ".weak s\n .set s, 1b", ".text", "of symbol s"},
    {"a symbol's type", ".globl s\n .set s, 1b", ".globl s\n .type s, @function\n .set s, 1b", ".text", "of symbol s"},
    {"a symbol's visibility", ".globl s\n .set s, 1b", ".globl s\n .hidden s\n .set s, 1b", ".text", "of symbol s"},
    {"a symbol less", ".globl s\n .set s, 1b", "", ".text", "of symbol s"},
    {"a symbol more", "", ".globl s\n .set s, 1b", ".text", "of symbol s"},
    {"a symbol in another section", ".data\n .globl s\n s: .bss", ".data\n .bss\n .globl s\n s:", ".data", "of symbol s"},
    {"a symbol's value", ".globl s\n .set s, 5", ".globl s\n .set s, 6", "", "value of symbol s"},
    {"a common symbol's size", ".comm s, 5, 4", ".comm s, 6, 4", "", "size of symbol s"},
    {"a common symbol's alignment", ".comm s, 5, 4", ".comm s, 5, 8", "", "value of symbol s"},
    {"a data symbol's place", ".data\n s: .long 0", ".data\n .long 0\n s:", ".data", "place of symbol s"},
    {"a section less", ".section x\n .long 1", "", "x", "section on one side"},
    {"a section of another name", ".section x\n .long 1", ".section y\n .long 1", "x", "section name"},
    {"sections in another order", ".section x\n .section y", ".section y\n .section x", "x", "section name or order"},
    {"a section of other flags", ".section x,\"a\"", ".section x,\"aw\"", "x", "section flags"},
    {"a section of another type", ".section x,\"a\"", ".section x,\"a\",@note", "x", "section type"},
    {"a section of another entry size", ".section x,\"aM\",@progbits,4", ".section x,\"aM\",@progbits,8", "x", "section entry size"},
    {"data aligned otherwise", ".data\n .p2align 3", ".data\n .p2align 4", ".data", "section alignment"},
    {"code aligned less", ".section x,\"ax\"\n .p2align 3", ".section x,\"ax\"\n .p2align 2", "x", "section alignment"},
    {"a section of another group", ".section x,\"aG\",@progbits,s,comdat", ".section x,\"aG\",@progbits,t,comdat", ".group",
     "section group"},
    {"a section of no group", ".section x,\"aG\",@progbits,s,comdat", ".section x,\"a\"", ".group", "section name"},
    {"a group of another kind", ".section x,\"aG\",@progbits,s,comdat", ".section x,\"aG\",@progbits,s", ".group",
     "flags of a section group"},
    {"an order of sections", ".section x,\"ao\",@progbits,.text", ".section x,\"ao\",@progbits,.data", "x", "ordered by"},
};

static void changes_of_anything_else_are_refused_although_code_has_moved(void **state)
{
    (void)state;
    char plain_text[2048], padded_text[2048];
    for (size_t n = 0; n < sizeof elsewhere / sizeof *elsewhere; n++) {
        const struct refusal *refusal = &elsewhere[n];
        print_message("%s\n", refusal->name);
        snprintf(plain_text, sizeof plain_text, rest_frame, "", refusal->plain);
        snprintf(padded_text, sizeof padded_text, rest_frame, ".nops 3", refusal->padded);
        struct bytes plain = assemble("", plain_text), padded = assemble("", padded_text);
        assert_refused(plain, padded, refusal->section, refusal->what);
        if (strcmp(refusal->plain, refusal->padded) != 0) {
            snprintf(padded_text, sizeof padded_text, rest_frame, ".nops 3", refusal->plain);
            struct bytes moved = assemble("", padded_text);
            assert_proved(plain, moved);
            free(moved.data);
        }
        free(plain.data);
        free(padded.data);
    }
}

// ---- call frames

static const char frames_frame[] = "  .text\n"
                                   "f: .cfi_startproc\n"
                                   "  push %%rbx\n"
                                   "%s\n"
                                   "  mov %%eax, %%ecx\n"
                                   "%s\n"
                                   "  pop %%rbx\n"
                                   "  .cfi_def_cfa_offset 8\n"
                                   "%s\n"
                                   "  ret\n"
                                   "  .cfi_endproc\n"
                                   "  nop\n"
                                   "g: ret\n";

struct frame_change {
    const char *name;
    const char *plain[3];
    const char *padded[3];
    const char *what; // NULL: the same
};

static const struct frame_change in_frames[] = {
    {"a pad behind an instruction's frame", {".cfi_adjust_cfa_offset 8", "", ""}, {".cfi_adjust_cfa_offset 8\n nop", "", ""}, NULL},
    {"a pad before it", {".cfi_adjust_cfa_offset 8", "", ""}, {"nop\n .cfi_adjust_cfa_offset 8", "", ""}, "call frame instructions"},
    {"another offset", {".cfi_adjust_cfa_offset 8", "", ""}, {".cfi_adjust_cfa_offset 16\n nop", "", ""}, "call frame instructions"},
    {"another register", {".cfi_offset 3, -16", "", ""}, {".cfi_offset 6, -16\n nop", "", ""}, "call frame instructions"},
    {"an instruction too late", {".cfi_adjust_cfa_offset 8", "", ""}, {"nop", ".cfi_adjust_cfa_offset 8", ""}, "call frame instructions"},
    {"one less", {".cfi_adjust_cfa_offset 8", "", ""}, {"nop", "", ""}, "call frame instructions"},
    {"one more", {"", "", ""}, {"nop", "", ".cfi_remember_state"}, "call frame instructions"},
    {"the function's end",
     {"", "", "ret\n .cfi_endproc\n .cfi_startproc"},
     {"nop", "", ".cfi_endproc\n .cfi_startproc\n ret"},
     "end of a call frame"},
    {"the function's begin",
     {"", "", "ret\n .cfi_endproc\n inc %eax\n .cfi_startproc"},
     {"nop", "", "ret\n .cfi_endproc\n .cfi_startproc\n inc %eax"},
     "function of a call frame"},
    {"a frame less", {"", "", "ret\n .cfi_endproc\n .cfi_startproc"}, {"nop", "", "ret"}, "end of a call frame"},
    {"a personality", {".cfi_personality 3, h", "", ""}, {".cfi_personality 3, i\n nop", "", ""}, "personality"},
    {"what frames have in common", {".cfi_personality 3, h", "", ""}, {"nop", "", ""}, "in common"},
    {"a signal frame", {".cfi_signal_frame", "", ""}, {"nop", "", ""}, "in common"},
    {"a return column", {".cfi_return_column 16", "", ""}, {".cfi_return_column 17\n nop", "", ""}, "in common"},
    {"an expression", {".cfi_escape 0x0f, 2, 0x77, 8", "", ""}, {".cfi_escape 0x0f, 2, 0x77, 16\n nop", "", ""}, "call frame instructions"},
};

static void changes_of_call_frames_are_refused(void **state)
{
    (void)state;
    char plain_text[2048], padded_text[2048];
    for (size_t n = 0; n < sizeof in_frames / sizeof *in_frames; n++) {
        const struct frame_change *change = &in_frames[n];
        print_message("%s\n", change->name);
        snprintf(plain_text, sizeof plain_text, frames_frame, change->plain[0], change->plain[1], change->plain[2]);
        snprintf(padded_text, sizeof padded_text, frames_frame, change->padded[0], change->padded[1], change->padded[2]);
        struct bytes plain = assemble("", plain_text), padded = assemble("", padded_text);
        if (change->what)
            assert_refused(plain, padded, ".eh_frame", change->what);
        else
            assert_proved(plain, padded);
        free(plain.data);
        free(padded.data);
    }
}

// ---- exception tables

// One function whose table has two call sites, two types and a list. %1$s: a pad before its last call; the rest: fields of the table.
static const char table_frame[] = "  .text\n"
                                  "f: .cfi_startproc\n"
                                  "  .cfi_personality 3, p\n"
                                  "  .cfi_lsda 3, table\n"
                                  ".La: call h\n"
                                  ".Lb: mov %%eax, %%ecx\n"
                                  "  .rept 57\n"
                                  "  mov %%eax, %%ecx\n"
                                  "  .endr\n"
                                  "%s\n"
                                  ".Lc: call h\n"
                                  ".Ld: ret\n"
                                  ".Lpad: inc %%eax\n"
                                  "  ret\n"
                                  ".Lpad2: ret\n"
                                  "  .cfi_endproc\n"
                                  "  .section .gcc_except_table,\"a\",@progbits\n"
                                  "  .p2align 2\n"
                                  "table: .byte 0xff, 3\n"
                                  "  .uleb128 9f-8f\n"
                                  "8: .byte 1\n"
                                  "  .uleb128 7f-6f\n"
                                  "6: .uleb128 .La-f\n"
                                  "  .uleb128 .Lb-.La\n"
                                  "  .uleb128 %s-f\n"
                                  "  .uleb128 3\n"
                                  "  .uleb128 %s-f\n"
                                  "  .uleb128 %s-.Lc\n"
                                  "  .uleb128 %s\n"
                                  "  .uleb128 %s\n"
                                  "7: .byte %s\n"
                                  "  .p2align 2\n"
                                  "  .long %s\n"
                                  "  .long %s\n"
                                  "9: .byte %s\n"
                                  "  .p2align 2\n";

enum { PAD, SITE_PAD, BEGIN, END, PAD2, ACTION, ACTIONS, TYPE_2, TYPE_1, LIST, FIELDS };
typedef const char *table_fields[FIELDS];

static struct bytes table_object(const table_fields fields)
{
    static const table_fields usual = {"", ".Lpad", ".Lc", ".Ld", ".Lpad2-f", "5", "1, 0, 2, 125, 127, 0", "t2", "t1", "2, 0"};
    const char *with[FIELDS];
    char text[4096];
    for (size_t n = 0; n < FIELDS; n++)
        with[n] = fields[n] ? fields[n] : usual[n];
    snprintf(text, sizeof text, table_frame, with[0], with[1], with[2], with[3], with[4], with[5], with[6], with[7], with[8], with[9]);
    return assemble("", text);
}

static void a_moved_exception_table_is_the_same(void **state)
{
    (void)state;
    // The second call is 121 and 128 bytes from the function's start: numbers in the table grow, and what follows them moves.
    struct bytes plain = table_object((table_fields){0}), padded = table_object((table_fields){".nops 7"});
    struct jcc_elf_proof proof;
    assert_true(section_called(plain, ".gcc_except_table")->sh_size != section_called(padded, ".gcc_except_table")->sh_size);
    assert_int_equal(prove_bytes(plain, padded, false, &proof), JCC_OK);
    assert_int_equal(proof.sections_remapped, 2);
    assert_int_equal(proof.sections_open, 0);
    free(plain.data);
    free(padded.data);
}

static void changes_of_exception_tables_are_refused(void **state)
{
    (void)state;
    static const struct {
        table_fields fields;
        const char *what;
    } tables[] = {
        {{[SITE_PAD] = ".Lpad2"}, "landing pad"},
        {{[SITE_PAD] = "f"}, "landing pad"},
        {{[PAD2] = "0"}, "landing pad"},
        {{[PAD2] = ".Lpad2-f-1"}, "landing pad"},
        {{[BEGIN] = ".Lb"}, "range of a call site"},
        {{[BEGIN] = ".Lc+1"}, "range of a call site"},
        {{[END] = ".Lpad"}, "range of a call site"},
        {{[ACTION] = "3"}, "action of a call site"},
        {{[ACTION] = "0"}, "action of a call site"},
        {{[ACTIONS] = "2, 0, 2, 125, 127, 0"}, "action of an exception table"},
        {{[ACTIONS] = "1, 0, 1, 125, 127, 0"}, "action of an exception table"},
        {{[ACTIONS] = "1, 0, 2, 0, 127, 0"}, "action of an exception table"},
        {{[TYPE_1] = "t3"}, "type that an exception table names"},
        {{[TYPE_2] = "t1"}, "type that an exception table names"},
        {{[TYPE_2] = "0"}, "exception table"},
        {{[TYPE_1] = "t1+4"}, "type that an exception table names"},
        {{[LIST] = "1, 0"}, "list of types"},
        {{[LIST] = "2, 1, 0"}, "list of types"},
    };
    struct bytes plain = table_object((table_fields){0});
    for (size_t n = 0; n < sizeof tables / sizeof *tables; n++) {
        table_fields fields;
        memcpy(fields, tables[n].fields, sizeof fields);
        fields[PAD] = ".nops 3";
        struct bytes padded = table_object(fields);
        print_message("%s\n", tables[n].what);
        assert_refused(plain, padded, ".gcc_except_table", tables[n].what);
        free(padded.data);
    }
    free(plain.data);
}

static void a_table_that_stayed_while_its_code_moved_is_refused(void **state)
{
    (void)state;
    struct bytes plain = table_object((table_fields){".nops 20"}), padded = table_object((table_fields){".nops 21"});
    size_t size = section_called(plain, ".gcc_except_table")->sh_size;
    assert_int_equal(size, section_called(padded, ".gcc_except_table")->sh_size);
    assert_proved(plain, padded);
    memcpy(section_data(padded, ".gcc_except_table"), section_data(plain, ".gcc_except_table"), size);
    assert_refused(plain, padded, ".gcc_except_table", "");
    free(plain.data);
    free(padded.data);
}

static void a_table_in_an_unknown_form_is_for_the_caller_to_know(void **state)
{
    (void)state;
    // Cyclic actions are followed once; a chain that leads outside is no table.
    struct bytes plain = table_object((table_fields){[ACTIONS] = "1, 0, 2, 126, 127, 0"});
    struct bytes padded = table_object((table_fields){".nops 3", [ACTIONS] = "1, 0, 2, 126, 127, 0"});
    struct jcc_elf_proof proof;
    assert_int_equal(prove_bytes(plain, padded, true, &proof), JCC_OK);
    free(plain.data);
    free(padded.data);
    plain = table_object((table_fields){[ACTIONS] = "1, 0, 2, 60, 127, 0"});
    padded = table_object((table_fields){".nops 3", [ACTIONS] = "1, 0, 2, 60, 127, 0"});
    assert_int_equal(prove_bytes(plain, padded, true, &proof), JCC_OK);
    assert_int_equal(proof.sections_open, 1);
    assert_refused(plain, padded, ".gcc_except_table", "form that is not known");
    free(plain.data);
    free(padded.data);
}

static void tables_that_share_all_their_lists_cost_no_more_than_one(void **state)
{
    (void)state;
    // 20,000 actions in a chain, each with a list that runs on through all others': 400 million entries, if each is read anew.
    const table_fields fields = {[PAD] = ".nops 7",
                                 [ACTION] = "1",
                                 [ACTIONS] = "1, 0\n"
                                             "  .set k, 1\n"
                                             "  .rept 20000\n"
                                             "  .sleb128 -k\n"
                                             "  .byte 1\n"
                                             "  .set k, k+1\n"
                                             "  .endr\n"
                                             "  .byte 1, 0",
                                 [LIST] = "1\n  .fill 40000, 1, 1\n  .byte 0"};
    table_fields unmoved;
    memcpy(unmoved, fields, sizeof unmoved);
    unmoved[PAD] = "";
    struct bytes plain = table_object(unmoved), padded = table_object(fields);
    clock_t start = clock();
    assert_proved(plain, padded);
    assert_true(clock() - start < CLOCKS_PER_SEC);
    free(plain.data);
    free(padded.data);
}

// ---- landing marks

static void padding_before_a_landing_mark_that_is_come_to_by_address_is_refused(void **state)
{
    (void)state;
    static const char text[] = "f: ret\n  .type g, @function\n%s\n  .quad %s\n";
    static const struct {
        const char *plain, *padded, *pointer;
        enum jcc_status status;
    } cases[] = {
        {"g: endbr64\n jmp f", "g: nop\n endbr64\n jmp f", "f", JCC_ERROR_DIFFERENT},
        {"g: endbr64\n jmp f", "nop\ng: endbr64\n jmp f", "g", JCC_OK},
        {"1: endbr64\n jmp f", "1: nop\n endbr64\n jmp f", "1b", JCC_ERROR_DIFFERENT},
        {"1: endbr64\n jmp 1b", "1: nop\n endbr64\n jmp 1b", "f", JCC_OK}, // a direct branch needs no mark
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char plain_text[512], padded_text[512];
        snprintf(plain_text, sizeof plain_text, text, cases[n].plain, cases[n].pointer);
        snprintf(padded_text, sizeof padded_text, text, cases[n].padded, cases[n].pointer);
        struct bytes plain = assemble("", plain_text), padded = assemble("", padded_text);
        struct jcc_elf_proof proof;
        assert_int_equal(prove_bytes(plain, padded, false, &proof), cases[n].status);
        free(plain.data);
        free(padded.data);
    }
}

static void other_files_and_wrong_arguments_are_refused(void **state)
{
    (void)state;
    struct bytes object = assemble("", "ret\n"), narrow = assemble("--x32", "ret\n"), older = assemble("--32", "ret\n");
    jcc_elf *a = open_bytes(object), *b = open_bytes(narrow), *c = open_bytes(older), *program = NULL;
    struct jcc_elf_proof proof = {.size = sizeof proof};
    assert_int_equal(jcc_elf_prove(a, b, NULL, NULL, NULL, &proof), JCC_ERROR_DIFFERENT);
    assert_int_equal(jcc_elf_prove(b, c, NULL, NULL, NULL, &proof), JCC_ERROR_DIFFERENT);
    assert_non_null(strstr(proof.difference.what, "machine"));
    assert_int_equal(jcc_elf_open("/proc/self/exe", &program), JCC_OK);
    assert_int_equal(jcc_elf_prove(program, program, NULL, NULL, NULL, &proof), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_elf_prove(NULL, a, NULL, NULL, NULL, &proof), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_elf_prove(a, NULL, NULL, NULL, NULL, &proof), JCC_ERROR_ARGUMENT);
    proof.size = sizeof proof - 1;
    assert_int_equal(jcc_elf_prove(a, a, NULL, NULL, NULL, &proof), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_elf_prove(a, a, NULL, NULL, NULL, NULL), JCC_OK);
    jcc_elf_close(a);
    jcc_elf_close(b);
    jcc_elf_close(c);
    jcc_elf_close(program);
    free(object.data);
    free(narrow.data);
    free(older.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_of_code_are_refused),
        cmocka_unit_test(a_redundant_prefix_may_be_added_but_not_taken_away),
        cmocka_unit_test(changes_of_anything_else_are_refused_although_code_has_moved),
        cmocka_unit_test(changes_of_call_frames_are_refused),
        cmocka_unit_test(a_moved_exception_table_is_the_same),
        cmocka_unit_test(changes_of_exception_tables_are_refused),
        cmocka_unit_test(a_table_that_stayed_while_its_code_moved_is_refused),
        cmocka_unit_test(a_table_in_an_unknown_form_is_for_the_caller_to_know),
        cmocka_unit_test(tables_that_share_all_their_lists_cost_no_more_than_one),
        cmocka_unit_test(padding_before_a_landing_mark_that_is_come_to_by_address_is_refused),
        cmocka_unit_test(other_files_and_wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
