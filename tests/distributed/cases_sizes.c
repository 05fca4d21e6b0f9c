// SPDX-License-Identifier: MIT
/* cases_sizes.c: sizes near powers of two in every member of descriptions and calls that is a size, and as `room`. All
 * ranks return the same status, and nothing is written past the end of an array. */
#include <stdio.h>
#include <string.h>

#include "cases_frame.h"
#include "cases_operations.h"
#include "random.h"

static bool is_size(const clprim_member *m)
{
    return m->kind == CLPRIM_MEMBER_SIZE || m->kind == CLPRIM_MEMBER_UNSIGNED;
}

/* A number slightly below or above 2^61 to 2^64, or 2^32. */
static uint64_t any_size(uint64_t *random)
{
    const uint64_t log = 61 + test_random_below(random, 5);
    const uint64_t power = log > 64 ? UINT64_C(1) << 32 : log == 64 ? 0 : UINT64_C(1) << log;
    return power + test_random_below(random, 5) - 2;
}

/* Give all arrays as many elements as fit in their memory. */
static void set_lengths(cases_given *it, const clprim_operation *table)
{
    for (const clprim_member *m = table->call_members; m->name != NULL; m++)
        for (size_t i = 0; i < cases_repeat_of(m); i++) {
            clprim_array *array = cases_given_array(it, m, i);
            const bool is_value = m->is_value != NULL && m->is_value(it->desc.bytes, i);
            const size_t size = m->element(it->desc.bytes, i).size;
            if (array->host != NULL && !is_value && size <= CASES_ARRAY_BYTES)
                array->length = CASES_ARRAY_BYTES / size;
        }
}

/* The member has the value `value` on the rank `culprit`, or on all ranks if there is no such rank. m NULL: change the
 * room instead. */
static void check(cases_rank *self, const cases_row *of, const clprim_member *m, bool is_desc, uint64_t value,
                  unsigned culprit)
{
    cases_given it;
    char what[160];
    const bool is_mine = culprit >= self->comm->size || culprit == self->comm->rank;
    size_t room = CASES_ROW_COUNT;
    (void)snprintf(what, sizeof what, "%s %llu on rank %u", m != NULL ? m->name : "room", (unsigned long long)value,
                   culprit);
    cases_given_begin(&it, of);
    if (m != NULL && is_desc && is_mine)
        memcpy(it.desc.bytes + m->place, &value, m->kind == CLPRIM_MEMBER_SIZE ? sizeof(size_t) : sizeof(unsigned));
    cases_given_fill(&it, of->table);
    set_lengths(&it, of->table);
    if (m != NULL && !is_desc && is_mine)
        memcpy(it.call.bytes + m->place, &value, sizeof(size_t));
    if (m == NULL && is_mine)
        room = (size_t)value;
    cases_expect_agreement(self, of->run(self, it.desc.bytes, it.call.bytes, m == NULL ? &room : NULL), CASES_AGREES,
                           of->table->name, what);
    cases_given_end(self, &it);
}

static void check_everywhere(cases_rank *self, const cases_row *of, const clprim_member *m, bool is_desc,
                             uint64_t *random)
{
    for (int draws = 0; draws < 3; draws++) {
        check(self, of, m, is_desc, any_size(random), (unsigned)test_random_below(random, self->comm->size));
        check(self, of, m, is_desc, any_size(random), self->comm->size);
    }
}

void cases_run_sizes(cases_rank *self)
{
    uint64_t random = 97;
    for (size_t i = 0; i < cases_num_rows && self->comm->size == 3; i++) {
        const cases_row *of = &cases_rows[i];
        for (const clprim_member *m = of->table->desc_members; m->name != NULL; m++)
            if (is_size(m))
                check_everywhere(self, of, m, true, &random);
        for (const clprim_member *m = of->table->call_members; m->name != NULL; m++)
            if (is_size(m))
                check_everywhere(self, of, m, false, &random);
        check_everywhere(self, of, NULL, false, &random);
    }
}
