// SPDX-License-Identifier: MIT
/* test_contract.texts.c: each text of a description, by the operation's table, must be refused unless it is complete in
 * itself; the sentence names the member, the line and the column. Nothing is compiled for that. */
#include <stdio.h>

#include "contract.h"

/* Texts that close something of the surrounding text, or leave something open. `where` follows the member's name in the
 * sentence; NULL: only the name is checked. */
typedef struct broken {
    const char *text, *where;
} broken;

static const broken expressions[] = {
    {"1) + (1", ":1:2: ')'"}, {"\n(1", ":2:1: '('"},  {"1 /*", ":1:3:"}, {"1 + '", ":1:5:"}, {"1;", ":1:2: ';'"},
    {"1\n#if 1", ":2:1:"},    {"#endif\n1", ":1:1:"}, {"1 \\", ":1:3:"}, {"", NULL},         {" \t\n", NULL},
};
static const broken sources[] = {
    {"int f() {", ":1:9: '{'"}, {"typedef int t; }", ":1:16: '}'"}, {"\n/*", ":2:1:"}, {"#if 1", ":1:1:"}};
static const broken type_names[] = {{"", NULL}, {"int a; typedef int", NULL}, {"int)", NULL}, {"int\n#if 1", NULL}};
static const broken options[] = {{"-DA=/*", ":1:5:"}, {"-DA\n-DB", ":1:4:"}, {"-DA=\\", ":1:5:"}};

static void refuse(clprim_runtime *runtime, const clprim_operation *face, const test_struct *desc, const char *name,
                   const broken *row)
{
    char says[128];
    clprim_plan *plan = NULL;
    const test_struct call = {.bytes = {0}};
    (void)snprintf(says, sizeof says, "%s%s", name, row->where != NULL ? row->where : "");
    const clprim_status expected = row->where != NULL ? CLPRIM_BUILD_FAILED : CLPRIM_INVALID_ARGUMENT;
    test_expect_status(face->create(&plan, runtime, desc->bytes), expected, says, face->name);
    cr_assert_null(plan);
    test_expect_status(face->run(runtime, desc->bytes, call.bytes), expected, says, face->name);
}

/* Test each kind of broken text at this place of a description. */
static void refuse_at(clprim_runtime *runtime, const clprim_operation *face, size_t place, const char *name)
{
#define ROWS(list) list, sizeof list / sizeof *list
    const struct {
        const char *part; /* the part of a name */
        const broken *rows;
        size_t count;
    } kinds[] = {{"type_name", ROWS(type_names)},
                 {"source", ROWS(sources)},
                 {"options", ROWS(options)},
                 {"", ROWS(expressions)}};
    size_t kind = 0;
    while (strstr(name, kinds[kind].part) == NULL)
        kind++;
    for (size_t i = 0; i < kinds[kind].count; i++) {
        test_struct desc = {.bytes = {0}};
        const char *text = kinds[kind].rows[i].text;
        memcpy(desc.bytes + place, &text, sizeof text);
        refuse(runtime, face, &desc, name, &kinds[kind].rows[i]);
    }
}

/* The operator's texts are tested like those of a description. */
static void refuse_operators(clprim_runtime *runtime, const clprim_operation *face, const clprim_member *m)
{
#define OPERATOR(...)                                                                                                  \
    &(const clprim_custom_op)                                                                                          \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
    const struct {
        const char *name;
        broken row;
        const clprim_custom_op *op;
    } rows[] = {
        {"combine", {"", ":1:2:"}, OPERATOR(.combine = "a) + (b")},
        {"combine", {"", NULL}, OPERATOR(.combine = "")},
        {"identity", {"", ":1:1:"}, OPERATOR(.combine = "a", .identity = "(0")},
        {"source", {"", ":2:1:"}, OPERATOR(.combine = "a", .source = "\n}")},
        {"type_name", {"", NULL}, OPERATOR(.combine = "a", .type_name = "int;", .type_size = 4)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_struct desc = {.bytes = {0}};
        memcpy(desc.bytes + m->place, &rows[i].op, sizeof rows[i].op);
        refuse(runtime, face, &desc, rows[i].name, &rows[i].row);
    }
}

static size_t refuse_member(clprim_runtime *runtime, const clprim_operation *face, const clprim_member *m)
{
    char name[64];
    size_t texts = 0;
    if (m->kind == CLPRIM_MEMBER_CUSTOM_OP)
        refuse_operators(runtime, face, m);
    for (size_t k = 0; m->kind == CLPRIM_MEMBER_TEXT && k < m->size / sizeof(char *); k++, texts++) {
        (void)snprintf(name, sizeof name, m->size > sizeof(char *) ? "%s_%zu" : "%s", m->name, k);
        refuse_at(runtime, face, m->place + k * sizeof(char *), name);
    }
    for (size_t k = 0; m->kind == CLPRIM_MEMBER_PARAMETER && k < m->size / sizeof(clprim_parameter); k++, texts++) {
        (void)snprintf(name, sizeof name, "%s[%zu].type_name", m->name, k);
        refuse_at(runtime, face, m->place + k * sizeof(clprim_parameter) + offsetof(clprim_parameter, type_name), name);
    }
    return texts;
}

Test(contract_texts, are_complete, .timeout = 300)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_program_stats before = clprim_runtime_program_stats(runtime);
    size_t count = 0, texts = 0;
    const clprim_operation *const *operations = clprim_operations(&count);
    for (size_t i = 0; i < count; i++)
        for (const clprim_member *m = operations[i]->desc_members; m->name != NULL; m++)
            texts += refuse_member(runtime, operations[i], m);
    cr_assert_gt(texts, 500, "%zu texts", texts); /* the tables list them */
    cr_assert_eq(clprim_runtime_program_stats(runtime).built, before.built);
    clprim_runtime_destroy(runtime);
}
