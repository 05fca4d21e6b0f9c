// SPDX-License-Identifier: MIT
/* transform_prelude.c: write the text in front of the kernels: a function for each expression, the results, and their
 * destinations. */
#include <stdio.h>
#include <string.h>

#include "expression.h"
#include "input_packets.h"
#include "operator.h"
#include "plan_table.h"
#include "transform_internal.h"

typedef clprim_transform_desc description;

enum { MAX_OUTPUTS = CLPRIM_TRANSFORM_MAX_OUTPUTS };

clprim_element clprim__transform_output(const clprim_transform_desc *desc, size_t k)
{
    return k > 0 && desc->expressions[k] == NULL
               ? clprim__no_element()
               : clprim__element_of(desc->types[k], CLPRIM_I32, desc->type_names[k], desc->type_sizes[k]);
}

/* OpenCL has no bool in memory: its elements are bytes of 0 and 1. */
static bool is_bool(const description *desc, size_t k)
{
    return desc->type_names[k] != NULL && strcmp(desc->type_names[k], "bool") == 0;
}

/* The type in memory; NULL for the caller's own type. */
static const char *storage_of(const description *desc, size_t k)
{
    return is_bool(desc, k)              ? "uchar"
           : desc->type_names[k] != NULL ? NULL
                                         : clprim__type_storage(clprim__transform_output(desc, k).type);
}

static const char *expression_of(const description *desc, size_t k)
{
    return desc->expressions[k] != NULL ? desc->expressions[k] : "i";
}

/* Write the k-th output's type and the function of its expression. */
static void write_output(clprim__prelude *prelude, const description *desc, size_t k)
{
    const clprim_type type = clprim__transform_output(desc, k).type;
    const char *storage = storage_of(desc, k);
    char type_name[64];
    char name[64];
    char member[64];
    (void)snprintf(member, sizeof member, "type_names_%zu", k);
    (void)snprintf(type_name, sizeof type_name, "clprim__output_type_%zu", k);
    (void)snprintf(name, sizeof name, "expressions_%zu", k);
    if (storage == NULL)
        clprim__prelude_type_as(prelude, type_name, member, desc->type_names[k], desc->type_sizes[k]);
    else
        clprim__text_format(&prelude->own, "typedef %s %s;\n", storage, type_name);
    clprim__prelude_expression(prelude, &(clprim__expression){.name = name,
                                                              .type = storage == NULL      ? type_name
                                                                      : is_bool(desc, k)   ? "bool"
                                                                      : type == CLPRIM_F16 ? "float"
                                                                                           : storage,
                                                              .operands = {{"ulong", "i"}},
                                                              .text = expression_of(desc, k)});
}

/* Write where results go, and which of them are stored. */
static void write_out_index(clprim__prelude *prelude, const description *desc)
{
    if (desc->out_index != NULL)
        clprim__prelude_expression(
            prelude, &(clprim__expression){
                         .name = "out_index", .type = "ulong", .operands = {{"ulong", "i"}}, .text = desc->out_index});
}

