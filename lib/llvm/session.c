// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "session.h"

#include "compat.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *const triples[JCC_TARGET_COUNT] = {
    [JCC_TARGET_X86_64] = "x86_64-pc-linux-gnu",
    [JCC_TARGET_I386] = "i386-pc-linux-gnu",
    [JCC_TARGET_X32] = "x86_64-pc-linux-gnux32",
};

static pthread_once_t targets_once = PTHREAD_ONCE_INIT;

static void register_targets(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
}

static LLVMTargetMachineRef make_machine(enum jcc_target target)
{
    LLVMTargetRef found;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triples[target], &found, &message)) {
        LLVMDisposeMessage(message);
        return NULL;
    }
    return LLVMCreateTargetMachine(found, triples[target], "", "", LLVMCodeGenLevelNone, LLVMRelocDefault, LLVMCodeModelDefault);
}

enum jcc_status jcc_session_check(void)
{
    if (pthread_once(&targets_once, register_targets))
        return JCC_ERROR_LLVM;
    LLVMTargetRef found;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triples[0], &found, &message)) {
        LLVMDisposeMessage(message);
        return JCC_ERROR_LLVM;
    }
    return LLVMTargetHasAsmBackend(found) ? JCC_OK : JCC_ERROR_LLVM;
}

void jcc_session_close(struct jcc_session *session)
{
    for (int k = 0; k < JCC_TARGET_COUNT; k++)
        if (session->machine[k])
            LLVMDisposeTargetMachine(session->machine[k]);
    *session = (struct jcc_session){0};
}

// LLVM's context handler. It gets a remark for each function too: those are not for the user.
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context)
{
    enum jcc_severity severity;
    switch (LLVMGetDiagInfoSeverity(info)) {
    case LLVMDSError: severity = JCC_SEVERITY_ERROR; break;
    case LLVMDSWarning: severity = JCC_SEVERITY_WARNING; break;
    case LLVMDSNote: severity = JCC_SEVERITY_NOTE; break;
    default: return;
    }
    char *description = LLVMGetDiagInfoDescription(info);
    jcc_diagnostics_add_llvm(context, severity, description);
    LLVMDisposeMessage(description);
}

enum jcc_status jcc_session_run(struct jcc_session *session, enum jcc_target target, enum jcc_pass pass, const char *text, size_t length,
                                struct jcc_diagnostics *diagnostics, LLVMMemoryBufferRef *buffer)
{
    *buffer = NULL;
    if (!session->machine[target])
        session->machine[target] = make_machine(target);
    if (!session->machine[target])
        return JCC_ERROR_LLVM;
    // Without a handler of our own LLVM prints the first error and calls exit.
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, diagnostics);
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("", context);
    LLVMSetTarget(module, triples[target]);
    LLVMSetSourceFileName(module, "", 0);
    if (session->dwarf_version)
        LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, "Dwarf Version", 13,
                          LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), session->dwarf_version, 0)));
    LLVMSetModuleInlineAsm2(module, text, length);

    size_t errors = diagnostics->errors;
    char *message = NULL;
    LLVMCodeGenFileType type = pass == JCC_PASS_TEXT ? LLVMAssemblyFile : LLVMObjectFile;
    LLVMBool failed = LLVMTargetMachineEmitToMemoryBuffer(session->machine[target], module, type, &message, buffer);
    enum jcc_status status = JCC_OK;
    if (failed) {
        jcc_diagnostics_add(diagnostics, JCC_SEVERITY_ERROR, NULL, 0, 0, message ? message : "LLVM could not emit");
        status = JCC_ERROR_LLVM;
        *buffer = NULL;
    } else if (diagnostics->errors != errors) {
        status = JCC_ERROR_SOURCE; // LLVM returns success and a buffer all the same
    }
    if (message)
        LLVMDisposeMessage(message);
    if (status && *buffer) {
        LLVMDisposeMemoryBuffer(*buffer);
        *buffer = NULL;
    }
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return diagnostics->failed ? JCC_ERROR_NO_MEMORY : status;
}

const char *jcc_llvm_version(void)
{
#if JCC_HAVE_LLVM_GET_VERSION
    // One buffer a thread: the function has no object to keep a string in.
    static _Thread_local char text[32];
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    snprintf(text, sizeof text, "%u.%u.%u", major, minor, patch);
    return text;
#else
    return JCC_LLVM_HEADER_VERSION;
#endif
}
