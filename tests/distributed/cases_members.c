/* cases_members.c: what one rank passes and the others do not; and arguments without a length. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases_frame.h"
#include "cases_operations.h"

enum { COUNT = 20 /* elements of each rank */, MOST_ARRAYS = 64, MOST_BYTES = 64 * COUNT /* of an array */ };

#define ALONE
#define SHARED , NULL, NULL
#define DEFINE_RUN(op, more)                                                                                           \
    static clprim_status run_##op(const cases_rank *self, const void *desc, const void *call)                          \
    {                                                                                                                  \
        return clprim_distributed_##op(self->comm, self->runtime, desc, call more);                                    \
    }
CASES_OPERATIONS(DEFINE_RUN)

/* An operation, with a description in which arrays may be optional, or there or not. */
typedef struct row {
    const clprim_operation *table;
    clprim_status (*run)(const cases_rank *self, const void *desc, const void *call);
    const void *desc;
} row;

#define ROW(op, ...)                                                                                                   \
    {                                                                                                                  \
        &clprim_##op##_operation, run_##op, &(const clprim_##op##_desc)                                                \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
static const row rows[] = {
    ROW(reduce, .type = CLPRIM_U32),
    ROW(scan, .type = CLPRIM_U32),
    ROW(histogram, .type = CLPRIM_U8),
    ROW(histogram, .type = CLPRIM_U8, .channels = 2, .active_channels = 1),
    ROW(histogram, .type = CLPRIM_U8, .weights_type = CLPRIM_F32, .accumulate = true),
    ROW(top_k, .k = 3),
    ROW(top_k, .k = 3, .value_size = 4),
    ROW(top_k, .k = 3, .indices = true),
    ROW(select, .predicate = "x > 1", .text = {.parameters = {{.name = "bound"}}}),
    ROW(partition, .predicate = "x > 1"),
    ROW(unique, .type = CLPRIM_U32),
    ROW(run_length_encode, .type = CLPRIM_U32),
    ROW(reduce_by_key, .type = CLPRIM_U32),
    ROW(radix_sort, .key_type = CLPRIM_U32),
    ROW(radix_sort, .value_size = 8),
    ROW(radix_sort, .argsort = true),
    ROW(sort_by_key, .num_arrays = 2),
    ROW(sort_by_key, .num_arrays = 1, .values_only = true),
};
#undef ROW

/* Room for a description, a call, and the call's arrays. */
typedef struct given {
    union {
        max_align_t alignment;
        char bytes[4096];
    } desc, call;
    char *memory; /* MOST_ARRAYS of MOST_BYTES each */
} given;

static clprim_array *array_of(given *it, const clprim_member *member, size_t index)
{
    return (clprim_array *)(void *)(it->call.bytes + member->place) + index;
}

static size_t repeat_of(const clprim_member *member)
{
    return member->element == NULL ? 0 : member->repeat != 0 ? member->repeat : 1;
}

/* All arrays that the description asks for, optional ones, too. */
static void fill_in(given *it, const clprim_operation *table)
{
    size_t number = 0;
    memset(&it->call, 0, sizeof it->call);
    for (const clprim_member *m = table->call_members; m->name != NULL; m++) {
        const size_t count = COUNT;
        if (strcmp(m->name, "count") == 0)
            memcpy(it->call.bytes + m->place, &count, sizeof count);
        for (size_t i = 0; i < repeat_of(m); i++, number++)
            if (m->element(it->desc.bytes, i).size > 0)
                array_of(it, m, i)->host = it->memory + number * MOST_BYTES;
    }
}

static void begin(given *it, const row *of)
{
    memset(it, 0, sizeof *it);
    memcpy(it->desc.bytes, of->desc, of->table->desc_size);
    it->memory = cases_memory((size_t)MOST_ARRAYS * MOST_BYTES);
    memset(it->memory, 1, (size_t)MOST_ARRAYS * MOST_BYTES);
    fill_in(it, of->table);
}

/* The same status and the same words on all ranks. */
static void expect_agreement(cases_rank *self, clprim_status status, bool succeeds, const char *name, const char *what)
{
    uint64_t mine = UINT64_C(0xcbf29ce484222325) + (uint64_t)(unsigned)status; /* FNV-1a */
    uint64_t all[CASES_RANKS] = {0};
    for (const char *c = status == CLPRIM_SUCCESS ? "" : clprim_last_error(); *c != '\0'; c++)
        mine = (mine ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    if (self->comm->all_gather(self->comm->user, &mine, sizeof mine, all) != 0)
        cases_wrong(self, "%s, %s: the ranks cannot talk any more", name, what);
    if ((status == CLPRIM_SUCCESS) != succeeds)
        cases_wrong(self, "%s, %s: %s (%s)", name, what, clprim_status_string(status), clprim_last_error());
    for (unsigned r = 0; r < self->comm->size; r++)
        if (all[r] != mine)
            cases_wrong(self, "%s, %s: not what rank %u says: %s (%s)", name, what, r, clprim_status_string(status),
                        clprim_last_error());
}

/* One array that is there on the culprit alone, or is missing there alone. */
static void check_array(cases_rank *self, const row *of, unsigned culprit, const clprim_member *m, size_t index)
{
    given it;
    char what[128];
    (void)snprintf(what, sizeof what, "%s[%zu] on rank %u", m->name, index, culprit);
    for (int is_there = 0; is_there < 2; is_there++) { /* on the culprit */
        begin(&it, of);
        if ((self->comm->rank == culprit) != (is_there != 0))
            array_of(&it, m, index)->host = NULL;
        else
            array_of(&it, m, index)->host = it.memory;
        const clprim_status status = of->run(self, it.desc.bytes, it.call.bytes);
        expect_agreement(self, status, false, of->table->name, what);
        if (strstr(clprim_last_error(), m->name) == NULL)
            cases_wrong(self, "%s, %s is not named: %s", of->table->name, what, clprim_last_error());
        free(it.memory);
    }
}

/* Another value of a description's member. */
static void change(given *it, const clprim_member *m)
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

/* Whether one of the descriptions asks for an array that the other does not ask for. */
static bool has_other_arrays(const clprim_operation *table, const void *a, const void *b)
{
    for (const clprim_member *m = table->call_members; m->name != NULL; m++)
        for (size_t i = 0; i < repeat_of(m); i++)
            if ((m->element(a, i).size > 0) != (m->element(b, i).size > 0))
                return true;
    return false;
}

/* Arrays that the culprit's description asks for, and those of the others do not. */
static void check_description(cases_rank *self, const row *of, unsigned culprit, const clprim_member *m)
{
    given it;
    char what[128];
    (void)snprintf(what, sizeof what, "a description with another %s on rank %u", m->name, culprit);
    begin(&it, of);
    change(&it, m);
    if (has_other_arrays(of->table, of->desc, it.desc.bytes)) {
        if (self->comm->rank != culprit)
            memcpy(it.desc.bytes, of->desc, of->table->desc_size);
        fill_in(&it, of->table);
        expect_agreement(self, of->run(self, it.desc.bytes, it.call.bytes), false, of->table->name, what);
    }
    free(it.memory);
}

static void check_row(cases_rank *self, const row *of, unsigned culprit)
{
    given it;
    size_t checked = 0;
    for (const clprim_member *m = of->table->call_members; m->name != NULL; m++)
        for (size_t i = 0; i < repeat_of(m); i++, checked++)
            check_array(self, of, culprit, m, i);
    for (const clprim_member *m = of->table->desc_members; m->name != NULL; m++)
        check_description(self, of, culprit, m);
    if (checked < 2)
        cases_wrong(self, "%s: %zu arrays", of->table->name, checked);
    begin(&it, of); /* the ranks can go on */
    expect_agreement(self, of->run(self, it.desc.bytes, it.call.bytes), true, of->table->name, "as it must be");
    free(it.memory);
}

void cases_run_members(cases_rank *self)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && self->comm->size > 1; i++) {
        check_row(self, &rows[i], 0);
        check_row(self, &rows[i], self->comm->size - 1);
    }
}
