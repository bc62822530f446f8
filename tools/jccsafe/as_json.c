// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "as.h"
#include "output.h"

#if JCCSAFE_HAVE_JANSSON
#include <jansson.h>

bool as_has_json(void)
{
    return true;
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

// A name of the source, which may be no UTF-8: then it is left out.
static json_t *string(const char *value)
{
    json_t *made = value != NULL ? json_string(value) : NULL;
    return made != NULL ? made : json_null();
}

static json_t *json_of_pad(const struct jcc_pad *pad)
{
    json_t *object = json_object();
    json_object_set_new(object, "file", string(pad->file));
    json_object_set_new(object, "line", pad->line != 0 ? number(pad->line) : json_null());
    json_object_set_new(object, "function", string(pad->function));
    json_object_set_new(object, "section", string(pad->section));
    json_object_set_new(object, "offset", number(pad->offset));
    json_object_set_new(object, "bytes", number(pad->bytes));
    json_object_set_new(object, "type", string(pad->type == JCC_PAD_PREFIX ? "prefix" : "nop"));
    json_object_set_new(object, "executed", json_boolean(pad->executed));
    json_object_set_new(object, "unit", pad->unit != JCC_KIND_NONE ? string(jcc_kind_name(pad->unit)) : json_null());
    json_object_set_new(object, "unit_offset", pad->unit != JCC_KIND_NONE ? number(pad->unit_offset) : json_null());
    return object;
}

static json_t *json_of_residual(const struct jcc_residual_unit *unit)
{
    json_t *object = json_object();
    json_object_set_new(object, "file", string(unit->file));
    json_object_set_new(object, "line", unit->line != 0 ? number(unit->line) : json_null());
    json_object_set_new(object, "section", string(unit->section));
    json_object_set_new(object, "offset", number(unit->offset));
    json_object_set_new(object, "unit", string(jcc_kind_name(unit->kind)));
    json_object_set_new(object, "reason", string(jcc_residual_name(unit->reason)));
    return object;
}

static json_t *json_of_totals(const struct jcc_assemble_totals *t)
{
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {
        {"units", t->units},
        {"affected_plain", t->affected_plain},
        {"affected", t->affected},
        {"code_bytes_plain", t->code_bytes_plain},
        {"code_bytes", t->code_bytes},
        {"pads", t->pads},
        {"pad_bytes", t->pad_bytes},
        {"prefix_bytes", t->prefix_bytes},
        {"proved", t->proved_instructions},
        {"held", t->held_instructions},
        {"passes", t->llvm_passes},
        {"rounds", t->rounds},
    };
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        json_object_set_new(object, numbers[i].name, number(numbers[i].value));
    json_object_set_new(object, "engine", string(t->engine == JCC_ENGINE_LLVM ? "llvm" : "plan"));
    json_object_set_new(object, "flattened", json_boolean(t->flattened));
    return object;
}

bool as_print_json(const char *name, const struct jcc_assemble_result *result)
{
    json_t *pads = json_array(), *residuals = json_array(), *report = json_object();
    for (size_t i = 0; i < result->pad_count; i++)
        json_array_append_new(pads, json_of_pad(&result->pads[i]));
    for (size_t i = 0; i < result->residual_count; i++)
        json_array_append_new(residuals, json_of_residual(&result->residuals[i]));
    json_object_set_new(report, "file", string(name));
    json_object_set_new(report, "totals", json_of_totals(&result->totals));
    json_object_set_new(report, "pads", pads);
    json_object_set_new(report, "residuals", residuals);
    // Adding to what could not be made adds nothing: a count tells whether all is there.
    bool whole =
        json_array_size(pads) == result->pad_count && json_array_size(residuals) == result->residual_count && json_object_size(report) == 4;
    bool written = whole && json_dumpf(report, stdout, JSON_INDENT(1)) == 0 && putchar('\n') != EOF;
    json_decref(report);
    if (!written)
        message(name, "the report could not be written");
    return written;
}

#else

bool as_has_json(void)
{
    return false;
}

bool as_print_json(const char *name, const struct jcc_assemble_result *result)
{
    (void)result;
    message(name, "built without jansson");
    return false;
}

#endif