size_t clprim__transform_write_packets(clprim__prelude *prelude, const description *desc, size_t num_outputs)
{
    const char *const sources[2] = {desc->text.source, NULL};
    clprim__packed values[MAX_OUTPUTS];
    const char *storage[MAX_OUTPUTS];
    char names[MAX_OUTPUTS][48];
    clprim__text *text = &prelude->own;
    size_t smallest = 4, widest = 1;
    for (size_t k = 0; k < num_outputs; k++) {
        const clprim_element out = clprim__transform_output(desc, k);
        storage[k] = storage_of(desc, k);
        if (storage[k] == NULL || out.size == 0)
            return 1;
        (void)snprintf(names[k], sizeof names[k], "expressions_%zu", k);
        values[k] = (clprim__packed){.text = expression_of(desc, k),
                                     .type = out.type,
                                     .own_type = is_bool(desc, k) ? "bool" : NULL,
                                     .name = names[k]};
        smallest = clprim__smaller(smallest, out.size);
        widest = out.size > widest ? out.size : widest;
    }
    if (smallest == 4)
        return 1;
    size_t pack = clprim__packets_write(prelude, values, num_outputs, widest, sources);
    const bool has_loads = pack > 0;
    if (!has_loads)
        pack = 4 / smallest;
    clprim__text_format(text, "#define HAS_PACKETS (%s", has_loads ? "input_is_packed()" : "true");
    for (size_t k = 0; k < num_outputs; k++)
        clprim__text_format(text, " && (uintptr_t)(clprim__out_%zu + args.clprim__out_%zu_offset) %% %zu == 0", k, k,
                            pack * clprim__transform_output(desc, k).size);
    clprim__text_format(text, ")\ntypedef struct {");
    for (size_t k = 0; k < num_outputs; k++)
        clprim__text_format(text, " %s%zu clprim__values_%zu;", storage[k], pack, k);
    clprim__text_format(text, " } packets;\n#define PACKETS_AT(l, i) ((packets){");
    for (size_t k = 0; k < num_outputs; k++) {
        clprim__text_format(text, "(%s%zu)(", storage[k], pack);
        for (size_t j = 0; j < pack; j++) {
            clprim__text_format(text, j > 0 ? ", " : "");
            if (has_loads)
                clprim__text_format(text, "STORED_%zu(PICK_expressions_%zu(l, %zu, (i) + %zu))", k, k, j, j);
            else
                clprim__text_format(text, "VALUE_%zu((i) + %zu)", k, j);
        }
        clprim__text_format(text, "), ");
    }
    clprim__text_format(text, "})\n#define STORE_PACKETS(x, i) do {");
    for (size_t k = 0; k < num_outputs; k++)
        clprim__text_format(
            text, " *(__global %s%zu *)(clprim__out_%zu + args.clprim__out_%zu_offset + (i)) = (x).clprim__values_%zu;",
            storage[k], pack, k, k, k);
    clprim__text_format(text, " } while (0)\n");
    return pack;
}

clprim_status clprim__transform_write_prelude(clprim__prelude *prelude, const description *desc, size_t num_outputs,
                                              const clprim_device_info *info)
{
    clprim__text *text = &prelude->own;
    clprim__prelude_begin(prelude, info);
    const clprim_status status = clprim__text_write(prelude, &desc->text, info);
    if (status != CLPRIM_SUCCESS)
        return status;
    for (size_t k = 0; k < num_outputs; k++)
        write_output(prelude, desc, k);
    write_out_index(prelude, desc);
    clprim__text_format(text, "typedef struct {%s", desc->out_index != NULL ? " ulong clprim__place;" : "");
    for (size_t k = 0; k < num_outputs; k++)
        clprim__text_format(text, " clprim__output_type_%zu clprim__value_%zu;", k, k);
    clprim__text_format(text, " } results;\n");
    for (size_t k = 0; k < num_outputs; k++)
        clprim__text_format(text,
                            "#define STORED_%zu(x) %s(x)\n"
                            "#define VALUE_%zu(i) STORED_%zu(clprim__callers_expressions_%zu(i))\n",
                            k, clprim__transform_output(desc, k).type == CLPRIM_F16 ? "half_from_float" : "", k, k, k);
    clprim__text_format(text, "#define RESULTS_AT(i) ((results){%s",
                        desc->out_index != NULL ? "clprim__callers_out_index(i), " : "");
    for (size_t k = 0; k < num_outputs; k++)
        clprim__text_format(text, "VALUE_%zu(i), ", k);
    clprim__text_format(text, "})\n#define OUTPUT_BUFFERS(BUFFER)");
    for (size_t k = 0; k < num_outputs; k++)
        clprim__text_format(text, " BUFFER(__global clprim__output_type_%zu, clprim__out_%zu)", k, k);
    clprim__text_format(text, "\n#define STORE(x, i) do { const ulong clprim__at = %s",
                        desc->out_index != NULL ? "(x).clprim__place; if (clprim__at < args.out_length) {" : "(i); {");
    for (size_t k = 0; k < num_outputs; k++)
        clprim__text_format(text, " clprim__out_%zu[args.clprim__out_%zu_offset + clprim__at] = (x).clprim__value_%zu;",
                            k, k, k);
    clprim__text_format(text, " } } while (0)\n");
    return clprim__prelude_status(prelude);
}
