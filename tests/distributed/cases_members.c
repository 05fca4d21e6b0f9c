// SPDX-License-Identifier: MIT
/* cases_members.c: one rank passes something that the others do not: all ranks return the same error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases_frame.h"
#include "cases_operations.h"

/* One array that is given only by the culprit, or by all ranks except the culprit. */
static void check_array(cases_rank *self, const cases_row *of, unsigned culprit, const clprim_member *m, size_t index)
{
    cases_given it;
    char what[128];
    (void)snprintf(what, sizeof what, "%s[%zu] on rank %u", m->name, index, culprit);
    for (int is_there = 0; is_there < 2; is_there++) { /* given by the culprit */
        cases_given_begin(&it, of);
        if ((self->comm->rank == culprit) != (is_there != 0))
            cases_given_array(&it, m, index)->host = NULL;
        else
            cases_given_array(&it, m, index)->host = it.memory[0];
        const clprim_status status = of->run(self, it.desc.bytes, it.call.bytes, NULL);
        cases_expect_agreement(self, status, CASES_FAILS, of->table->name, what);
        if (strstr(clprim_last_error(), m->name) == NULL)
            cases_wrong(self, "%s, %s is not named: %s", of->table->name, what, clprim_last_error());
        cases_given_end(self, &it);
    }
}

/* Change the value of a description's member. */
static void change(cases_given *it, const clprim_member *m)
{
    static const char text[] = "1", other[] = "other", bytes[256];
    static const clprim_custom_op plus = {.combine = "a + b", .identity = "0"};
    char *at = it->desc.bytes + m->place;
    const void *pointer = m->kind == CLPRIM_MEMBER_TEXT        ? text
                          : m->kind == CLPRIM_MEMBER_PARAMETER ? other
                          : m->kind == CLPRIM_MEMBER_CUSTOM_OP ? (const void *)&plus
                                                               : bytes;
    switch (m->kind) {
    case CLPRIM_MEMBER_TEXT:
    case CLPRIM_MEMBER_CUSTOM_OP:
    case CLPRIM_MEMBER_DATA:
    case CLPRIM_MEMBER_PARAMETER:
        if (*(void **)(void *)at != NULL)
            pointer = NULL;
        memcpy(at, &pointer, sizeof pointer);
        break;
    case CLPRIM_MEMBER_TYPE: *(clprim_type *)(void *)at = *(clprim_type *)(void *)at != 0 ? 0 : CLPRIM_U32; break;
    case CLPRIM_MEMBER_DOUBLE: *(double *)(void *)at += 1; break;
    default: *at = *at == 0 ? 4 : 0;
    }
    if (m->kind == CLPRIM_MEMBER_BOOL)
        *at = *at != 0;
}

/* Whether one of the descriptions needs an array that the other one does not need. */
static bool has_other_arrays(const clprim_operation *table, const void *a, const void *b)
{
    for (const clprim_member *m = table->call_members; m->name != NULL; m++)
        for (size_t i = 0; i < cases_repeat_of(m); i++)
            if ((m->element(a, i).size > 0) != (m->element(b, i).size > 0))
                return true;
    return false;
}

/* Arrays that are needed only by the culprit's description. */
static void check_description(cases_rank *self, const cases_row *of, unsigned culprit, const clprim_member *m)
{
    cases_given it;
    char what[128];
    (void)snprintf(what, sizeof what, "a description with another %s on rank %u", m->name, culprit);
    cases_given_begin(&it, of);
    change(&it, m);
    if (has_other_arrays(of->table, of->desc, it.desc.bytes)) {
        if (self->comm->rank != culprit)
            memcpy(it.desc.bytes, of->desc, of->table->desc_size);
        cases_given_fill(&it, of->table);
        cases_expect_agreement(self, of->run(self, it.desc.bytes, it.call.bytes, NULL), CASES_FAILS, of->table->name,
                               what);
    }
    cases_given_end(self, &it);
}

static void check_row(cases_rank *self, const cases_row *of, unsigned culprit)
{
    cases_given it;
    size_t checked = 0;
    for (const clprim_member *m = of->table->call_members; m->name != NULL; m++)
        for (size_t i = 0; i < cases_repeat_of(m); i++, checked++)
            check_array(self, of, culprit, m, i);
    for (const clprim_member *m = of->table->desc_members; m->name != NULL; m++)
        check_description(self, of, culprit, m);
    if (checked < 2)
        cases_wrong(self, "%s: %zu arrays", of->table->name, checked);
    cases_given_begin(&it, of); /* the ranks can go on */
    cases_expect_agreement(self, of->run(self, it.desc.bytes, it.call.bytes, NULL), CASES_SUCCEEDS, of->table->name,
                           "as it must be");
    cases_given_end(self, &it);
}

void cases_run_members(cases_rank *self)
{
    for (size_t i = 0; i < cases_num_rows && self->comm->size > 1; i++) {
        check_row(self, &cases_rows[i], 0);
        check_row(self, &cases_rows[i], self->comm->size - 1);
    }
}
