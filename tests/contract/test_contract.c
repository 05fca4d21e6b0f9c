// SPDX-License-Identifier: MIT
/* test_contract.c: the tables themselves: they must describe the structs correctly and completely. */
#include <stdio.h>

#include "contract.h"

/* Members must be in the order of their structs, inside them, and have different names; summaries must be single
 * lines. */
static void check_members(const clprim_operation *face, const clprim_member *members, size_t size, bool is_call)
{
    size_t end = 0;
    for (const clprim_member *m = members; m->name != NULL; m++) {
        const bool is_array = m->kind == CLPRIM_MEMBER_INPUT || m->kind == CLPRIM_MEMBER_OUTPUT;
        const size_t repeat = m->repeat > 0 ? m->repeat : 1;
        cr_assert(m->place >= end, "%s: %s is listed behind a later member", face->name, m->name);
        end = m->place + m->size;
        cr_assert(end <= size, "%s: %s ends behind its struct", face->name, m->name);
        cr_assert(m->summary != NULL && m->summary[0] != '\0' && strchr(m->summary, '\n') == NULL,
                  "%s: %s has no summary of a line", face->name, m->name);
        cr_assert(!is_array || (is_call && m->size == repeat * sizeof(clprim_array)), "%s: %s is no array of a call",
                  face->name, m->name);
        cr_assert(!(is_array || m->kind == CLPRIM_MEMBER_DATA) || (m->element != NULL && m->length != NULL),
                  "%s: %s has no element or length", face->name, m->name);
        cr_assert(m->kind != CLPRIM_MEMBER_ENUM || m->enumerators != NULL || strcmp(m->name, "variant") == 0,
                  "%s: %s has no enumerators", face->name, m->name);
    }
    /* every member must be in the table: after the last one, only padding may follow */
    cr_assert(size - end < sizeof(void *), "%s: the last member ends at %zu of %zu bytes", face->name, end, size);
}

static void check_variants(const clprim_operation *face, const clprim_device_info *info)
{
    size_t count = 0;
    const clprim_variant_info *variants = test_variants(face, &count);
    cr_assert(count > 0 || face->variants == NULL);
    for (size_t v = 0; v < count; v++) {
        cr_assert(variants[v].id > 0 && strlen(variants[v].name) > 0 && strlen(variants[v].summary) > 0 &&
                      strlen(variants[v].origin) > 0 && variants[v].needs != NULL,
                  "%s: variant %zu", face->name, v);
        for (size_t k = 0; k < v; k++) /* in the order of the enumerators */
            cr_assert(variants[v].id > variants[k].id && strcmp(variants[v].name, variants[k].name) != 0,
                      "%s: %s twice", face->name, variants[v].name);
        (void)contract_has(info, variants[v].needs); /* in known words */
    }
}

Test(contract, tables)
{
    size_t count = 0;
    const clprim_operation *const *operations = clprim_operations(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < count; i++) {
        const clprim_operation *face = operations[i];
        cr_assert(face->desc_size <= CLPRIM__MAX_DESC && face->call_size <= CLPRIM__MAX_CALL, "%s", face->name);
        check_members(face, face->desc_members, face->desc_size, false);
        check_members(face, face->call_members, face->call_size, true);
        check_variants(face, clprim_runtime_info(runtime));
        for (size_t k = 0; k < i; k++)
            cr_assert_str_neq(face->name, operations[k]->name);
    }
    clprim_runtime_destroy(runtime);
}
