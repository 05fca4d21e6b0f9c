// SPDX-License-Identifier: MIT
/* operations.c: `clprim operations`: print what clprim_operations() returns. No device is needed. */
#include <clprim/operation.h>
#include <stdio.h>

#include "cli.h"
#include "json.h"

static const char *kind_name(clprim_member_kind kind)
{
    static const char *const names[] = {"type", "enum",      "bool",      "unsigned", "size",   "double", "text",
                                        "data", "custom_op", "parameter", "input",    "output", "uint64"};
    return names[kind];
}

static void print_enumerators(json *object, const clprim_enumerator *enumerators)
{
    json_key(object, "enumerators");
    for (const clprim_enumerator *one = enumerators; one->name != NULL; one++) {
        json row;
        printf("%s", one == enumerators ? "[" : ", ");
        json_begin(&row);
        json_member_text(&row, "name", one->name);
        json_member_count(&row, "value", (uint64_t)one->value);
        printf("}");
    }
    printf("]");
}

static void print_member(const clprim_member *member)
{
    json object;
    json_begin(&object);
    json_member_text(&object, "name", member->name);
    json_member_text(&object, "summary", member->summary);
    json_member_text(&object, "kind", kind_name(member->kind));
    json_member_count(&object, "place", member->place);
    json_member_count(&object, "size", member->size);
    if (member->enumerators != NULL)
        print_enumerators(&object, member->enumerators);
    if (member->repeat > 0)
        json_member_count(&object, "repeat", member->repeat);
    if (member->in_place_of != NULL)
        json_member_text(&object, "in_place_of", member->in_place_of);
    if (member->counted_by != NULL)
        json_member_text(&object, "counted_by", member->counted_by);
    if (member->is_optional)
        json_member_bool(&object, "optional", true);
    if (member->is_partial)
        json_member_bool(&object, "partial", true);
    if (member->may_be_short)
        json_member_bool(&object, "may_be_short", true);
    printf("}");
}

static void print_struct(json *object, const char *key, size_t size, const clprim_member *members)
{
    json inner;
    json_key(object, key);
    json_begin(&inner);
    json_member_count(&inner, "size", size);
    json_key(&inner, "members");
    printf("[");
    for (const clprim_member *one = members; one->name != NULL; one++) {
        printf("%s", one == members ? "" : ", ");
        print_member(one);
    }
    printf("]}");
}

static void print_variant(const clprim_variant_info *variant)
{
    json object;
    json_begin(&object);
    json_member_text(&object, "name", variant->name);
    json_member_count(&object, "value", (uint64_t)variant->id);
    json_member_text(&object, "summary", variant->summary);
    json_member_text(&object, "needs", variant->needs);
    json_member_text(&object, "origin", variant->origin);
    json_member_bool(&object, "keeps_order", variant->keeps_order);
    printf("}");
}

static void print_json(const clprim_operation *operation)
{
    size_t count = 0;
    const clprim_variant_info *variants = operation->variants != NULL ? operation->variants(&count) : NULL;
    json object;
    json_begin(&object);
    json_member_text(&object, "name", operation->name);
    json_member_text(&object, "summary", operation->summary);
    print_struct(&object, "desc", operation->desc_size, operation->desc_members);
    print_struct(&object, "call", operation->call_size, operation->call_members);
    json_key(&object, "variants");
    printf("[");
    for (size_t i = 0; i < count; i++) {
        printf("%s", i > 0 ? ", " : "");
        print_variant(&variants[i]);
    }
    printf("]}");
}

static void print_row(const char *part, const char *name, const char *kind, const char *summary)
{
    printf("  %-8s %-20s %-10s %s\n", part, name, kind, summary);
}

static void print_text(const clprim_operation *operation)
{
    size_t count = 0;
    const clprim_variant_info *variants = operation->variants != NULL ? operation->variants(&count) : NULL;
    printf("%-18s %s\n", operation->name, operation->summary);
    for (const clprim_member *one = operation->desc_members; one->name != NULL; one++)
        print_row("desc", one->name, kind_name(one->kind), one->summary);
    for (const clprim_member *one = operation->call_members; one->name != NULL; one++)
        print_row("call", one->name, kind_name(one->kind), one->summary);
    for (size_t i = 0; i < count; i++)
        print_row("variant", variants[i].name, "", variants[i].summary);
}

cli_result cli_operations(const cli_options *options)
{
    size_t count = 0;
    const clprim_operation *const *operations = clprim_operations(&count);
    if (options->json)
        printf("{\"command\": \"operations\", \"operations\": [");
    for (size_t i = 0; i < count; i++) {
        if (options->json)
            printf("%s", i > 0 ? ", " : "");
        (options->json ? print_json : print_text)(operations[i]);
    }
    if (options->json)
        printf("]}\n");
    return CLI_OK;
}
