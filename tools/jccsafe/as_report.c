// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "as.h"
#include "output.h"
#include <inttypes.h>

size_t as_print_diagnostics(const struct jcc_assemble_result *result, enum as_warnings warnings, FILE *prints)
{
    static const enum paint paints[] = {
        [JCC_SEVERITY_ERROR] = PAINT_ERROR,
        [JCC_SEVERITY_WARNING] = PAINT_WARNING,
        [JCC_SEVERITY_NOTE] = PAINT_NOTE,
    };
    size_t errors = 0;
    for (size_t i = 0; i < result->diagnostic_count; i++) {
        const struct jcc_diagnostic *d = &result->diagnostics[i];
        enum jcc_severity severity = d->severity;
        if (severity == JCC_SEVERITY_PRINT) {
            print_escaped(prints, d->message);
            fputc('\n', prints);
            continue;
        }
        if (severity == JCC_SEVERITY_WARNING && warnings == AS_WARNINGS_FATAL)
            severity = JCC_SEVERITY_ERROR;
        if (severity != JCC_SEVERITY_ERROR && warnings == AS_WARNINGS_NONE)
            continue;
        diagnostic(d->file, d->line, d->column, paints[severity], d->message);
        errors += severity == JCC_SEVERITY_ERROR;
    }
    return errors;
}

static void print_totals(const char *name, const struct jcc_assemble_totals *totals)
{
    message(name,
            "report: units=%" PRIu64 " affected_plain=%" PRIu64 " affected=%" PRIu64 " code_bytes_plain=%" PRIu64 " code_bytes=%" PRIu64
            " pads=%" PRIu64 " pad_bytes=%" PRIu64 " prefix_bytes=%" PRIu64 " proved=%" PRIu64 " passes=%" PRIu32 " rounds=%" PRIu32
            " engine=%s flattened=%s held=%" PRIu64,
            totals->units, totals->affected_plain, totals->affected, totals->code_bytes_plain, totals->code_bytes, totals->pads,
            totals->pad_bytes, totals->prefix_bytes, totals->proved_instructions, totals->llvm_passes, totals->rounds,
            totals->engine == JCC_ENGINE_LLVM ? "llvm" : "plan", totals->flattened ? "yes" : "no", totals->held_instructions);
}

static void print_residual(const struct jcc_residual_unit *unit)
{
    char line[16] = "";
    if (unit->line != 0)
        snprintf(line, sizeof line, ":%" PRIu32, unit->line);
    message(NULL, "%s%s: residual: %s at %s+0x%" PRIx64 ": %s", unit->file, line, jcc_kind_name(unit->kind), unit->section, unit->offset,
            jcc_residual_name(unit->reason));
}

static void print_pad(const struct jcc_pad *pad)
{
    char line[16] = "", unit[64] = "";
    if (pad->line != 0)
        snprintf(line, sizeof line, ":%" PRIu32, pad->line);
    if (pad->unit != JCC_KIND_NONE)
        snprintf(unit, sizeof unit, " for %s at 0x%" PRIx64, jcc_kind_name(pad->unit), pad->unit_offset);
    message(NULL, "%s%s: pad: %" PRIu32 " bytes of %s at %s+0x%" PRIx64 "%s%s%s, %s%s", pad->file, line, pad->bytes,
            pad->type == JCC_PAD_PREFIX ? "prefixes" : "no-operation", pad->section, pad->offset, pad->function != NULL ? " (" : "",
            pad->function != NULL ? pad->function : "", pad->function != NULL ? ")" : "", pad->executed ? "executed" : "not executed",
            unit);
}

bool as_print_report(const char *name, const struct jcc_assemble_result *result, bool pads)
{
    for (size_t i = 0; pads && i < result->pad_count; i++)
        print_pad(&result->pads[i]);
    print_totals(name, &result->totals);
    for (size_t i = 0; i < result->residual_count; i++)
        print_residual(&result->residuals[i]);
    return !ferror(stderr); // nowhere is left to say so
}
